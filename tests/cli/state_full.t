#skip-unless unshare -m mount -t tmpfs none "$HOME"
A full disk and a read-only one, in a mount namespace of this test's own.

  $ mkdir small
  $ cat > full.sh <<'END'
  > mount -t tmpfs -o size=400k,mode=700 none small || exit 1
  > export IPUBOX_STATE_DIR=$PWD/small/state
  > vipu create partition first --size 4 --relocatable
  > head -c 1000000 /dev/zero > small/fill 2> /dev/null
  > vipu create partition second --size 4 --relocatable
  > echo "status $?"
  > vipu list partitions | grep -c ACTIVE
  > ls -A small/state/partitions
  > echo "and a registry on the full disk:"
  > old=$IPUBOX_REGISTRY
  > export IPUBOX_REGISTRY=$PWD/small/registry
  > vipu list partitions | grep -c ACTIVE
  > export IPUOF_VIPU_API_PARTITION_ID=first
  > gc-info -l | grep -c Fabric
  > gc-monitor | grep -c first
  > vipu get partition first | grep "^State"
  > vipu create partition second --size 4 --relocatable
  > echo "status $?"
  > mnist-pipeline --dataset generated --samples 5000 --epochs 1 2>&1 | grep -v "^Dataset"
  > vipu-admin init --force --pod pod16
  > vipu list partitions | grep -c ACTIVE
  > ls small
  > IPUBOX_REGISTRY=$old
  > echo "after making room:"
  > rm small/fill
  > vipu create partition second --size 4 --relocatable
  > vipu list partitions | grep -c ACTIVE
  > echo "read-only:"
  > mount -o remount,ro small
  > vipu remove partition second
  > echo "status $?"
  > vipu list partitions | grep -c ACTIVE
  > IPUBOX_REGISTRY=$HOME/other vipu list partitions | grep -c ACTIVE
  > IPUBOX_STATE_DIR=$PWD/small/none vipu list partitions
  > echo "status $?"
  > END
  $ unshare -m sh full.sh 2>&1 | sed "s|$PWD|HOME|"
  create partition (first): success
  create partition (second): failed: cannot write HOME/small/state/partitions/second.ini: No space left on device.
  status 1
  1
  first.ini
  and a registry on the full disk:
  1
  4
  2
  State                | ACTIVE
  create partition (second): failed: cannot make registry HOME/small/registry.slots of 81984 bytes: No space left on device; make room there, or set IPUBOX_REGISTRY to a file elsewhere.
  status 1
  mnist-pipeline: Failed to acquire 4 IPU(s)
  cannot make registry HOME/small/registry.slots of 81984 bytes: No space left on device; make room there, or set IPUBOX_REGISTRY to a file elsewhere
  vipu-admin: init pod (pod16): failed: cannot make registry HOME/small/registry.slots of 81984 bytes: No space left on device; make room there, or set IPUBOX_REGISTRY to a file elsewhere
  1
  fill
  state
  after making room:
  create partition (second): success
  2
  read-only:
  remove partition (second): failed: cannot change the state in HOME/small/state: Read-only file system.
  status 1
  2
  2
  list partitions: failed: cannot make directory HOME/small/none: Read-only file system.
  status 1
