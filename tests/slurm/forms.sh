# shellcheck shell=sh disable=SC2154,SC2016,SC2086
# From a bare Slurm to running jobs, and the forms in which they ask for IPUs;
# for tests/slurm/run.

# The commands of ipubox-slurm(7) after this prompt; lines that end with \ go
# on.
manual() { # PROMPT
	mandoc -Tascii "$manual" | awk -v prompt="$1 " '
	    { gsub(/.\b/, ""); sub(/^ +/, "") }
	    more || index($0, prompt) == 1 {
		if (!more)
			$0 = substr($0, length(prompt) + 1)
		print
		more = /\\$/
	    }'
}
forms_install() {
	vipu-admin init --pod pod16 > "$out" &&
	    manual '#' > "$said.steps" || return 1
	cat "$said.steps"
	sh -e "$said.steps" > "$out" 2>&1 &&
	    grep -q Gres=ipu:no_consume:16 /etc/slurm/slurm.conf
}
# As a user, in its home; a batch job ends before the page is judged.
forms_manual() {
	{
		echo 'cd && set -e'
		manual '$' | sed 's/^sbatch/sbatch --wait/'
	} > "$said.steps"
	cat "$said.steps"
	as anna sh "$said.steps" && says 'Id: \[0\]' &&
	    says '^State .*ACTIVE' && says '^Submitted batch job' &&
	    [ "$(grep -c '^\[1,[0-3]\]<stdout>:[0-3]$' \
	    "$work/home/anna/job.log")" -eq 4 ] &&
	    grep -qx '\[1,1\]<stdout>:1' "$work/home/anna/warned.log" &&
	    says '^\[1,1\]<stdout>:1$'
}

forms_page() { ok 'the jobs of ipubox-slurm(7)' forms_manual; }

# A script that writes its exit status into $END, where that is set: sbatch -W
# asks only every two seconds.
script() { # NAME LINE ...
	name=$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" | awk '/^[^#]/ && !n++ {
	    print "[ -z \"$END\" ] || trap '\''echo $? > \"$END\"'\'' EXIT" }
	    { print }' > "$name"
	chmod 755 "$name"
}

# The shell is process 1, which reaps what jobs leave only while it waits.
batch() { # USER ARGUMENT ...: run it to its end; its output is in out
	user=$1
	shift
	rm -f log end && mkfifo -m 666 end
	if END=$PWD/end runuser -u "$user" -- sbatch -o log "$@" \
	    > "$said.batch" 2>&1; then
		timeout 600 cat end > "$said.end"
		status=$(cat "$said.end")
	else
		status=$?
	fi
	cat log "$said.batch" > "$out" 2> /dev/null
	return "${status:-124}"
}

forms_ask() {
	ok 'srun --ipus=4' prints 4 as anna srun --ipus=4 gc-info --ipu-count
	ok 'srun --ipus=2 SCRIPT' prints 2 as anna srun --ipus=2 ./count
	ok 'srun --ipus=16: the whole pod' \
	    prints 16 as ben srun --ipus=16 gc-info --ipu-count
	ok 'srun --gres=ipu:1' prints 1 as ben srun --gres=ipu:1 ./count
	ok 'srun --gres=ipu' prints 1 as ben srun --gres=ipu ./count
	ok 'srun -p ipu --gres=ipu:1 --pty' \
	    as ben srun -p ipu --gres=ipu:1 --pty sh -c 'gc-info --ipu-count'
	ok 'salloc --ipus=2' as ben salloc --ipus=2 srun ./count
	ok 'the number of salloc' says '^2$'
	ok 'sbatch --ipus=4' batch anna --ipus=4 ./count
	ok 'the number of sbatch' says '^4$'
	script two '#SBATCH --ipus=2' 'gc-info --ipu-count'
	ok '#SBATCH --ipus=2' batch anna ./two
	ok 'its number' says '^2$'
	script gres '#SBATCH --gres=ipu:4' 'gc-info --ipu-count'
	ok '#SBATCH --gres=ipu:4' batch anna ./gres
	ok 'its number again' says '^4$'
	script step 'srun --ipus=4 gc-info --ipu-count'
	ok 'a step names its job'\''s number' batch anna --ipus=4 ./step
	ok 'a job without IPUs' prints hello as anna srun -p ipu echo hello
}

forms_refuse() {
	ok '--ipus=3' exits 255 as anna srun --ipus=3 true
	ok '--ipus=3: why' says 'ipus=3: must be a power of two, at most 16'
	ok '--ipus=32' exits 255 as anna sbatch --ipus=32 count
	ok '--gres=ipu:3' exits 1 as anna srun --gres=ipu:3 true
	ok '--gres=ipu:3: why' says '3 IPUs: the number must be a power of two'
	ok '--gres=ipu:16 on two nodes' \
	    exits 1 as anna srun -N2 --gres=ipu:16 true
	ok 'no node is drained' sane
}

