vipu status: what is used and free, and what waits.  Everything is free at
first:

  $ vipu status
  Cluster     | Allocation | IPUs | Used | Free | Down | Largest Free
  ---------------------------------------------------------------------
  cl0         | default    | 64   | 0    | 64   | 0    | 64
  ---------------------------------------------------------------------

A program, a machine that is down, and one who waits:

  $ vipu create partition p --size 4 --reconfigurable && vipu create partition q --size 8 --relocatable && vipu-admin inject ag09 down
  create partition (p): success
  create partition (q): success
  inject agent (ag09): success.
  $ mkfifo in out told; ipubox __device < in > out & exec 5> in 6< out; read -r line <&6
  $ export IPUOF_VIPU_API_PARTITION_ID=p; echo attach 1 0 >&5; read -r line <&6; echo "$line"
  ok 0 1 0
  $ vipu create partition all --size 64 --wait 2> told & waiter=$!
  $ read -r line < told; vipu status --size 16 | sed "s/^$(id -un) */USER        /"
  Cluster     | Allocation | IPUs | Used | Free | Down | Largest Free
  ---------------------------------------------------------------------
  cl0         | default    | 64   | 12   | 48   | 4    | 16
  ---------------------------------------------------------------------
  State       | Partitions
  --------------------------
  ACTIVE      | 2
  --------------------------
  Owner       | Partitions | IPUs | Attached
  --------------------------------------------
  USER        | 2          | 12   | 1
  --------------------------------------------
  Waiting     | IPUs | Cluster | Allocation | User
  --------------------------------------------------
  all         | 64   |         |            |
  --------------------------------------------------
  Next Of     | Cluster | Allocation | ILDs | Places
  ---------------------------------------------------------------------------------
  16          | cl0     | default    | 1    | ag05:0-3 ag06:0-3 ag07:0-3 ag08:0-3
  ---------------------------------------------------------------------------------

The answer is what a creation does, and nothing was created by it.

  $ vipu status --size 4 --format csv | sed -n 's/^next.*,,\(.*\),$/\1/p'; vipu list partitions -q
  ag02:0 ag02:1 ag02:2 ag02:3
  p
  q
  $ vipu create partition r --size 4 --relocatable > got && vipu get partition r --format csv | sed 's/.*,//' | tail -1; vipu remove partition r
  ag02:0 ag02:1 ag02:2 ag02:3
  remove partition (r): success
  $ vipu status --size 32 | tail -1
  No place: size 32: no aligned group of that size is free; 48 IPUs are free, and the largest size that would fit now is 16.
  $ vipu status --size 3
  status: failed: size 3: must be a power of 2 (1, 2, 4, 8, ...).
  [1]

The same for programs:

  $ vipu status --size 1 --format csv | sed "s/,$(id -un),/,USER,/"
  section,id,cluster_id,allocation_id,ipus,used,free,down,largest_free,attached,partitions,num_ipulink_segments,owner,places,reason
  capacity,,cl0,default,64,12,48,4,16,,,,,,
  state,PS_ACTIVE,,,,,,,,,2,,,,
  owner,,,,12,,,,,1,2,,USER,,
  waiting,all,,,64,,,,,,,,,,
  next,,cl0,default,1,,,,,,,1,,ag02:0,
  $ vipu status --size 1 --showjson | tr -d ' \n' | sed "s/\"$(id -un)\"/\"USER\"/"; echo
  {"capacity":[{"cluster_id":"cl0","allocation_id":"default","ipus":64,"used":12,"free":48,"down":4,"largest_free":16}],"state":[{"id":"PS_ACTIVE","partitions":2}],"owner":[{"ipus":12,"attached":1,"partitions":2,"owner":"USER"}],"waiting":[{"id":"all","ipus":64}],"next":[{"cluster_id":"cl0","allocation_id":"default","ipus":1,"num_ipulink_segments":1,"places":"ag02:0"}]}
  $ vipu status --size 64 --format json | sed -n '/"next"/,$p' | grep reason
        "reason": "size 64: no aligned group of that size is free; 48 IPUs are free, and the largest size that would fit now is 16"
  $ vipu status -q
  vipu: status takes no --quiet
  usage: vipu status [--size N] [--format FORM]
  [2]
  $ kill -TERM "$waiter"; { wait "$waiter"; } 2> /dev/null
  [143]
  $ exec 5>&- 6<&-; wait; until ! vipu status | grep -q '^Waiting'; do :; done; vipu-admin inject ag09 up
  inject agent (ag09): success.

A line for each allocation, and one for machines of none:

  $ printf '[pod]\nname = lab\n[cluster c1]\nagents = a[1-4]\ntopology = mesh\n[cluster c2]\nagents = b[1-4]\ntopology = mesh\n[allocation one]\ncluster = c1\nagents = a1,a2,a3\n[allocation two]\ncluster = c2\nagents = b1,b2,b3,b4\n' > lab.ini
  $ export IPUBOX_STATE_DIR=$PWD/lab IPUBOX_REGISTRY=$PWD/lab.registry; vipu-admin init --pod lab.ini > got; vipu status
  Cluster     | Allocation | IPUs | Used | Free | Down | Largest Free
  ---------------------------------------------------------------------
  c1          | one        | 12   | 0    | 12   | 0    | 8
  c1          |            | 4    | 0    | 4    | 0    | 4
  c2          | two        | 16   | 0    | 16   | 0    | 16
  ---------------------------------------------------------------------
