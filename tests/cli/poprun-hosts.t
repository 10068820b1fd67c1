poprun: hosts, those of this machine and emulated ones.

  $ alias run='poprun --offline-mode=yes --launcher local'
  $ seen='echo $POPDIST_LOCAL_INSTANCE_INDEX $OMPI_COMM_WORLD_LOCAL_RANK/$OMPI_COMM_WORLD_LOCAL_SIZE $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $NODE_RANK'

Sixteen hosts on one, with a cache directory for each, gone at the end:

  $ run --emulate-hosts yes --host 'pod[1-2]' --num-replicas 4 --num-instances 4 sh -c "$seen"' ${POPDIST_EXECUTABLE_CACHE_PATH##*/}; test -d $POPDIST_EXECUTABLE_CACHE_PATH || echo none; echo $POPDIST_EXECUTABLE_CACHE_PATH >> caches' | sort
  [1,0]<stdout>:0 0/2 0/4 0/2 0 executables-0
  [1,1]<stdout>:1 1/2 1/4 1/2 0 executables-0
  [1,2]<stdout>:0 0/2 2/4 0/2 1 executables-1
  [1,3]<stdout>:1 1/2 3/4 1/2 1 executables-1
  $ for d in $(cat caches); do test ! -e $d || echo left: $d; done
  $ mkfifo never; rm caches; run --emulate-hosts yes --host a,b --num-replicas 2 --num-instances 2 sh -c 'echo $POPDIST_EXECUTABLE_CACHE_PATH >> caches; kill -9 $PPID; read -r x < never' > out 2>&1
  [1]
  $ for d in $(cat caches); do test ! -e $d || echo left: $d; done
  $ IPUBOX_EMULATE_HOSTS=1 run --host 'n[01-16]' --num-replicas 16 --num-instances 16 --print-topology=yes true | sed -n 4p
  | hosts     | n01 | n02 | n03 | n04 | n05 | n06 | n07 | n08 | n09 | n10 | n11 | n12 | n13 | n14 | n15 | n16 |
  $ printf '# ours\nn1 slots=2\nn[2-3]\nn4\n' > hosts
  $ run --emulate-hosts 1 --hostfile hosts --num-replicas 4 --num-instances 4 --dry-run true | grep '^instance'
  instance 0 on n1:
  instance 1 on n2:
  instance 2 on n3:
  instance 3 on n4:

More hosts than instances: the first ones.

  $ run --emulate-hosts 1 --host 'n[1-4]' --num-replicas 2 --num-instances 2 --dry-run true | grep -E '^(hosts|instance)'
  hosts: emulated, all of them are this machine
  instance 0 on n1:
  instance 1 on n2:

What mpirun would be given on the hosts themselves:

  $ run --emulate-hosts 1 --host a,b --num-replicas 2 --num-instances 2 --dry-run -v true 2> /dev/null | sed -n 's/^command on real hosts: .*mpirun //p' | tr ' ' '\n' | grep -A1 -e -host -e OFFSET
  --host
  a
  --
  POPDIST_REPLICA_INDEX_OFFSET=0
  -x
  --
  --host
  b
  --
  POPDIST_REPLICA_INDEX_OFFSET=1
  -x
  $ run --emulate-hosts 1 --host a,b --num-replicas 2 --num-instances 2 --dry-run --format json true | grep -c -e '"--host"' -e '"emulated_hosts": true'
  3

Names of this machine are this machine; others need to be emulated:

  $ run --host "localhost,127.0.0.1,$(hostname)" --num-replicas 2 --num-instances 2 sh -c "$seen" | sort
  [1,0]<stdout>:0 0/2 0/2 0/2 0
  [1,1]<stdout>:1 1/2 1/2 1/2 0
  $ run --host localhost,far.example true
  $ run --host localhost,far.example --num-replicas 2 --num-instances 2 true
  POPRUN ERROR: host far.example is not this machine, and --launcher local starts instances only on this machine: leave the option out
  (to try the job on this machine alone, emulate the hosts:
  --emulate-hosts yes, or IPUBOX_EMULATE_HOSTS=1)
  [1]
  $ (PATH=/nonexistent; "$IPUBOX" poprun --offline-mode yes --host far.example /bin/sh -c true)
  POPRUN ERROR: host far.example is not this machine, and mpirun is not found in PATH: install Open MPI on all hosts
  (to try the job on this machine alone, emulate the hosts:
  --emulate-hosts yes, or IPUBOX_EMULATE_HOSTS=1)
  [1]

A job that was refused for another reason, or that needs no other host, is not
told of emulated hosts:

  $ run --host far.example --num-replicas 2 --num-instances 3 true
  POPRUN ERROR: 3 instances are more than the 2 replicas they would share: --num-instances must not exceed --num-replicas
  [1]
  $ run --host localhost,far.example false
  POPRUN ERROR: instance 0 (pid *) exited with status 1 (glob)
  [1]

