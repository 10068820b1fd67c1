#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Programs as users write them, each beside the same one in plain PyTorch: a row
of the table for each that is not like it.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python:$TESTDIR/sdk PYTHONDONTWRITEBYTECODE=1
  $ export IPUBOX_FILE=$IPUBOX OMP_NUM_THREADS=1
  $ vipu create partition pt --size 16 --reconfigurable
  create partition (pt): success
  $ python3 -W ignore "$TESTDIR/sdk/poptorch_programs.py" > table; sed '1d; / ok  *[0-9]/d' table
  40 programs, 0 failed
