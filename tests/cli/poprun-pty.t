#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
#skip-unless [ -c /dev/ptmx ]
poprun: pseudo terminals for what the instances print.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias run='poprun --offline-mode=yes --launcher $launcher'
  $ cat > streams.sh <<'END'
  > for i in 0 1 2; do [ -t $i ] && echo "$i is a terminal" || echo "$i is none"; done
  > END

Without a terminal the outputs are pipes, and a pseudo terminal where the user
says so; input and errors are none:

  $ run sh streams.sh
  [1,0]<stdout>:0 is none
  [1,0]<stdout>:1 is none
  [1,0]<stdout>:2 is none
  $ run --pty yes sh streams.sh
  [1,0]<stdout>:0 is none
  [1,0]<stdout>:1 is a terminal
  [1,0]<stdout>:2 is none

Bytes are unchanged, and all of them come:

  $ awk 'BEGIN { for (i = 1; i < 256; i++) if (i != 10 && i != 13) printf "%c", i; print "" }' > bytes
  $ run --pty yes cat bytes | sed 's/^\[1,0\]<stdout>://' | cmp - bytes
  $ run --num-replicas 2 --num-instances 2 --pty yes seq 100000 > log
  $ for i in 0 1; do sed -n "s/^\[1,$i\]<stdout>://p" log > got; seq 100000 | cmp - got; done
  $ run --pty yes --mpi-local-args --merge-stderr-to-stdout sh -c 'echo a; echo b >&2'
  [1,0]<stdout>:a
  [1,0]<stdout>:b

What Python prints comes at once, also before it aborts, and without a newline:

  $ cat > abort.py <<'END'
  > import os, sys
  > print("before")
  > sys.stdout.write("the end")
  > os.abort()
  > END
  $ run python3 abort.py
  [1,0]<stdout>:before
  [1,0]<stdout>:the end
  POPRUN ERROR: instance 0 (pid *) was killed by signal 6 (Aborted) (glob)
  [134]
  $ run --pty yes python3 abort.py 2> /dev/null
  [1,0]<stdout>:before
  [1,0]<stdout>:the end
  [134]
  $ mkfifo go said
  $ poprun --offline-mode=yes --launcher $launcher python3 -c 'print("asked"); open("go").read()' > said & job=$!
  $ exec 8<said; read -r line <&8; echo "$line"; echo > go; wait $job
  [1,0]<stdout>:asked
  $ run sh -c 'echo "$PYTHONUNBUFFERED"'
  [1,0]<stdout>:1
  $ PYTHONUNBUFFERED= run sh -c 'echo "<$PYTHONUNBUFFERED>"'
  [1,0]<stdout>:<>

A terminal of 90 columns and 20 rows: what an instance draws has the columns
that the tag leaves.

  $ export TERM=xterm
  $ alias at='python3 "$TESTDIR/cli/poprun-terminal.py" poprun --offline-mode=yes --launcher $launcher'
  $ at stty size -F /dev/stdout
  [1,0]<stdout>:20 76
  $ at --pty no sh streams.sh
  [1,0]<stdout>:0 is none
  [1,0]<stdout>:1 is none
  [1,0]<stdout>:2 is none
  $ at --pty auto sh streams.sh
  [1,0]<stdout>:0 is none
  [1,0]<stdout>:1 is a terminal
  [1,0]<stdout>:2 is none
  $ at --log-dir logs sh streams.sh; cat logs/instance.0.out
  0 is none
  1 is none
  2 is none

Its size is passed on when it changes, and before the signal that says so:

  $ cat > resized.py <<'END'
  > import os, signal
  > signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
  > print("?")
  > signal.sigwait([signal.SIGWINCH])
  > print(os.get_terminal_size(1))
  > END
  $ at python3 resized.py
  [1,0]<stdout>:?
  [1,0]<stdout>:os.terminal_size(columns=46, lines=20)

Tags of another form take other columns, the widest of the job's as many for
each; none takes none:

  $ at --tag-format '%i: ' stty size -F /dev/stdout
  0: 20 87
  $ at --tag-format '' stty size -F /dev/stdout
  20 90
  $ at --tag-format '%t ' sh -c 'stty size -F /dev/stdout; echo "$COLUMNS"' | sed 's/^..:..:.. //'
  20 81
  81
  $ at --tag-format '%h ' --num-replicas 2 --num-instances 2 --host a,pod10 --emulate-hosts yes sh -c 'stty size -F /dev/stdout; echo "$COLUMNS"' | sort
  a 20 84
  a 84
  pod10 20 84
  pod10 84
  $ at --tag-format "$(printf '\303\251\346\227\245') " stty size -F /dev/stdout | od -An -c | tr -s ' \n' ' '; echo
   303 251 346 227 245 2 0 8 6 \n 
  $ at --tag-format '%i: ' python3 resized.py
  0: ?
  0: os.terminal_size(columns=57, lines=20)
  $ at --max-restarts 10 --tag-format '%r ' sh -c 'stty size -F /dev/stdout; exit $((POPRUN_RESTART_COUNT < 1))' | grep -v POPRUN
  0 20 88
  1 20 88

