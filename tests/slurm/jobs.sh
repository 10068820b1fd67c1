# shellcheck shell=sh disable=SC2154,SC2016,SC2046,SC2086
# poprun in an allocation; for tests/slurm/run.

part='--vipu-partition=slurm_$SLURM_JOB_ID'
four="poprun $part --num-instances 4 --num-replicas 4"
say='echo $(popdist-env get getInstanceIndex) on $(hostname)'

jobs_hosts() {
	script two "$four sh -c '$say'"
	ok 'poprun on two hosts of a batch job' batch anna -N2 --ipus=4 ./two
	ok 'instances on both' says '^\[1,3\]<stdout>:3 on n[1-4]$'
	[ "$(grep -c '^\[1' "$out")" -eq 4 ] || cat "$out"
	ok 'nothing else was printed' not says 'srun:|POPRUN'
	ok 'poprun in a step of srun' as anna srun -N1 --ipus=4 \
	    sh -c "$four sh -c '$say'"
	ok 'its instances on one host' says '^\[1,3\]<stdout>:3 on n[1-4]$'
	script slots "$four true"
	ok 'at most --ntasks-per-node instances' exits 1 batch anna -N1 \
	    --ntasks-per-node=2 --ipus=4 ./slots
	ok 'why' says 'slots'
	script one "$four --launcher srun sh -c '$say'"
	ok '--launcher srun on one host' batch anna --ipus=4 ./one
	ok 'its instances' says '^\[1,3\]<stdout>:3 on n[1-4]$'
	script mpi "$four --launcher mpirun sh -c '$say'"
	ok '--launcher mpirun on two hosts' batch anna -N2 --ipus=4 ./mpi
	ok 'its instances on both' says '^\[1,3\]<stdout>:3 on n[1-4]$'
	script dry "$four --dry-run true"
	ok '--dry-run' batch anna -N2 --ipus=4 ./dry
	ok 'it names the launcher' says '^launcher: srun$'
	script check "$four --check true"
	ok '--check' batch anna -N2 --ipus=4 ./check
}

jobs_ends() {
	script fails "$four sh -c 'popdist-env barrier; exit 7'"
	ok 'an exit status' exits 7 batch anna -N2 --ipus=4 ./fails
	ok 'the message' says 'POPRUN ERROR: instance [0-3].* exited with status 7'
	script killed "$four sh -c 'kill -9 \$\$'"
	ok 'a signal' exits 137 batch anna -N2 --ipus=4 ./killed
	script restart "rm -f once
$four --max-restarts 1 sh -c 'popdist-env barrier; \
[ \$(popdist-env get getInstanceIndex) != 3 ] || [ -e once ] || \
{ touch once; exit 5; }; echo again'"
	ok '--max-restarts' batch anna -N2 --ipus=4 ./restart
	ok 'the second run' says '^\[1,0\]<stdout>:again$'
	script input "echo hello | $four --stdin 3 cat"
	ok 'standard input' batch anna -N2 --ipus=4 ./input
	ok 'of instance 3' says '^\[1,3\]<stdout>:hello$'
	script sums "$four sh -c 'popdist-env allreduce sum 1'"
	ok 'a collective over hosts' batch anna -N2 --ipus=4 ./sums
	ok 'its sum' says '^\[1,0\]<stdout>:4$'
	script pair "poprun $part --num-instances 2 --num-replicas 2 \
sh -c 'echo one' &
poprun $part --num-instances 2 --num-replicas 2 sh -c 'echo two' & wait"
	ok 'two poprun in one allocation' batch anna -N2 --ipus=4 ./pair
	ok 'the first' says '^\[1,1\]<stdout>:one$'
	ok 'the second' says '^\[1,1\]<stdout>:two$'
}

# Steps of poprun do without the plugins that look for hardware.
no_hwloc() {
	not grep -qs hwloc/hwloc_ $(pgrep -x slurmstepd | sed 's|.*|/proc/&/maps|')
}
# Whether a process of a job is left.
no_sleeps() { not pgrep -fx "sleep $1"; }

