#needs python3:grpc
vipu-server: ipubox.v1, by a client that ordinary tools make of it.  What is not
as it should be is printed.

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-controller.py"
