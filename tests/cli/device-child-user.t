#skip-unless test "$(id -u)" = 0
#skip-unless setpriv --reuid=64011 --regid=64011 --clear-groups test -x "$HOME"
A program of a user whom /etc/passwd does not have holds a device; it is shown
by its number, and others have no part in it.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"; install -d -m 700 -o 64011 -g 64011 "$room/user"
  $ cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ as() { id=$1; shift; (cd "$room/user" && HOME=$room/user PATH=$room:$PATH exec setpriv --reuid=$id --regid=$id --clear-groups "$@"); }
  $ unset IPUBOX_STATE_DIR; install -d -m 1777 "$room/shm"; export IPUBOX_REGISTRY="$room/shm/registry"
  $ chmod 755 "$room/user"
  $ as 64011 vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ mkfifo in out; exec 3<> in
  $ as 64011 sh -c 'ipubox __device; :' user-program < in > out & exec 4< out
  $ read -r line <&4; echo attach 4 -1 >&3; read -r line <&4; echo "$line"
  ok 6 4 0
  $ as 64011 gc-info -i -d 6 | sed -n '/user/{s/id: [0-9]*/id: PID/;p}'
    user executable: sh
    user name: 64011
    user process id: PID
  $ printf 'attach 1 0\nid 1\n' | as 64012 ipubox __device 2>&1 | sed "1d;s|$room|ROOM|"
  error failed Failed to acquire device Id 0\nstate directory ROOM/user/.local/state/ipubox: Permission denied
  error failed Failed to acquire 1 IPU(s)\nstate directory ROOM/user/.local/state/ipubox: Permission denied
