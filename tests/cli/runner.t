The runner of these tests, on tests that go wrong on purpose.

  $ mkdir -p config/build tests/cli tests/unit build/unit
  $ for file in run one commands processes.sh transcript.awk; do cp "$TESTDIR/$file" tests/; done
  $ cp "$TESTDIR/../config/build/tools.sh" config/build/
  $ run() { TMPDIR=$PWD tests/run "$IPUBOX" build "$@" > log 2>&1; }

Nothing to run is an error:

  $ run
  [2]
  $ cat log
  tests/run: no such test: 

A transcript that holds:

  $ sed 's/^|//' > tests/cli/good.t <<'X'
  > |Each kind of line.
  > |  $ echo one; printf two
  > |  one
  > |  two (no-eol)
  > |  $ cat <<E
  > |  > a.c [x]
  > |  > 
  > |  > foo12
  > |  > E
  > |  a.? [x]* (glob)
  > |  
  > |  fo{2}[0-9]+ (re)
  > |  $ seq 20
  > |  1
  > |  ...
  > |  1[12] (re)
  > |  ...
  > |  $ echo
  > |  ...
  > |  
  > |  ...
  > |  $ echo 'as it is (re)' >&2; false
  > |  as it is (re)
  > |  [1]
  > |  $ cd /; x=1
  > |  $ pwd; echo $x
  > |  /
  > |  1
  > X
  $ run && cat log
  ok    good\.t                           7 passed, [0-9.]+ s (re)
  
  7 passed, 0 failed, 0 skipped

One that does not, one that ends its shell, and one that is skipped:

  $ sed 's/^|//' > tests/cli/bad.t <<'X'
  > |  $ echo one
  > |  two
  > |  $ echo abc
  > |  b (re)
  > |  $ false
  > |  $ true
  > |  [3]
  > |  $ echo more; echo lines
  > |  more
  > |  $ true
  > |  missing
  > |  $ echo skipped; echo over
  > |  ...
  > |  awaited
  > X
  $ sed 's/^|//' > tests/cli/ends.t <<'X'
  > |  $ echo $$ > pid; exit 0
  > |  $ true
  > X
  $ sed 's/^|//' > tests/cli/skip.t <<'X'
  > |#skip-unless true
  > |#skip-unless false # ever
  > |  $ false
  > X
  $ run bad ends.t skip
  [1]
  $ sed 's/^@@ .*/@@/' log | sort -r | grep -v '^ok\|^FAIL'
  skipped: skip.t: not true here: false # ever
  @@
  @@
  0 passed, 9 failed, 1 skipped
  --- wanted ends.t
  --- wanted bad.t
  -  two
  -  missing
  -  b (re)
  -  awaited
  -  [3]
  -  ...
  +++ got
  +++ got
  +  skipped
  +  over
  +  one
  +  lines
  +  abc
  +  [the shell ended]
  +  [the shell ended]
  +  [1]
     more
     $ true
     $ true
     $ true
     $ false
     $ echo skipped; echo over
     $ echo one
     $ echo more; echo lines
     $ echo abc
     $ echo $$ > pid; exit 0
  
  
  
  

One that skips a part of itself:

  $ rm tests/cli/*.t
  $ sed 's/^|//' > tests/cli/part.t <<'X'
  > |  $ echo 'a part: not true here: false' >> "$TEST/skips"
  > |  $ true
  > X
  $ run && sed 's/, [0-9.]* s$//' log
  ok    part.t                           2 passed, 0 failed, 1 skipped
  
  skipped: part.t: a part: not true here: false
  
  2 passed, 0 failed, 1 skipped

A tool that is not installed skips the test and is named at the end.  Without
asking for more, a test has the commands of the build:

  $ rm tests/cli/*.t
  $ echo '#needs no-such-tool sh' > tests/cli/tool.t
  $ sed 's/^|//' > tests/cli/path.t <<'X'
  > |  $ echo "$PATH" | tr : '\n' | sed 's|.*/ipubox-test[^/]*||'
  > |  /bin
  > |  /path.t/tools
  > |  /tools
  > X
  $ command -v dpkg-query > /dev/null || rm tests/cli/path.t
  $ run && grep -v '^ok' log
  
  skipped: tool.t: not installed: no-such-tool
  
  [01] passed, 0 failed, 1 skipped (re)
  1 of the skipped tests need packages.  Root installs them with:
  apt-get install -y --no-install-recommends no-such-tool 

A command that waits for what never comes is stopped before the whole test is:

  $ rm tests/cli/*.t; mkfifo pipe
  $ sed 's/^|//' > tests/cli/waits.t <<X
  > |  $ read -r line < $PWD/pipe
  > X
  $ SECONDS_MAX=5 run
  [1]
  $ grep -o '^stopped.*' log
  stopped: nothing came for 1 s
  $ rm pipe

What a test leaves running is gone after it:

  $ rm tests/cli/*.t
  $ sed 's/^|//' > tests/cli/leaves.t <<'X'
  > |  $ sleep 1000 & echo $! > "$TESTDIR/pid"
  > X
  $ run && read -r pid < tests/pid
  $ test ! -e /proc/$pid || grep -q '^State:.Z' /proc/$pid/status

TAP programs: one that counts wrong, one that dies, one that is right:

  $ rm tests/cli/*.t
  $ for name in few dies right; do touch tests/unit/${name}_test.c; done
  $ printf '#!/bin/sh\necho "ok 1 - a"; echo "1..2"\n' > build/unit/few_test
  $ printf '#!/bin/sh\necho "ok 1 - a"; kill -9 $$\n' > build/unit/dies_test
  $ printf '#!/bin/sh\necho "ok 1 - a # SKIP b"; echo "ok 2 - c"; echo "1..2"\n' > build/unit/right_test
  $ chmod +x build/unit/*
  $ run
  [1]
  $ sort log
  
  
  
  
  --- dies_test: exit status 137
  --- few_test: exit status 0
  1..2
  3 passed, 2 failed, 1 skipped
  FAIL  dies_test                        1 passed, 1 failed, [0-9.]+ s (re)
  FAIL  few_test                         1 passed, 1 failed, [0-9.]+ s (re)
  ok    right_test                       1 passed, 0 failed, 1 skipped, [0-9.]+ s (re)
  skipped: right_test: a # SKIP b

Nothing stays behind:

  $ ls
  build
  config
  log
  tests
