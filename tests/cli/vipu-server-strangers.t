Strangers in front of a server whose users have keys: they hold all places, send
what is dear to read, and take no answers.  Users with keys and root are served
meanwhile, in 100 ms at p99 with FULL=1.  What is not so is printed.

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-strangers.py"
