poprun --max-restarts under mpirun, as in poprun-restart.t.

  $ OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 poprun --offline-mode=yes --launcher mpirun \
  >     --max-restarts 2 --num-replicas 2 --num-instances 2 sh -c '
  >     echo $POPRUN_RESTART_COUNT; [ $POPRUN_RESTART_COUNT = 2 ] || while [ $RANK = 1 ]; do kill -KILL $$; done' 2> err | grep :2 | sort
  [1,0]<stdout>:2
  [1,1]<stdout>:2
  $ grep -o 'starting the job again.*' err
  starting the job again (restart 1 of 2)
  starting the job again (restart 2 of 2)
