# shellcheck shell=sh disable=SC2154,SC2016
# What is killed, and what is left after that; for tests/slurm/run.

# Start a job of 4 IPUs that waits for a line in `go`, and wait until it runs;
# $job and $pid are its numbers.
begin() {
	rm -f go running && mkfifo -m 666 go
	script waits 'echo $SLURM_JOB_ID > running.new; mv running.new running' \
	    'read -r line < go; gc-info --ipu-count'
	runuser -u anna -- timeout -k 1 300 srun --ipus=4 ./waits \
	    > "$out" 2>&1 &
	pid=$!
	soon test -s running && job=$(cat running)
}
finish() {
	timeout 120 sh -c 'echo > go'
	wait "$pid"
}
has_partition() { vipu get partition "slurm_$job" > "$work/seen" 2>&1; }
# Forget that a command has just asked Slurm.
look() { rm -f "$work/state/looked"; }

# `pgrep` sees only the processes of this Slurm.
kill_all() { # SIGNAL NAME
	# shellcheck disable=SC2046 # a list
	kill "-$1" $(pgrep -x "$2")
}
start_slurmctld() {
	until_gone slurmctld && slurmctld && soon sane
}
until_gone() { soon not pgrep -x "$1"; }

kills_srun() {
	begin && kill_all KILL srun
	wait "$pid"
	scancel "$job"
	none_left
}
kills_slurmstepd() {
	begin && kill_all KILL slurmstepd
	scancel "$job"
	wait "$pid"
	none_left
}
kills_slurmd() {
	begin && kill_all KILL slurmd && until_gone slurmd &&
	    has_partition || return 1
	for n in 1 2 3 4; do
		cluster_start_slurmd "$n" '' || return 1
	done
	has_partition && finish && grep -qx 4 "$out" && none_left
}
# slurmctld has written the job to its files, without which it would end it.
is_saved() {
	[ -n "$(find "$work/spool/state/job_state" -newer running)" ]
}
# The job goes on without slurmctld, and its partition stays.
kills_slurmctld() {
	begin && scontrol update "JobId=$job" Comment=running &&
	    soon is_saved && kill_all KILL slurmctld &&
	    until_gone slurmctld || return 1
	look
	has_partition && start_slurmctld && has_partition && finish &&
	    grep -qx 4 "$out" && none_left
}
# slurmctld hangs: a command waits 2 s for it, and removes nothing.
stops_slurmctld() {
	begin && kill_all STOP slurmctld || return 1
	look
	has_partition
	status=$?
	kill_all CONT slurmctld
	[ "$status" -eq 0 ] && has_partition && finish && none_left
}

# No epilog runs.  The next command of anybody removes what is left.
without_epilog() {
	mv "/etc/slurm/ipubox/epilog" "/etc/slurm/ipubox/epilog.away"
	begin && look && has_partition && finish
	status=$?
	[ "$status" -ne 0 ] || soon no_jobs || status=1
	mv "/etc/slurm/ipubox/epilog.away" "/etc/slurm/ipubox/epilog"
	# A command that finds no scontrol removes nothing.
	PATH=$work/bin vipu list partitions > "$work/seen" &&
	    [ "$status" -eq 0 ] && grep -q "slurm_$job" "$work/seen" || return 1
	look
	runuser -u ben -- vipu list partitions > "$work/seen" && count_is 0
}
# The same without any record of the job: only root takes it as over, or the
# next prolog.
without_record() {
	SLURM_JOB_ID=999999 SLURM_JOB_USER=anna SLURM_JOB_LICENSES=ipu:4 \
	    ipubox slurm prolog && look || return 1
	runuser -u ben -- vipu list partitions > "$work/seen" &&
	    grep -q slurm_999999 "$work/seen" && look && count_is 0
}
without_scontrol() {
	SLURM_JOB_ID=999999 SLURM_JOB_USER=anna SLURM_JOB_LICENSES=ipu:4 \
	    ipubox slurm prolog && look || return 1
	PATH=$work/bin vipu list partitions | /bin/grep -q slurm_999999 &&
	    look && count_is 0
}

# The IPUs are taken by hand: the prolog waits, and is killed.
kills_prolog() {
	vipu create partition hand --size 16 > "$work/seen" || return 1
	runuser -u anna -- srun --ipus=4 true > "$out" 2>&1 &
	pid=$!
	soon pgrep -f '[s]lurm prolog'
	pkill -KILL -f '[s]lurm prolog'
	wait "$pid"
	vipu remove partition hand > "$work/seen" && none_left
}
# The same, and the IPUs become free: the job runs.
waits_for_ipus() {
	vipu create partition hand --size 16 > "$work/seen" || return 1
	runuser -u anna -- srun --ipus=4 gc-info --ipu-count > "$out" 2>&1 &
	pid=$!
	soon pgrep -f '[s]lurm prolog'
	vipu remove partition hand > "$work/seen" && wait "$pid" &&
	    grep -qx 4 "$out" && none_left
}
# A batch job whose prolog gives up is queued again.
requeues() {
	vipu create partition hand --size 16 > "$work/seen" || return 1
	sed -i 's/slurm prolog/slurm --wait 1 prolog/' "/etc/slurm/ipubox/prolog"
	job=$(runuser -u anna -- sbatch -o none --parsable --ipus=4 ./count)
	requeued() { scontrol show job "$job" | grep -q 'Restarts=1'; }
	soon requeued
	status=$?
	sed -i 's/slurm --wait 1 prolog/slurm prolog/' "/etc/slurm/ipubox/prolog"
	scancel "$job"
	vipu remove partition hand > "$work/seen" && [ "$status" -eq 0 ] &&
	    none_left
}
# The pod is smaller than Slurm believes: the job says so, and no node drains.
says_why() {
	vipu-admin init --force --pod pod4 > "$work/seen" || return 1
	as anna srun --ipus=16 true
	status=$?
	vipu-admin init --force --pod pod16 > "$work/seen" || return 1
	[ "$status" -eq 1 ] && says 'ipubox-slurm: partition slurm_' && none_left
}
# A task outlives its step, and still holds IPUs when the job is over.
kills_epilog() {
	begin || return 1
	cp -p "/etc/slurm/ipubox/epilog" "/etc/slurm/ipubox/epilog.away"
	printf '#!/bin/sh\nkill -9 $$\n' > "/etc/slurm/ipubox/epilog"
	finish
	soon no_jobs
	mv "/etc/slurm/ipubox/epilog.away" "/etc/slurm/ipubox/epilog"
	look
	none_left
}

kills() {
	ok 'srun is killed' kills_srun
	ok 'slurmstepd is killed' kills_slurmstepd
	ok 'slurmd is killed and started again' kills_slurmd
	ok 'slurmctld is killed and started again' kills_slurmctld
	ok 'slurmctld does not answer: nothing is removed' stops_slurmctld
	ok 'the prolog is killed' kills_prolog
	ok 'the epilog is killed' kills_epilog
	ok 'no epilog: the next command of another user removes it' \
	    without_epilog
	ok 'no record of the job: root removes it, others do not' \
	    without_record
	ok 'no scontrol: nothing is removed' without_scontrol
	ok 'the prolog waits for IPUs' waits_for_ipus
	ok 'the prolog gives up: the job is queued again' requeues
	ok 'a partition that can never be made' says_why
	ok 'no node is drained by any of that' sane
}
