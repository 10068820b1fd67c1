IPUoF files belong to one partition of one pod, even where several pods have
the same home directory.

  $ A="env IPUBOX_STATE_DIR=$PWD/a IPUBOX_REGISTRY=$PWD/registry.a" B="env IPUBOX_STATE_DIR=$PWD/b IPUBOX_REGISTRY=$PWD/registry.b"
  $ mkdir a b; short() { sed "s|[^ \"]*:$PWD|HOST:HERE|g; s|$PWD/.ipuof|~/.ipuof|g; s|$PWD|HERE|g"; }
  $ $A vipu create partition ci --size 1
  create partition (ci): success
  $ grep -o '"ipubox [^"]*": ".*' ~/.ipuof.conf.d/ci.conf | sed 's/: "[0-9a-f]\{32\}"/: IDENTITY/' | short
  "ipubox Partition": IDENTITY,
  "ipubox State": "HOST:HERE/a"

Neither pod writes over the file of the other or removes it.  The second file has
a part of the partition's identity in its name:

  $ $B vipu create partition ci --size 2
  create partition (ci): success
  $ ls ~/.ipuof.conf.d | sed 's/-[0-9a-f]\{8\}/-IDENTITY/' | sort
  ci-IDENTITY.conf
  ci.conf
  $ $A gc-info -l | wc -l; $B gc-info -l | wc -l
  1
  5

Another pod's file of the usual name does not hide that one's own is missing:

  $ rm ~/.ipuof.conf.d/ci-*.conf; $B vipu doctor | grep missing | short | sed 's/-[0-9a-f]\{8\}/-IDENTITY/'
  FAIL  ipuof-files: partition ci exists, but its IPUoF file ~/.ipuof.conf.d/ci-IDENTITY.conf is missing; vipu reset partition ci writes it again
  $ $B vipu reset partition ci
  reset partition (ci): success
  $ ls ~/.ipuof.conf.d | wc -l
  2
  $ $B vipu remove partition ci
  remove partition (ci): success
  $ ls ~/.ipuof.conf.d
  ci.conf
  $ $A gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]

A program of a pod skips the files of others.  It says so if it finds no file of
its own pod:

  $ $B gc-info -l 2>&1 | short
  gc-info: ~/.ipuof.conf.d/ci.conf: ignored, partition ci is of another pod; IPUBOX_STATE_DIR=HERE/a uses that pod
  gc-info: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: HERE/b, IPUBOX_STATE_DIR)
  $ $B vipu create partition own --size 1
  create partition (own): success
  $ $B gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ $A gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ $B vipu doctor | grep '  ipuof' | short
  ok    ipuof-folders: nothing is wrong
  warn  ipuof-files: ~/.ipuof.conf.d/ci.conf is of partition ci of another pod, in HOST:HERE/a; programs of this pod ignore it; IPUBOX_STATE_DIR=HERE/a uses that pod

After its state directory was deleted, a file is skipped with a note, and doctor
removes it on request:

  $ rm -r a
  $ $B gc-info -l 2>&1 | short
  gc-info: ~/.ipuof.conf.d/ci.conf: ignored, its partition ci no longer exists; `vipu doctor --fix` removes the file, which on a Pod would hide the other files of its directory
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
  $ $B vipu doctor | grep 'ipuof-files' | short
  warn  ipuof-files: ~/.ipuof.conf.d/ci.conf is of partition ci, which no longer exists; programs here ignore it, but on a Pod it would hide the other files of its directory; vipu doctor --fix removes it
  $ ls ~/.ipuof.conf.d
  ci.conf
  own.conf
  $ $B vipu doctor --fix 2>&1 | grep 'ipuof-files\|removed' | short
  vipu: removed ~/.ipuof.conf.d/ci.conf; its partition ci no longer exists
  ok    ipuof-files: nothing is wrong
  $ ls ~/.ipuof.conf.d
  own.conf

So does a new partition of that name:

  $ mkdir a; $A vipu create partition ci --size 1 > /dev/null; rm -r a; mkdir a
  $ $A vipu create partition ci --size 1
  create partition (ci): success

A file of another host is not judged, since its state directory cannot be seen,
and stays:

  $ sed -i 's/"ipubox State": "[^:]*:/"ipubox State": "elsewhere:/' ~/.ipuof.conf.d/ci.conf; rm -r a; mkdir a
  $ $A vipu doctor --fix 2>&1 | grep removed
  [1]
  $ $A vipu create partition ci --size 1
  create partition (ci): success
  $ ls ~/.ipuof.conf.d | wc -l
  3
