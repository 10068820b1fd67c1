#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
poprun: what instances get of their caller's process, under the launcher that
this test's name says.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias run='poprun --offline-mode=yes --launcher $launcher'
  $ alias two='run --num-replicas 2 --num-instances 2'

Ranks that another job has left in the environment are replaced; -x gives
others:

  $ cat > ranks.sh <<'END'
  > echo $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $NODE_RANK $MASTER_PORT $OMPI_COMM_WORLD_RANK ${OMPI_COMM_WORLD_OUTER-none}
  > END
  $ left='RANK=7 WORLD_SIZE=1 LOCAL_RANK=7 LOCAL_WORLD_SIZE=1 NODE_RANK=7 MASTER_PORT=77 OMPI_COMM_WORLD_RANK=7 OMPI_COMM_WORLD_OUTER=7'
  $ (export $left; two sh ranks.sh | sort)
  [1,0]<stdout>:0/2 0/2 0 77 0 none
  [1,1]<stdout>:1/2 1/2 0 77 1 none
  $ (export $left; run sh ranks.sh)
  [1,0]<stdout>:0/1 0/1 0 77 0 none
  $ (export $left; two --mpi-local-args '-x RANK -x WORLD_SIZE=5' sh ranks.sh | sort)
  [1,0]<stdout>:7/5 0/2 0 77 0 none
  [1,1]<stdout>:7/5 1/2 0 77 1 none
  $ (export RANK=7 WORLD_SIZE=1; two -v --mpi-local-args '-x RANK' true 2>&1 | grep -o 'no effect.*')
  no effect here: WORLD_SIZE=1 in the environment, because each instance gets its own value (-x passes another)
  $ RANK=7 two --check true | grep -A1 '^launcher' | tr -s ' ' | cut -c-100
  launcher warn * (glob)
   RANK=7 is set, but each instance gets its own value; unset it, or pass it by -x

A closed standard input is an empty one:

  $ two sh -c 'readlink /proc/self/fd/0; cat' <&- | sort
  [1,0]<stdout>:/dev/null
  [1,1]<stdout>:/dev/null
  $ two --stdin all cat <&-

So are few open files, or they are refused, as --check does:

  $ many='--num-replicas 64 --num-instances 64'
  $ (ulimit -Sn 128; ulimit -Hn 512; run $many sh -c 'echo $RANK' | sort -u | wc -l)
  64
  $ (ulimit -n 128; run $many true)
  POPRUN ERROR: 128 files may be open, 64 instances need *: raise ulimit -Hn, or use fewer instances (glob)
  [1]
  $ (ulimit -n 128; run $many --check true | grep -o 'files may be open, 64 instances need [0-9]*')
  files may be open, 64 instances need * (glob)
  $ (ulimit -n 128; run $many --dry-run true | grep '^launcher') | grep -c $launcher
  1

Too many arguments for mpirun are refused as such:

  $ two true $(seq 30000) 2> err || [ $launcher = mpirun ]
  $ grep -v '^POPRUN ERROR: the arguments of true have 168894 bytes, and mpirun passes at most' err
  [1]
