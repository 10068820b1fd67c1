#skip-unless test "$(id -u)" = 0
#skip-unless setpriv --reuid=64011 --regid=64011 --groups=64001 test -x "$HOME"
A pod that is shared with a group, of which ann and bob are, and eve is not;
and what they can do while root's server has it.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"; cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ cp "$TESTDIR/cli/vipu-server-wall.py" "$room/wall.py"
  $ as() {
  >   user=$1; shift
  >   case $user in ann) id=64011 g=--groups=64001;; bob) id=64012 g=--groups=64001;; eve) id=64013 g=--clear-groups;; esac
  >   (cd "$room/$user" && HOME=$room/$user PATH=$room:$PATH exec setpriv --reuid=$id --regid=$id $g "$@"); }
  $ wall() { user=$1; shift; as "$user" /usr/bin/python3 -B "$room/wall.py" "$@" "$IPUBOX_STATE_DIR" "$IPUBOX_REGISTRY"; }
  $ plain() { sed "s|$room|ROOM|g;s/pid [0-9]*/pid PID/;s/kill [0-9]*/kill PID/;s/since [0-9TZ:-]*/since WHEN/"; }
  $ modes() { (cd "$room" && eval "stat -c '%a %u:%g %n' $1"); }
  $ for i in 1 2 3; do user=$(echo ann bob eve | cut -d' ' -f$i); install -d -m 700 -o 6401$i -g 6401$i "$room/$user"; done
  $ install -d -m 1777 "$room/shm"; export IPUBOX_STATE_DIR="$room/state" IPUBOX_REGISTRY="$room/shm/pod"
  $ mkdir "$room/state"; chgrp 64001 "$room/state"; chmod 2770 "$room/state"
  $ serve() { rm -f "$1"; mkfifo "$1"; vipu-server --listen 127.0.0.1:0 2> "$1" & server=$!; exec 3< "$1"; until read -r line <&3; case $line in *vipu.sock) ;; *) false ;; esac; do :; done; }
  $ stop() { kill -"$1" $server; wait $server; } 2> /dev/null
  $ vipu create partition p --size 4; as ann vipu create partition a --size 4 --reconfigurable
  create partition (p): success
  create partition (a): success

Before: a socket that is a member's is nobody's server.

  $ mkfifo told; (exec setpriv --reuid=64011 --regid=64011 --groups=64001 /usr/bin/python3 -c 'import signal, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print(flush=True); signal.pause()' "$room/state/vipu.sock") > told & fake=$!
  $ read -r line < told; vipu list partitions 2>&1 | plain
  list partitions: failed: the server at ROOM/state/vipu.sock runs as uid 64011, which is neither yours nor root's nor that of the owner of ROOM/state; end it.
  $ kill $fake; wait $fake 2> /dev/null
  [143]

Who may not change the folder cannot serve it; and no server begins while a
program holds IPUs by a file that members may write.

  $ as ann vipu-server --listen 127.0.0.1:0 2>&1 | plain
  vipu-server: the state directory ROOM/state is shared with its group: only its owner, uid 0, or root can serve it
  $ mkfifo in out; exec 4<> in
  $ (exec 4>&-; as bob env IPUOF_VIPU_API_PARTITION_ID=a ipubox __device) < in > out & exec 5< out
  $ read -r line <&5; echo attach 1 0 >&4; read -r line <&5; echo "$line"
  ok 0 1 0
  $ vipu-server --listen 127.0.0.1:0 2>&1 | plain
  vipu-server: registry ROOM/shm/pod.slots must be rebuilt for a server because other users may write it, but programs are attached to IPUs through it; end them first (fuser ROOM/shm/pod.slots names them)
  $ exec 4>&- 5<&-; wait; rm in out
  $ modes 'state state/lock state/partitions shm/pod shm/pod.slots'
  2770 0:64001 state
  660 0:64001 state/lock
  2770 0:64001 state/partitions
  660 0:64001 shm/pod
  660 0:64001 shm/pod.slots

