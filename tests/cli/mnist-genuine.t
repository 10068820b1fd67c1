#skip-unless ls "${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}"/train-images-idx3-ubyte*
The genuine MNIST files: the tutorial's accuracy after two epochs.

  $ data=${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}
  $ vipu create partition p1 --size 4 > /dev/null
  $ mnist-pipeline --data-dir "$data" --epochs 2 > out
  $ sed 's/.*: //' out | grep -E '^(9[789]\.[0-9]*%)$' | wc -l
  1
