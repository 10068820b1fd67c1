#skip-unless test "$(id -u)" = 0
#skip-unless unshare -p -f --mount-proc true
#skip-unless setpriv --reuid=64011 --regid=64011 --groups=64001 test -x "$HOME"
A pod that ann and bob share, when ann's poprun is killed with all of its
processes; and a job in a process id namespace of its own.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"
  $ cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ as() {
  >   user=$1; shift
  >   case $user in ann) id=64011;; bob) id=64012;; esac
  >   (cd "$room/$user" && exec env HOME="$room/$user" PATH="$room:$PATH" \
  >   setpriv --reuid=$id --regid=$id --groups=64001 "$@") 2>&1
  > }
  $ install -d -m 700 -o 64011 -g 64011 "$room/ann"
  $ install -d -m 700 -o 64012 -g 64012 "$room/bob"
  $ install -d -m 2770 -o 64011 -g 64001 "$room/pod"
  $ export IPUBOX_STATE_DIR=$room/pod IPUBOX_REGISTRY=$room/shm/registry
  $ install -d -m 1777 "$room/shm"; cd "$room"
  $ parts() { ls pod/partitions; }
  $ ended() {
  >     for pid; do
  >         while grep -q '^State:.[^ZX]' /proc/$pid/status; do :; done
  >     done 2>/dev/null
  > }
  $ mkfifo -m 666 told
  $ install -m 755 "$TESTDIR/descendants" program

It tells poprun's process id and those of all of its descendants:

  $ start() {
  >     as ann poprun --launcher local --vipu-partition p --update-partition=yes "$room/program" "$room/told" > /dev/null 2>&1 & job=$!
  >     read -r pids < told
  >     test $(echo $pids | wc -w) -ge 4 || echo $pids
  > }
  $ start
  $ { kill -STOP $pids; kill -KILL $pids; wait $job; ended $pids; } 2>/dev/null
  $ parts
  p.ini
  $ as bob vipu list partitions -q; parts

Bob's partition under the same name is bob's:

  $ start
  $ as bob vipu remove partition p; as bob vipu create partition p --size 2
  remove partition (p): success
  create partition (p): success
  $ { kill -STOP $pids; kill -KILL $pids; wait $job; ended $pids; } 2>/dev/null
  $ as ann vipu list partitions -q; as bob vipu remove partition p
  p
  remove partition (p): success

A job in another namespace, where the ids of its processes mean nothing here, is
not taken for dead while it lives; and is, when it does not:

  $ unshare -p -f --mount-proc "$room/poprun" --launcher local --vipu-partition q --update-partition=yes "$room/program" "$room/told" > /dev/null 2>&1 & job=$!
  $ read -r poprun rest < told; echo $poprun
  1
  $ as bob vipu list partitions -q; as bob vipu get partition q --verbose | grep -o 'Owner R.*poprun [a-z]* '
  q
  Owner Record         | poprun on 
  $ first=$(cat /proc/$job/task/$job/children); kill -KILL $first; ended $first
  $ parts
  q.ini
  $ as bob vipu list partitions -q; parts
