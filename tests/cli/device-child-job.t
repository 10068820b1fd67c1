#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
Programs of a job with their devices, under the launcher that this test's name
says.  The children that hold them neither keep the job from ending, though the
grace time is long, nor are they found to be left behind.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias job='poprun --launcher $launcher --vipu-partition p --update-partition=yes --num-replicas 4 --num-instances 2 --ipus-per-replica 2 --grace 300'
  $ cat > program <<'X'
  > i=$((POPDIST_REPLICA_INDEX_OFFSET / POPDIST_NUM_LOCAL_REPLICAS))
  > rm -f in.$i out.$i; mkfifo in.$i out.$i
  > ipubox __device < in.$i > out.$i &
  > exec 3> in.$i 4< out.$i
  > ask() { echo "$*" >&3; read -r line <&4; printf '%s\n' "$line"; }
  > read -r line <&4
  > test "$(ask id 0)" = "ok $(popdist-env get getDeviceId)" && echo same
  > ask id 0; ask id 0; ask attach 4 -1; ask check; ask attach 0 -1 | cut -d : -f 1 | sed 's/held by.*/held/'
  > eval "$1"
  > X
  $ job sh program > out 2> err; echo $?; sort out; cat err
  0
  [1,0]<stdout>:error busy Failed to acquire 4 IPU(s)\nIPU 0 of partition p is held
  [1,0]<stdout>:ok
  [1,0]<stdout>:ok 4
  [1,0]<stdout>:ok 4
  [1,0]<stdout>:ok 4 4 0
  [1,0]<stdout>:same
  [1,1]<stdout>:error busy Failed to acquire 4 IPU(s)\nIPU 4 of partition p is held
  [1,1]<stdout>:ok
  [1,1]<stdout>:ok 4
  [1,1]<stdout>:ok 4
  [1,1]<stdout>:ok 4 4 1
  [1,1]<stdout>:same

One is killed while the other waits; nothing is held after the job:

  $ job sh program 'test $i = 1 || kill -KILL $$; exec sleep 60' 2>&1 > out | sed -n '1s/pid [0-9]*/pid N/p'
  POPRUN ERROR: instance 0 (pid N) was killed by signal 9 (Killed); the others were stopped
  $ gc-monitor -c --no-headers | cut -d, -f13 | sort -u

