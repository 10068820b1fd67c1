#needs python3:grpc
vipu-server: a pod in secure mode.  What is not as it should be is printed.

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-access.py"
