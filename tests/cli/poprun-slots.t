poprun: how many instances each host gets.

  $ alias run='poprun --offline-mode=yes --launcher local --emulate-hosts yes --num-replicas'
  $ seen='echo $LOCAL_RANK/$LOCAL_WORLD_SIZE $OMPI_COMM_WORLD_LOCAL_RANK/$OMPI_COMM_WORLD_LOCAL_SIZE $NODE_RANK ${POPDIST_EXECUTABLE_CACHE_PATH##*/}'

As many as their slots allow, and as equal as these do:

  $ run 8 --num-instances 8 --host 'a:5,b:3' sh -c "$seen" | sort
  [1,0]<stdout>:0/5 0/5 0 executables-0
  [1,1]<stdout>:1/5 1/5 0 executables-0
  [1,2]<stdout>:2/5 2/5 0 executables-0
  [1,3]<stdout>:3/5 3/5 0 executables-0
  [1,4]<stdout>:4/5 4/5 0 executables-0
  [1,5]<stdout>:0/3 0/3 1 executables-1
  [1,6]<stdout>:1/3 1/3 1 executables-1
  [1,7]<stdout>:2/3 2/3 1 executables-1
  $ printf '# ours\na slots=1\nb slots=8 max_slots=8\n' > hosts
  $ run 4 --num-instances 2 --hostfile hosts --dry-run true | grep ^instance
  instance 0 on a:
  instance 1 on b:
  $ run 4 --num-instances 4 --hostfile hosts --print-topology yes true | sed 1,3d
  | hosts     | a |     b     |
  |-----------|---------------|
  | ILDs      |       0       |
  |-----------|---------------|
  | instances | 0 | 1 | 2 | 3 |
  |-----------|---------------|
  | replicas  | 0 | 1 | 2 | 3 |
   ---------------------------

A file may repeat a name, as that of a batch system, and have blanks and users:

  $ printf 'a\na\na\nb\n' > hosts; run 4 --num-instances 4 --hostfile hosts --dry-run true | grep ^instance
  instance 0 on a:
  instance 1 on a:
  instance 2 on a:
  instance 3 on b:
  $ printf 'me@a slots = 1\nb slots= 3\n' > hosts; run 4 --num-instances 4 --hostfile hosts --dry-run true | grep ^instance
  instance 0 on a:
  instance 1 on b:
  instance 2 on b:
  instance 3 on b:
  $ mkdir bin; printf '#!/bin/sh\n' > bin/mpirun; chmod +x bin/mpirun
  $ (unset IPUBOX_EMULATE_HOSTS; PATH=$PWD/bin:$PATH poprun --dry-run --offline-mode=yes --allow-run-as-root yes --host you@192.0.2.9 true 2>&1 | grep '^POPRUN')
  POPRUN WARNING: the user in USER@HOST is ignored: name it in ~/.ssh/config

Too few of them, and none where the shares are not equal:

  $ run 4 --num-instances 4 --host a:1,b:2 true
  POPRUN ERROR: 4 instances are more than the 3 slots of 2 hosts: give them more slots, name more hosts, or use --allow-oversubscribe yes
  [1]
  $ run 4 --num-instances 4 --host a:1,b:2 --allow-oversubscribe yes --dry-run true | grep ^instance
  instance 0 on a:
  instance 1 on a:
  instance 2 on b:
  instance 3 on b:
  $ run 4 --num-instances 4 --host a,b,c true
  POPRUN ERROR: 4 instances cannot be divided evenly among 3 hosts
  [1]
  $ run 4 --num-instances 4 --host a,b,c --allow-oversubscribe --dry-run true | grep ^instance
  instance 0 on a:
  instance 1 on a:
  instance 2 on b:
  instance 3 on c:

Numbers that are none:

  $ run 2 --num-instances 2 --host a:0 true 2>&1 | head -1
  POPRUN ERROR: --host: slots '0': too small, must be 1 to 4096
  $ printf 'a\nb slots=many\n' > hosts; run 2 --num-instances 2 --hostfile hosts true 2>&1 | head -1
  POPRUN ERROR: --hostfile: hosts:2: slots 'many': not a whole number

What mpirun would be given has them too:

  $ run 4 --num-instances 4 --host a:3,b:1 --dry-run --format json true | grep -E '"(LOCAL_RANK|LOCAL_WORLD_SIZE)=' | tr -d ' ,'
  "LOCAL_RANK=0"
  "LOCAL_WORLD_SIZE=3"
  "LOCAL_RANK=1"
  "LOCAL_WORLD_SIZE=3"
  "LOCAL_RANK=2"
  "LOCAL_WORLD_SIZE=3"
  "LOCAL_RANK=0"
  "LOCAL_WORLD_SIZE=1"
