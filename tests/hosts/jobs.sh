# shellcheck shell=sh disable=SC2154,SC2016,SC2086,SC2034
# Jobs on several hosts, for tests/hosts/run: poprun on pod1 over Open MPI, the
# pod's controller on pod1, and what is left where something dies.
#
# Sourced.  The keys are there, all to all.

# A job of pod1's user without IPUs; its output and status are kept.
job() { # HOSTS INSTANCES ARGUMENT ...
	askpass=
	list=$1 instances=$2
	shift 2
	pod_run pod1 timeout 120 poprun --offline-mode yes --host "$list" \
	    --num-instances "$instances" --num-replicas "$instances" "$@" \
	    > "$work/out" 2>&1 < /dev/null
}
# Its lines, sorted, are these.
prints() { # LINE ...
	printf '%s\n' "$@" > "$work/wanted"
	sort "$work/out" | diff "$work/wanted" -
}
# What a job may leave on a host: processes of the user that run, and the job's
# directories.  The sessions of sshd end when that finds it.
left_on() { # HOST
	pod_root "$1" ps -u "$user" -o stat=,pid=,args= |
	    grep -v -e '^Z' -e ' sshd: '
	pod_root "$1" sh -c 'ls -d /tmp/ipubox-job-* /dev/shm/ipubox-job-*' \
	    2> /dev/null
}
nothing_left() { # SECONDS HOST ...
	end=$(($(date +%s) + $1))
	shift
	for host; do
		while left_on "$host" | grep -q .; do
			[ "$(date +%s)" -lt "$end" ] || { left_on "$host"
			    return 1; }
		done
	done
}

jobs_run() {
	ok 'a job on two hosts' exits 0 job 'pod[1-2]' 4 sh -c 'echo \
	    $(hostname) $POPDIST_REPLICA_INDEX_OFFSET \
	    $POPDIST_LOCAL_INSTANCE_INDEX $RANK $LOCAL_RANK $NODE_RANK \
	    $WORLD_SIZE $LOCAL_WORLD_SIZE $MASTER_ADDR'
	ok 'says who is where' prints \
	    '[1,0]<stdout>:pod1 0 0 0 0 0 4 2 10.77.0.2' \
	    '[1,1]<stdout>:pod1 1 1 1 1 0 4 2 10.77.0.2' \
	    '[1,2]<stdout>:pod2 2 0 2 0 1 4 2 10.77.0.2' \
	    '[1,3]<stdout>:pod2 3 1 3 1 1 4 2 10.77.0.2'
	ok 'a job on others alone' exits 0 job 'pod[2-3]' 2 \
	    sh -c 'echo $(hostname) $MASTER_ADDR'
	ok 'meets on the first' prints '[1,0]<stdout>:pod2 10.77.0.3' \
	    '[1,1]<stdout>:pod3 10.77.0.3'
	ok 'a network by its subnet' exits 0 job 'pod[1-2]' 2 \
	    --host-subnet 10.77.0.0/16 true
	ok 'a port for poprun' exits 0 job 'pod[1-2]' 2 \
	    --port-range 40000-40001 true
	ok 'one that is not there' exits 1 job 'pod[1-2]' 2 \
	    --host-subnet 10.9.0.0/16 true
	ok 'is named' says 'no network 10.9.0.0/16; its networks are eth0'
	printf 'export IPUOF_CONFIG_PATH=/there POPLAR_ENGINE_OPTIONS=no\n' \
	    > "$work/pod2/home/.profile"
	askpass=
	ok 'variables of another host' exits 0 job 'pod[1-2]' 2 sh -c \
	    'echo ${IPUOF_CONFIG_PATH-none} $PYTHONUNBUFFERED'
	ok 'do not reach the instances' prints '[1,0]<stdout>:none 1' \
	    '[1,1]<stdout>:none 1'
	rm "$work/pod2/home/.profile"
	ok 'much output' exits 0 job 'pod[1-4]' 4 seq 100000
	for i in 0 1 2 3; do
		ok "whole and in order, $i" sh -c "grep '^.1,$i.<stdout>:' \
		    '$work/out' | cut -d: -f2 | { seq 100000 | diff -q - \
		    /dev/fd/3; } 3<&0"
	done
	ok 'the executable cache' exits 0 job 'pod[1-2]' 2 sh -c \
	    'touch "$POPDIST_EXECUTABLE_CACHE_PATH/$(hostname)" &&
	    ls "$POPDIST_EXECUTABLE_CACHE_PATH"'
	ok 'is each host'"'"'s own' prints '[1,0]<stdout>:pod1' \
	    '[1,1]<stdout>:pod2'
	ok 'and gone with the job' nothing_left 10 pod1 pod2 pod3 pod4
}

