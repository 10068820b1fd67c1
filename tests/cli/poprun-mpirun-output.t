#needs mpirun
#skip-unless mpirun --allow-run-as-root --oversubscribe -n 2 true # it wants a network
#skip-unless [ -c /dev/ptmx ]
poprun with mpirun: what the instances print is as it is without it.

  $ alias run='poprun --offline-mode=yes --launcher mpirun --allow-run-as-root yes'

Whole, in order, and a long line in one piece:

  $ run --num-replicas 2 --num-instances 2 seq 200000 > log
  $ for i in 0 1; do sed -n "s/^\[1,$i\]<stdout>://p" log > got; seq 200000 | cmp - got; done; rm log got
  $ run --num-replicas 2 --num-instances 2 sh -c 'head -c 20000000 /dev/zero | tr "\0" x; echo' | wc -lc | tr -s ' '
   2 40000030
  $ run head -c 1000 /dev/zero | wc -c
  1015

Files, and who is shown:

  $ cat > both.sh <<'END'
  > echo "out $OMPI_COMM_WORLD_RANK"
  > echo "err $OMPI_COMM_WORLD_RANK" >&2
  > END
  $ run --num-replicas 2 --num-instances 2 --log-dir logs sh both.sh
  $ ls logs; cat logs/instance.*
  instance.0.err
  instance.0.out
  instance.1.err
  instance.1.out
  poprun.log
  err 0
  out 0
  err 1
  out 1
  $ run --num-replicas 4 --num-instances 4 --console-instances 0,2 sh both.sh 2>&1 | sort
  [1,0]<stderr>:err 0
  [1,0]<stdout>:out 0
  [1,2]<stderr>:err 2
  [1,2]<stdout>:out 2
  $ run --num-replicas 2 --num-instances 2 --mpi-global-args '--output-filename copies' sh both.sh > shown 2>&1; sort shown
  [1,0]<stderr>:err 0
  [1,0]<stdout>:out 0
  [1,1]<stderr>:err 1
  [1,1]<stdout>:out 1
  $ cat copies/1/rank.0/stdout copies/1/rank.1/stderr
  out 0
  err 1

Tags of another form, which poprun itself makes; mpirun is called as ever:

  $ run --num-replicas 2 --num-instances 2 --tag-format '[1,%i@%h]<%s>:' sh both.sh 2>&1 | sort
  [1,0@localhost]<stderr>:err 0
  [1,0@localhost]<stdout>:out 0
  [1,1@localhost]<stderr>:err 1
  [1,1@localhost]<stdout>:out 1
  $ run --num-replicas 2 --num-instances 2 --host "$(hostname)" --tag-format '%h %l|' sh both.sh 2> err | sort | sed "s/^$(hostname) /NAME /"
  NAME 0|out 0
  NAME 1|out 1
  $ run --max-restarts 1 --tag-format '%r: ' sh -c 'echo hi; exit $((1 - POPRUN_RESTART_COUNT))' 2> err
  0: hi
  1: hi
  $ TZ=XYZ-5:30 run --tag-format '%T ' echo hi
  20[0-9-]{8}T[0-9:]{8}\.[0-9]{3}\+05:30 hi (re)
  $ run --num-replicas 2 --num-instances 2 --tag-format '' seq 100000 > log
  $ seq 100000 | sed p > wanted; sort -n log | cmp - wanted; rm log wanted
  $ run --dry-run -v true > usual 2> log; grep -c "^command: .*mpirun --tag-output" usual
  1
  $ run --dry-run -v --tag-format '%i' true > other 2> log; grep 'tag format' other
  tag format: '%i'
  $ grep -v 'tag format' other | cmp - usual

Pseudo terminals, and their size:

  $ run --pty yes sh -c '[ -t 1 ] && echo terminal; [ -t 2 ] || echo none'
  [1,0]<stdout>:terminal
  [1,0]<stdout>:none
  $ run --num-replicas 2 --num-instances 2 --pty yes seq 100000 > log
  $ for i in 0 1; do sed -n "s/^\[1,$i\]<stdout>://p" log > got; seq 100000 | cmp - got; done
  $ cat > resized.py <<'END'
  > import os, signal
  > signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
  > print(os.get_terminal_size(1), "?")
  > signal.sigwait([signal.SIGWINCH])
  > print(os.get_terminal_size(1))
  > END
  $ TERM=xterm python3 "$TESTDIR/cli/poprun-terminal.py" poprun --offline-mode=yes --launcher mpirun --allow-run-as-root yes python3 resized.py
  [1,0]<stdout>:os.terminal_size(columns=76, lines=20) ?
  [1,0]<stdout>:os.terminal_size(columns=46, lines=20)
  $ TERM=xterm python3 "$TESTDIR/cli/poprun-terminal.py" poprun --offline-mode=yes --launcher mpirun --allow-run-as-root yes --tag-format '%i@%h ' python3 resized.py
  0@localhost os.terminal_size(columns=78, lines=20) ?
  0@localhost os.terminal_size(columns=48, lines=20)

What Python prints before it aborts is seen:

  $ run python3 -c 'import os, sys; print("before"); sys.stdout.write("the end"); os.abort()'
  [1,0]<stdout>:before
  [1,0]<stdout>:the end
  POPRUN ERROR: instance 0 (pid *) was killed by signal 6 (Aborted) (glob)
  [134]
