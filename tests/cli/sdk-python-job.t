#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
The SDK for Python in jobs of several instances.  The programs are the functions
of sdk-python.py; what they print is counted.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ run() { launcher=$1 instances=$2; shift 2; poprun --offline-mode=yes --launcher "$launcher" --num-instances "$instances" --num-replicas "$instances" python3 "$@" 2>err; echo "status $?"; }
  $ job() { l=$1 i=$2; shift 2; run "$l" "$i" "$TESTDIR/cli/sdk-python.py" "$@" | sed 's/^\[1,.\]<stdout>://; s/(pid [0-9]*)/(pid PID)/; '"s/ended, or closed its connection\$/${how:-&}/" | sort | uniq -c | sed 's/^ *//'; }

What goes well:

  $ job local 1 everything
  1 good
  1 status 0
  $ job local 4 everything
  1 all-reduce 'inside': instance 0 (pid PID) ended, or closed its connection
  4 good
  1 instance 1 is not a member of communicator 'ends'
  1 instance 2 is not a member of communicator 'ends'
  1 status 0
  $ job local 4 forked
  1 status 0
  2 this process was forked from the process that joined the job's collectives, pid PID; only that process may use them
  $ run local 2 "$TESTDIR/../config/sdk/examples/hello.py" | sort
  [1,0]<stdout>:instance 0 of 2: the sum is 3
  [1,1]<stdout>:instance 1 of 2: the sum is 3
  status 0

Two programs of an instance one after the other, each of which joins:

  $ echo 'import popdist; popdist.init(); print(popdist.collectives.allGather(popdist.getInstanceIndex()))' > gather.py
  $ poprun --offline-mode=yes --launcher local --num-instances 2 --num-replicas 2 sh -c 'python3 gather.py && python3 gather.py' | sort
  [1,0]<stdout>:[0, 1]
  [1,0]<stdout>:[0, 1]
  [1,1]<stdout>:[0, 1]
  [1,1]<stdout>:[0, 1]

What poprun says where instances do not do the same; whom it names depends on
who comes first:

  $ job local 4 differ | sed 's/instance [0-3]/instance N/g; s/ 4 float/ N float/; s/ 5 float/ N float/; s/ 1 [a-z]*/ 1 TYPE/g; s/N calls [a-z-]*, instance N [a-z-]*/N calls A, instance N B/' | sort
  1 'grads': instance N calls A, instance N B
  1 all-reduce 'grads': instance N brings 1 TYPE, instance N brings 1 TYPE
  1 all-reduce 'grads': instance N brings N float, instance N brings N float
  1 all-reduce 'twice': instance N has called it already and waits for its end; use another id
  1 barrier 'late': instance N did not come within 0.5 s
  1 broadcast 'default': instance 4 does not exist
  1 status 0
  $ job local 4 finalize
  3 barrier 'default': instance 1 has left the job's collectives
  1 status 0
  1 this program has left the job's collectives
  1 this program has left the job's collectives and cannot join them again

An exception from a signal ends a wait, and that instance's part in the job:

  $ job local 4 interrupt | sed 's/exited with status 0/ended, or closed its connection/'
  3 barrier 'default': instance 0 (pid PID) ended, or closed its connection
  1 status 0
  1 this program can no longer use the job's collectives, because its connection to poprun has ended

One ends, and the others learn how, also where they are about to be stopped; on
a very busy machine the word of that may come too late:

  $ how='was killed by signal 9 (Killed)'
  $ job local 4 end kill
  3 all-reduce 'grads': instance 1 (pid PID) was killed by signal 9 (Killed)
  3 barrier 'default': instance 1 (pid PID) was killed by signal 9 (Killed)
  1 status 137
  $ how='exited with status 1'
  $ job local 4 end raise
  3 all-reduce 'grads': instance 1 (pid PID) exited with status 1
  3 barrier 'default': instance 1 (pid PID) exited with status 1
  1 status 1
  $ how='exited with status 0'
  $ job local 4 end 0
  3 all-reduce 'grads': instance 1 (pid PID) exited with status 0
  3 barrier 'default': instance 1 (pid PID) exited with status 0
  1 status 0

So do those who wait inside of a function that some instances run; others that
have ended do not matter there:

  $ job local 4 missed
  1 barrier 'default': instance 1 (pid PID) exited with status 0
  1 status 0
