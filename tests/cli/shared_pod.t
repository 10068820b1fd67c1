#skip-unless test "$(id -u)" = 0
#skip-unless setpriv --reuid=64011 --regid=64011 --groups=64001 test -x "$HOME"
Two members of a group and root on one pod: who does what with whose files.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"
  $ cp "$IPUBOX" "$room/ipubox" && "$room/ipubox" --install "$room"
  $ as() {
  >   user=$1; shift
  >   case $user in ann) id=64011;; bob) id=64012;; esac
  >   (cd "$room/$user" && env HOME="$room/$user" PATH="$room:$PATH" \
  >   setpriv --reuid=$id --regid=$id --groups=64001 "$@") 2>&1 | sed "s|$room|ROOM|g"
  > }
  $ modes() { stat -c '%a %u:%g %n' "$@" | sed "s|$room/||"; }
  $ install -d -m 700 -o 64011 -g 64011 "$room/ann"
  $ install -d -m 700 -o 64012 -g 64012 "$room/bob"
  $ install -d -m 1777 "$room/shm"
  $ export IPUBOX_STATE_DIR="$room/state" IPUBOX_REGISTRY="$room/shm/pod"
  $ mkdir "$room/state"; chgrp 64001 "$room/state"; chmod 2770 "$room/state"
  $ expire() { sed -i '/^expires-ms/d; $a expires-ms = 1' "$room/state/partitions/$1.ini"; }

Root's first use is for the group; what one makes the others see:

  $ vipu list partitions -q
  $ as ann vipu create partition a --size 4
  create partition (a): success
  $ as bob vipu create partition b --size 4
  create partition (b): success
  $ as ann vipu list partitions -q; vipu list partitions -q
  a
  b
  a
  b
  $ modes "$room/state/partitions" "$room/state/partitions"/* "$room/shm/pod" "$room"/*/.ipuof.conf.d/*
  2770 0:64001 state/partitions
  660 64011:64001 state/partitions/a.ini
  660 64012:64001 state/partitions/b.ini
  660 0:64001 shm/pod
  600 64011:64011 ann/.ipuof.conf.d/a.conf
  600 64012:64012 bob/.ipuof.conf.d/b.conf

A member cannot remove another's file, and by force leaves it; root can, and
so it goes when a partition expires and root comes by:

  $ as bob vipu remove partition a
  remove partition (a): failed: cannot remove ROOM/ann/.ipuof.conf.d/a.conf: Permission denied; --force removes the partition without its file.
  $ as bob vipu remove partition a --force; ls "$room/ann/.ipuof.conf.d"
  vipu: warning: partition a was removed, its IPUoF file stays: cannot remove ROOM/ann/.ipuof.conf.d/a.conf: Permission denied
  remove partition (a): success
  a.conf
  $ as ann vipu create partition a --size 4
  create partition (a): success
  $ expire a; as bob vipu list partitions -q; as bob vipu list partitions -q
  vipu: warning: partition a was removed, its IPUoF file stays: cannot remove ROOM/ann/.ipuof.conf.d/a.conf: Permission denied
  b
  b
  $ as ann vipu create partition a --size 4
  create partition (a): success
  $ expire a; vipu list partitions -q; ls "$room/ann/.ipuof.conf.d"
  b
  $ vipu remove partition b; ls "$room/bob/.ipuof.conf.d"
  remove partition (b): success

What root does in a member's folder it does as that member.  Here the folder
becomes a link to one of root's, which has a file of that name:

  $ mkdir -m 700 "$room/victim"; mkdir -m 755 "$room/seen"
  $ trap_with() {
  >   as ann vipu create partition p --size 4 --ipuof-config-location "$room/ann/c"
  >   cp "$room/ann/c/p.conf" "$1/p.conf"
  >   mv "$room/ann/c" "$room/ann/d"; as ann ln -s "$1" "$room/ann/c"
  > }
  $ release() { rm "$room/ann/c" "$room/ann/d/p.conf"; rmdir "$room/ann/d"; ls "$1"; }
  $ trap_with "$room/victim"; expire p; vipu list partitions -q 2>&1 | sed "s|$room|ROOM|"; release "$room/victim"
  create partition (p): success
  vipu: warning: partition p was removed, its IPUoF file stays: cannot remove ROOM/ann/c/p.conf: Permission denied
  p.conf
  $ trap_with "$room/seen"; expire p; vipu list partitions -q 2>&1 | sed "s|$room|ROOM|"; release "$room/seen"
  create partition (p): success
  vipu: warning: partition p was removed, its IPUoF file stays: cannot remove ROOM/ann/c/p.conf: Permission denied
  p.conf
  $ trap_with "$room/seen"; vipu remove partition p 2>&1 | sed "s|$room|ROOM|"
  create partition (p): success
  remove partition (p): failed: cannot remove ROOM/ann/c/p.conf: Permission denied; --force removes the partition without its file.
  $ vipu reset partition p --relocatable 2>&1 | sed "s|$room|ROOM|"
  reset partition (p): failed: cannot remove ROOM/ann/c/p.conf: Permission denied; --force resets the partition all the same.
  $ vipu reset partition p --relocatable --force; vipu remove partition p; release "$room/seen"
  reset partition (p): success
  remove partition (p): success
  p.conf
  $ modes "$room/victim/p.conf" "$room/seen/p.conf"
  644 0:0 victim/p.conf
  644 0:0 seen/p.conf

The same where the partition's file is root's, and says that root made it: a link of ann's
leads root nowhere, and a file that names another partition stays.

  $ trap_with "$room/seen"; sed -i 's/^owner = .*/owner = 0/' "$room/state/partitions/p.ini"; chown 0 "$room/state/partitions/p.ini"
  create partition (p): success
  $ vipu remove partition p 2>&1 | sed "s|$room|ROOM|g"
  remove partition (p): failed: cannot remove ROOM/ann/c/p.conf: ROOM/ann/c is a symbolic link of uid 64011, not yours or root's; --force removes the partition without its file.
  $ sed -i "s|^ipuof-folder = .*|ipuof-folder = $room/seen|; s/^owner = .*/owner = 0/" "$room/state/partitions/p.ini"
  $ echo 'root = here' > "$room/seen/p.conf"; vipu remove partition p; release "$room/seen"
  remove partition (p): success
  p.conf
  $ cat "$room/seen/p.conf"
  root = here

