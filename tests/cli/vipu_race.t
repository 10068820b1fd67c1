Many vipu at once: nothing lost, nothing double.

50 names for 64 IPUs, each size 1:

  $ for i in $(seq 50); do
  >   vipu create partition p$i --size 1 --relocatable > out$i 2>&1 &
  > done; wait
  $ cat out* | grep -c ': success$'
  50
  $ vipu list partitions | grep -c ACTIVE
  50
  $ for i in $(seq 50); do vipu get partition p$i; done |
  >   grep '^IPUs' | sort | uniq -d
  $ for i in $(seq 50); do
  >   vipu remove partition p$i > out$i 2>&1 &
  > done; wait
  $ cat out* | grep -c ': success$'
  50
  $ vipu list partitions | grep -c ACTIVE
  0
  [1]

One name, 20 that want it: one gets it, the others hear why.

  $ for i in $(seq 20); do
  >   vipu create partition one --size 4 --relocatable > one$i 2>&1 &
  > done; wait
  $ sort one* | sed -n '/one[0-9]/d; p' | uniq -c | sed 's/^ *//'
  19 create partition (one): failed: partition one already exists.
  1 create partition (one): success

More than there is room for: 8 of 20 fit.

  $ vipu remove partition one
  remove partition (one): success
  $ for i in $(seq 20); do
  >   vipu create partition m$i --size 8 --ipuof-config-location conf > m$i 2>/dev/null &
  > done; wait
  $ cat m* | grep -c success
  8
  $ ls conf | sed 's/.conf$//' | sort > files
  $ vipu list partitions | awk '/ACTIVE/ { print $5 }' | sort | cmp - files
  $ vipu create partition whole --size 64 2>&1 | grep -o 'failed: .*are free'
  failed: size 64: no aligned group of that size is free; 0 IPUs are free
