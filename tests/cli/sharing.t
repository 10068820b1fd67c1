#skip-unless test "$(id -u)" = 0
#skip-unless setpriv --reuid=64011 --regid=64011 --groups=64001 test -x "$HOME"
Whose the state is: its owner's alone, or that of a group, on purpose.  Ann and
bob are of the group, eve is not.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"
  $ cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ as() {
  >   user=$1; shift
  >   case $user in ann) id=64011 of=64001;; bob) id=64012 of=64001;; eve) id=64013 of=64013;; esac
  >   (cd "$room/$user" && env HOME="$room/$user" PATH="$room:$PATH" \
  >   setpriv --reuid=$id --regid=$id --groups=$of "$@") 2>&1 | sed "s|$room|ROOM|g"
  > }
  $ modes() { stat -c '%a %u:%g %n' "$@" | sed "s|$room/||"; }
  $ install -d -m 700 -o 64011 -g 64011 "$room/ann"
  $ install -d -m 700 -o 64012 -g 64012 "$room/bob"
  $ install -d -m 700 -o 64013 -g 64013 "$room/eve"
  $ install -d -m 1777 "$room/shm"; unset IPUBOX_STATE_DIR; cd "$room"

What the first use makes is private, whatever the umask:

  $ umask 000
  $ export IPUBOX_REGISTRY="$room/shm/ann"
  $ as ann vipu create partition p --size 4
  create partition (p): success
  $ state=$room/ann/.local/state/ipubox
  $ modes "$state" "$state/lock" "$state/pod.ini" "$state/partitions" "$state/partitions/p.ini" "$state/users" "$room/shm/ann"
  700 64011:64011 ann/.local/state/ipubox
  600 64011:64011 ann/.local/state/ipubox/lock
  600 64011:64011 ann/.local/state/ipubox/pod.ini
  700 64011:64011 ann/.local/state/ipubox/partitions
  600 64011:64011 ann/.local/state/ipubox/partitions/p.ini
  700 64011:64011 ann/.local/state/ipubox/users
  600 64011:64011 shm/ann
  $ umask 022

The configuration in a home that the caller may not enter is none of his:

  $ (cd "$room/eve" && env HOME="$room/ann" IPUBOX_STATE_DIR="$room/eve/s" IPUBOX_REGISTRY="$room/shm/eve" setpriv --reuid=64013 --regid=64013 --groups=64013 "$room/vipu" create partition x --size 4 --relocatable)
  create partition (x): success
  $ rm "$room/shm/eve" "$room/shm/eve.slots"; mkdir "$room/ann/.vipu-cli.hcl"; as ann vipu list partitions -q
  vipu: .*/ann/.vipu-cli.hcl.* (re)
  $ rmdir "$room/ann/.vipu-cli.hcl"

Another user's registry:

  $ as eve vipu list partitions
  list partitions: failed: cannot open registry ROOM/shm/ann: Permission denied.
  $ chmod 666 "$room/shm/ann"; as eve vipu list partitions
  list partitions: failed: registry ROOM/shm/ann: everybody may write it; remove it, or set IPUBOX_REGISTRY.
  $ chmod 664 "$room/shm/ann"; as eve vipu list partitions
  list partitions: failed: cannot open registry ROOM/shm/ann: Permission denied.
  $ as eve gc-info -l
  gc-info: registry ROOM/shm/ann belongs to uid 64011, not to you or root; remove it, or set IPUBOX_REGISTRY
  $ as ann vipu list partitions | grep -c ACTIVE; stat -c %a "$room/shm/ann"
  1
  604
  $ chmod 600 "$room/shm/ann"; stat -c %a "$room/shm/ann"
  600

