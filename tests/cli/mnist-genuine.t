#skip-unless ! ldd "$IPUBOX" # the release; too slow under sanitizers
#skip-unless ls "${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}"/train-images-idx3-ubyte*
The genuine MNIST files, for both strategies: the tutorial's own window after
two epochs with FULL=1, else the first 8,192 and 2,048 images in micro-batches
that make as many weight updates of them as of 40,960.

  $ data=${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}
  $ vipu create partition p1 --size 4 > /dev/null
  $ unpack() { if [ -e "$data/$1.gz" ]; then gzip -dc "$data/$1.gz"; else cat "$data/$1"; fi; }
  $ first() {	# SET COUNT-IN-OCTAL COUNT
  >     { printf '\0\0\10\3\0\0\'$2'\0\0\0\0\34\0\0\0\34'; unpack $1-images-idx3-ubyte | tail -c +17 | head -c $(($3 * 784)); } > few/$1-images-idx3-ubyte
  >     { printf '\0\0\10\1\0\0\'$2'\0'; unpack $1-labels-idx1-ubyte | tail -c +9 | head -c $3; } > few/$1-labels-idx1-ubyte
  > }
  $ accuracy() {
  >     mnist-pipeline --data-dir "$data" --epochs 2 $how "$@" > out
  >     sed -n 's/^Accuracy on test set: \(.*\)%$/\1/p' out |
  >         awk -v low=$low -v high=$high '{ print ($1 > low && $1 < high) ? "as it must be" : $0 }'
  > }
  $ if [ -n "$FULL" ]; then how= low=97.5 high=99.9; else
  >     mkdir few; first train 40 8192; first t10k 10 2048
  >     data=few how='--batch-size 8 --test-batch-size 2' low=92.5 high=96
  > fi
  $ accuracy
  as it must be
  $ accuracy --strategy sharded --offload-optimiser
  as it must be
