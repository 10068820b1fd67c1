#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
#skip-unless python3 -c 'from os import pidfd_open'
poptorch.DataLoader: what its processes hold, and how they end
(sdk-poptorch-data-processes.py).

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ export IPUBOX_FILE=$IPUBOX
  $ check() { python3 $TESTDIR/cli/sdk-poptorch-data-processes.py "$1"; }
  $ vipu create partition p --size 2 --reconfigurable
  create partition (p): success

  $ check holds
  held: []
  held: []
  held: []
  held: []
  own: [True, True]
  attached: 0 1
  left: []
  $ check killed
  left: []
  $ check worker_killed
  left: []
  poptorch.poptorch_core.Error: 'poptorch_py_error': the worker process of the AsynchronousDataAccessor, pid PID, was killed by SIGKILL before it had delivered all data; a new iteration starts another one
  1
  $ check interrupted
  1 KeyboardInterrupt -2
  left: []
  $ check worker_interrupted
  status: 0
  'poptorch_py_error': the worker process of the AsynchronousDataAccessor, pid PID, was interrupted before it had delivered all data; a new iteration starts another one
  [0, 1, 2, 3]
  $ check forked
  'poptorch_py_error': the AsynchronousDataAccessor has no worker process: it was terminated, has failed, or belongs to the process PID
  child: 0
  [0, 1, 2, 3] [4, 5, 6, 7]
