A program that is stopped while it holds the writer's lock: whoever looks is
answered, whoever changes waits so long and no longer, and is told for whom.

  $ vipu create partition old --size 4
  create partition (old): success
  $ hold() {	# POINT: a program that stops at its fault point of that number; 1: it has no such point
  >   IPUBOX_FAULT_STOP=$1 "$IPUBOX_FAULTY" vipu create partition new --size 4 --relocatable > new & holder=$!
  >   while read -r _ _ state _ < "/proc/$holder/stat"; do
  >     case $state in T) return ;; Z) return 1 ;; esac
  >   done 2> /dev/null; return 1; }
  $ release() { kill -CONT $holder; wait $holder; cat new; }
  $ plain() { sed "s|$IPUBOX_STATE_DIR|STATE|; s/pid $holder/pid PID/; s/-CONT $holder/-CONT PID/; s/since [0-9TZ:-]*/since WHEN/"; }

  $ hold 3
  $ vipu list partitions -q
  old
  $ vipu get partition old --format csv | wc -l
  2
  $ gc-info -l | wc -l
  9
  $ cp "$IPUBOX_REGISTRY" sound; printf 'nonsense' | dd of="$IPUBOX_REGISTRY" bs=1 seek=1100 conv=notrunc 2> /dev/null
  $ vipu list partitions -q
  old
  $ gc-info -l | wc -l
  9
  $ cat sound > "$IPUBOX_REGISTRY"
  $ vipu create partition late --size 4 --relocatable --wait=2 > out 2> err
  [1]
  $ plain < err
  vipu: waiting for the lock of STATE, held by ipubox vipu create partition new (pid PID, stopped, since WHEN)
  create partition (late): failed: waited 2 s for the lock of STATE, held by ipubox vipu create partition new (pid PID, stopped, since WHEN); kill -CONT PID lets it go on.
  $ vipu doctor | grep -v ^ok | plain
  FAIL  lock: the lock of STATE is held by ipubox vipu create partition new (pid PID, stopped, since WHEN), so the state cannot be changed; kill -CONT PID lets it go on

What is written in the record is not believed, nor does it reach a terminal.

  $ printf 'x\033]0;evil\007' > "$IPUBOX_STATE_DIR/lock"; vipu doctor | grep ' lock:' | plain
  FAIL  lock: the lock of STATE is held by a program that left no record, so the state cannot be changed; try again, or end the program that changes the state: nothing is lost
  $ { printf '%d 1 1 1 \033[31mred' $holder; printf '%254s\n' ''; } > "$IPUBOX_STATE_DIR/lock"; vipu doctor | grep ' lock:' | plain
  FAIL  lock: the lock of STATE is held by \x1b[31mred (pid PID of another pid namespace, since WHEN), so the state cannot be changed; try again, or end the program that changes the state: nothing is lost

It goes on, and nothing is lost. An access key is no word of the record.

  $ release
  create partition (new): success
  $ vipu list partitions -q
  new
  old
  $ vipu doctor | grep ' lock:'
  ok    lock: nothing is wrong
  $ vipu remove partition new --api-user-id me --api-access-key secret > out 2>&1
  [1]
  $ head -c 256 "$IPUBOX_STATE_DIR/lock" | tr -s ' ' | cut -d ' ' -f 5-
  vipu remove partition new 
  $ vipu remove partition new --force
  remove partition (new): success

Stopped at any other point, with the mirror half changed as well: the files
answer.

  $ n=1; while hold $n; do
  >   [ "$(vipu list partitions -q | grep -v new)" = old ] || echo "point $n: no answer"
  >   release | grep -v success; vipu remove partition new | grep -v success
  >   n=$((n + 1))
  > done
  > [ $n -gt 8 ] || echo "only $n points"