jobs_signals() {
	script waits "$four sh -c 'trap \"echo warned\" USR1; echo up; \
sleep 97 & while ! wait; do :; done'"
	rm -f log
	job=$(runuser -u anna -- sbatch --parsable -N2 --ipus=4 -o log ./waits)
	up() { [ "$(grep -c 'stdout>:up' log)" -eq 4 ]; }
	ok 'four instances wait' soon up
	ok 'PMIx has not looked for hardware' no_hwloc
	scancel -s USR1 "$job"
	warned() { grep -q 'stdout>:warned' log; }
	cp log "$out"
	ok 'a warning signal is passed on' soon warned
	scancel "$job"
	ok 'scancel ends all' soon no_sleeps 97
	ok 'nothing is left' soon not vipu get partition "slurm_$job"
	script kill "$four sleep 98 & pid=\$!
until [ \$(pgrep -cfx 'sleep 98') -eq 4 ]; do :; done
kill -9 \$pid; wait \$pid"
	ok 'poprun is killed' exits 137 batch anna -N2 --ipus=4 ./kill
	ok 'its instances end' soon no_sleeps 98
}

# Each launcher in a job whose time is over: Slurm warns poprun, then ends and
# kills it.  Slurm looks every 30 s and its shortest limit is a minute, so this
# needs FULL=1, and the jobs run beside others.
launchers='local mpirun srun'
two="poprun $part --num-instances 2 --num-replicas 2 --launcher"
jobs_limits() {
	for launcher in $launchers; do
		nodes=2
		[ "$launcher" != local ] || nodes=1
		script "limit-$launcher" "exec $two $launcher sh -c 'trap \"echo \
warned\" USR1; trap \"\" TERM; echo up; while :; do sleep 99 & wait; done'"
		rm -f "limit-$launcher.log"
		runuser -u anna -- timeout 300 sbatch --parsable -W -N$nodes \
		    --ipus=2 --time=1 --signal=B:USR1@30 -o "limit-$launcher.log" \
		    "./limit-$launcher" > "$work/limit-$launcher.id" 2>&1 &
		eval "limit_$launcher=\$!"
	done
	for launcher in $launchers; do
		ok "the time limit, $launcher" limit_ended "$launcher"
	done
	ok 'nothing outlives the jobs' soon no_sleeps 99
}
limit_ended() { # LAUNCHER
	eval "wait \$limit_$1"
	cp "limit-$1.log" "$out" &&
	    scontrol show job "$(cat "$work/limit-$1.id")" |
	    grep JobState=TIMEOUT && [ "$(grep -c 'stdout>:warned$' "$out")" -eq 2 ]
}

# A job that is queued again runs in a new partition.
requeues_job() { # LAUNCHER NODES SECONDS
	script again 'if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then' \
	    "exec $two $1 echo again; fi" \
	    "exec $two $1 sh -c 'trap \"\" TERM; echo up; sleep $3'"
	rm -f log
	job=$(runuser -u anna -- sbatch --parsable "-N$2" --ipus=2 \
	    --open-mode=append -o log ./again)
	written() { [ "$(grep -c "stdout>:$1\$" log)" -eq 2 ]; }
	queued() { [ "$(squeue -h -o %T -j "$job")" = PENDING ]; }
	soon written up && runuser -u anna -- scontrol requeue "$job" &&
	    soon no_sleeps "$3" && soon queued &&
	    scontrol update "JobId=$job" StartTime=now && soon written again
	status=$?
	cp log "$out"
	return "$status"
}

