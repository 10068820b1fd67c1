#skip-unless [ "$(id -u)" = 0 ] && unshare -m sh -c 'mount -t tmpfs none "$HOME" && mknod "$HOME/null" c 1 3'
Root names a device, a full disk, or what a neighbour has prepared.  All of it
in a mount namespace of this test's own.

  $ vipu create partition p --size 4 --reconfigurable > /dev/null
  $ few='--dataset generated --samples 1200 --batch-size 10 --gradient-accumulation 7 --device-iterations 2 --test-batch-size 20 --test-device-iterations 5'
  $ export few
  $ mkdir place
  $ cat > devices.sh <<'END'
  > mount -t tmpfs -o size=8m,mode=755 none place || exit 1
  > train() { ipubox train mlp $few "$@" > log; }
  > mknod place/null c 1 3; mknod place/full c 1 7; mknod place/block b 7 200
  > train --epochs 1 --save place/null; cat log
  > train --epochs 1 --save place/block; cat log
  > train --epochs 0 --memory-json place/null; echo $?
  > train --epochs 0 --memory-json place/full; echo $?
  > train --epochs 0 --memory-json place/block; echo $?
  > vipu-admin export place/null; vipu-admin export place/full
  > stat -c %F place/null place/full place/block
  > train --epochs 0 --memory-json /dev/null; stat -c %F /dev/null
  > echo "a full disk keeps the old one:"
  > train --epochs 1 --save place/a.ck; stat -c %s place/a.ck > size
  > head -c 9000000 /dev/zero > place/fill 2> /dev/null
  > sum=$(cksum < place/a.ck)
  > train --epochs 1 --save place/a.ck; echo $?
  > [ "$sum" = "$(cksum < place/a.ck)" ]; echo $?; ls -A place
  > rm place/fill
  > echo "a disk that cannot be written:"
  > mount -o remount,ro place
  > train --epochs 1 --save place/a.ck; cat log
  > mount -o remount,rw place
  > echo "others' links and files:"
  > mkdir -m 1777 place/tmp; echo secret > place/secret
  > setpriv --reuid=65534 --regid=65534 --clear-groups ln -s ../secret place/tmp/link
  > train --epochs 1 --save place/tmp/link; cat log
  > train --epochs 0 --memory-json place/tmp/link
  > cat place/secret
  > echo > place/tmp/own; chown 65534:65534 place/tmp/own; chmod 604 place/tmp/own
  > train --epochs 1 --save place/tmp/own; stat -c '%u:%g %a' place/tmp/own
  > END
  $ unshare -m sh devices.sh 2>&1
  ipubox-train: --save place/null: that is a device, which keeps nothing; name a regular file
  ipubox-train: --save place/block: that is a block device; name a regular file
  0
  ipubox-train: cannot write place/full: No space left on device
  1
  ipubox-train: cannot write place/block: that is a block device; name a regular file
  1
  vipu-admin: cannot write place/full: No space left on device
  character special file
  character special file
  block special file
  character special file
  a full disk keeps the old one:
  ipubox-train: cannot write place/a.ck: No space left on device
  1
  0
  a.ck
  block
  fill
  full
  null
  a disk that cannot be written:
  ipubox-train: --save place/a.ck: cannot write into its directory: Read-only file system
  others' links and files:
  ipubox-train: --save place/tmp/link: that is a link that another user put into a directory that everybody may write; name its target
  ipubox-train: cannot write place/tmp/link: that is a link that another user put into a directory that everybody may write; name its target
  secret
  65534:65534 604

A member of a sticky directory learns before the training that a file of
another user there stays:

  $ mkdir -m 1777 sticky; echo > sticky/roots.ck
  $ chmod 711 . "$HOME"
  $ IPUBOX_STATE_DIR=$PWD/sticky/state IPUBOX_REGISTRY=$PWD/sticky/registry HOME=/ setpriv --reuid=65534 --regid=65534 --clear-groups ipubox train mlp $few --epochs 1 --save sticky/roots.ck
  ipubox-train: --save sticky/roots.ck: cannot write into its directory: Operation not permitted
  [1]