Another user's folder, one that others may write, and one that a link of
another user leads to; nothing is made there:

  $ export IPUBOX_REGISTRY="$room/shm/x"
  $ export IPUBOX_STATE_DIR="$room/theirs"
  $ install -d -m 755 -o 64013 -g 64013 "$room/theirs"; as ann vipu list partitions
  list partitions: failed: state directory ROOM/theirs belongs to uid 64013, not to you or root, and is not shared with one of your groups; set IPUBOX_STATE_DIR to a directory of your own.
  $ vipu list partitions 2>&1 | sed "s|$room|ROOM|"
  list partitions: failed: state directory ROOM/theirs belongs to uid 64013, not to you or root, and is not shared with one of your groups; set IPUBOX_STATE_DIR to a directory of your own.
  $ chmod 2775 "$room/theirs"; as ann vipu list partitions
  list partitions: failed: state directory ROOM/theirs belongs to uid 64013, not to you or root, and is not shared with one of your groups; set IPUBOX_STATE_DIR to a directory of your own.
  $ chown 64011:64001 "$room/theirs"; chmod 777 "$room/theirs"; as ann vipu list partitions
  list partitions: failed: state directory ROOM/theirs: other users may write it; chmod 700 reserves it for its owner, chmod 2770 shares it with its group.
  $ chmod 2777 "$room/theirs"; as ann vipu list partitions
  list partitions: failed: state directory ROOM/theirs: other users may write it; chmod 700 reserves it for its owner, chmod 2770 shares it with its group.
  $ chmod 00775 "$room/theirs"; as ann vipu list partitions
  list partitions: failed: state directory ROOM/theirs: other users may write it; chmod 700 reserves it for its owner, chmod 2770 shares it with its group.
  $ ln -s "$room/ann" "$room/link"; chown -h 64013 "$room/link"
  $ IPUBOX_STATE_DIR="$room/link" as ann vipu list partitions
  list partitions: failed: state directory ROOM/link: ROOM/link is a symbolic link of uid 64013, not yours or root's.
  $ IPUBOX_STATE_DIR="$room/link/deeper" as ann gc-info -l
  gc-info: state directory ROOM/link/deeper: ROOM/link is a symbolic link of uid 64013, not yours or root's
  $ ls -A "$room/theirs"; rmdir "$room/theirs"; ls "$room/shm"
  ann
  ann.slots

Symbolic links in place of the parts of a state are not followed, and what
they point to stays as it is:

  $ export IPUBOX_STATE_DIR="$state"
  $ as ann vipu list partitions | grep -c ACTIVE
  1
  $ echo precious > "$room/ann/precious"
  $ mv "$state/lock" lock.kept; ln -s "$room/ann/precious" "$state/lock"
  $ as ann vipu list partitions; as ann vipu create partition q --size 4
  list partitions: failed: ROOM/ann/.local/state/ipubox/lock is not a regular file; remove it.
  create partition (q): failed: ROOM/ann/.local/state/ipubox/lock is not a regular file; remove it.
  $ rm "$state/lock"; mkfifo -m 666 "$state/lock"; as ann vipu list partitions
  list partitions: failed: ROOM/ann/.local/state/ipubox/lock is not a regular file; remove it.
  $ rm "$state/lock"; mv lock.kept "$state/lock"
  $ mv "$state/partitions/p.ini" .; ln -s "$room/ann/precious" "$state/partitions/p.ini"
  $ as ann vipu list partitions
  vipu: warning: a partition is not shown: ROOM/ann/.local/state/ipubox/partitions/p.ini is a symbolic link, which is not followed here
  Cluster     | Allocation | Partition | ILDs | GW Routing | ILD Routing | Size | GCDs | State
  ----------------------------------------------------------------------------------------------
  ----------------------------------------------------------------------------------------------
  $ rm "$state/partitions/p.ini"; mv p.ini "$state/partitions"
  $ mv "$state/users" users.kept; ln -s "$room/ann" "$state/users"
  $ as ann vipu-admin create user x
  create user (x): failed: ROOM/ann/.local/state/ipubox/users is a symbolic link, but must be a directory; remove it.
  $ rm "$state/users"; mv users.kept "$state/users"
  $ mv "$state/pod.ini" .; ln -s "$room/ann/precious" "$state/pod.ini"
  $ as ann vipu list partitions
  list partitions: failed: ROOM/ann/.local/state/ipubox/pod.ini is a symbolic link, which is not followed here.
  $ rm "$state/pod.ini"; mv pod.ini "$state"
  $ rm "$room/shm/x"; ln -s "$room/ann/precious" "$room/shm/x"; as ann vipu list partitions
  list partitions: failed: registry ROOM/shm/x is a symbolic link; remove it, or set IPUBOX_REGISTRY.
  $ rm "$room/shm/x"; ln -s "$room/ann/precious" "$room/shm/x.new"; as ann vipu list partitions
  list partitions: failed: cannot make registry ROOM/shm/x.new: File exists.
  $ chown -h 64011 "$room/shm/x.new"; as ann vipu list partitions | grep -c ACTIVE
  1
  $ cat "$room/ann/precious"; ls -A "$room/ann"; ls -A "$room/shm"
  precious
  .ipuof.conf.d
  .local
  precious
  ann
  ann.slots
  x
  x.slots

