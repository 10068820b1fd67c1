#skip-unless test "$(id -u)" = 0
#skip-unless setpriv --reuid=64011 --regid=64011 --clear-groups test -x "$HOME"
A confined server still does what it has to: as root's it removes the files of a
user's partition that was made before it began, with the user's rights, and it
makes its registry again.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"; install -d -o 64011 -g 64011 "$room/user"
  $ cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ export IPUBOX_STATE_DIR="$room/state" IPUBOX_REGISTRY="$room/shm/registry"
  $ install -d -m 1777 "$room/shm"; install -d -m 2770 -g 64011 "$room/state"
  $ as() { (cd "$room/user" && HOME=$room/user PATH=$room:$PATH exec setpriv --reuid=64011 --regid=64011 --clear-groups "$@"); }
  $ vipu create partition first --size 1
  create partition (first): success
  $ as vipu create partition p --size 4 --num-gcds 2
  create partition (p): success
  $ ls "$room/user/.ipuof.conf.d"
  p_gcd0.conf
  p_gcd1.conf
  $ mkfifo log; vipu-server --listen 127.0.0.1:0 2> log & server=$!; exec 3< log; for i in 1 2 3; do read -r line <&3; done; echo "$line"
  *Z vipu-server[*]: confined: no new privileges* (glob)
  $ vipu remove partition p
  remove partition (p): success
  $ ls "$room/user/.ipuof.conf.d"
  $ rm "$IPUBOX_REGISTRY"; vipu list partitions | sed -n 3p
  cl0 *| first *| ACTIVE (glob)
  $ vipu create partition q --size 1 2> /dev/null
  create partition (q): success
  $ ls -1 "$room/shm"
  registry
  registry.slots
  $ kill "$server"; wait "$server"
  $ sed 's/.*: //; s/, .*//' <&3
  remove partition p by administrator
  create partition q (1 IPUs) by administrator
  signal 15
  stopped
