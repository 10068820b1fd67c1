Bad input of a running server: bytes that mean nothing, half frames, other
protocols, calls that are wrong in each way, floods, HPACK bombs, peers that
take nothing.  Each gets what it deserves and one line in the log; others are
served meanwhile, in 100 ms at p99 with FULL=1, and memory comes back.  What is
not so is printed.

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-hostile.py"

Many connections, of which some are slow and some come and go:

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-crowd.py"
