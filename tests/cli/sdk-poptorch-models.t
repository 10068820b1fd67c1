#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Models on IPUs: what PopTorch's documents say, and what PyTorch works out.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python:$TESTDIR/sdk PYTHONDONTWRITEBYTECODE=1
  $ export POPTORCH_IPU_MODEL=1 IPUBOX_FILE=$IPUBOX
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ python3 "$TESTDIR/sdk/poptorch_operations.py"
  304 passed, 0 failed
  $ python3 "$TESTDIR/sdk/poptorch_training.py"
  50 passed, 0 failed
  $ python3 -W ignore "$TESTDIR/sdk/poptorch_optimizers.py"
  53 passed, 0 failed
  $ python3 "$TESTDIR/sdk/poptorch_replicas.py"
  60 passed, 0 failed
  $ python3 "$TESTDIR/sdk/poptorch_saved.py" 2> err; cat err
  40 passed, 0 failed
  $ python3 "$TESTDIR/sdk/poptorch_life.py" 2> err; cat err
  60 passed, 0 failed
  $ python3 "$TESTDIR/sdk/poptorch_custom.py"
  33 passed, 0 failed
  $ python3 -c 'import ctypes, poptorch; ctypes.CDLL("./custom_ops.so")' 2>&1 | sed 's/^\[[^]]*\] //'
  [poptorch::python] [warning] ./custom_ops.so has custom operators for real IPUs and is not loaded: ./custom_ops.so: cannot open shared object file: No such file or directory. If no stand-in of an operator is known, register a Python function that computes it with poptorch.registerCustomOpStandIn.

Half precision, of which PyTorch's processor lacks most:

  $ python3 "$TESTDIR/sdk/poptorch_half.py" 2> err; grep -v -e UserWarning -e 'return torch' err
  228 passed, 0 failed
  [1]