A member opens all of it, and writes that root owns a partition; then the server
begins.  Files stay their writers', and root writes nothing for that one.

  $ mkdir "$room/seen"; as ann vipu create partition f --size 1 2> /dev/null
  create partition (f): success
  $ as ann sed -i "s|^ipuof-folder = .*|ipuof-folder = $room/seen|; s/^owner = .*/owner = 0/" "$room/state/partitions/f.ini"
  $ mkfifo in out; exec 4<> in
  $ (exec 4>&-; wall ann keep) < in > out & exec 5< out
  $ read -r line <&5; echo "$line"
  ready
  $ serve log
  $ modes 'state state/* state/partitions/* shm/*'
  3750 0:64001 state
  2700 0:64001 state/agents
  2700 0:64001 state/allocations
  2700 0:64001 state/clusters
  600 0:64001 state/lock
  2700 0:64001 state/partitions
  600 0:64001 state/pod.ini
  2700 0:64001 state/users
  666 0:64001 state/vipu.sock
  600 64011:64001 state/partitions/a.ini
  600 64011:64001 state/partitions/f.ini
  600 0:64001 state/partitions/p.ini
  600 0:0 shm/pod
  600 0:0 shm/pod.slots
  $ echo >&4; while read -r line <&5 && [ "$line" != done ]; do echo "$line"; done
  make a partition: ENOENT
  remove a partition: ENOENT
  make a file: EACCES
  replace the lock: EACCES
  give the folder back: EPERM

  $ vipu reset partition f 2>&1 | plain; ls "$room/seen"; vipu remove partition f; ls "$room/seen"
  reset partition (f): failed: it was reset, but its IPUoF file ROOM/seen/f.conf is missing and cannot be written; make its directory and reset it again, or set IPUOF_VIPU_API_PARTITION_ID.
  remove partition (f): success

And nobody minds: what was changed is nothing any more.

  $ as bob vipu create partition b --size 4; as bob vipu list partitions -q; vipu list partitions -q | wc -l
  create partition (b): success
  a
  b
  p
  3
  $ vipu doctor | grep -c FAIL
  0
  [1]
  $ printf 'attach 4 -1\n' | as ann env IPUOF_VIPU_API_PARTITION_ID=a ipubox __device | sed 1d
  ok 6 4 0
  $ as bob vipu remove partition b; as bob gc-monitor --all-partitions | grep -o 'Partition: [ap]'
  remove partition (b): success
  Partition: a
  Partition: p

Whoever comes now finds a wall, be it a member or not.

  $ wall bob try > bob.out; sort -u -t: -k2 bob.out | cut -d: -f2; grep -v 'EACCES\|EPERM' bob.out
   EACCES
   EADDRINUSE
   EPERM
  a socket in its place: EADDRINUSE
  $ wall eve try | cut -d: -f2 | sort | uniq -c | awk '$2 != "EACCES" && $2 != "EPERM"'
  $ wc -l < bob.out
  30
  $ as eve vipu list partitions 2>&1 | plain
  list partitions: failed: * (glob)

The server is asked where it is, and not gone round: by the group as by root.

  $ as ann vipu-admin init --force 2>&1 | plain
  vipu-admin: init pod (pod64): failed: the state directory ROOM/state belongs to a server that does not answer; start it, or have uid 0 or root run a vipu command, which gives the directory back to its group
  $ vipu-admin init --force 2>&1 | plain
  vipu-admin: init pod (pod64): failed: the state directory ROOM/state belongs to a server, vipu-server (pid PID, since WHEN), and only the server may change it; commands ask it by themselves while it answers; kill PID stops it

When it ends in order all is as it was.

  $ stop TERM; modes 'state state/* state/partitions/a.ini shm/*'
  2770 0:64001 state
  2770 0:64001 state/agents
  2770 0:64001 state/allocations
  2770 0:64001 state/clusters
  660 0:64001 state/lock
  2770 0:64001 state/partitions
  660 0:64001 state/pod.ini
  2770 0:64001 state/users
  660 64011:64001 state/partitions/a.ini
  660 0:64001 shm/pod
  660 0:64001 shm/pod.slots
  $ as bob vipu list partitions -q; as ann vipu create partition c --size 4 --relocatable
  a
  p
  create partition (c): success
  $ exec 4>&- 5<&-; wait

When it is killed nobody of the group comes in, until its owner comes by.

  $ serve log; stop KILL; modes 'state state/vipu.sock'
  3750 0:64001 state
  666 0:64001 state/vipu.sock
  $ as ann vipu list partitions 2>&1 | plain
  list partitions: failed: the state directory ROOM/state belongs to a server that does not answer; start it, or have uid 0 or root run a vipu command, which gives the directory back to its group.
  $ serve log; as ann vipu list partitions -q; stop KILL
  a
  c
  p
  [137]
  $ vipu list partitions -q | wc -l; as ann vipu remove partition c
  3
  remove partition (c): success
  $ printf 'attach 4 -1\n' | as bob env IPUOF_VIPU_API_PARTITION_ID=a ipubox __device | sed 1d
  ok 6 4 0