What is drawn over is cleared first, on both outputs and by both:

  $ at printf '100%%\r5%%\rdone\n'
  [1,0]<stdout>:100%<CR><CLEAR>[1,0]<stdout>:5%<CR><CLEAR>[1,0]<stdout>:done
  $ at --pty no printf '100%%\r5%%\rdone\n'
  [1,0]<stdout>:100%<CR><CLEAR>[1,0]<stdout>:5%<CR><CLEAR>[1,0]<stdout>:done
  $ at --tag-format '%i: ' printf '100%%\r5%%\rdone\n'
  0: 100%<CR><CLEAR>0: 5%<CR><CLEAR>0: done
  $ at --tag-format '' printf '100%%\r5%%\rdone\n'
  100%<CR><CLEAR>5%<CR><CLEAR>done
  $ TERM=dumb at printf '100%%\r5%%\rdone\n'
  [1,0]<stdout>:100%<CR>[1,0]<stdout>:5%<CR>[1,0]<stdout>:done
  $ run printf '100%%\r5%%\rdone\n' | tr '\r' '<'
  [1,0]<stdout>:100%<[1,0]<stdout>:5%<[1,0]<stdout>:done

A prompt is shown before its line ends, and the answer to it ends the line, if
one instance alone is shown; the others may print meanwhile:

  $ cat > asks.py <<'END'
  > import os, sys
  > if os.environ["RANK"] == "0":
  >     print("first", input("N = "))
  >     print("second " + input("M = "), file=sys.stderr)
  >     sys.stderr.write("> "); sys.stdin.read(); print("end", end="")
  > else:
  >     print("x" * 100000 + "\n" + "y", end=""); open("other", "w")
  > END
  $ at python3 asks.py
  [1,0]<stdout>:N = 5
  [1,0]<stdout>:first 5
  [1,0]<stdout>:M = 5
  [1,0]<stderr>:second 5
  [1,0]<stderr>:> 
  [1,0]<stdout>:end
  $ TERM=dumb at --tag-format '%i:' --num-replicas 4 --num-instances 4 --only-output-from-instance 0 python3 asks.py; ls other
  0:N = 5
  0:first 5
  0:M = 5
  0:second 5
  0:> 
  0:end
  other
  $ at --num-replicas 2 --num-instances 2 sh -c 'printf "no = "; echo prompt' | sort
  [1,0]<stdout>:no = prompt
  [1,1]<stdout>:no = prompt

A bar moves at each step, alone and under poprun, where the tag stands before
it; where the IPUs fail in the middle of it the message begins a line:

  $ vipu create partition p --size 4 > out
  $ train='mnist-pipeline --dataset generated --samples 4480 --epochs 1 --device-iterations 2 --gradient-accumulation 7 --batch-size 80 --test-device-iterations 10'
  $ export GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":2,"simulateSOCError.rearmOnReset":true}'
  $ bars() { sed 's/  *[0-9?.]*\(it\/s\|s\/it\)\]//; s/\(.\)<CR>/\1\n<CR>/g' | sed 's/Loss:.*%:/Loss:/; s/|.*| /| /; s/ \[.*\(<CLEAR>\)/\1/; s/In unknown.*/.../'; }
  $ python3 "$TESTDIR/cli/poprun-terminal.py" $train | bars
  Dataset: 4480 + 746 generated digits (not MNIST)
  Training...
  Epoch 1/1
  <CR>  0%| 0/4<CLEAR>
  <CR>Loss:  25%| 1/4<CLEAR>
  <CR>Loss:  50%| 2/4<CLEAR>
  mnist-pipeline: poptorch.poptorch_core.RecoverableError: ...
  Error raised in:
    [0] execute
  $ python3 "$TESTDIR/cli/poprun-terminal.py" poprun --launcher $launcher --vipu-partition p --ipus-per-replica 4 $train | bars | sed 's/<CR>//; s/^<CLEAR>//' > shown; grep stdout shown
  [1,0]<stdout>:Dataset: 4480 + 746 generated digits (not MNIST)
  [1,0]<stdout>:Training...
  [1,0]<stdout>:Epoch 1/1
  [1,0]<stdout>:
  [1,0]<stdout>:  0%| 0/4<CLEAR>
  [1,0]<stdout>:Loss:  25%| 1/4<CLEAR>
  [1,0]<stdout>:Loss:  50%| 2/4<CLEAR>
  $ grep -c '^.1,0.<stderr>:mnist-pipeline: poptorch' shown
  1
  $ vipu remove partition p
  remove partition (p): success
