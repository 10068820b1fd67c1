# shellcheck shell=sh disable=SC2154
# One program on many hosts, an instance on each: by poprun, and by mpirun alone
# over the same network.  For tests/hosts/run and tests/hosts/beside.
#
# Sourced, behind pod.sh.  pod1's user gets into all hosts (pods_trust).

# As pod1's user; what it prints is kept.
wide_run() { # COMMAND ...
	askpass=
	pod_run pod1 timeout 300 "$@" > "$work/out" 2>&1 < /dev/null
}
wide_ours() { # HOSTS PROGRAM ...
	width=$1
	shift
	wide_run poprun --offline-mode yes --host "pod[1-$width]" \
	    --num-instances "$width" --num-replicas "$width" "$@"
}
# With the network that poprun gives mpirun by itself.  The hosts share the
# cores of this machine: mpirun would bind the first rank of each to the same
# core, and ranks that wait would keep the others from it.
wide_theirs() { # HOSTS PROGRAM ...
	width=$1
	shift
	wide_run mpirun --host "$(seq -s , -f pod%.0f "$width")" -np "$width" \
	    --bind-to none --mca mpi_yield_when_idle 1 \
	    --mca oob_tcp_if_include "$subnet.0.0/16" \
	    --mca btl_tcp_if_include "$subnet.0.0/16" --mca btl self,tcp "$@"
}

# The seconds of a command that ends well are one more line of the file.
wide_time() { # FILE COMMAND ...
	into=$1
	shift
	begin=$(date +%s.%N)
	"$@" || return 1
	end=$(date +%s.%N)
	echo "$end $begin" | awk '{ printf "%.3f\n", $1 - $2 }' >> "$into"
}

# A job of `true`, by turns, in the files ours and theirs.  One turn before them
# is not counted.
wide_true() { # HOSTS TURNS
	: > "$work/ours"
	: > "$work/theirs"
	wide_ours "$1" true && wide_theirs "$1" true || return 1
	for _ in $(seq "$2"); do
		wide_time "$work/ours" wide_ours "$1" true &&
		    wide_time "$work/theirs" wide_theirs "$1" true || return 1
	done
}

wide_median() { # FILE
	sort -n "$1" | awk '{ a[NR] = $1 }
	    END { if (NR > 0)
		print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2 }'
}

# The check of tests/hosts/run; how long it takes is said, and is no failure.
wide_check() { # HOSTS
	known=$(grep -c pod "$work/hosts")
	if ! pods_add $((known + 1)) "$1" || ! pods_trust; then
		cat "$work"/pod*/log > "$work/out"
		ok "$1 hosts" false
		return
	fi
	ok "a job on $1 hosts, and by mpirun alone" wide_true "$1" 2
	ok "leaves nothing$(echo "$(wide_median "$work/ours")" \
	    "$(wide_median "$work/theirs")" | awk 'NF == 2 {
		printf "; poprun %.2f s, mpirun %.2f s, ratio %.2f",
		    $1, $2, $1 / $2 }')" nothing_left 10 \
	    $(seq -f pod%.0f "$1")
}
