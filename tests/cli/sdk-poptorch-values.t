#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Values that change from call to call, and what PopTorch refuses.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python:$TESTDIR/sdk PYTHONDONTWRITEBYTECODE=1
  $ export POPTORCH_IPU_MODEL=1 IPUBOX_FILE=$IPUBOX
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ python3 "$TESTDIR/sdk/poptorch_values.py"
  53 passed, 0 failed

PyTorch's threads leave processors to others, unless somebody says a number:

  $ cat > threads.py <<'P'
  > import os, sys, torch
  > os.sched_getaffinity = lambda pid: range(int(sys.argv[1]))
  > os.cpu_count = lambda: 8
  > torch.set_num_threads(int(sys.argv[2]))
  > import poptorch
  > from poptorch import _threads
  > _threads._quota = lambda: float(sys.argv[3])
  > poptorch.inferenceModel(torch.nn.ReLU())
  > print(torch.get_num_threads())
  > P
  $ threads() { POPTORCH_LOG_LEVEL=INFO python3 threads.py "$@" 2> err; sed 's/.*\[info\] //' err; }
  $ threads 8 8 0
  4
  PyTorch computes with 4 threads on 8 processors; OMP_NUM_THREADS sets another number
  $ OMPI_COMM_WORLD_LOCAL_SIZE=2 threads 8 4 0
  2
  PyTorch computes with 2 threads on 8 processors; OMP_NUM_THREADS sets another number
  $ threads 8 8 2.5
  1
  PyTorch computes with 1 thread on 8 processors; OMP_NUM_THREADS sets another number
  $ OMP_NUM_THREADS=6 threads 8 8 0
  8
  $ threads 8 3 0
  3

Packages of Graphcore's that are not here say so:

  $ said() { python3 -c "$1" 2>&1 | sed -n 's/^ImportError: //p'; }
  $ said 'from poptorch_geometric import FixedSizeDataLoader'
  poptorch_geometric is not a part of ipubox; pad graphs to one size, for example with torch_geometric.transforms.Pad, and load them with poptorch.DataLoader and a collate_fn that returns tensors
  $ said 'import pva'
  pva reads Poplar's profile.pop, which ipubox does not write; a profile of ipubox has its numbers in summary.json, which ipubox-profile(7) describes

What fails on a Pod fails here, and so does each case that the manual lists:

  $ python3 "$TESTDIR/sdk/poptorch_refusals.py" "$TESTDIR/../man/ipubox-poptorch.7"
  55 passed, 0 failed
