A command that is killed in the middle of a removal, or of a creation, may leave
a partition without its IPUoF file: gc-info and vipu doctor say so, and a reset
writes it again.

  $ file=$HOME/.ipuof.conf.d/p.conf
  $ alias ills='vipu doctor | grep -v "^ok"'
  $ told() { grep -q "partition p exists, but its IPUoF file $file is missing" "$1" && grep -q 'reset partition p' "$1"; }
  $ look() {
  >   vipu list partitions -q > list
  >   [ -s list ] || { [ ! -e "$file" ] || echo "point $n: a file without a partition"; return; }
  >   gc-info -l > info 2>&1 && listed=0 || listed=$?
  >   ills > doctor && well=1 || well=0
  >   [ ! -e "$file" ] || {
  >     [ $listed$well = 00 ] || echo "point $n: there is a fault where none is"
  >     return
  >   }
  >   missing=$((missing + 1))
  >   [ $listed$well = 11 ] || echo "point $n: nothing is said"
  >   told info || { echo "point $n:"; cat info; }
  >   told doctor || { echo "point $n:"; cat doctor; }
  >   vipu reset partition p > out || { echo "point $n:"; cat out; }
  >   gc-info -l > info 2>&1 && ! ills || echo "point $n: it was not mended"
  > }
  $ missing=0 n=1
  $ while :; do
  >   vipu list partitions -q | grep -q p || vipu create partition p --size 4 > out || cat out
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" vipu remove partition p > out 2>&1 && break
  >   look
  >   n=$((n + 1))
  > done 2> /dev/null
  $ cat out; [ $n -gt 8 ] || echo "only $n kills"; [ $missing -gt 2 ] || echo "only $missing without a file"
  remove partition (p): success
  $ missing=0 n=1
  $ while :; do
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" vipu create partition p --size 4 > out 2>&1 && break
  >   look
  >   [ ! -s list ] || vipu remove partition p > out || cat out
  >   n=$((n + 1))
  > done 2> /dev/null
  $ cat out; [ $n -gt 8 ] || echo "only $n kills"; [ $missing -gt 2 ] || echo "only $missing without a file"
  create partition (p): success

What each of them says:

  $ rm "$file"
  $ gc-info -l 2>&1 | sed "s|$HOME|HOME|"
  gc-info: partition p exists, but its IPUoF file HOME/.ipuof.conf.d/p.conf is missing; `vipu reset partition p` writes it again
  gc-info: no partition is active: `vipu exec p -- PROGRAM` runs a program on partition p; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  $ vipu doctor | grep -v '^ok' | sed "s|$HOME|HOME|"
  FAIL  ipuof-files: partition p exists, but its IPUoF file HOME/.ipuof.conf.d/p.conf is missing; vipu reset partition p writes it again
  $ IPUOF_VIPU_API_PARTITION_ID=p vipu doctor | grep -v '^ok' | cut -c 1-42
  warn  ipuof-files: partition p exists, but
  $ IPUOF_VIPU_API_PARTITION_ID=p gc-info --ipu-count
  4

A reset that cannot write it says so; the partition is reset all the same:

  $ rmdir ~/.ipuof.conf.d; echo > ~/.ipuof.conf.d
  $ vipu reset partition p 2>&1 | sed "s|$HOME|HOME|"
  reset partition (p): failed: it was reset, but its IPUoF file HOME/.ipuof.conf.d/p.conf is missing and cannot be written; make its directory and reset it again, or set IPUOF_VIPU_API_PARTITION_ID.
  $ vipu get partition p | sed -n 's/^State *| //p'
  ACTIVE
  $ rm ~/.ipuof.conf.d; vipu reset partition p; gc-info --ipu-count
  reset partition (p): success
  4

Each of several GCDs has one; one that may move has none, and misses none:

  $ vipu remove partition p; vipu create partition p --size 4 --num-gcds 2
  remove partition (p): success
  create partition (p): success
  $ cp ~/.ipuof.conf.d/p_gcd1.conf was; rm ~/.ipuof.conf.d/p_gcd1.conf
  $ vipu doctor | grep -o 'file .*_gcd1.conf is missing' | sed "s|$HOME|HOME|"
  file HOME/.ipuof.conf.d/p_gcd1.conf is missing
  $ vipu reset partition p; cmp was ~/.ipuof.conf.d/p_gcd1.conf
  reset partition (p): success
  $ vipu reset partition p --relocatable; vipu doctor | grep -c missing
  reset partition (p): success
  0
  [1]
