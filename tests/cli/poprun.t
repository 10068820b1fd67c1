poprun: the command line, exit statuses, and what an instance is told.

  $ alias run='poprun --offline-mode=yes --launcher local'
  $ poprun --help | head -1
  usage: poprun [option ...] program [argument ...]
  $ poprun --version
  ipubox [0-9.]+ \(poprun\) (re)
  $ IPUBOX_EMULATE_SDK=3.3.0 poprun --version
  PopRun 3.3.0
  $ IPUBOX_EMULATE_SDK=2.x poprun --version --version-format=full-text | head -2
  PopRun: 2.6.0
  PopDist: 2.6.0
  $ poprun --version-format full-json --version | grep -c -e PopRun -e PopDist -e mpirun
  3
  $ poprun --version --version-format json 2>&1 | head -1
  POPRUN ERROR: --version-format 'json': must be text, full-text or full-json

Output is tagged, also by default:

  $ run echo 'Hello World'
  [1,0]<stdout>:Hello World
  $ run sh -c 'echo out; echo err >&2' 2>&1 >/dev/null
  [1,0]<stderr>:err
  $ run --num-replicas 4 --num-instances 4 sh -c 'echo $POPDIST_LOCAL_INSTANCE_INDEX' | sort
  [1,0]<stdout>:0
  [1,1]<stdout>:1
  [1,2]<stdout>:2
  [1,3]<stdout>:3

The program's arguments are its own:

  $ run echo --num-replicas 2 -v
  [1,0]<stdout>:--num-replicas 2 -v

Eight replicas of two IPUs in four instances:

  $ run --num-replicas 8 --num-instances 4 --ipus-per-replica 2 sh -c 'echo $POPDIST_REPLICA_INDEX_OFFSET $POPDIST_NUM_LOCAL_REPLICAS $POPDIST_LOCAL_INSTANCE_INDEX $POPDIST_NUM_TOTAL_REPLICAS $POPDIST_NUM_IPUS_PER_REPLICA $OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE' | sort
  [1,0]<stdout>:0 2 0 8 2 0/4
  [1,1]<stdout>:2 2 1 8 2 1/4
  [1,2]<stdout>:4 2 2 8 2 2/4
  [1,3]<stdout>:6 2 3 8 2 3/4

The caller's environment goes on, but for IPUOF_CONFIG_PATH:

  $ A=b IPUOF_CONFIG_PATH=/x run sh -c 'echo $A ${IPUOF_CONFIG_PATH-unset}'
  [1,0]<stdout>:b unset
  $ POPLAR_TARGET_OPTIONS='{ "ipuLinkDomainSize": "64" }' run sh -c 'echo $POPLAR_TARGET_OPTIONS'
  [1,0]<stdout>:{"ipuLinkDomainSize":"64"}
  $ POPLAR_TARGET_OPTIONS=64 run true
  POPRUN ERROR: POPLAR_TARGET_OPTIONS must be a JSON object, such as {"ipuLinkDomainSize":"64"}: 64
  [1]

A folder for profiles, and what conflicts with it:

  $ run --num-replicas 2 --num-instances 2 --autoreport-dir 'my profiles' sh -c 'echo $POPDIST_AUTOREPORT_DIRECTORY' | sort
  [1,0]<stdout>:my profiles
  [1,1]<stdout>:my profiles
  $ run sh -c 'echo ${POPDIST_AUTOREPORT_DIRECTORY-unset}'
  [1,0]<stdout>:unset
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.all":"false"}' run --autoreport-dir p sh -c 'echo $POPLAR_ENGINE_OPTIONS'
  [1,0]<stdout>:{"autoReport.all":"false"}
  $ run --dry-run --autoreport-dir p true | grep AUTOREPORT
    POPDIST_AUTOREPORT_DIRECTORY=p
  $ run --dry-run --format json --autoreport-dir p true | grep AUTOREPORT
          "POPDIST_AUTOREPORT_DIRECTORY": "p"
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"/tmp"}' run --autoreport-dir p true
  POPRUN ERROR: autoreport-dir command line argument cannot be specified when POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.
  [1]
  $ run --autoreport-dir p --mpi-local-args '-x POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"/tmp/training/profile-directory"}'' true
  POPRUN ERROR: autoreport-dir command line argument cannot be specified when POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.
  [1]
  $ run --autoreport-dir p --mpi-global-args "-x POPLAR_ENGINE_OPTIONS='{\"autoReport.directory\":\"d\"}'" true
  POPRUN ERROR: autoreport-dir command line argument cannot be specified when POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.
  [1]
  $ run --autoreport-dir p --instance-mpi-local-args '0:-x POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"/tmp/training-profile-directory/0"}'' true
  POPRUN ERROR: autoreport-dir command line argument cannot be specified when POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.
  [1]
  $ run --autoreport-dir p --mpi-local-args "-x POPLAR_ENGINE_OPTIONS='{\"autoReport.all\":\"true\"}'" sh -c 'echo $POPLAR_ENGINE_OPTIONS'
  [1,0]<stdout>:{"autoReport.all":"true"}
  $ run --autoreport-dir '' true 2>&1 | head -1
  POPRUN ERROR: --autoreport-dir '': must name a directory
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"/tmp"}' run echo alone
  [1,0]<stdout>:alone

