#needs python3:grpc
#skip-unless test "$(id -u)" = 0
#skip-unless unshare -m mount --bind "$HOME" "$HOME"
vipu-server: every method times every kind of caller, over TCP and as users of
its host, who are in an /etc/passwd of this test's own.  What is not as it
should be is printed.

  $ room=$TMPDIR/room; mkdir -m 755 "$room"
  $ export IPUBOX_STATE_DIR="$room/state" IPUBOX_REGISTRY="$room/registry"
  $ { cat /etc/passwd; for user in ann:64011 bob:64012 dan:64013 cid:64014; do echo "${user%:*}:x:${user#*:}:${user#*:}::/:/bin/sh"; done; } > passwd
  $ unshare -m sh -c 'mount --bind passwd /etc/passwd && exec "$@"' sh env PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-rpcs.py"
