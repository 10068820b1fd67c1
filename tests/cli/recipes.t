#skip-unless [ "$(id -u)" = 0 ] # chroot(8) is root's
#skip-unless ! ldd "$IPUBOX" # the static build
The recipes of ipubox(7), as they stand there.

  $ page=$TESTDIR/../man/ipubox.7
  $ recipe() { sed -n "/^$1/,/^\.Ed/p" "$page" | sed '/^\.Ed/d; s/\\e$/\\/'; }

An image from nothing: what its lines do, in a chroot without /proc.

  $ recipe 'FROM scratch' > Dockerfile
  $ sed -e ':a' -e '/\\$/N; s/ *\\\n */ /; ta' Dockerfile > lines
  $ cut -d ' ' -f 1 lines
  FROM
  COPY
  RUN
  ENV
  ENV
  CMD
  $ words() { sed -n "s/^$1 \[\(.*\)\]$/\1/p" lines | sed 's/", "/ /g; s/"//g'; }
  $ mkdir -p image/bin; cp "$IPUBOX" image/$(sed -n 's/^COPY ipubox //p' lines)
  $ inside() { env -i $(sed -n 's/^ENV //p' lines) "$@"; }
  $ chroot=$(command -v chroot)
  $ inside "$chroot" image $(words RUN)
  $ ls image/bin | grep -c poprun
  1
  $ inside "$chroot" image $(words CMD) --samples 6000 --batch-size 20 2>&1 | grep -o 'Accuracy on test set'
  Accuracy on test set
  $ ls image
  bin
  state
  $ find image/state -name 'ipubox-job*'

The job for continuous integration; with a command that fails it fails:

  $ cp "$IPUBOX" ipubox
  $ recipe 'train:' | sed -n 's/^      //p' > job.sh
  $ grep -c . job.sh
  12
  $ sh job.sh > out 2>&1; echo $?
  0
  $ grep -o 'Accuracy on test set' out
  Accuracy on test set
  $ IPUBOX_STATE_DIR=$PWD/state ipubox vipu list partitions -q
  $ sed 's/--epochs 1/--epochs x/' job.sh > bad.sh; rm -r state bin
  $ sh bad.sh > out 2>&1
  [2]
