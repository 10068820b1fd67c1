#needs python3:grpc
vipu-server, killed again and again while clients create and remove: whatever
was acknowledged is there, and nothing is there twice.  FULL=1 takes two
minutes, otherwise three seconds.

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-kills.py" $([ -n "$FULL" ] && echo 120 || echo 3)