Ports for other hosts:

  $ run --port-range 40000-40099 true; run --port-range 40000 true
  $ run --port-range 40099-40000 true 2>&1 | head -1
  POPRUN ERROR: --port-range 40099-40000: the first port is above the last one
  $ run --port-range 0-7 true 2>&1 | head -1
  POPRUN ERROR: --port-range '0': too small, must be 1 to 65535
  $ run --port-range 4- true 2>&1 | head -1
  POPRUN ERROR: --port-range '': not a whole number

Lists that are not right:

  $ run --emulate-hosts 1 --host 'n[1-3]' --num-replicas 4 --num-instances 4 true
  POPRUN ERROR: 4 instances cannot be divided evenly among 3 hosts
  [1]
  $ run --host '' true 2>&1 | head -1
  POPRUN ERROR: --host is empty (is its variable set?); leave the option out to use this host
  $ run --host a, b true 2>&1 | head -1
  POPRUN ERROR: --host 'a,': ends with a comma; write the list without spaces, or in quotes
  $ run --host 'n[3-1]' true 2>&1 | head -1
  POPRUN ERROR: --host: host 'n[3-1]': a range must begin with the smaller number
  $ run --host a --hostfile hosts true 2>&1 | head -1
  POPRUN ERROR: --host and --hostfile cannot be used at the same time
  $ run --hostfile none true 2>&1 | head -1
  POPRUN ERROR: --hostfile: *none: No such file or directory (glob)

What can do nothing on one machine is right, and said once:

  $ run -v --emulate-hosts 1 --host a,b --num-replicas 2 --num-instances 2 --host-subnet 10.0.0.0/8 --distribute-ssh-key --synchronise-python-venv yes --process-placement close --mpi-global-args '--mca a b --map-by core' true 2>&1 >/dev/null | sed -n 's/.*\(no effect\)/\1/p'
  no effect here: --host-subnet, because all instances run on this machine
  no effect here: --synchronise-python-venv, because all instances run on this machine
  no effect here: --distribute-ssh-key, because all instances run on this machine
  no effect here: --mca a, because the instances are started without mpirun, on this machine
  no effect here: --map-by core, because the instances are started without mpirun, on this machine

All that is not known is named together:

  $ poprun --num_replicas 4 --update-partitions yes --foo --num-instances 2 true 2>&1 | head -1
  POPRUN ERROR: unrecognised option '--num_replicas' (did you mean --num-replicas?); unrecognised option '--update-partitions' (did you mean --update-partition?); unrecognised option '--foo'

Offline: the rules of a partition hold, and none of its variables comes through:

  $ run --num-replicas 3 true
  POPRUN ERROR: 3 replicas of 1 IPUs need 3 IPUs: the size of a partition must be a power of two
  [1]
  $ run --ipus-per-replica 128 true
  POPRUN ERROR: each instance would use 128 IPUs, but may use at most 64: use more instances
  [1]
  $ IPUOF_VIPU_API_PARTITION_ID=x IPUOF_VIPU_API_GCD_ID=3 POPDIST_NUM_LOCAL_REPLICAS=9 run sh -c 'env | grep -E "^(IPUOF_VIPU|POPDIST_NUM|POPTORCH)" | sort'
  [1,0]<stdout>:POPDIST_NUM_IPUS_PER_REPLICA=1
  [1,0]<stdout>:POPDIST_NUM_LOCAL_REPLICAS=1
  [1,0]<stdout>:POPDIST_NUM_TOTAL_REPLICAS=1
  [1,0]<stdout>:POPTORCH_IPU_MODEL=1
  $ run --ipus-per-replica 4 mnist-pipeline --dataset generated --samples 400 --epochs 1 --batch-size 4 --device-iterations 1 --gradient-accumulation 8 --test-batch-size 2 2>&1 | tail -1 | cut -d: -f2
  Accuracy on test set

What mpirun would honour:

  $ mkdir d; run --mpi-local-args "--wdir $PWD/d" --num-replicas 2 --num-instances 2 pwd | sed "s|$PWD|HERE|" | sort
  [1,0]<stdout>:HERE/d
  [1,1]<stdout>:HERE/d
  $ run --mpi-global-args '--wdir nowhere' pwd
  POPRUN ERROR: --wdir nowhere: No such file or directory
  [1]
  $ run --mpi-global-args '--timeout 1' cat never
  POPRUN ERROR: the job ran longer than the 1 s of --timeout, and was stopped
  [110]
  $ run --mpi-global-args '--merge-stderr-to-stdout --output-filename copies' sh -c 'echo a; echo b >&2' 2> err; cat err; cat copies/1/rank.0/stdout
  [1,0]<stdout>:a
  [1,0]<stdout>:b
  a
  b
  $ run --mpi-global-args '--output-filename err' true
  POPRUN ERROR: --output-filename err: Not a directory
  [1]
  $ run --only-output-from-instance 1 --num-replicas 2 --num-instances 2 sh -c 'echo $RANK; echo $RANK >&2'
  [1,1]<stdout>:1
  [1,1]<stderr>:1
  $ run --only-output-from-instance 2 --num-replicas 2 --num-instances 2 true 2>&1 | head -1
  POPRUN ERROR: --only-output-from-instance 2: the job has 2 instances, counted from 0

