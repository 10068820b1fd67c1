#skip-unless mpirun --allow-run-as-root --oversubscribe -n 2 true # it wants a network
poprun as the launcher of a job whose hosts only an agent knows, as the pods of
an operator: no resolver has their names, and each has an environment of its
own.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ cat > agent <<'X'
  > #!/bin/sh
  > pod=$1; shift
  > mkdir -p "tmp/$pod"
  > exec env -i PATH="$PATH" HOME=/ TMPDIR="$PWD/tmp/$pod" POD="$pod" sh -c "$*"
  > X
  $ chmod +x agent
  $ printf 'job-worker-0 slots=1\njob-worker-1 slots=1\n' > hosts
  $ export OMPI_MCA_plm_rsh_agent=$PWD/agent OMPI_MCA_orte_default_hostfile=$PWD/hosts
  $ two='--num-replicas 2 --num-instances 2'
  $ alias run='poprun --offline-mode=yes'

The hosts are those of mpirun's file, and where they meet is an address of this
one:

  $ run $two sh -c 'case $MASTER_ADDR in *[!0-9a-f.:]*|"") echo "$MASTER_ADDR";; esac; echo $POD $RANK $NODE_RANK $LOCAL_RANK' | sort
  [1,0]<stdout>:job-worker-0 0 0 0
  [1,1]<stdout>:job-worker-1 1 1 0
  $ run $two --tag-format '%h: ' sh -c 'echo $POD; echo $POD >&2' 2> errors | sort; sort errors
  job-worker-0: job-worker-0
  job-worker-1: job-worker-1
  job-worker-0: job-worker-0
  job-worker-1: job-worker-1
  $ run sh -c 'echo $POD'
  [1,0]<stdout>:job-worker-0
  $ run $two --host other-0,other-1 sh -c 'echo $POD' | sort
  [1,0]<stdout>:other-0
  [1,1]<stdout>:other-1
  $ (unset OMPI_MCA_plm_rsh_agent; run $two --mpi-local-args "--mca orte_rsh_agent 'nonesuch -x : $PWD/agent'" sh -c 'echo $POD' | sort)
  [1,0]<stdout>:job-worker-0
  [1,1]<stdout>:job-worker-1
  $ run $two --stdin all cat < hosts | sort
  [1,0]<stdout>:job-worker-0 slots=1
  [1,0]<stdout>:job-worker-1 slots=1
  [1,1]<stdout>:job-worker-0 slots=1
  [1,1]<stdout>:job-worker-1 slots=1

Also from there an instance takes what it reads, and its output goes into files
on this host:

  $ cat hosts | { run $two sh -c '[ $RANK = 1 ] || { read -r line; echo $line; }'; cat; }
  [1,0]<stdout>:job-worker-0 slots=1
  job-worker-1 slots=1
  $ run $two --mpi-global-args "--output-filename d:nojobid,nocopy --stdin 1 -x A=1" sh -c 'cat; echo $POD $A' < hosts
  POPRUN WARNING: '-x A=1' in --mpi-global-args reaches instance 0 only, as with mpirun itself; --mpi-local-args reaches all instances
  $ cat d/rank.0/stdout; echo; cat d/rank.1/stdout
  job-worker-0 1
  
  job-worker-0 slots=1
  job-worker-1 slots=1
  job-worker-1
  $ find . -name 'rank.*' | wc -l
  2

Its statuses are those of any job:

  $ run $two sh -c '[ $RANK = 0 ] || exit 5; exec sleep 60' 2>&1 | head -2
  POPRUN ERROR: instance 1 (pid *) exited with status 5; the others were stopped (glob)
    it ran * s on job-worker-1; * (glob)
  $ run $two sh -c 'kill -KILL $$' > /dev/null 2>&1
  [137]
  $ run $two --max-restarts 1 sh -c 'echo $POD $POPRUN_RESTART_COUNT; [ $POPRUN_RESTART_COUNT = 1 ] || exit 3' 2> /dev/null | grep 1$ | sort
  [1,0]<stdout>:job-worker-0 1
  [1,1]<stdout>:job-worker-1 1

The hosts are this machine, and see its pod: they attach to it without a server.

  $ train='mnist-pipeline --debug --dataset generated --samples 2400 --epochs 1 --device-iterations 2 --gradient-accumulation 7 --batch-size 40 --test-batch-size 4'
  $ pod='poprun --vipu-partition p --update-partition=yes --ipus-per-replica 4'
  $ $pod $two $train 2>&1 | sed -n 's/.*replica \([01]\): weights/\1/p' | sort > weights
  $ $pod --launcher local $two $train 2>&1 | sed -n 's/.*replica \([01]\): weights/\1/p' | sort | diff weights -
  $ cut -d ' ' -f 1 weights
  0
  1
  $ vipu list partitions -q

Nothing outlives it:

  $ mkfifo alive
  $ cat > program <<'X'
  > #!/bin/sh
  > exec 9>alive
  > setsid sh -c 'trap "" TERM INT HUP; echo grandchild >&9
  >     while :; do sleep 60; done' &
  > while :; do sleep 60; done
  > X
  $ chmod +x program
  $ run --grace 1 $two ./program > /dev/null 2>&1 & poprun=$!
  $ exec 8<alive; read -r line <&8; read -r line <&8; echo $line
  grandchild
  $ kill -KILL $poprun; cat <&8; echo gone
  gone
