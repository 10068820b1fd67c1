#needs python3:grpc
vipu-server: the published contract, by a client that ordinary tools make of
it.  What is not as it should be is printed.

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-client.py"
