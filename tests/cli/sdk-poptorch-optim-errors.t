#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
#skip-unless PYTHONPATH=$TESTDIR/../config/sdk/python python3 -c 'import poptorch; poptorch.Error'
The errors of PopART's that an optimizer raises on the device.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ python3 $TESTDIR/cli/sdk-poptorch-optim.py errors
  popart_exception: New optimizer is not a valid replacement. Problem with weight decays. OptimizerValue for tensor 0.0 is not a valid replacement.Can not replace a constant value with a non constant value.
  popart_exception: Loss scaling cannot be 0
  popart_exception: Non-positive velocity scaling (-1) in SGD is not supported
  popart_exception: Constant, zero learning rate in SGD, bailing as this might be a user error.
