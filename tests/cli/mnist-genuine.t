#skip-unless ! ldd "$IPUBOX" # the release; too slow under sanitizers
#skip-unless ls "${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}"/train-images-idx3-ubyte*
The genuine MNIST files: the tutorial's own window after two epochs, for both
strategies.

  $ data=${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}
  $ vipu create partition p1 --size 4 > /dev/null
  $ accuracy() {
  >     mnist-pipeline --data-dir "$data" --epochs 2 "$@" > out
  >     sed -n 's/^Accuracy on test set: \(.*\)%$/\1/p' out |
  >         awk '{ print ($1 > 97.5 && $1 < 99.9) ? "as it must be" : $0 }'
  > }
  $ accuracy
  as it must be
  $ accuracy --strategy sharded --offload-optimiser
  as it must be