Variables of one instance alone:

  $ run --num-replicas 4 --num-instances 4 --mpi-local-args '-x A=all' --instance-mpi-local-args '1:-x A=b -x C="d e"' --instance-mpi-local-args 2: sh -c 'echo $A $C' | sort
  [1,0]<stdout>:all
  [1,1]<stdout>:b d e
  [1,2]<stdout>:all
  [1,3]<stdout>:all
  $ run --instance-mpi-local-args '1:-x A=b' true
  POPRUN ERROR: --instance-mpi-local-args: instance 1 does not exist: the job has 1, counted from 0
  [1]
  $ run --instance-mpi-local-args '-x A=b' true 2>&1 | head -1
  POPRUN ERROR: --instance-mpi-local-args '-x A=b': must be an instance's index, a colon and its arguments
  $ run --instance-mpi-local-args 'one:-x A=b' true 2>&1 | head -1
  POPRUN ERROR: --instance-mpi-local-args 'one': not a whole number
  $ run --instance-mpi-local-args '0:--nooversubscribe' true
  POPRUN ERROR: the local launcher cannot honour '--nooversubscribe', an argument for mpirun: use --launcher mpirun
  [1]

Booleans, prefixes, values that look like options, repeated arguments:

  $ for b in yes YES on true 1; do poprun --offline-mode $b --launcher local echo $b; done
  [1,0]<stdout>:yes
  [1,0]<stdout>:YES
  [1,0]<stdout>:on
  [1,0]<stdout>:true
  [1,0]<stdout>:1
  $ for b in no off false 0; do run --allow-run-as-root=$b echo $b; done
  [1,0]<stdout>:no
  [1,0]<stdout>:off
  [1,0]<stdout>:false
  [1,0]<stdout>:0
  $ run --num-instance 1 --num-rep=1 --mpi-global-args --tag-output --mpi-global-args="-x A='b c'" sh -c 'echo "$A"'
  [1,0]<stdout>:b c

Misuse:

  $ poprun
  POPRUN ERROR: no program to launch
  usage: poprun [option ...] program [argument ...]
  [2]
  $ run --num-replicas 2 --num-replicas 2 true 2>&1 | head -1
  POPRUN ERROR: option '--num-replicas' cannot be specified more than once
  $ run --foo true 2>&1 | head -1
  POPRUN ERROR: unrecognised option '--foo'
  $ run --num-replicas x true 2>&1 | head -1
  POPRUN ERROR: --num-replicas 'x': not a whole number
  $ poprun --help | awk '$2 == "BOOL" { print $1 }' > bool; grep -c . bool
  9
  $ for o in $(cat bool) -H --host --num-replicas; do poprun $o --num-instances 2 true 2>&1 | head -1; done | sort
  POPRUN ERROR: --allow-run-as-root needs a value: --allow-run-as-root=yes
  POPRUN ERROR: --emulate-hosts needs a value: --emulate-hosts=yes
  POPRUN ERROR: --host needs a value: --host=LIST
  POPRUN ERROR: --num-replicas needs a value: --num-replicas=N
  POPRUN ERROR: --numa-aware needs a value: --numa-aware=yes
  POPRUN ERROR: --offline-mode needs a value: --offline-mode=yes
  POPRUN ERROR: --overwrite-config needs a value: --overwrite-config=yes
  POPRUN ERROR: --print-topology needs a value: --print-topology=yes
  POPRUN ERROR: --remove-partition needs a value: --remove-partition=yes
  POPRUN ERROR: --reset-partition needs a value: --reset-partition=yes
  POPRUN ERROR: --update-partition needs a value: --update-partition=yes
  POPRUN ERROR: -H needs a value: -H LIST
  $ run --print-topology=maybe true 2>&1 | head -1
  POPRUN ERROR: --print-topology 'maybe': must be yes or no (on/off, true/false and 1/0 mean the same)
  $ run --mpi-global-args "-x 'A" true 2>&1 | head -1
  POPRUN ERROR: '-x 'A': a quote is left open
  $ run --num-replicas 2 --num-instances 3 true
  POPRUN ERROR: 3 instances are more than the 2 replicas they would share: --num-instances must not exceed --num-replicas
  [1]
  $ run --mpi-global-args '-np 2' true
  POPRUN ERROR: the local launcher cannot honour '-np', an argument for mpirun: use --launcher mpirun
  [1]
  $ run --mpi-local-args 'TF_POPLAR_FLAGS=--x' true
  POPRUN ERROR: 'TF_POPLAR_FLAGS=--x' among the arguments for mpirun is not an option: mpirun would run it as the program; -x NAME=VALUE sets a variable
  [1]