A member cannot say that root made a partition: the folder is root's, and a file
of it is neither written, replaced nor removed.

  $ forge() { as ann sed -i "s|^ipuof-folder = .*|ipuof-folder = $1|; s/^owner = .*/owner = 0/" "$room/state/partitions/p.ini"; }
  $ as ann vipu create partition p --size 4 --num-gcds 2; forge "$room/seen"; echo 'root = here' > "$room/seen/p_gcd1.conf"
  create partition (p): success
  $ vipu reset partition p 2>&1 | sed "s|$room|ROOM|"; ls "$room/seen"; cat "$room/seen/p_gcd1.conf"
  reset partition (p): failed: it was reset, but its IPUoF file ROOM/seen/p_gcd0.conf is missing and cannot be written; make its directory and reset it again, or set IPUOF_VIPU_API_PARTITION_ID.
  p.conf
  p_gcd1.conf
  root = here
  $ cp "$room/ann/.ipuof.conf.d/p_gcd0.conf" "$room/seen"; forge "$room/seen"; vipu remove partition p 2>&1 | sed "s|$room|ROOM|"
  remove partition (p): failed: cannot remove ROOM/seen/p_gcd0.conf: Permission denied; --force removes the partition without its file.
  $ vipu remove partition p --force 2> said; ls "$room/seen"
  remove partition (p): success
  p.conf
  p_gcd0.conf
  p_gcd1.conf
  $ rm "$room/seen"/p_* "$room"/ann/.ipuof.conf.d/p_*

What a file of another program has as its name, no partition takes:

  $ mkdir etc; echo 'key = 1' > etc/app.conf; vipu create partition app --size 4 --ipuof-config-location "$PWD/etc" 2>&1 | sed "s|$PWD|HERE|"
  create partition (app): failed: cannot write HERE/etc/app.conf: File exists.
  $ cat etc/app.conf
  key = 1

What a member links into the state is neither given to the group nor shown:

  $ (umask 077; echo 'root:secret' > "$room/shadow")
  $ ln "$room/shadow" "$room/state/partitions/x.ini"
  $ vipu list partitions 2>&1 | sed -n "1s|$room|ROOM|p"
  vipu: warning: a partition is not shown: ROOM/state/partitions/x.ini has 2 names (hard links), so it may be the file of another user; remove this name, or put a copy in its place
  $ chmod 700 "$room/state/partitions"; vipu list partitions 2>&1 | sed "s|$room|ROOM|"
  list partitions: failed: ROOM/state/partitions/x.ini has 2 names (hard links), so it may be the file of another user; remove this name, or put a copy in its place.
  $ rm "$room/state/partitions/x.ini"; vipu list partitions -q; modes "$room/state/partitions" "$room/shadow"
  2770 0:64001 state/partitions
  600 0:0 shadow

A new pod is refused before anything changes.  Here the registry is root's, in a
sticky directory, so that a member may not replace it:

  $ vipu-admin init --force --pod pod16 --secure --default-user-id boss 2>&1 | head -1
  init pod (pod16): success.
  $ as ann vipu-admin create partition kept --size 4 --relocatable
  create partition (kept): success
  $ as ann vipu-admin init --force --pod pod4
  vipu-admin: init pod (pod4): failed: cannot make registry ROOM/shm/pod: Operation not permitted; the old one belongs to another user; that user or root must replace it
  $ unchanged() { vipu-admin list partitions -q; grep secure "$room/state/pod.ini"; ls "$room/state/users"; ls "$room/shm"; }
  $ unchanged
  kept
  secure = yes
  boss.ini
  pod
  pod.slots

Neither does a folder of the registry that is closed to members, nor one of the
state's that is not the group's, nor a folder among the files:

  $ chmod 755 "$room/shm"; as ann vipu-admin init --force --pod pod4
  vipu-admin: init pod (pod4): failed: cannot make registry ROOM/shm/pod.new: Permission denied
  $ chmod 777 "$room/shm"; chmod 2750 "$room/state/agents"; as ann vipu-admin init --force --pod pod4
  vipu-admin: init pod (pod4): failed: cannot write directory ROOM/state/agents: Permission denied
  $ chmod 2770 "$room/state/agents"; mkdir "$room/state/clusters/x"; as ann vipu-admin init --force --pod pod4
  vipu-admin: init pod (pod4): failed: ROOM/state/clusters/x is a directory in a place for files only; remove it
  $ rmdir "$room/state/clusters/x"; unchanged
  kept
  secure = yes
  boss.ini
  pod
  pod.slots

Where all of it may be done it is, and the pod stays in secure mode:

  $ as ann vipu-admin init --force --pod pod4; vipu-admin list partitions -q
  init pod (pod4): success.
  vipu-admin: note: the pod is in secure mode, as the old one was, and its users stay; --no-secure opens it
  $ grep secure "$room/state/pod.ini"; ls "$room/state/users"; modes "$room/shm/pod"
  secure = yes
  boss.ini
  660 64011:64001 shm/pod
