#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
poprun --max-restarts: a job whose instance failed is started again.

Each run is told its number; all that instances share is made anew, but for the
cache of executables.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ run() { poprun --offline-mode=yes --launcher $launcher "$@"; }
  $ run --max-restarts 2 --num-replicas 2 --num-instances 2 sh -c '
  >     echo $POPRUN_RESTART_COUNT $IPUBOX_JOB_DIR >> directories.$RANK
  >     echo $POPDIST_EXECUTABLE_CACHE_PATH >> caches
  >     echo $RANK.$POPRUN_RESTART_COUNT > $POPDIST_EXECUTABLE_CACHE_PATH/$RANK
  >     ls $IPUBOX_JOB_DIR | grep left | grep -v left.$POPRUN_RESTART_COUNT
  >     : > $IPUBOX_JOB_DIR/left.$POPRUN_RESTART_COUNT
  >     [ $POPRUN_RESTART_COUNT = 2 ] || kill -KILL $$
  >     cat $POPDIST_EXECUTABLE_CACHE_PATH/$RANK' 2> err | sort
  [1,0]<stdout>:0.2
  [1,1]<stdout>:1.2
  $ sed 's/instance [01] (pid [0-9]*)/instance I (pid N)/' err
  POPRUN WARNING: instance I (pid N) was killed by signal 9 (Killed); starting the job again (restart 1 of 2)
  POPRUN WARNING: instance I (pid N) was killed by signal 9 (Killed); starting the job again (restart 2 of 2)
  $ cut -d' ' -f2 directories.* | sort -u | wc -l; sort -u caches | wc -l
  3
  1
  $ ls -d $(cat caches) $(cut -d' ' -f2 directories.*) 2>/dev/null
  [2]

The cache goes with the job, also where poprun is killed in a later run:

  $ mkfifo alive
  $ poprun --offline-mode=yes --launcher $launcher --max-restarts 1 --num-replicas 2 --num-instances 2 sh -c '
  >     echo $POPDIST_EXECUTABLE_CACHE_PATH > cache.$RANK
  >     [ $POPRUN_RESTART_COUNT = 1 ] || exit 3
  >     exec 8> alive; [ $RANK = 1 ] || echo ready >&8
  >     exec sleep 60' 2> err & job=$!
  $ exec 7< alive; read -r line <&7; ls -d $(cat cache.0) | wc -l
  1
  $ kill -KILL $job; cat <&7; exec 7<&-; wait $job 2>/dev/null
  [137]
  $ while [ -e "$(cat cache.0)" ]; do :; done

The last failure is the job's, and it is said that there will be no more:

  $ run --max-restarts 1 sh -c 'exit $((3 + POPRUN_RESTART_COUNT))' 2> err
  [4]
  $ sed 's/pid [0-9]*/pid N/' err
  POPRUN WARNING: instance 0 (pid N) exited with status 3; starting the job again (restart 1 of 1)
  POPRUN ERROR: instance 0 (pid N) exited with status 4
  POPRUN ERROR: the job failed after 1 restart, the limit of --max-restarts
  $ run sh -c 'echo $POPRUN_RESTART_COUNT; exit 3' 2> err
  [1,0]<stdout>:0
  [3]
  $ wc -l < err
  1

What is not an instance's failure is no reason to start again: a program that
cannot be started, a signal to poprun, the end of the job's time, which counts
over all runs.

  $ printf '#!/no/such/shell\n' > broken; chmod +x broken
  $ run --max-restarts 9 ./broken
  POPRUN ERROR: ./broken names the interpreter /no/such/shell: No such file or directory; install it, or change the first line of the file
  [127]
  $ sh -c 'echo $$ > pid; exec "$@"' - poprun --offline-mode=yes --launcher $launcher --max-restarts 9 sh -c 'kill -TERM $(cat pid); exec sleep 60' 2> err
  [143]
  $ run --max-restarts 1000 --timeout 1 sh -c 'exit 1' 2> err
  [110]
  $ tail -1 err
  POPRUN ERROR: the job ran longer than the 1 s of --timeout, and was stopped

A signal also ends the wait before the next start, which grows where the job
fails at once:

  $ mkfifo told
  $ poprun --offline-mode=yes --launcher $launcher --max-restarts 1000 false 2> told & job=$!
  $ exec 7< told; for n in 1 2 3 4 5 6; do read -r line <&7; done
  $ kill -TERM $job; cat <&7; exec 7<&-; wait $job
  [143]

Standard input goes on where the run before left it:

  $ seq 3 | run --max-restarts 2 sh -c 'read -r n; echo $n; exit $((2 - POPRUN_RESTART_COUNT))' 2> /dev/null
  [1,0]<stdout>:1
  [1,0]<stdout>:2
  [1,0]<stdout>:3

The partition is the same, and is there until the last run has ended:

  $ poprun --launcher $launcher --vipu-partition p --update-partition=yes --max-restarts 2 sh -c '
  >     vipu get partition p --verbose | grep "^Partition Id\|^Created" >> parts
  >     [ $POPRUN_RESTART_COUNT = 2 ]' 2> /dev/null
  $ vipu list partitions -q

Where it is gone the job is not started again:

  $ vipu create partition p --size 1
  create partition (p): success
  $ poprun --launcher $launcher --vipu-partition p --max-restarts 2 sh -c 'vipu remove partition p; exit 3' 2>&1 | sed 's/pid [0-9]*/pid N/'
  [1,0]<stdout>:remove partition (p): success
  POPRUN WARNING: instance 0 (pid N) exited with status 3; starting the job again (restart 1 of 2)
  POPRUN ERROR: the job is not started again: partition p was removed

A partition that has lost a machine is waited for, as long as --start-timeout
allows:

  $ vipu create partition p --size 4
  create partition (p): success
  $ lose() {	# FAULT OPTIONS
  >     fault=$1; shift
  >     poprun --launcher $launcher --vipu-partition p --ipus-per-replica 4 --max-restarts 2 "$@" sh -c "
  >         [ \$POPRUN_RESTART_COUNT = 0 ] || exit 0
  >         vipu-admin inject ag01 $fault > /dev/null; exit 3" 2>&1 | sed 's/pid [0-9]*/pid N/'
  > }
  $ lose down --start-timeout 1
  POPRUN WARNING: instance 0 (pid N) exited with status 3; starting the job again (restart 1 of 2)
  POPRUN WARNING: waiting for the partition: partition p is in state PS_ERROR, not PS_ACTIVE (machine ag01 is down)
  POPRUN ERROR: the job is not started again: partition p is in state PS_ERROR, not PS_ACTIVE (machine ag01 is down); gave up after the 1 s of --start-timeout
  $ vipu-admin inject ag01 up
  inject agent (ag01): success.
  $ lose 'reboot --seconds 1'
  POPRUN WARNING: instance 0 (pid N) exited with status 3; starting the job again (restart 1 of 2)
  POPRUN WARNING: waiting for the partition: partition p is in state PS_ERROR, not PS_ACTIVE (machine ag01 rebooted)