Exit statuses: the first failure's, 128 and the signal, 126, 127.

  $ run true
  $ run sh -c 'exit 3'
  POPRUN ERROR: instance 0 \(pid [0-9]+\) exited with status 3 (re)
  [3]
  $ run --num-replicas 2 --num-instances 2 sh -c 'test $OMPI_COMM_WORLD_RANK = 0 || exit 3; while :; do sleep 60; done'
  POPRUN ERROR: instance 1 \(pid [0-9]+\) exited with status 3; the others were stopped (re)
    it ran [0-9.]+ s; 1 other was stopped (re)
  [3]
  $ run sh -c 'kill -KILL $$'
  POPRUN ERROR: instance 0 \(pid [0-9]+\) was killed by signal 9 \(Killed\) (re)
    perhaps it ran out of memory: see dmesg
  [137]
  $ run no-such-program
  POPRUN ERROR: program 'no-such-program' not found in PATH
  [127]
  $ run ./no/such
  POPRUN ERROR: program './no/such' not found
  [127]
  $ : > plain
  $ run ./plain
  POPRUN ERROR: cannot execute ./plain: Permission denied
  [126]
  $ run /
  POPRUN ERROR: cannot execute /: Is a directory
  [126]
  $ echo nonsense > odd; chmod +x odd; run ./odd
  POPRUN ERROR: cannot execute ./odd for instance 0: Exec format error
  [126]

Standard input is the first instance's; the others have none.

  $ printf 'one\ntwo' | run --num-replicas 2 --num-instances 2 cat
  [1,0]<stdout>:one
  [1,0]<stdout>:two

The topology, and the log:

  $ run --print-topology=yes --num-replicas 8 --num-instances 2 true
   ===========================================
  |              poprun topology              |
  |===========================================|
  | hosts     |           localhost           |
  |-----------|-------------------------------|
  | ILDs      |               0               |
  |-----------|-------------------------------|
  | instances |       0       |       1       |
  |-----------|-------------------------------|
  | replicas  | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
   -------------------------------------------
  $ run -v true a "b c" 2>&1 >/dev/null
  [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} [0-9]+ POPRUN \[I\] Running command: true 'a' 'b c' (re)
  .* POPRUN \[I\] Waiting for instance 0 \(PID [0-9]+\) (re)
  .* POPRUN \[I\] instance 0 \(PID [0-9]+\) terminated with exit code 0 (re)
  $ for v in -vv --vv '-v --verbose'; do run $v true 2>&1 >/dev/null | grep -c 'Target options from environment: {}'; done
  1
  1
  1
  $ POPRUN_LOG_LEVEL=DEBUG run true 2>&1 >/dev/null | grep -c 'POPRUN \[D\]'
  4

A dry run starts nothing:

  $ run --dry-run --num-replicas 2 --num-instances 2 sh -c 'touch started' > plan; sed -n '/^launcher/,$p' plan
  launcher: local
  partition: none, offline
  program: sh -c 'touch started'
  
  Instance    | Host      | Replicas | GCD  | Cores
  ---------------------------------------------------
  0           | localhost | 0        | none | any
  1           | localhost | 1        | none | any
  ---------------------------------------------------
  
  all instances:
    MASTER_ADDR=127.0.0.1
    MASTER_PORT=29500
    WORLD_SIZE=2
    LOCAL_WORLD_SIZE=2
    POPRUN_RESTART_COUNT=0
    PYTHONUNBUFFERED=1
    POPTORCH_IPU_MODEL=1
    IPUBOX_FILE=* (glob)
    OMPI_COMM_WORLD_SIZE=2
    OMPI_COMM_WORLD_LOCAL_SIZE=2
    OMPI_UNIVERSE_SIZE=2
    POPDIST_NUM_TOTAL_REPLICAS=2
    POPDIST_NUM_IPUS_PER_REPLICA=1
    POPDIST_NUM_LOCAL_REPLICAS=1
    POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1
    IPUOF_LOG_LEVEL=WARN
    POPDIST_EXECUTABLE_CACHE_PATH=(a temporary directory of host 0)
    NODE_RANK=0
  
  instance 0 on localhost:
    OMPI_COMM_WORLD_RANK=0
    OMPI_COMM_WORLD_LOCAL_RANK=0
    OMPI_COMM_WORLD_NODE_RANK=0
    POPDIST_REPLICA_INDEX_OFFSET=0
    POPDIST_LOCAL_INSTANCE_INDEX=0
    RANK=0
    LOCAL_RANK=0
  
  instance 1 on localhost:
    OMPI_COMM_WORLD_RANK=1
    OMPI_COMM_WORLD_LOCAL_RANK=1
    OMPI_COMM_WORLD_NODE_RANK=1
    POPDIST_REPLICA_INDEX_OFFSET=1
    POPDIST_LOCAL_INSTANCE_INDEX=1
    RANK=1
    LOCAL_RANK=1
  $ run --dry-run --num-replicas 2 --num-instances 2 -v sh -c 'touch started' 2> log | sed '/^command: sh -c .touch started.$/d' | diff plan -
  $ run --dry-run --format json sh -c 'touch started' | head -11
  {
    "launcher": "local",
    "partition": null,
    "num_replicas": 1,
    "ipus_per_replica": 1,
    "num_ilds": 1,
    "command": [
      "sh",
      "-c",
      "touch started"
    ],
  $ ls started
  ls: cannot access 'started': No such file or directory
  [2]
