#skip-unless test "$(id -u)" = 0
#skip-unless setpriv --reuid=64011 --regid=64011 --clear-groups true
Programs hold devices through vipu-server: on its host, where its socket is
found and the kernel says who they are; and elsewhere, with nothing but a file.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"; cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ install -d -m 700 -o 64011 -g 64011 "$room/user"; mkdir -m 711 "$room/pod"
  $ export IPUBOX_STATE_DIR="$room/pod/state" IPUBOX_REGISTRY="$room/pod/registry"
  $ as() { (cd "$room/user" && HOME=$room/user PATH=$room:$PATH exec setpriv --reuid=64011 --regid=64011 --clear-groups "$@"); }
  $ serve() { mkfifo "$1"; vipu-server --listen 127.0.0.1:0 2> "$1" & server=$!; exec 3< "$1"; read -r line <&3; port=${line##*:}; read -r line <&3; }
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ serve log; chmod 711 "$IPUBOX_STATE_DIR"

A user who may read nothing of the state.

  $ as test -r "$IPUBOX_REGISTRY" || echo closed
  closed
  $ mkfifo in out; exec 4<> in
  $ (exec 4>&-; as env IPUOF_VIPU_API_PARTITION_ID=p ipubox __device) < in > out & exec 5< out
  $ read -r line <&5; echo attach 4 -1 >&4; read -r line <&5; echo "$line"
  ok 6 4 0
  $ gc-monitor | grep -c ' 64011 '
  4
  $ printf 'attach 1 0\n' | IPUOF_VIPU_API_PARTITION_ID=p ipubox __device | sed '1d;s/pid [0-9]* on [^ ]*: .*/pid PID on HOST: COMMAND/'
  error busy Failed to acquire device Id 0\nIPU 0 of partition p is held by 64011, pid PID on HOST: COMMAND

A client over TCP does not know the processes of the server's host.

  $ printf 'attach 1 0\n' | HOME=$PWD/none IPUBOX_STATE_DIR=$PWD/none IPUBOX_REGISTRY=$PWD/none IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=$port IPUOF_VIPU_API_PARTITION_ID=p ipubox __device | sed '1d;s/ on [^ ]*)/ on HOST)/'
  error busy Failed to acquire device Id 0\nIPU 0 of partition p is held by user 64011 (sh on HOST)

Refusals show another user's program by its name, without what follows; its own
user and root see the whole command line.

  $ eve() { (cd "$room" && HOME=$room PATH=$room:$PATH exec setpriv --reuid=64012 --regid=64012 --clear-groups "$@"); }
  $ shown() { sed 's/.*(\(.*\) on .*/\1/; s| .*/| DIR/|'; }
  $ vipu remove partition p 2>&1 | shown; as vipu remove partition p 2>&1 | shown; eve vipu remove partition p 2>&1 | shown
  sh DIR/script
  sh DIR/script
  sh
  $ vipu-admin test cluster cl0 2>&1 | shown; eve vipu-admin test cluster cl0 2>&1 | shown
  sh DIR/script
  sh
  $ for user in as eve; do printf 'attach 1 0\n' | $user env IPUOF_VIPU_API_PARTITION_ID=p ipubox __device | sed '1d;s/.*: //' | shown; done
  sh DIR/script
  sh

  $ echo detach -1 >&4; read -r line <&5; echo "$line"
  ok
  $ gc-monitor | grep -c ' 64011 '
  0
  [1]

Its commands go to the server by themselves, and the log says who asked.

  $ as vipu list partitions -q
  p
  $ as vipu create partition theirs --size 4
  create partition (theirs): success
  $ as vipu remove partition theirs
  remove partition (theirs): success
  $ until read -r line <&3; case $line in *'remove partition theirs'*) ;; *) false ;; esac; do :; done; echo "$line" | sed 's/.*]: //;s/pid [0-9]*/pid PID/'
  remove partition theirs by an unnamed user, uid 64011, pid PID

