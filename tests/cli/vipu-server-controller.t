#skip-unless "$TESTDIR"/find-python grpc google.protobuf && protoc --version
vipu-server: ipubox.v1, by a client that ordinary tools make of it.  What is not
as it should be is printed.

  $ python=$("$TESTDIR"/find-python grpc google.protobuf)
  $ PYTHONDONTWRITEBYTECODE=1 "$python" "$TESTDIR/cli/vipu-server-controller.py"
