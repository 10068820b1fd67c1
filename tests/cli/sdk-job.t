#needs g++
Programs of one's own in C and C++ form a job.

  $ ipubox --install-sdk sdk > /dev/null
  $ eval "$(ipubox sdk-env "$PWD/sdk")"
  $ mkdir config && ln -s ../sdk config/sdk
  $ for name in meet poprun; do gcc -D_GNU_SOURCE -I. "$TESTDIR/sdk/sdk_$name.c" sdk/lib/*.c -o $name; done
  $ cc sdk/examples/hello.c sdk/lib/*.c -o hello; g++ sdk/examples/hello.cpp sdk/lib/*.c -o hello++
  $ g++ -std=c++11 "$TESTDIR/sdk/sdk_names.cpp" sdk/lib/*.c -o names

  $ by_instance() { sort -s -k 1.1,1.5 | sed 's/(pid [0-9]*)/(pid N)/; s/pid [0-9]*;/pid N;/'; }
  $ run() { n=$1; shift; poprun --launcher "${L:-local}" --offline-mode=yes --num-instances "$n" --num-replicas "$n" "$@" 2> err | by_instance; }
  $ run 4 ./hello
  [1,0]<stdout>:instance 0 of 4: the sum is 10
  [1,1]<stdout>:instance 1 of 4: the sum is 10
  [1,2]<stdout>:instance 2 of 4: the sum is 10
  [1,3]<stdout>:instance 3 of 4: the sum is 10
  $ run 2 ./hello++
  [1,0]<stdout>:instance 0 of 2: the sum is 3
  [1,1]<stdout>:instance 1 of 2: the sum is 3
  $ run 1 ./hello
  [1,0]<stdout>:instance 0 of 1: the sum is 1

All names of C++, and what --autoreport-dir asks for:

  $ run 4 ./names | grep -v ':a=1'
  [1]
  $ run 2 --autoreport-dir reports ./names
  [1,0]<stdout>:a=1
  [1,0]<stdout>:autoReport.all=true
  [1,0]<stdout>:autoReport.directory=reports/0
  [1,1]<stdout>:a=1
  [1,1]<stdout>:autoReport.all=true
  [1,1]<stdout>:autoReport.directory=reports/1
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.outputGraphProfile":"true"}' run 1 --autoreport-dir reports ./names
  [1,0]<stdout>:a=1
  [1,0]<stdout>:autoReport.directory=reports/0

Vectors of no, few and many elements, in messages and by memory:

  $ run 4 ./meet sum | uniq -c | tr -s ' '
   6 [1,0]<stdout>:the sum
   6 [1,1]<stdout>:the sum
   6 [1,2]<stdout>:the sum
   6 [1,3]<stdout>:the sum
  $ ./meet sum | uniq -c | tr -s ' '
   6 the sum

What differs, and an id that is used twice at once:

  $ run 2 ./meet mismatch
  \[1,0\]<stdout>:all-reduce 'sizes': instance (1 brings 5 float, instance 0 brings 4|0 brings 4 float, instance 1 brings 5) float \[3\] (re)
  \[1,0\]<stdout>:all-reduce 'types': instance (1 brings 4 int32, instance 0 brings 4 float|0 brings 4 float, instance 1 brings 4 int32) \[3\] (re)
  \[1,0\]<stdout>:'operations': instance (1 calls broadcast, instance 0 all-reduce|0 calls all-reduce, instance 1 broadcast) \[3\] (re)
  [1,0]<stdout>:the sum
  \[1,1\]<stdout>:all-reduce 'sizes': instance (1 brings 5 float, instance 0 brings 4|0 brings 4 float, instance 1 brings 5) float \[3\] (re)
  \[1,1\]<stdout>:all-reduce 'types': instance (1 brings 4 int32, instance 0 brings 4 float|0 brings 4 float, instance 1 brings 4 int32) \[3\] (re)
  \[1,1\]<stdout>:'operations': instance (1 calls broadcast, instance 0 all-reduce|0 calls all-reduce, instance 1 broadcast) \[3\] (re)
  [1,1]<stdout>:the sum
  $ run 2 ./meet twice
  [1,0]<stdout>:barrier 'same': instance 0 has called it already and waits for its end; use another id [4]
  $ run 1 ./meet arguments
  [1,0]<stdout>:barrier: an id must have 1 to 255 bytes, not 0 [1]
  [1,0]<stdout>:barrier: an id must have 1 to 255 bytes, not 299 [1]
  [1,0]<stdout>:all-reduce 'type': 77 is not a type of elements [1]
  [1,0]<stdout>:all-reduce 'b': bool cannot be added up [1]
  [1,0]<stdout>:all-reduce 'huge': 18446744073709551615 elements are too many [1]
  [1,0]<stdout>:broadcast 'null': the vector is missing [1]
  [1,0]<stdout>:broadcast 'root': instance 9 does not exist [1]
  [1,0]<stdout>:the name of a communicator must have 1 to 255 bytes, not 0 [1]
  [1,0]<stdout>:time limit 1e+09 s: must be a number from 0 to 4000000 [1]

One that does not come in time, one that leaves for good, also while a thread of
its own waits, and one that was forked:

  $ run 2 ./meet timeout
  [1,0]<stdout>:barrier 'late': instance 1 did not come within 0.25 s [5]
  [1,0]<stdout>:time limit -1 s: must be a number from 0 to 4000000 [1]
  [1,1]<stdout>:barrier 'late': instance 1 did not come within 0.25 s [5]
  [1,1]<stdout>:time limit -1 s: must be a number from 0 to 4000000 [1]
  $ for limit in x -1 4000001; do POPDIST_TIMEOUT=$limit ./meet sum; done
  POPDIST_TIMEOUT 'x': not a number [1]
  POPDIST_TIMEOUT '-1': too small, must be 0 to 4000000 [1]
  POPDIST_TIMEOUT '4000001': too large, must be 0 to 4000000 [1]
  [1]
  $ run 2 ./meet finalize
  [1,0]<stdout>:barrier 'wait': instance 1 has left the job's collectives [7]
  [1,0]<stdout>:barrier 'again': instance 1 has left the job's collectives [7]
  [1,1]<stdout>:left
  [1,1]<stdout>:this program has left the job's collectives [7]
  [1,1]<stdout>:this program has left the job's collectives and cannot join them again [7]
  $ run 2 ./meet leave-threads
  \[1,0\]<stdout>:-1 \[[67]\] (re)
  $ run 2 ./meet fork | sed 1,4d
  [1,0]<stdout>:the sum
  [1,1]<stdout>:the sum
  [1,1]<stdout>:this process was forked from the process that joined the job's collectives, pid N; only that process may use them [1]
  [1,1]<stdout>:this process was forked from the process that joined the job's collectives, pid N; only that process may use them [1]
  [1,1]<stdout>:0
  [1,1]<stdout>:the sum
  $ run 1 ./meet descriptors; run 2 ./meet descriptors
  [1,0]<stdout>:the sum
  [1,0]<stdout>:0
  [1,0]<stdout>:the sum
  [1,0]<stdout>:0
  [1,1]<stdout>:the sum
  [1,1]<stdout>:0

Some of the instances:

  $ run 4 ./meet communicators | grep '^\[1,[03]'
  [1,0]<stdout>:registered
  [1,0]<stdout>:instance 0 is not a member of communicator 'odd' [8]
  [1,0]<stdout>:instance 0 is not a member of communicator 'odd' [8]
  [1,0]<stdout>:communicator 'bad': instance 9 does not exist [1]
  [1,0]<stdout>:communicator 'none' has no instances [1]
  [1,0]<stdout>:communicator 'unknown' has not been registered [8]
  [1,0]<stdout>:first
  [1,0]<stdout>:alone
  [1,0]<stdout>:1 0
  [1,3]<stdout>:registered
  [1,3]<stdout>:1 and 3
  [1,3]<stdout>:a root
  [1,3]<stdout>:communicator 'bad': instance 9 does not exist [1]
  [1,3]<stdout>:communicator 'none' has no instances [1]
  [1,3]<stdout>:communicator 'unknown' has not been registered [8]
  [1,3]<stdout>:first
  [1,3]<stdout>:instance 3 is not a member of communicator 'odd' [8]
  [1,3]<stdout>:1 0

One that ends is named, with the cause; the vectors stay as they were:

  $ run 4 ./meet end kill
  [1,0]<stdout>:all-reduce 'grads': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,0]<stdout>:all-reduce 'more': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,2]<stdout>:all-reduce 'grads': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,2]<stdout>:all-reduce 'more': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,3]<stdout>:all-reduce 'grads': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,3]<stdout>:all-reduce 'more': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  $ run 2 ./meet end exit
  [1,0]<stdout>:all-reduce 'grads': instance 1 (pid N) exited with status 0 [6]
  [1,0]<stdout>:all-reduce 'more': instance 1 (pid N) exited with status 0 [6]
  $ run 2 ./meet end three
  [1,0]<stdout>:all-reduce 'grads': instance 1 (pid N) exited with status 3 [6]
  [1,0]<stdout>:all-reduce 'more': instance 1 (pid N) exited with status 3 [6]

A poprun that has ended, or that answers as none does.  The next call tries it
once more:

  $ for way in close nothing half size huge request kind body error refusal slowly mailbox mailbox-sleep mailbox-small mailbox-huge mailbox-body mailbox-end; do
  >     mkdir -p job/$way; echo "$way:"; ./poprun job/$way $way ./meet two
  > done
  close:
  poprun has ended [10]
  nothing:
  poprun has ended [10]
  poprun has ended [10]
  half:
  poprun has ended [10]
  poprun has ended [10]
  size:
  poprun sent an unexpected message [10]
  poprun sent an unexpected message [10]
  huge:
  poprun sent an unexpected message [10]
  poprun sent an unexpected message [10]
  request:
  poprun sent an unexpected message [10]
  poprun sent an unexpected message [10]
  kind:
  poprun sent an unexpected message [10]
  poprun sent an unexpected message [10]
  body:
  all-reduce 'first': poprun sent 4 bytes instead of 12 [10]
  all-reduce 'second': poprun sent 4 bytes instead of 12 [10]
  error:
  poprun sent an unexpected message [10]
  poprun sent an unexpected message [10]
  refusal:
  what is that? [1]
  what is that? [1]
  slowly:
  the sum
  the sum
  mailbox:
  the sum
  the sum
  mailbox-sleep:
  the sum
  the sum
  mailbox-small:
  poprun has ended [10]
  poprun has ended [10]
  mailbox-huge:
  poprun has ended [10]
  poprun has ended [10]
  mailbox-body:
  all-reduce 'first': poprun sent 4 bytes instead of 12 [10]
  all-reduce 'second': poprun sent 4 bytes instead of 12 [10]
  mailbox-end:
  poprun has ended [10]
  poprun has ended [10]
  $ long=$PWD/$(printf '%0120d' 0); mkdir $long; ./poprun $long slowly ./meet two
  the sum
  the sum
  $ mkdir job/closed; ./poprun job/closed slowly ./meet two <&- 2>&-
  the sum
  the sum
  $ export POPDIST_NUM_TOTAL_REPLICAS=2 POPDIST_NUM_LOCAL_REPLICAS=1 POPDIST_REPLICA_INDEX_OFFSET=0
  $ ./meet sum
  the job has 2 instances, but IPUBOX_JOB_DIR, the directory where they meet, is not set; start the job with poprun [10]
  [1]
  $ IPUBOX_JOB_DIR=/nonexistent ./meet sum
  cannot connect to poprun at /nonexistent/collectives: No such file or directory [10]
  [1]
  $ POPDIST_NUM_LOCAL_REPLICAS=3 ./meet sum
  POPDIST_NUM_LOCAL_REPLICAS is 3, more than POPDIST_NUM_TOTAL_REPLICAS, 2 [1]
  [1]

Where the replicas are uneven, the launcher tells which instance this is:

  $ export POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=0 POPDIST_NUM_TOTAL_REPLICAS=3
  $ ./meet sum
  the replicas are not spread evenly over the instances, but OMPI_COMM_WORLD_RANK, which identifies this instance, is not set [1]
  [1]
  $ OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=2 ./meet sum
  OMPI_COMM_WORLD_RANK is 2, but the job has 2 instances [1]
  [1]
  $ OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 ./meet sum
  the job has 2 instances, but IPUBOX_JOB_DIR, the directory where they meet, is not set; start the job with poprun [10]
  [1]