# The same weights on one host and on two.
jobs_training() {
	for hosts in 1 2; do
		script train "poprun $part --num-instances 2 --num-replicas 2 \
--ipus-per-replica 4 mnist-pipeline --dataset generated --samples 800 --device-iterations 1 \
--batch-size 8 --epochs 1 --save weights$hosts"
		batch anna -N$hosts --ipus=8 ./train || return 1
	done
	cmp weights1 weights2
}
# The transcripts that run under the other launchers, in a job on one host and
# in one on two.
jobs_one() {
	ok 'transcripts of the other launchers on one host' jobs_transcripts 1 \
	    arguments caller log-dir pty restart tag-format
}
jobs_two() {
	ok 'transcripts of the other launchers on two' jobs_transcripts 2 \
	    collectives matrix ${FULL:+output stdin}
}
jobs_transcripts() { # HOSTS NAME ...
	hosts=$1
	shift
	mkdir -p tests/cli tests/unit config/build
	cp -r "$here/../run" "$here/../one" "$here/../commands" \
	    "$here/../processes.sh" "$here/../transcript.awk" \
	    "$here/../scripts" tests
	cp "$here/../cli/poprun-terminal.py" tests/cli
	cp "$here/../../config/build/tools.sh" config/build
	script transcripts "export TMPDIR=$work/nfs JOBS=9" \
	    "tests/run $work/bin/ipubox tests"
	for name; do
		cp "$here/../cli/poprun-$name.t" "tests/cli/poprun-$name-srun.t"
	done
	batch anna "-N$hosts" ./transcripts
	says '^[1-9][0-9]* passed, 0 failed, 0 skipped'
}

# Ranks of MPI that srun connects.
jobs_mpi() {
	script mpi "$four /usr/bin/python3 -c 'from mpi4py import MPI
c = MPI.COMM_WORLD
print(\"rank\", c.rank, \"of\", c.size, c.allreduce(c.rank))'"
	batch anna -N2 --ipus=4 ./mpi && says '^\[1,3\]<stdout>:rank 3 of 4 6$'
}

# The pod on a server, which has the state from now on: other hosts reach it by
# its address alone.
jobs_serve() {
	export VIPU_CLI_API_HOST=head
	vipu-server --insecure --listen "$subnet.254" > "$work/log/server" 2>&1 &
	server=$!
	soon ip netns exec n1 vipu list partitions &&
	    ipubox slurm install /etc/slurm/ipubox > "$out" &&
	    grep -q VIPU_CLI_API_HOST /etc/slurm/ipubox/prolog
}
jobs_served() {
	ok 'a server has the pod' jobs_serve
	unset IPUBOX_STATE_DIR IPUBOX_REGISTRY
	ok 'a job with a server' prints 4 as anna srun --ipus=4 \
	    gc-info --ipu-count
	script two "$four sh -c '$say'"
	ok 'poprun on two hosts with a server' batch anna -N2 --ipus=4 ./two
	ok 'its instances on both' says '^\[1,3\]<stdout>:3 on n[1-4]$'
	ok 'their partitions are removed' none_left
	ok 'no node is drained' sane
	kill "$server" || cat "$work/log/server"
}

# For make bench: 16 tasks of true below srun, beside srun alone, in microseconds;
# SIDE is the program that measures.
launches() {
	cp "$SIDE" "$work/bin/side"
	ok 'a server has the pod' jobs_serve
	unset IPUBOX_STATE_DIR IPUBOX_REGISTRY
	script launches 'export SLURM_MPI_TYPE=none' 'side 15 -- poprun \
--num-instances 16 --num-replicas 16 true -- srun -n16 true'
	ok 'they run' batch anna -N4 --ntasks-per-node=4 --ipus=16 ./launches
	cat "$out"
}

jobs_local() { ok 'a job is queued again, local' requeues_job local 1 94; }
jobs_mpirun() { ok 'a job is queued again, mpirun' requeues_job mpirun 2 95; }
jobs_srun() { ok 'a job is queued again, srun' requeues_job srun 2 96; }
jobs_programs() {
	ok 'a training on two hosts has the weights of one' jobs_training
	if /usr/bin/python3 -c 'import mpi4py' 2> /dev/null; then
		ok 'MPI over hosts, by PMIx' jobs_mpi
	else
		skip 'MPI over hosts' 'python3-mpi4py'
	fi
}

jobs="${FULL:+jobs_limits} jobs_one jobs_two jobs_local jobs_mpirun jobs_srun \
jobs_hosts jobs_ends jobs_signals jobs_programs"
jobs() {
	beside $jobs
	ok 'their partitions are removed' none_left
	jobs_served
}
