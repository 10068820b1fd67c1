#skip-unless mpirun --allow-run-as-root --oversubscribe -n 2 true # it wants a network
poprun: Open MPI's mpirun as the launcher.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ alias run='poprun --offline-mode=yes --launcher mpirun'
  $ run --num-replicas 4 --num-instances 2 sh -c 'echo $POPDIST_REPLICA_INDEX_OFFSET $OMPI_COMM_WORLD_RANK ${IPUOF_CONFIG_PATH-unset}' | sort
  [1,0]<stdout>:0 0 unset
  [1,1]<stdout>:2 1 unset

The folder for profiles reaches each instance, and conflicts are found:

  $ run --num-replicas 2 --num-instances 2 --autoreport-dir d sh -c 'echo $POPDIST_AUTOREPORT_DIRECTORY' | sort
  [1,0]<stdout>:d
  [1,1]<stdout>:d
  $ run --autoreport-dir d --mpi-local-args "-x POPLAR_ENGINE_OPTIONS='{\"autoReport.directory\":\"d\"}'" true
  POPRUN ERROR: autoreport-dir command line argument cannot be specified when POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.
  [1]

Instances run on the cores that the local launcher would give them, and where the
user tells mpirun so:

  $ cores() { poprun --offline-mode=yes --num-replicas 4 --num-instances 4 "$@" sh -c 'echo $POPDIST_LOCAL_INSTANCE_INDEX $(sed -n "s/^Cpus_allowed_list://p" /proc/self/status)' | sed 's/^.*>://' | sort; }
  $ for policy in spreadnuma scattersocket scatternuma close; do cores --launcher local --process-placement $policy > wanted; cores --launcher mpirun --process-placement $policy > got; [ "$(wc -l < got)" = 4 ] && diff wanted got || echo "not $policy"; done
  $ cores --launcher local --process-placement disabled > wanted
  $ cores --launcher mpirun --process-placement close --mpi-global-args '--bind-to none' | diff wanted -

Variables of one instance alone:

  $ run --num-replicas 2 --num-instances 2 --mpi-local-args '-x A=all' --instance-mpi-local-args '1:-x A=b' sh -c 'echo $A' | sort
  [1,0]<stdout>:all
  [1,1]<stdout>:b

What another job left does not come through, what the user names does; emulated
hosts are all contexts of one mpirun:

  $ IPUOF_VIPU_API_TIMEOUT=77 IPUOF_VIPU_API_GCD_ID=5 run --emulate-hosts 1 --host a,b --num-replicas 2 --num-instances 2 --mpi-local-args '-x IPUOF_VIPU_API_TIMEOUT' sh -c 'echo ${IPUOF_VIPU_API_TIMEOUT-unset} ${IPUOF_VIPU_API_GCD_ID-unset} $POPDIST_LOCAL_INSTANCE_INDEX' | sort
  [1,0]<stdout>:77 unset 0
  [1,1]<stdout>:77 unset 0

An applet without a link is ipubox's own file there as well:

  $ mkdir lone && cp "$IPUBOX" lone/ipubox && cp "$IPUBOX" lone/poprun
  $ here=$PATH; PATH=$(dirname "$(command -v mpirun)"):/usr/bin:/bin
  $ two='--offline-mode=yes --launcher mpirun --num-replicas 2 --num-instances 2'
  $ lone/ipubox poprun $two popdist-env get getInstanceIndex | sort
  [1,0]<stdout>:0
  [1,1]<stdout>:1
  $ lone/poprun $two ipubox popdist-env get getInstanceIndex | sort
  [1,0]<stdout>:0
  [1,1]<stdout>:1
  $ PATH=$here

The PATH is that of poprun, whatever mpirun's own directory has:

  $ mkdir venv && printf '#!/bin/sh\necho of the environment\n' > venv/env
  $ chmod +x venv/env
  $ PATH=$PWD/venv:$PATH run env
  [1,0]<stdout>:of the environment

More instances than Open MPI starts by one thread:

  $ for _ in 1 2 3; do timeout 60 poprun --offline-mode=yes --launcher mpirun --num-replicas 64 --num-instances 64 true || echo "exit status $?"; done

Instances of ipubox's programs meet below it too, and leave nothing:

  $ vipu create partition p --size 8 --num-gcds 2
  create partition (p): success
  $ poprun --launcher mpirun --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh -c 'echo $IPUBOX_JOB_DIR > path; exec mnist-pipeline --debug --dataset generated --samples 2400 --epochs 1 --device-iterations 2 --gradient-accumulation 7 --batch-size 40 --test-batch-size 4' 2>&1 | sed -n 's/.*replica \([01]\): weights/\1/p' | sort > weights
  $ cut -d ' ' -f 1 weights
  0
  1
  $ cut -d ' ' -f 2 weights | sort -u | wc -l
  1
  $ test ! -e "$(cat path)"

It is chosen for several instances:

  $ poprun --offline-mode=yes -v --num-replicas 2 --num-instances 2 true 2>&1 >/dev/null | sed -n 's/.*POPRUN \(.*\)(PID.*/\1/p'
  [I] Waiting for mpirun 
  [I] mpirun 

Its exit status is poprun's:

  $ run sh -c 'exit 5' 2>&1 | tail -1
  POPRUN ERROR: instance 0 \(pid [0-9]+\) exited with status 5 (re)
  $ run sh -c 'exit 5' >/dev/null 2>&1
  [5]
  $ run --num-replicas 2 --num-instances 2 sh -c 'kill -KILL $$' >/dev/null 2>&1
  [137]

The program's words are its own, also those that mpirun would take for its own:

  $ run echo a : '\:' --host b
  [1,0]<stdout>:a : \: --host b

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
  $ run --grace 1 ./program > /dev/null 2>&1 & poprun=$!
  $ exec 8<alive; read -r line <&8; echo $line
  grandchild
  $ kill -KILL $poprun; cat <&8; echo gone
  gone
