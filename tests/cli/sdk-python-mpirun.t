#needs mpirun
#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
The SDK for Python under mpirun: as sdk-python-job.t has it.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ job() { instances=$1; shift; { poprun --offline-mode=yes --launcher mpirun --num-instances "$instances" --num-replicas "$instances" python3 "$TESTDIR/cli/sdk-python.py" "$@" 2>err; echo "status $?"; } | sed 's/^\[1,.\]<stdout>://; s/(pid [0-9]*)/(pid PID)/; '"s/ended, or closed its connection\$/${how:-&}/" | sort | uniq -c | sed 's/^ *//'; }

  $ job 1 everything
  1 good
  1 status 0
  $ job 4 everything
  1 all-reduce 'inside': instance 0 (pid PID) ended, or closed its connection
  4 good
  1 instance 1 is not a member of communicator 'ends'
  1 instance 2 is not a member of communicator 'ends'
  1 status 0
  $ how='was killed by signal 9 (Killed)'
  $ job 4 end kill
  3 all-reduce 'grads': instance 1 (pid PID) was killed by signal 9 (Killed)
  3 barrier 'default': instance 1 (pid PID) was killed by signal 9 (Killed)
  1 status 137