jobs_meet() {
	numbers=$(seq -s ' ' 6000)
	ok 'instances meet' exits 0 job 'pod[1-2]' 4 sh -c \
	    "popdist-env barrier; popdist-env gather \$(hostname) | tr '\n' ' '
	    popdist-env allreduce sum $numbers | sha256sum"
	sum=$(seq 6000 | awk '{ print 4 * $1 }' | sha256sum)
	ok 'and add up' prints \
	    "[1,0]<stdout>:pod1 pod1 pod2 pod2 $sum" \
	    "[1,1]<stdout>:pod1 pod1 pod2 pod2 $sum" \
	    "[1,2]<stdout>:pod1 pod1 pod2 pod2 $sum" \
	    "[1,3]<stdout>:pod1 pod1 pod2 pod2 $sum"
	ok 'a job that starts again' exits 0 job 'pod[1-2]' 2 \
	    --max-restarts 1 sh -c 'popdist-env barrier
	    [ $POPRUN_RESTART_COUNT = 1 ] || [ $(hostname) = pod1 ] ||
	        kill -9 $$
	    popdist-env gather $POPRUN_RESTART_COUNT || exit 0'
	ok 'meets again' says '^\[1,1\]<stdout>:1$'
	ok 'one that ends' exits 3 job 'pod[1-2]' 2 sh -c \
	    '[ $(hostname) = pod1 ] || exit 3; popdist-env barrier'
	ok 'is named' says 'instance 1 \(pid [0-9]+\) exited with status 3'
	ok 'and no emulated host' \
	    [ "$(grep -c emulate-hosts "$work/out")" = 0 ]
}

# A training job of four replicas with a partition.
train_on() { # HOSTS INSTANCES PARTITION ARGUMENT ...
	askpass=
	list=$1 instances=$2 partition=$3
	shift 3
	pod_run pod1 timeout 120 poprun --host "$list" --allow-oversubscribe \
	    --num-instances "$instances" --num-replicas 4 \
	    --ipus-per-replica 4 --vipu-partition "$partition" "$@" \
	    > "$work/out" 2>&1 < /dev/null
}
few='--dataset generated --samples 6000 --batch-size 10'
train() { # HOSTS INSTANCES PARTITION
	train_on "$@" mnist-pipeline $few --epochs 1 --debug
}
# The weights behind an epoch, of all replicas.
weights() { # EPOCH
	sed -n "s/.*Epoch $1: replica [0-9]*: weights //p" "$work/out" |
	    sort -u
}

# The genuine MNIST files, where they are: three hosts and one.
jobs_train_genuine() {
	genuine=${MNIST_DIR:-$tests/../../shared/data/mnist}
	if [ ! -e "$genuine/train-images-idx3-ubyte.gz" ]; then
		skip 'the genuine MNIST on three hosts' 'no MNIST files'
		return
	fi
	mkdir -m 755 "$work/mnist"
	for file in "$genuine"/*-ubyte.gz; do
		name=${file##*/}
		gzip -dc "$file" > "$work/mnist/${name%.gz}"
	done
	for where in 'pod[1-3] 4 p4' 'pod1 4 p4' 'pod1 1 p1'; do
		# shellcheck disable=SC2086
		ok "the genuine MNIST on $where" exits 0 train_on $where \
		    mnist-pipeline --data-dir "$work/mnist" --epochs 1 \
		    --batch-size 10 --debug
		weights 1 >> "$work/sums"
	done
	ok 'has the same weights' test "$(sort -u "$work/sums" | wc -l)" -eq 1
	ok 'and learns' says 'Accuracy on test set: 9[0-9]'
}

