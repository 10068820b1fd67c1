#needs g++
Programs of one's own in C and C++ form a job under mpirun, as in sdk-job.t.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ ipubox --install-sdk sdk > /dev/null
  $ eval "$(ipubox sdk-env "$PWD/sdk")"
  $ mkdir config && ln -s ../sdk config/sdk
  $ gcc -D_GNU_SOURCE -I. "$TESTDIR/sdk/sdk_meet.c" sdk/lib/*.c -o meet
  $ cc sdk/examples/hello.c sdk/lib/*.c -o hello
  $ g++ -std=c++11 "$TESTDIR/sdk/sdk_names.cpp" sdk/lib/*.c -o names
  $ run() { poprun --launcher mpirun --offline-mode=yes --num-instances 4 --num-replicas 4 "$@" 2> err | sort -s -k 1.1,1.5 | sed 's/(pid [0-9]*)/(pid N)/'; }
  $ run ./hello
  [1,0]<stdout>:instance 0 of 4: the sum is 10
  [1,1]<stdout>:instance 1 of 4: the sum is 10
  [1,2]<stdout>:instance 2 of 4: the sum is 10
  [1,3]<stdout>:instance 3 of 4: the sum is 10
  $ run ./names | grep -v ':a=1'
  [1]
  $ run ./meet sum | uniq -c | tr -s ' '
   6 [1,0]<stdout>:the sum
   6 [1,1]<stdout>:the sum
   6 [1,2]<stdout>:the sum
   6 [1,3]<stdout>:the sum
  $ run ./meet end kill
  [1,0]<stdout>:all-reduce 'grads': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,0]<stdout>:all-reduce 'more': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,2]<stdout>:all-reduce 'grads': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,2]<stdout>:all-reduce 'more': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,3]<stdout>:all-reduce 'grads': instance 1 (pid N) was killed by signal 9 (Killed) [6]
  [1,3]<stdout>:all-reduce 'more': instance 1 (pid N) was killed by signal 9 (Killed) [6]