# The commands of ALCF's pages, with programs of the same names instead of those
# that need its data sets; see DIFFERENCES in ipubox-slurm(7).
forms_pages() {
	mount -t tmpfs -o mode=755 opt /opt && mkdir -p /opt/slurm/bin &&
	    ln -s "$(command -v srun)" /opt/slurm/bin/
	ln -s /usr/bin/python3 "$work/bin/python"
	printf '%s\n' '#!/bin/sh' '# run IMAGE [--] COMMAND' 'shift 2' \
	    '[ "$1" != -- ] || shift' 'exec "$@"' > "$work/bin/singularity"
	chmod 755 "$work/bin/singularity"
	printf '%s\n' 'import subprocess' \
	    'subprocess.check_call(["gc-info", "--ipu-count"])' > mnist_poptorch.py
	for name in mnist.py train_gpt2.py train.py; do
		cp mnist_poptorch.py "$name"
	done
	script submit-mnist-poptorch-job.sh 'python mnist_poptorch.py'
	ok 'srun --ipus=1 python' prints 1 as anna srun --ipus=1 python \
	    mnist_poptorch.py
	ok '/opt/slurm/bin/srun' prints 1 as anna /opt/slurm/bin/srun \
	    --ipus=1 python mnist.py
	ok '/opt/slurm/bin/srun --ipus=16' prints 16 as anna \
	    /opt/slurm/bin/srun --ipus=16 python train_gpt2.py --model gpt2 \
	    --ipus-per-replica 4 --replication-factor 4 --dataset 'generated'
	ok 'sbatch --output=LOG JOB.sh' as anna sbatch -W --ipus=1 \
	    --output=mnist-poptorch-output.log submit-mnist-poptorch-job.sh
	ok 'its log' grep -qx 1 mnist-poptorch-output.log
	ok 'srun --ipus=4 poprun' as anna env PYTORCH_CACHE_DIR="$work/nfs/pt" \
	    sh -c '/opt/slurm/bin/srun --ipus=4 poprun -vv --num-instances=1 \
	    --num-replicas=4 --executable-cache-path=$PYTORCH_CACHE_DIR \
	    python3 train.py --config resnet50-pod4 --epoch 2'
	ok 'it takes the partition of the job' \
	    says 'Partition slurm_[0-9]+ already exists and is in state: PS_ACTIVE'
	ok 'its program' says '^\[1,0\]<stdout>:4$'
	ok 'srun singularity run' prints 2 as ben srun --ipus=2 singularity \
	    run tf2tonic.sif -- ./count
	ok 'gc-monitor' as anna srun --ipus=1 gc-monitor --no-card-info \
	    --all-partitions
	ok 'gc-info --device-info' as anna srun --ipus=1 gc-info \
	    --device-id 0 --device-info
	ok 'sinfo' as anna sinfo
	ok 'its columns' says '^PARTITION +AVAIL +TIMELIMIT +NODES +STATE +NODELIST'
}

# The commands of jobs on that system.
forms_alcf() {
	ok 'poprun --vipu-partition=slurm_$SLURM_JOBID' as anna srun --ipus=4 \
	    sh -c 'poprun -vv --vipu-partition=slurm_${SLURM_JOBID} \
	    --num-instances=1 --num-replicas=4 --ipus-per-replica=1 \
	    popdist-env get getNumTotalReplicas'
	ok 'its replicas' says '<stdout>:4$'
	ok 'its partition' says 'slurm_[0-9]+ already exists'
	ok 'vipu create partition in the allocation of a job' as ben srun \
	    --ipus=4 sh -c 'vipu create partition p$SLURM_JOB_ID \
	    --allocation c$SLURM_JOB_ID --size 4 --reconfigurable &&
	    poprun --vipu-partition p$SLURM_JOB_ID --num-instances 2 \
	    --num-replicas 4 popdist-env get getInstanceIndex'
	ok 'its instances' says '^\[1,1\]<stdout>:1$'
	ok 'squeue and sinfo' as anna sh -c 'squeue && sinfo | grep -q "idle\|mix"'
	rm -f runs && mkfifo -m 666 runs
	script long 'echo > runs; exec sleep 60'
	ok 'scancel' as anna timeout 300 sh -c 'job=$(sbatch --parsable \
	    --ipus=4 -o none ./long) && read -r line < runs;
	    vipu get partition slurm_$job && scancel $job && echo $job > id'
	ok 'scancel removed its partition' \
	    soon not vipu get partition "slurm_$(cat id)"
}

# Jobs of two users at the same time see their own IPUs alone.
forms_beside() {
	rm -f meet && mkfifo -m 666 meet
	as anna srun --ipus=4 sh -c 'read -r line < meet
	    gc-info --ipu-count; echo $IPUOF_VIPU_API_PARTITION_ID' &
	pid=$!
	runuser -u ben -- timeout 300 srun --ipus=8 sh -c 'echo > meet
	    gc-info --ipu-count' > ben
	wait "$pid" && grep -qx 4 "$out" && grep -qx 8 ben
}

# 40 jobs of 1 to 4 IPUs for 16.
forms_queue() {
	rm -f counts && mkfifo -m 666 counts
	script one 'gc-info --ipu-count > counts'
	exec 8<> counts
	for n in $(seq 40); do
		user=anna
		[ $((n % 2)) -eq 0 ] || user=ben
		runuser -u "$user" -- sbatch -o none --parsable \
		    --ipus=$((1 << n % 3)) ./one > id || return 1
	done
	timeout 300 head -n 40 <&8 | sort | uniq -c | tr -s ' \n' ' ' > "$out"
	exec 8>&-
	grep -qx ' 13 1 14 2 13 4 ' "$out"
}

# From a bare Slurm to one with IPUs; the scripts that the rooms share.
start() {
	ok 'the steps of ipubox-slurm(7)' forms_install || end
	ok 'Slurm starts' cluster_start || end
}

forms_users() {
	ok 'two users side by side' forms_beside
	ok '40 jobs in a queue' forms_queue
}

forms='forms_page forms_ask forms_refuse forms_pages forms_alcf forms_users'
forms() {
	beside $forms
	ok 'nothing is left' none_left
}
