vipu status and vipu wait in secure mode: two users see what is theirs, directly
and through a server.

  $ printf '[pod]\nname = lab\n[cluster cl0]\nagents = ag[1-8]\ntopology = mesh\naddress = 10.1.5.1\nhost = 10.1.2.1\n[allocation one]\nagents = ag1,ag2,ag3,ag4\n[allocation two]\nagents = ag5,ag6\n' > lab.ini
  $ umask 077; vipu-admin init --pod lab.ini --secure --default-user-id boss > out 2>&1
  $ vipu-admin create user ann --allocations one > out; vipu-admin create user eve --allocations two > out
  $ ann() { vipu --config ann.vipu-cli.hcl "$@"; }; eve() { vipu --config eve.vipu-cli.hcl "$@"; }
  $ ann create partition p --size 4 --relocatable; eve create partition q --size 4 --relocatable
  create partition (p): success
  create partition (q): success
  $ mkfifo told log; vipu --config ann.vipu-cli.hcl create partition big --size 16 --relocatable --wait 2> told & first=$!
  $ read -r line < told; vipu --config eve.vipu-cli.hcl create partition more --size 8 --relocatable --wait 2> told & second=$!
  $ read -r line < told; ann status --size 8
  Cluster     | Allocation | IPUs | Used | Free | Down | Largest Free
  ---------------------------------------------------------------------
  cl0         | one        | 16   | 4    | 12   | 0    | 8
  ---------------------------------------------------------------------
  State       | Partitions
  --------------------------
  ACTIVE      | 1
  --------------------------
  Owner       | Partitions | IPUs | Attached
  --------------------------------------------
  ann         | 1          | 4    | 0
  --------------------------------------------
  Waiting     | IPUs | Cluster | Allocation | User
  --------------------------------------------------
  big         | 16   |         |            | ann
              | 8    |         |            |
  --------------------------------------------------
  Next Of     | Cluster | Allocation | ILDs | Places
  ---------------------------------------------------------------------------------------------
  8           | cl0     | one        | 1    | ag3:0 ag3:1 ag3:2 ag3:3 ag4:0 ag4:1 ag4:2 ag4:3
  ---------------------------------------------------------------------------------------------
  $ eve status --size 4 --format csv | grep -v ^state
  section,id,cluster_id,allocation_id,ipus,used,free,down,largest_free,attached,partitions,num_ipulink_segments,owner,places,reason
  capacity,,cl0,two,8,4,4,0,4,,,,,,
  owner,,,,4,,,,,0,1,,eve,,
  waiting,,,,16,,,,,,,,,,
  waiting,more,,,8,,,,,,,,eve,,
  next,,cl0,two,4,,,,,,,1,,ag6:0 ag6:1 ag6:2 ag6:3,
  $ eve wait p --for active 2>&1 | head -1; ann wait --for free=16 --timeout 0; vipu status
  wait (p): failed: the partition does not exist; vipu list partitions shows the existing ones.
  wait: failed: timed out after 0 s: no aligned group of 16 IPUs is free.
  status: failed: the pod is in secure mode, and no user is named; name the user's file NAME.vipu-cli.hcl with --config or VIPU_CLI_CONFIG.
  [1]
  $ kill "$first" "$second"; { wait "$first" "$second"; } 2> /dev/null
  [143]

A user's allocations are tried in its order, by a creation and by a look:

  $ vipu-admin create user tom --allocations two,one > out; tom() { vipu --config tom.vipu-cli.hcl "$@"; }
  $ tom status --size 4 --format csv | sed -n '/^capacity/p;/^next/p'
  capacity,,cl0,two,8,4,4,0,4,,,,,,
  capacity,,cl0,one,16,4,12,0,8,,,,,,
  next,,cl0,two,4,,,,,,,1,,ag6:0 ag6:1 ag6:2 ag6:3,
  $ tom create partition t --size 4 --relocatable > got && tom get partition t --format csv | sed 's/.*,//' | tail -1; tom status --size 4 --format csv | grep ^next; tom remove partition t
  ag6:0 ag6:1 ag6:2 ag6:3
  next,,cl0,one,4,,,,,,,1,,ag2:0 ag2:1 ag2:2 ag2:3,
  remove partition (t): success

The server shows the same:

  $ vipu-server --listen 127.0.0.1:0 2> log & server=$!; exec 3< log; read -r line <&3; port=${line##*:}; read -r line <&3
  $ far() { IPUBOX_STATE_DIR=$PWD/none IPUBOX_REGISTRY=$PWD/none.registry "$@" -H 127.0.0.1 --api-port "$port"; }
  $ far ann create partition big --size 16 --relocatable --wait > got 2> told & first=$!
  $ read -r line < told; far eve status --size 4 --format csv | grep -v ^state
  section,id,cluster_id,allocation_id,ipus,used,free,down,largest_free,attached,partitions,num_ipulink_segments,owner,places,reason
  capacity,,cl0,two,8,4,4,0,4,,,,,,
  owner,,,,4,,,,,0,1,,eve,,
  waiting,,,,16,,,,,,,,,,
  next,,cl0,two,4,,,,,,,1,,ag6:0 ag6:1 ag6:2 ag6:3,
  $ far ann status | sed -n '/^Waiting/,$p'
  Waiting     | IPUs | Cluster | Allocation | User
  --------------------------------------------------
  big         | 16   |         |            | ann
  --------------------------------------------------
  $ far tom status --size 4 --format csv | grep ^next
  next,,cl0,two,4,,,,,,,1,,ag6:0 ag6:1 ag6:2 ag6:3,
  $ ann remove partition p; far ann wait big --for active
  remove partition (p): success
  wait (big): success.
  $ wait "$first"; cat got; kill "$server"; wait "$server"
  create partition (big): success
