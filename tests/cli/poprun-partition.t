poprun: the partition that a job runs on.

  $ alias run='poprun --launcher local'
  $ parts() { ls "$IPUBOX_STATE_DIR/partitions"; }

None, and none may be made:

  $ run true
  POPRUN ERROR: no partition exists: --vipu-partition NAME --update-partition=yes creates one for this job, --offline-mode=yes needs none
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ run --vipu-partition p true
  POPRUN ERROR: partition p does not exist: --update-partition=yes lets poprun create it (vipu list partitions shows the existing ones)
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]

Created, and removed at the end however the job ends:

  $ run --vipu-partition p --update-partition=yes --num-replicas 4 --num-instances 2 --ipus-per-replica 4 sh -c 'env | grep -E "^(IPUOF|POPLAR)" | sort; ls "$IPUBOX_STATE_DIR/partitions"' | grep -F '[1,1]'
  [1,1]<stdout>:IPUOF_LOG_LEVEL=WARN
  [1,1]<stdout>:IPUOF_VIPU_API_GCD_ID=1
  [1,1]<stdout>:IPUOF_VIPU_API_HOST=local
  [1,1]<stdout>:IPUOF_VIPU_API_PARTITION_ID=p
  [1,1]<stdout>:IPUOF_VIPU_API_PORT=8090
  [1,1]<stdout>:IPUOF_VIPU_API_TIMEOUT=120
  [1,1]<stdout>:POPLAR_TARGET_OPTIONS={"ipuLinkDomainSize":"16","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"8"}
  [1,1]<stdout>:p.ini
  $ parts
  $ run --vipu-partition p --update-partition=yes sh -c 'exit 4' 2>/dev/null
  [4]
  $ parts
  $ run --vipu-partition p --update-partition=yes no-such-program
  POPRUN ERROR: program 'no-such-program' not found in PATH
  [127]
  $ parts

What is left when poprun was killed; a server learns of it a moment later:

  $ left() { n=0; while [ -n "$(parts)" ] && [ $((n += 1)) -lt 200 ]; do :; done; parts; }
  $ mkfifo alive held
  $ for signal in TERM HUP KILL; do
  >     run --vipu-partition p --update-partition=yes sh -c 'parts=$(ls "$IPUBOX_STATE_DIR/partitions"); echo $parts > alive; sleep 60 & wait' > held & job=$!
  >     exec 8<held
  >     cat alive
  >     kill -s $signal $job
  >     cat <&8
  >     wait $job; echo $?
  >     left
  > done 2>/dev/null
  p.ini
  143
  p.ini
  129
  p.ini
  137

The guard of a created partition removes no other of its name, as one that
somebody makes meanwhile:

  $ for other in vipu true; do
  >     run --vipu-partition p --update-partition=yes sh -c 'echo > alive; sleep 60 & wait' > held & job=$!
  >     exec 8<held
  >     cat alive
  >     $other remove partition p; $other create partition p --size 1
  >     kill -s KILL $job
  >     cat <&8
  >     wait $job
  >     left; vipu remove partition p > /dev/null || :
  > done 2>/dev/null
  
  remove partition (p): success
  create partition (p): success
  p.ini
  

Nor does poprun at its end:

  $ run --vipu-partition p --update-partition=yes sh -c 'vipu remove partition p > /dev/null; vipu create partition p --size 1 > /dev/null'
  POPRUN ERROR: partition p was removed, and a new partition has its name; the new one stays
  [1]
  $ run --vipu-partition p --update-partition=yes sh -c 'vipu remove partition p > /dev/null; vipu create partition p --size 1 > /dev/null; exit 5'
  POPRUN ERROR: instance 0 \(pid [0-9]*\) exited with status 5 (re)
  POPRUN ERROR: partition p was removed during the job
  [5]
  $ vipu remove partition p
  remove partition (p): success
  $ run --vipu-partition p --update-partition=yes sh -c 'vipu remove partition p > /dev/null; vipu create partition p --size 1 > /dev/null; exit 5'
  POPRUN ERROR: instance 0 \(pid [0-9]*\) exited with status 5 (re)
  POPRUN ERROR: partition p was removed during the job
  POPRUN ERROR: partition p was removed, and a new partition has its name; the new one stays
  [5]
  $ vipu remove partition p
  remove partition (p): success

Kept when asked to; then found, as the only one:

  $ run --vipu-partition p --update-partition=yes --remove-partition=no --num-replicas 2 -v true 2>&1 >/dev/null | sed 's/.*POPRUN/POPRUN/' | head -2
  POPRUN [I] Created partition p of 2 IPUs in 1 GCD
  POPRUN [I] Running command: true
  $ run --vipu-partition= --num-replicas 2 -v true 2>&1 >/dev/null | sed 's/.*POPRUN/POPRUN/' | head -2
  POPRUN [I] --vipu-partition is empty (is its variable set?); ignoring the option
  POPRUN [I] Using V-IPU partition p as it is the only one available
  $ run --vipu-partition '' --num-replicas 2 echo it runs
  [1,0]<stdout>:it runs
  $ run --offline-mode=yes --vipu-partition '' --dry-run true | grep effect
  [1]
  $ run --num-replicas 2 --vv true 2>&1 >/dev/null | sed 's/.*POPRUN/POPRUN/' | head -8
  POPRUN [I] Using V-IPU partition p as it is the only one available
  POPRUN [D] Connecting to local:8090
  POPRUN [D] Status for partition p: OK (error 0)
  POPRUN [I] Partition p already exists and is in state: PS_ACTIVE
  POPRUN [D] Done polling, final state of p: PS_ACTIVE
  POPRUN [D] Target options from environment: {}
  POPRUN [D] Target options from V-IPU partition: {"ipuLinkDomainSize":"2","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"2"}
  POPRUN [D] Using target options: {"ipuLinkDomainSize":"2","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"2"}
  $ parts
  p.ini

One that does not fit is refused, or replaced:

  $ run --num-replicas 4 true
  POPRUN ERROR: partition p has 2 IPUs, but 4 replicas of 1 IPUs need a partition of 4; --update-partition=yes lets poprun replace it
  [1]
  $ run --num-replicas 2 --num-instances 2 true
  POPRUN ERROR: partition p has 1 GCDs, but 2 instances need one each; --update-partition=yes lets poprun replace it
  [1]
  $ run --num-replicas 2 --num-instances 2 --update-partition=yes --dry-run true | sed -n '/^launcher/,/^program/p; /^[0-9]/p'
  launcher: local
  partition: p (to be created)
  program: true
  0           | localhost | 0        | 0   | any
  1           | localhost | 1        | 1   | any
  $ run --num-replicas 4 --num-instances 2 --update-partition=yes --remove-partition=no true
  $ vipu list partitions | awk -F'|' '/ p / { print $7, $8 }' | tr -s ' '
   4 2 
  $ run --num-replicas 128 --update-partition=yes true
  POPRUN ERROR: each instance would use 128 IPUs, but may use at most 64: use more instances
  [1]
  $ run --num-replicas 3 --update-partition=yes true
  POPRUN ERROR: 3 replicas of 1 IPUs need 3 IPUs: the size of a partition must be a power of two
  [1]
  $ run --num-replicas 128 --num-instances 2 --update-partition=yes true > out 2>&1
  [1]
  $ parts
  p.ini

Several: one must be named, by option or environment.

  $ vipu create partition r --size 4 --reconfigurable > /dev/null
  $ run true
  POPRUN ERROR: 2 partitions exist (p, r): choose one with --vipu-partition NAME
  [1]
  $ export IPUOF_VIPU_API_PARTITION_ID=r
  $ IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=1 run true
  POPRUN ERROR: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:1: context deadline exceeded
  (IPUOF_VIPU_API_HOST: Connection refused; local means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every address does)
  [1]
  $ IPUOF_VIPU_API_HOST=local run true; unset IPUOF_VIPU_API_PARTITION_ID
  $ IPUOF_VIPU_API_PARTITION_ID=p run --num-replicas 4 --num-instances 2 true

A reconfigurable one has one GCD, and each instance its own device of it:

  $ run --vipu-partition r --num-replicas 2 --num-instances 2 --ipus-per-replica 2 sh -c 'echo $IPUOF_VIPU_API_GCD_ID $(popdist-env get getDeviceId) $POPLAR_TARGET_OPTIONS' | sort
  [1,0]<stdout>:0 4 {"ipuLinkDomainSize":"4","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"2"}
  [1,1]<stdout>:0 5 {"ipuLinkDomainSize":"4","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"2"}
  $ run --vipu-partition r --num-replicas 8 true
  POPRUN ERROR: partition r has 4 IPUs, but 8 replicas of 1 IPUs need 8; --update-partition=yes lets poprun replace it
  [1]
