What is kept, seen from the command line.

Who only asks for help or a version makes no pod.

  $ for word in --help --version --server-version 'create partition --help'; do vipu $word; done > out
  $ test -e "$IPUBOX_STATE_DIR"
  [1]

A command that is killed at its N-th write, flush, rename, unlink or change of
the mirror loses nothing: what was acknowledged is there, and what was not is
there or not, but never in part.

  $ vipu create partition kept --size 8 --relocatable
  create partition (kept): success
  $ kills=0 n=1
  > while :; do
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" vipu create partition new --size 4 --relocatable > out 2>&1
  >   status=$?
  >   [ $status -ne 0 ] || break
  >   [ $status -eq 137 ] || { echo "point $n: status $status"; cat out; }
  >   vipu list partitions > list
  >   grep -q '| kept ' list || echo "point $n: kept is lost"
  >   case $(grep -c ACTIVE list) in
  >   1) ;;
  >   2) vipu remove partition new > out || cat out ;;
  >   *) echo "point $n:"; cat list ;;
  >   esac
  >   kills=$((kills + 1)) n=$((n + 1))
  > done 2> /dev/null
  > cat out; [ $kills -gt 8 ] || echo "only $kills kills"
  create partition (new): success
  $ kills=0 n=1
  > while :; do
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" vipu remove partition new > out 2>&1 && break
  >   vipu list partitions > list
  >   grep -q '| kept ' list || echo "point $n: kept is lost"
  >   grep -q '| new ' list || vipu create partition new --size 4 --relocatable > out || cat out
  >   kills=$((kills + 1)) n=$((n + 1))
  > done 2> /dev/null
  > cat out; [ $kills -gt 5 ] || echo "only $kills kills"
  remove partition (new): success
  $ ls -A "$IPUBOX_STATE_DIR" "$IPUBOX_STATE_DIR/partitions" | sed "s|$IPUBOX_STATE_DIR|STATE|"
  STATE:
  agents
  allocations
  clusters
  lock
  partitions
  pod.ini
  users
  
  STATE/partitions:
  kept.ini

A file can be read and mended by hand:

  $ cat "$IPUBOX_STATE_DIR/partitions/kept.ini" | sed '/^created\|^owner\|^sync-type/d'
  [partition]
  name = kept
  cluster = cl0
  allocation = default
  first-ild = 0
  ilds = 1
  offset = 0
  ipus-per-ild = 8
  gcds = 1
  replicas = 1
  routing = dnc
  gateway-routing = default
  state = active
  operation = idle
  reconfigurable = no
  relocatable = yes
  no-auto-reset = no
  changed-ms = [0-9]* (re)
  id = [0-9a-f]{32} (re)

One that is damaged is named with its line; the others stay usable, and none
is made meanwhile:

  $ vipu create partition hurt --size 2 --relocatable
  create partition (hurt): success
  $ cd "$IPUBOX_STATE_DIR/partitions"
  $ sed 's/^offset = .*/offset = eight/' hurt.ini > new && mv new hurt.ini
  $ cd "$HOME"
  $ vipu list partitions 2>&1 | sed "s|$IPUBOX_STATE_DIR|STATE|"
  vipu: warning: a partition is not shown: STATE/partitions/hurt.ini:7: offset 'eight': not a whole number
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  -----------------------------------------------------------------------------------------------
  cl0         | default    | kept      | 1    | DEFAULT    | DNC         | 8    | 1    | ACTIVE
  -----------------------------------------------------------------------------------------------
  $ vipu create partition more --size 2 2>&1 | sed "s|$IPUBOX_STATE_DIR|STATE|"
  create partition (more): failed: no partition can be made while a file is damaged, because its IPUs are unknown; repair or remove the file: STATE/partitions/hurt.ini:7: offset 'eight': not a whole number.
  $ vipu get partition kept 2> /dev/null | grep '^State'
  State                | ACTIVE
  $ sed -i 's/^offset = .*/offset = 8/' "$IPUBOX_STATE_DIR/partitions/hurt.ini"
  $ vipu list partitions | grep -c ACTIVE
  2

The registry may go at any time; a damaged one is made anew, and one that a
program uses is not:

  $ rm "$IPUBOX_REGISTRY" && vipu list partitions | grep -c ACTIVE
  2
  $ printf 'garbage' > "$IPUBOX_REGISTRY" && vipu list partitions | grep -c ACTIVE
  2
  $ printf '\000\000' | dd of="$IPUBOX_REGISTRY" bs=1 seek=8 conv=notrunc 2> /dev/null
  $ vipu list partitions | grep -c ACTIVE
  2
  $ rm "$IPUBOX_REGISTRY" && ln -s /etc/passwd "$IPUBOX_REGISTRY"
  $ vipu list partitions 2>&1 | sed "s|$IPUBOX_REGISTRY|REGISTRY|"
  list partitions: failed: registry REGISTRY is a symbolic link; remove it, or set IPUBOX_REGISTRY.
  $ rm "$IPUBOX_REGISTRY"

A state folder that is none:

  $ IPUBOX_STATE_DIR=/dev/null vipu list partitions
  list partitions: failed: cannot make directory /dev/null: Not a directory.
  [1]

A change of the pod writes the files of what changes, and no other.

  $ files() { (cd "$IPUBOX_STATE_DIR" && ls -i agents clusters allocations partitions | sort); }
  $ vipu-admin init --force > out && vipu create partition kept --size 8 --relocatable
  create partition (kept): success
  $ files > before; vipu-admin update agent ag07 --host 10.9.9.9; files > after
  update agent (ag07): success.
  $ comm -13 before after | sed 's/.* //'
  cl0:ag07.ini
  $ comm -23 before after | sed 's/.* //'
  cl0:ag07.ini
  $ vipu-admin update agent ag07 --host 10.9.9.9; files | cmp - after
  update agent (ag07): success.
  $ cat "$IPUBOX_STATE_DIR/pod.ini" | sed 1,3d
  format = 3
  staged = no

A kill at any point of it leaves the old one or the new one, which whoever comes
next finishes.

  $ kills=0 n=1
  > while :; do
  >   IPUBOX_FAULT=$n "$IPUBOX_FAULTY" vipu-admin update agent ag07 --host 10.9.9.$((n % 2 + 1)) > out 2>&1 && break
  >   host=$(vipu-admin get agent ag07 --format csv | sed -n 's/.*\(10\.9\.9\.[0-9]*\).*/\1/p')
  >   case $host in 10.9.9.[129]) ;; *) echo "point $n: host $host" ;; esac
  >   [ "$(vipu list partitions -q)" = kept ] || echo "point $n: kept is lost"
  >   kills=$((kills + 1)) n=$((n + 1))
  > done 2> /dev/null
  > cat out; [ $kills -gt 12 ] || echo "only $kills kills"
  update agent (ag07): success.
  $ ls "$IPUBOX_STATE_DIR"
  agents
  allocations
  clusters
  lock
  partitions
  pod.ini
  users
