#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Values that change from call to call, and what PopTorch refuses.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python:$TESTDIR/sdk PYTHONDONTWRITEBYTECODE=1
  $ export POPTORCH_IPU_MODEL=1 IPUBOX_FILE=$IPUBOX
  $ python3 "$TESTDIR/sdk/poptorch_values.py"
  65 passed, 0 failed