# The hosts share no files: the first has the check-point.
jobs_train_again() {
	ok 'two epochs' exits 0 train_on pod1 4 p4 mnist-pipeline $few \
	    --epochs 2 --debug
	same=$(weights 2)
	ok 'a training that fails behind its first' exits 0 train_on \
	    'pod[1-2]' 4 p4 --max-restarts 1 sh -c "
	    [ \$POPRUN_RESTART_COUNT = 1 ] || {
	        mnist-pipeline $few --epochs 1 --save w.ck
	        [ \$RANK != 0 ] || kill -9 \$\$
	        popdist-env barrier; }
	    exec mnist-pipeline $few --epochs 2 --save w.ck --debug"
	ok 'goes on' says 'Continuing from w.ck, epoch 1/2'
	ok 'and comes to the same' test "$(weights 2)" = "$same"
}

jobs_train() {
	pod_run pod1 vipu-server --init > "$work/out" 2>&1
	pod_run pod1 vipu-server -d --insecure --listen 10.77.0.2 \
	    --listen 127.0.0.1 > "$work/server" 2>&1 &
	server=$!
	until grep -q 'listening on .*vipu.sock' "$work/server"; do
		kill -0 "$server" || break
	done
	for gcds in 1 2 4; do
		ok "a partition of $gcds GCDs" exits 0 pod_run pod1 vipu create \
		    partition "p$gcds" --size 16 --num-gcds "$gcds"
	done
	ok 'training on pod1' exits 0 train pod1 4 p4
	same=$(weights 1)
	ok 'has weights' test "${#same}" -eq 16
	for where in 'pod[1-4] 4 p4' 'pod[1-3] 4 p4' 'pod[1-2] 2 p2' \
	    'pod3 1 p1'; do
		# shellcheck disable=SC2086
		ok "training on $where" exits 0 train $where
		ok 'has the same' test "$(weights 1)" = "$same"
	done
	jobs_train_genuine
	jobs_train_again
	for host in pod2 pod3; do
		pod_run "$host" env IPUOF_VIPU_API_HOST=10.77.0.2 \
		    IPUOF_VIPU_API_PARTITION_ID=p4 gc-monitor \
		    > "$work/out" 2>&1
		ok "gc-monitor on $host" says 'Partition: p4 \[active\]'
	done
	kill "$server"
	pod_root pod1 pkill -x vipu-server
	wait "$server" 2> /dev/null
	ok 'without a server for others' exits 1 train 'pod[1-2]' 4 p4
	ok 'is refused' says 'let vipu-server listen at 10.77.0.2:8090'
	ok 'and nothing is left' nothing_left 10 pod1 pod2 pod3 pod4
}

# A server that asks for keys, which only pod1 has.
jobs_secure() {
	pod_root pod1 rm -r "/home/$user/.local/state/ipubox"
	pod_run pod1 vipu-server --init --secure --default-user-id "$user" \
	    > "$work/said" 2>&1
	key=$(sed -n 's/.*Access Key is: *//p' "$work/said")
	pod_run pod1 vipu-server -d --secure --listen 10.77.0.2 \
	    --listen 127.0.0.1 > "$work/server" 2>&1 &
	server=$!
	until grep -q 'listening on .*vipu.sock' "$work/server"; do
		kill -0 "$server" || break
	done
	ok 'a partition' pod_run pod1 vipu create partition p2 --size 16 \
	    --num-gcds 2
	ok 'training where nobody is named' exits 1 train 'pod[1-2]' 2 p2
	ok 'is refused' says 'in secure mode, and no user is named'
	printf 'api-user-id = "%s"\napi-access-key = "%s"\n' "$user" "$key" \
	    > "$work/key"
	pod_run pod1 sh -c 'umask 077; cat > .vipu-cli.hcl' < "$work/key"
	ok 'a user whom only pod1 knows' exits 0 train 'pod[1-2]' 2 p2
	kill "$server"
	pod_root pod1 pkill -x vipu-server
	wait "$server" 2> /dev/null
	rm "$work/pod1/home/.vipu-cli.hcl"
}