A cache of one's own:

  $ run --executable-cache-path c sh -c 'echo $POPDIST_EXECUTABLE_CACHE_PATH'
  [1,0]<stdout>:c
  $ run --executable-cache-path= --num-replicas 2 --num-instances 2 sh -c 'echo ${POPDIST_EXECUTABLE_CACHE_PATH-none}' | sort
  [1,0]<stdout>:none
  [1,1]<stdout>:none
  $ POPTORCH_CACHE_DIR=x run --executable-cache-path c true
  POPRUN ERROR: executable-cache-path command line argument cannot be specified when POPTORCH_CACHE_DIR sets an executable cache too: leave one of them out, or set IPUBOX_EMULATE_SDK=3.x, where the option takes precedence
  [1]
  $ TF_POPLAR_FLAGS='--a --executable_cache_path=x' run --executable-cache-path c true
  POPRUN ERROR: executable-cache-path command line argument cannot be specified when TF_POPLAR_FLAGS sets an executable cache too: leave one of them out, or set IPUBOX_EMULATE_SDK=3.x, where the option takes precedence
  [1]

Releases of the SDK let the option count, wherever the others are set:

  $ export IPUBOX_EMULATE_SDK=2.6
  $ cat > caches <<'END'
  > echo "$POPDIST_EXECUTABLE_CACHE_PATH, $POPTORCH_CACHE_DIR, $POPXL_CACHE_DIR, $TF_POPLAR_FLAGS"
  > END
  $ POPTORCH_CACHE_DIR=x TF_POPLAR_FLAGS='--executable_cache_path=x --a' run --executable-cache-path c sh caches
  POPRUN WARNING: POPTORCH_CACHE_DIR sets an executable cache too; --executable-cache-path overrides it
  POPRUN WARNING: TF_POPLAR_FLAGS sets an executable cache too; --executable-cache-path overrides it
  [1,0]<stdout>:c, c, , --executable_cache_path=x --a --executable_cache_path=c
  $ run --executable-cache-path c --mpi-local-args='-x POPXL_CACHE_DIR=x -x TF_POPLAR_FLAGS=--a' --instance-mpi-local-args='0:-x POPTORCH_CACHE_DIR=y' sh caches
  POPRUN WARNING: POPTORCH_CACHE_DIR sets an executable cache too; --executable-cache-path overrides it
  POPRUN WARNING: POPXL_CACHE_DIR sets an executable cache too; --executable-cache-path overrides it
  [1,0]<stdout>:c, c, c, --a
  $ POPTORCH_CACHE_DIR=x run --executable-cache-path= sh caches
  [1,0]<stdout>:, x, , 
  $ POPTORCH_CACHE_DIR=x run sh caches
  [1,0]<stdout>:, x, , 
  $ IPUBOX_EMULATE_SDK=9.x POPTORCH_CACHE_DIR=x run --executable-cache-path c true
  POPRUN ERROR: IPUBOX_EMULATE_SDK '9.x': must be guide, 2.x, 3.x, or a version of these lines such as 3.3.0* (glob)
  [1]
  $ unset IPUBOX_EMULATE_SDK

Names that torch uses, unless the caller has set them:

  $ MASTER_ADDR=far MASTER_PORT=1 run sh -c 'echo $MASTER_ADDR $MASTER_PORT $RANK $WORLD_SIZE'
  [1,0]<stdout>:far 1 0 1
  $ run --num-replicas 2 --num-instances 2 sh -c 'echo $MASTER_ADDR $MASTER_PORT' | cut -d: -f2 | sort -u | sed 's/[0-9]*$/PORT/'
  127.0.0.1 PORT

Places of another pod have no effect with emulated hosts, which is said:

  $ far='--emulate-hosts yes --host a,b --num-instances 2 --num-replicas 2 --vipu-allocation theirs --vipu-cluster c128 --update-partition yes --vipu-partition new'
  $ poprun --dry-run $far true | grep effect
  no effect here: --vipu-cluster, because the hosts are emulated, and this pod has none of that name
  no effect here: --vipu-allocation, because the hosts are emulated, and this pod has none of that name
  $ poprun -v $far true 2>&1 | grep -c 'no effect here: --vipu'
  2