A file that was written through the server is enough.

  $ mkdir other; HOME=$PWD/other vipu -H 127.0.0.1 --api-port "$port" create partition q --size 2
  create partition (q): success
  $ grep -c "\"V-IPU Server\": \"127.0.0.1:$port\"" other/.ipuof.conf.d/q.conf
  1
  $ elsewhere() { HOME=$PWD/other IPUBOX_STATE_DIR=$PWD/none IPUBOX_REGISTRY=$PWD/none.registry "$@"; }
  $ mkfifo in2 out2; exec 6<> in2
  $ (exec 4>&- 6>&-; elsewhere ipubox __device) < in2 > out2 & exec 7< out2
  $ read -r line <&7; echo attach 2 -1 >&6; read -r line <&7; echo "$line"
  ok 3 2 0
  $ test ! -e none && echo nothing of its own
  nothing of its own
  $ IPUOF_VIPU_API_PARTITION_ID=q gc-monitor | grep -o 'IPUs in q attached from other namespaces'
  IPUs in q attached from other namespaces

Its user and its command are shown, as what it says of itself.

  $ said() { sed 's/user [^ ]*, unproved (.* on [^ ]*,/user USER, unproved (COMMAND on HOST,/'; }
  $ IPUOF_VIPU_API_PARTITION_ID=q gc-monitor | tr -s '\n| ' ' ' | sed 's/.*\(IPUs 0 to 1: .* says)\).*/\1/' | said; echo
  IPUs 0 to 1: user USER, unproved (COMMAND on HOST, as its client says)
  $ IPUOF_VIPU_API_PARTITION_ID=q gc-monitor -j | grep -c '"Said by client": "user, command, host"'
  2
  $ IPUOF_VIPU_API_PARTITION_ID=q gc-monitor -c -s --no-headers | grep -c ',"user, command, host"$'
  2
  $ IPUOF_VIPU_API_PARTITION_ID=q gc-info -l --json | grep -q '"said by client": "user, command, host"' && echo marked
  marked
  $ vipu remove partition q 2>&1 | said
  remove partition (q): failed: partition q is in use: user USER, unproved (COMMAND on HOST, as its client says) is attached to ag02:0; end it first, or use --force.
  $ vipu doctor | grep ' ipus:' | said
  ok    ipus: 2 IPUs from ag02:0 on: in use by user USER, unproved (COMMAND on HOST, as its client says)

A server that is killed: its programs hear of it, and the IPUs are free.

  $ kill -9 $server; wait $server 2> /dev/null
  [137]
  $ until echo check -1 >&6; read -r line <&7; [ "$line" != ok ]; do :; done; printf '%s\n' "$line" | sed "s/:$port/:PORT/;s/\\\\n.*//"
  error unavailable the device was lost with the V-IPU server at 127.0.0.1:PORT
  $ IPUOF_VIPU_API_PARTITION_ID=q gc-monitor | grep -c 'other namespaces'
  0
  [1]
  $ exec 4>&- 6>&-; wait

A server that is told to stop ends its leases, and is not held up by them.

  $ serve log2
  $ mkfifo in3 out3; exec 6<> in3
  $ (exec 6>&-; rm other/.ipuof.conf.d/q.conf; elsewhere env IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=$port IPUOF_VIPU_API_PARTITION_ID=q ipubox __device) < in3 > out3 & exec 7< out3
  $ read -r line <&7; echo attach 2 -1 >&6; read -r line <&7; echo "$line"
  ok 3 2 0
  $ mkfifo in4 out4; exec 8<> in4
  $ (exec 6>&- 8>&-; as env IPUOF_VIPU_API_PARTITION_ID=p ipubox __device) < in4 > out4 & exec 9< out4
  $ read -r line <&9; echo attach 4 -1 >&8; read -r line <&9; echo "$line"
  ok 6 4 0
  $ read -r before _ < /proc/uptime; kill $server; wait $server; read -r after _ < /proc/uptime
  $ [ $((${after%.*} - ${before%.*})) -lt 5 ] || echo "held up from $before to $after"
  $ for to in 6 8; do until eval "echo check -1 >&$to; read -r line <&$((to + 1))"; [ "$line" != ok ]; do :; done; printf '%s\n' "$line"; done | sed "s/:$port/:PORT/; s|at $room|at ROOM|"
  error unavailable the device was lost with the V-IPU server at 127.0.0.1:PORT\nthe server is stopping
  error unavailable the device was lost with the V-IPU server at ROOM/pod/state/vipu.sock\nthe server is stopping
  $ gc-monitor --all-partitions | grep -c 'other namespaces'
  0
  [1]
  $ exec 6>&- 8>&-; wait
