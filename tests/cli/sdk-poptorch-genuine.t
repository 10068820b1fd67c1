#needs python3:torch python3:tqdm
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
#skip-unless ls "${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}"/train-images-idx3-ubyte*
The genuine MNIST files, two epochs of the tutorial's program: with FULL=1 by
each strategy, with the optimiser's state on the chip and off it.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1 IPUBOX_FILE=$IPUBOX
  $ vipu create partition pt --size 4 --reconfigurable
  create partition (pt): success
  $ data=${MNIST_DIR:-$TESTDIR/../../shared/data/mnist}
  $ mkdir -p mnist_data/MNIST/raw
  $ for file in "$data"/*-ubyte*; do name=${file##*/}; if [ "$name" = "${name%.gz}" ]; then cp "$file" mnist_data/MNIST/raw; else gzip -dc "$file" > "mnist_data/MNIST/raw/${name%.gz}"; fi; done
  $ set -- '--strategy sharded --offload-optimiser'
  $ [ -z "$FULL" ] || set -- "$1" '--strategy pipelined' '--strategy sharded' '--strategy pipelined --offload-optimiser'
  $ for how; do
  >     python3 "$TESTDIR/../config/sdk/examples/mnist_pipeline.py" --epochs 2 --workers 2 $how > out 2> err || cat err
  >     sed -n 's/^Accuracy on test set: \(.*\)%$/\1/p' out | grep . > accuracy || cat out
  >     awk -v how="$how" '!($1 > 97.5 && $1 < 99.9) { print how ": " $0 }' accuracy
  > done
