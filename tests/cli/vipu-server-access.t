#skip-unless "$TESTDIR"/find-python grpc google.protobuf && protoc --version
vipu-server: a pod in secure mode.  What is not as it should be is printed.

  $ python=$("$TESTDIR"/find-python grpc google.protobuf)
  $ PYTHONDONTWRITEBYTECODE=1 "$python" "$TESTDIR/cli/vipu-server-access.py"
