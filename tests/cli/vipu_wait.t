vipu create partition --wait: as soon as the IPUs are free.

  $ vipu create partition p --size 4 --wait
  create partition (p): success
  $ vipu create partition all --size 64 --wait=0
  create partition (all): failed: waited 0 s: size 64: no aligned group of that size is free; 60 IPUs are free, and the largest size that would fit now is 32; taken by p (4).
  [1]
  $ ls "$IPUBOX_STATE_DIR"/waiting

The seconds may stand in a word of their own; a word that is no number is a
name:

  $ vipu create partition --wait 0 q --size 4 --relocatable
  create partition (q): success
  $ vipu create --wait partition r --size 4 --relocatable
  create partition (r): success
  $ vipu create partition s --size 4 --wait 5x
  vipu: create partition: unexpected argument '5x'
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu create partition s --size 4 --wait=5x
  vipu: --wait '5x': not a whole number
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu create partition s --size 4 --wait=-1
  vipu: --wait '-1': too small, must be 0 to 31622400
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu create partition s --size 4 --wait --options
  vipu: --options lists what is free now: leave out --wait
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu create partition s --size 4 --wait --cluster cl0 --index 3
  vipu: --index counts what is free now: leave out --index or --wait
  usage: vipu create partition NAME --size N [option ...]
  [2]
  $ vipu remove partition q && vipu remove partition r
  remove partition (q): success
  remove partition (r): success

What no waiting helps is refused at once:

  $ vipu create partition p --size 4 --wait
  create partition (p): failed: partition p already exists.
  [1]
  $ vipu create partition q --size 128 --num-gcds 2 --wait
  create partition (q): failed: size 128: cluster cl0 has 64 IPUs.
  [1]

Two wait, in order; who does not wait takes what is free in between.

  $ mkfifo one two
  $ vipu create partition first --size 64 --wait --ipuof-config-location a > one.out 2> one &
  $ read line < one; echo "$line"
  vipu: waiting for 64 IPUs; 60 IPUs are free, and the largest size that would fit now is 32; taken by p (4)
  $ vipu create partition second --size 32 --wait=3600 --ipuof-config-location b > two.out 2> two &
  $ read line < two; echo "$line"
  vipu: waiting for 32 IPUs; 1 waits before this one
  $ cat "$IPUBOX_STATE_DIR"/waiting/*
  [waiting]
  size = 64
  partition = first
  [waiting]
  size = 32
  partition = second
  $ vipu create partition hasty --size 4 --ipuof-config-location c
  create partition (hasty): success
  $ vipu remove partition hasty
  remove partition (hasty): success
  $ vipu remove partition p
  remove partition (p): success
  $ wait %1; cat one.out
  create partition (first): success
  $ vipu remove partition first
  remove partition (first): success
  $ wait; cat two.out
  create partition (second): success
  $ ls "$IPUBOX_STATE_DIR"/waiting

^C leaves nothing behind; it ends the program as ever.

  $ vipu create partition all --size 64 --wait > three.out 2> one & waiter=$!
  $ read line < one; echo "$line"
  vipu: waiting for 64 IPUs; 32 IPUs are free, and the largest size that would fit now is 32; taken by second (32)
  $ kill -TERM "$waiter"; { wait "$waiter"; } 2> /dev/null
  [143]
  $ cat three.out; until [ -z "$(ls "$IPUBOX_STATE_DIR"/waiting)" ]; do :; done
  $ vipu list partitions -q
  second