A group's folder, as the manual says:

  $ export IPUBOX_STATE_DIR="$room/state" IPUBOX_REGISTRY="$room/shm/group"
  $ mkdir "$room/state"; chgrp 64001 "$room/state"; chmod 2770 "$room/state"
  $ umask 077
  $ as ann vipu create partition p --size 4 --relocatable
  create partition (p): success
  $ as bob vipu create partition q --size 8
  create partition (q): success
  $ as eve vipu list partitions
  list partitions: failed: cannot open registry ROOM/shm/group: Permission denied.
  $ modes "$room/state"/* "$room/state/partitions"/* "$room/shm/group"
  2770 64011:64001 state/agents
  2770 64011:64001 state/allocations
  2770 64011:64001 state/clusters
  660 64011:64001 state/lock
  2770 64011:64001 state/partitions
  660 64011:64001 state/pod.ini
  2770 64011:64001 state/users
  660 64011:64001 state/partitions/p.ini
  660 64012:64001 state/partitions/q.ini
  660 64011:64001 shm/group
  $ as ann vipu list partitions -q; as bob vipu remove partition p; as ann vipu remove partition q
  p
  q
  remove partition (p): success
  remove partition (q): failed: cannot remove ROOM/bob/.ipuof.conf.d/q.conf: Permission denied; --force removes the partition without its file.
  $ as bob vipu create partition r --size 4 --relocatable
  create partition (r): success
  $ as ann env IPUOF_VIPU_API_PARTITION_ID=r gc-info -l | sed -n 1,2p
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  $ vipu list partitions -q
  q
  r
  $ vipu-admin create user carl | sed 1d; modes "$room/state/users/carl.ini" carl.vipu-cli.hcl
  vipu configuration file for the user 'carl' written: carl.vipu-cli.hcl
  Use 'vipu --config carl.vipu-cli.hcl' to switch to the user context.
  660 0:64001 state/users/carl.ini
  600 0:0 carl.vipu-cli.hcl
  $ as bob vipu-admin list users -q
  carl

A registry of another group, or with rights for all, is none of the group's:

  $ chmod 664 "$room/shm/group"; as bob vipu list partitions
  list partitions: failed: registry ROOM/shm/group belongs to uid 64011, not to you or root; remove it, or set IPUBOX_REGISTRY.
  $ chmod 660 "$room/shm/group"; chgrp 64013 "$room/shm/group"; as bob vipu list partitions
  list partitions: failed: cannot open registry ROOM/shm/group: Permission denied.
  $ as ann vipu list partitions -q; modes "$room/shm/group"
  q
  r
  660 64011:64001 shm/group
  $ as bob vipu list partitions -q
  q
  r

A state that is shared after its first use comes in step when its owner comes
by, and is private again when the folder is:

  $ export IPUBOX_STATE_DIR="$room/late" IPUBOX_REGISTRY="$room/shm/late"
  $ install -d -m 700 -o 64011 -g 64011 "$room/late"; as ann vipu create partition p --size 4 --relocatable
  create partition (p): success
  $ chgrp 64001 "$room/late"; chmod 2770 "$room/late"
  $ as bob vipu list partitions
  list partitions: failed: cannot open registry ROOM/shm/late: Permission denied.
  $ as ann vipu list partitions -q; as bob vipu list partitions -q
  p
  p
  $ as bob vipu create partition q --size 4 --relocatable; as bob vipu remove partition p
  create partition (q): success
  remove partition (p): success
  $ chmod 00700 "$room/late"
  $ as bob vipu list partitions
  list partitions: failed: state directory ROOM/late belongs to uid 64011, not to you or root, and is not shared with one of your groups; set IPUBOX_STATE_DIR to a directory of your own.
  $ as ann vipu list partitions -q; modes "$room/shm/late"
  q
  600 64011:64001 shm/late

IPUoF files in a folder of the group are for the group, whatever the umask:

  $ export IPUBOX_STATE_DIR="$room/state" IPUBOX_REGISTRY="$room/shm/group"
  $ install -d -m 775 -g 64001 "$room/ipuof"
  $ export VIPU_CLI_IPUOF_CONFIG_LOCATION="$room/ipuof"
  $ as ann vipu create partition i --size 4; modes "$room/ipuof"/*
  create partition (i): success
  640 64011:64001 ipuof/i.conf
  $ as bob env IPUOF_CONFIG_PATH="$room/ipuof/i.conf" gc-info -l | sed -n 1,2p
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  -+- Id: [1], type:    [Fabric], PCI Domain: [2]
  $ as eve vipu create partition e --size 4
  create partition (e): failed: cannot open registry ROOM/shm/group: Permission denied.
  $ as bob vipu remove partition i; ls "$room/ipuof"
  remove partition (i): success
