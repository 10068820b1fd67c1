vipu list partitions --watch: the table, then a line for each change.

  $ mkfifo rows more; vipu list partitions --watch > rows & watching=$!; exec 3< rows
  $ row() { read -r line <&3; echo "$line"; }
  $ row; row
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  ----------------------------------------------------------------------------------------------
  $ vipu create partition p --size 4 --reconfigurable && row
  create partition (p): success
  cl0         | default    | p         | 1    | DEFAULT    | DNC         | 4    | 1    | ACTIVE
  $ vipu remove partition p && row
  remove partition (p): success
  cl0         | default    | p         | 1    | DEFAULT    | DNC         | 4    | 1    | REMOVED
  $ kill -TERM "$watching"; { wait "$watching"; } 2> /dev/null
  [143]

The other forms: CSV has its names once, JSON is an object for each line.  A
reader that leaves ends it.

  $ exec 3<&-; vipu list partitions --watch --format csv > rows & exec 3< rows; row | cut -d, -f1-3
  id,cluster_id,allocation_id
  $ vipu list partitions -w --format json > more & exec 4< more; vipu create partition p --size 4 --reconfigurable; row | cut -d, -f1-4
  create partition (p): success
  p,cl0,default,4
  $ sed '/"ready_state": "PS_ACTIVE"/q' <&4 | grep '"id"'
      "id": "p",
  $ exec 3<&- 4<&-; wait

vipu wait: the conditions, and the first look at them.

  $ vipu wait p --for active; vipu wait p --for free=4; vipu wait nobody --for removed; vipu wait --for free=32
  wait (p): success.
  wait (p): success.
  wait (nobody): success.
  wait: success.
  $ vipu wait p --for removed --timeout 0
  wait (p): failed: timed out after 0 s: it is in state ACTIVE.
  [1]
  $ vipu wait --for free=64 --timeout 0
  wait: failed: timed out after 0 s: no aligned group of 64 IPUs is free.
  [1]

What never can be is refused at once:

  $ vipu wait q --for active 2>&1 | head -1
  wait (q): failed: the partition does not exist; vipu list partitions shows the existing ones.
  $ vipu wait p --for free=8; vipu wait --for free=128; vipu wait --for free=3
  wait (p): failed: it has 4 IPUs.
  wait: failed: size 128: cluster cl0 has 64 IPUs.
  wait: failed: size 3: must be a power of 2 (1, 2, 4, 8, ...).
  [1]
  $ vipu wait p
  vipu: wait needs --for
  usage: vipu wait [NAME] --for active | removed | free=N [--timeout TIME]
  [2]
  $ for words in 'p --for actve' 'p --for free=x' '--for active' 'p --for active --timeout x'; do vipu wait $words 2>&1 | head -1; done
  vipu: --for 'actve': must be active, removed or free=N (did you mean active?)
  vipu: --for free 'x': not a whole number
  vipu: --for active needs a partition
  vipu: --timeout 'x': must be a time: seconds, or a number followed by s, m, h or d

Programs give their IPUs back, a partition goes, and its IPUs are free again:

  $ mkfifo in out; ipubox __device < in > out & exec 5> in 6< out; read -r line <&6
  $ export IPUOF_VIPU_API_PARTITION_ID=p; echo attach 1 0 >&5; read -r line <&6; echo "$line"
  ok 0 1 0
  $ vipu wait p --for free=4 --timeout 0
  wait (p): failed: timed out after 0 s: programs hold 1 of its 4 IPUs.
  [1]
  $ vipu wait p --for free=3
  wait (p): success.
  $ vipu wait p --for free=4 --timeout 1h > got & one=$!
  $ echo detach -1 >&5; read -r line <&6; exec 5>&- 6<&-; wait "$one"; cat got
  wait (p): success.
  $ vipu wait p --for removed > got & one=$!
  $ vipu wait --for free=64 > room & two=$!
  $ vipu remove partition p; wait "$one" "$two"; cat got room
  remove partition (p): success
  wait (p): success.
  wait: success.

A slow machine, and one that fails: the wait ends where nothing more happens.

  $ vipu-admin inject ag01 slow 300 > got; vipu create partition p --size 4 > got & one=$!
  $ until vipu list partitions | grep -q PENDING; do :; done; vipu wait p --for active; wait "$one"
  wait (p): success.
  $ vipu-admin inject ag01 up > got; vipu-admin inject ag01 fail-config 11 > got; vipu remove partition p
  remove partition (p): success
  $ vipu create partition p --size 4 --no-auto-reset > got 2>&1; vipu wait p --for active
  wait (p): failed: it is in state ERROR: *; vipu reset partition p tries again. (glob)
  [1]
