#skip-unless [ "$(id -u)" = 0 ] # chroot(8) is root's
#skip-unless ! ldd "$IPUBOX" # the static build
poprun in an empty root: no /proc, no /dev/null, no other program.

  $ mkdir root && cp "$IPUBOX" root/ipubox && cd root
  $ alias run='chroot . /ipubox poprun --offline-mode=yes --launcher local'
  $ run /ipubox popdist-env get getNumInstances
  [1,0]<stdout>:1
  $ run popdist-env get getNumInstances
  [1,0]<stdout>:1
  $ run poprun --offline-mode=yes ipubox popdist-env get getNumInstances
  [1,0]<stdout>:[1,0]<stdout>:1

A failure is told as elsewhere:

  $ run /ipubox no-such-applet 2>&1 | tail -2
  POPRUN ERROR: instance 0 \(pid [0-9]+\) exited with status 127 (re)
    127 is a shell's status for a program that was not found

Instances that train together meet without /proc and without /dev/shm; their
weights are those that they have elsewhere:

  $ export IPUBOX_STATE_DIR=/state IPUBOX_REGISTRY=/registry HOME=/
  $ pair='--launcher local --vipu-partition p --update-partition=yes --remove-partition=yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4'
  $ train='mnist-pipeline --dataset generated --samples 2400 --epochs 2 --device-iterations 2 --gradient-accumulation 7 --batch-size 40 --test-batch-size 4 --debug'
  $ chroot . /ipubox poprun $pair /ipubox $train 2>&1 > out | sed -n 's/.*replica \([01]: weights\)/\1/p' | sort > inside
  $ sed -n 's/.*stdout>:\(Accuracy on test set\).*/\1/p' out
  Accuracy on test set
  $ IPUBOX_STATE_DIR=$PWD/../state IPUBOX_REGISTRY=$PWD/../registry HOME=$PWD/.. poprun $pair $train 2>&1 > out | sed -n 's/.*replica \([01]: weights\)/\1/p' | sort > outside
  $ wc -l < inside
  4
  $ cmp inside outside
  $ ls
  inside
  ipubox
  out
  outside
  registry
  registry.slots
  state
  $ ls state | grep job
  [1]

In TMPDIR where the state cannot be written; where nothing can, it is said:

  $ mkdir -m 1777 tmp var; chmod 711 .
  $ alias nobody='chroot --userspec 65534:65534 . /ipubox poprun --offline-mode=yes --launcher local --num-replicas 2 --num-instances 2'
  $ export IPUBOX_STATE_DIR=/none
  $ TMPDIR=/var nobody /ipubox popdist-env get getNumInstances | cut -d : -f 2
  2
  2
  $ nobody /ipubox popdist-env get getNumInstances | cut -d : -f 2
  2
  2
  $ chmod 555 tmp
  $ nobody /ipubox popdist-env get getNumInstances
  POPRUN ERROR: no place for the files that the instances of a job share: /dev/shm, TMPDIR, /tmp and the state directory cannot be written: .* (re)
  [1]
  $ find tmp var
  tmp
  var
