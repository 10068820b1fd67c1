Nonsense in the registry's two files: what reads and what changes the state goes
on, and nothing is lost.

  $ poke() { printf "$3" | dd of="$1" bs=1 seek=$2 conv=notrunc 2> /dev/null; }
  $ slots=$IPUBOX_REGISTRY.slots
  $ vipu create partition p --size 8 --relocatable
  create partition (p): success
  $ export IPUOF_VIPU_API_PARTITION_ID=p

A count of 5,000 partitions, and then one of 4,294,967,295, at its place in the
header:

  $ poke "$IPUBOX_REGISTRY" 396 '\210\023\000\000'
  $ vipu create partition q --size 4 --relocatable
  create partition (q): success
  $ poke "$IPUBOX_REGISTRY" 396 '\210\023\000\000'
  $ vipu remove partition q
  remove partition (q): success
  $ poke "$IPUBOX_REGISTRY" 396 '\377\377\377\377'
  $ gc-info -l | grep -c Fabric
  8
  $ poke "$IPUBOX_REGISTRY" 384 '\377\377\377\377'
  $ vipu list partitions | grep -c ACTIVE
  1

The files cut, and of another version:

  $ for size in 0 3 500 5000; do
  >     truncate -s $size "$IPUBOX_REGISTRY"; vipu list partitions | grep -c ACTIVE
  >     truncate -s $size "$slots"; gc-info -l | grep -c Fabric
  > done
  1
  8
  1
  8
  1
  8
  1
  8
  $ poke "$slots" 8 '\011' && vipu list partitions | grep -c ACTIVE
  1
  $ poke "$IPUBOX_REGISTRY" 8 '\011' && vipu list partitions | grep -c ACTIVE
  1
  $ rm "$slots" && vipu list partitions | grep -c ACTIVE
  1

Slots that are a symbolic link are refused, as the mirror is:

  $ rm "$slots" && ln -s /etc/passwd "$slots"
  $ vipu list partitions 2>&1 | sed "s|$IPUBOX_REGISTRY|REGISTRY|"
  list partitions: failed: registry REGISTRY.slots is a symbolic link; remove it, or set IPUBOX_REGISTRY.
  $ rm "$slots"; chmod 666 "$IPUBOX_REGISTRY"
  $ vipu list partitions 2>&1 | sed "s|$IPUBOX_REGISTRY|REGISTRY|"
  list partitions: failed: registry REGISTRY: everybody may write it; remove it, or set IPUBOX_REGISTRY.
  $ chmod 600 "$IPUBOX_REGISTRY"; vipu list partitions | grep -c ACTIVE
  1

A file is removed only where it says what the mirror does.  This one was written
in its place, which shows in no directory:

  $ cat "$IPUBOX_STATE_DIR/partitions/p.ini" > before
  $ sed 's/^gcds = 1/gcds = 2/' before > "$IPUBOX_STATE_DIR/partitions/p.ini"
  $ vipu remove partition p 2>&1 | sed "s|$IPUBOX_REGISTRY|REGISTRY|"
  remove partition (p): failed: registry REGISTRY and the files disagree about partition p; try again: the registry is rebuilt from the files.
  $ vipu get partition p | grep GCDs
  Number of GCDs       | 2
  $ vipu remove partition p
  remove partition (p): success