# A job that only dies if it is made to, and then that; where it may start again
# it only tells where it is.
restarts=0
dies() { # TITLE STATUS SECONDS TEXT COMMAND ...
	what=$1 ends=$2 seconds=$3 text=$4
	shift 4
	askpass=
	job 'pod[1-2]' 2 --grace 2 --max-restarts "$restarts" \
	    --allow-oversubscribe sh -c "
	    [ \$POPRUN_RESTART_COUNT = 0 ] || exec hostname
	    trap '' TERM
	    sleep 1001 & sleep 1002" &
	running=$!
	end=$(($(date +%s) + 30))
	for host in pod1 pod2; do
		until [ "$(pod_root "$host" pgrep -xc sleep)" -ge 3 ] ||
		    [ "$(date +%s)" -ge "$end" ]; do
			:
		done
	done
	begin=$(date +%s)
	"$@"
	wait "$running"
	status=$?
	ok "$what: status $status" test "$status" -eq "$ends"
	[ -z "$text" ] || ok "$what: is said" says "$text"
	ok "$what: nothing is left" nothing_left \
	    $((seconds - ($(date +%s) - begin))) pod1 pod2
}
kill_on() { # HOST SIGNAL PATTERN
	pod_root "$1" pkill "-$2" -u "$user" -f "$3"
}

jobs_die() {
	dies 'an instance' 137 10 'instance 1 .*killed by signal 9.*' \
	    kill_on pod2 9 "trap '' TERM"
	dies 'a parent' 1 10 'parent of instance 1 on pod2 was killed' \
	    kill_on pod2 9 '^ipubox-parent'
	dies 'a keeper' 137 10 'mpirun .*exited with status 137' \
	    kill_on pod2 9 '^ipubox-keeper'
	dies 'orted' 205 10 'mpirun lost .* on node pod2' \
	    kill_on pod2 9 '^/usr/bin/orted'
	dies 'the sshd of a host' 255 10 'orted, on another host, or lost it' \
	    kill_on pod2 9 '^sshd: pod'
	dies 'mpirun' 137 10 'mpirun .* was killed by signal 9' \
	    kill_on pod1 9 '^/usr/bin/mpirun'
	dies 'poprun' 137 10 '' kill_on pod1 9 '^poprun'
	dies 'poprun, by a signal' 143 10 '' kill_on pod1 TERM '^poprun'
	restarts=1
	dies 'a host that is cut off' 0 60 \
	    'host pod2, with instance 1, was silent for 25 s; starting' \
	    ip link set ib2 down
	restarts=0
	ok 'the job goes on' says 'the job goes on without host pod2'
	ok 'on the host that is left' test "$(grep -c 'stdout>:pod1$' \
	    "$work/out")" -eq 2
	ip link set ib2 up
	ok 'and it is well again' exits 0 job 'pod[1-2]' 2 true
}

jobs_refused() {
	pod_root pod2 mv /usr/local/bin/popdist-env /usr/local/bin/kept
	printf '#!/bin/sh\necho here\n' > "$work/pod1/home/only"
	chmod 755 "$work/pod1/home/only"
	ok 'a program on one host' exits 127 job 'pod[1-2]' 2 ./only
	ok 'is named, with the host' says \
	    'cannot execute .*only for instance 1 on pod2: No such file'
	pod_root pod2 mv /usr/local/bin/kept /usr/local/bin/popdist-env
	rm "$work/pod1/home/only"
	ok 'an address that nobody has' exits 255 job pod1,10.77.200.1 2 true
	ok 'is named' says '10\.77\.200\.1: .*ssh'
	ok 'and nothing is left' nothing_left 10 pod1 pod2
}
