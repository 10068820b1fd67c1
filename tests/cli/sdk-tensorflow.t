#needs python3:numpy
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
popdist.tensorflow, and what stands in for tensorflow.python.ipu, beside a
TensorFlow made up of two empty files.

  $ sdk=$TESTDIR/../config/sdk/python
  $ export PYTHONPATH=$sdk PYTHONDONTWRITEBYTECODE=1

The PopDist guide's listing for TensorFlow, as it is printed there:

  $ cat > hvd.py <<'Y'
  > # Copyright (c) 2021 Graphcore Ltd. All rights reserved.
  > 
  > import popdist
  > import popdist.tensorflow
  > from tensorflow.python.ipu import horovod as hvd
  > 
  > hvd.init()
  > Y
  $ mkdir -p real/tensorflow/python
  $ : > real/tensorflow/__init__.py
  $ : > real/tensorflow/python/__init__.py
  $ PYTHONPATH=$sdk:real python3 hvd.py
  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ launchers=local
  $ ! command -v mpirun > which || launchers='local mpirun'
  $ for launcher in $launchers; do
  >     PYTHONPATH=$sdk:real poprun --offline-mode=yes --num-replicas 2 \
  >         --num-instances 2 --launcher $launcher python3 hvd.py
  > done

Without TensorFlow there is none, and who asks for a part of it learns why:

  $ python3 hvd.py 2>&1 | tail -1
  ImportError: tensorflow.python.ipu needs TensorFlow, which this Python does not have: install Graphcore's TensorFlow wheel, or any other with `pip install tensorflow`
  $ python3 -c 'import popdist
  > import tensorflow.python.ipu.distributed' 2>&1 | tail -1
  ImportError: tensorflow.python.ipu needs TensorFlow, which this Python does not have: install Graphcore's TensorFlow wheel, or any other with `pip install tensorflow`
  $ python3 -c 'import popdist, importlib.util, inspect
  > print(importlib.util.find_spec("tensorflow"), flush=True)
  > inspect.getmodule(len)
  > import tensorflow' 2>&1 | sed -n '1p; $p'
  None
  ModuleNotFoundError: No module named 'tensorflow'
  $ python3 -c 'import popdist, sys
  > sys.path.append("real")
  > from tensorflow.python.ipu import horovod
  > print(horovod.size())'
  1

Graphcore's TensorFlow has its own:

  $ mkdir -p graphcore/tensorflow/python/ipu
  $ echo 'horovod = "of Graphcore"' > graphcore/tensorflow/python/ipu/__init__.py
  $ : > graphcore/tensorflow/__init__.py
  $ : > graphcore/tensorflow/python/__init__.py
  $ PYTHONPATH=$sdk:graphcore python3 -c 'import popdist
  > from tensorflow.python.ipu import horovod
  > print(horovod)'
  of Graphcore

A configuration is any object with the right attributes:

  $ cat > config.py <<'Y'
  > import types
  > import popdist.tensorflow
  > def make():
  >     return types.SimpleNamespace(
  >         select_ipus=[], experimental=types.SimpleNamespace(
  >             multi_replica_distribution=types.SimpleNamespace(
  >                 process_count=0, process_index=0)))
  > def shown(c):
  >     print(c.select_ipus, *vars(c.experimental.multi_replica_distribution).values())
  > c = make()
  > assert popdist.tensorflow.set_ipu_config(c, ipus_per_replica=2) is c
  > shown(c)
  > shown(popdist.tensorflow.set_ipu_config(make(), configure_device=False))
  > shown(popdist.tensorflow.set_ipu_config(make()))
  > try:
  >     popdist.tensorflow.set_ipu_config([], 1)
  > except TypeError as error:
  >     print(error)
  > Y
  $ poprun --vipu-partition p --update-partition=yes --num-replicas 4 --num-instances 2 --ipus-per-replica 2 --launcher local --only-output-from-instance 1 python3 config.py
  [1,1]<stdout>:[4] 2 1
  [1,1]<stdout>:[] 2 1
  [1,1]<stdout>:[4] 2 1
  [1,1]<stdout>:set_ipu_config: list has no attribute experimental.multi_replica_distribution; use tensorflow.python.ipu.config.IPUConfig, or an object with its attributes
  $ python3 config.py 2>&1 | grep 'Error:'
  ipubox_sdk.device.DeviceError: Failed to acquire 2 IPU(s)
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ IPUBOX_FILE=$IPUBOX python3 config.py | sed '$d'
  [4] 1 0
  [] 1 0
  [2] 1 0

Horovod's operations and the strategy, by four instances:

  $ cat > operations.py <<'Y'
  > import numpy, popdist
  > from tensorflow.python import ipu
  > from tensorflow.python.ipu import distributed, horovod as hvd
  > from tensorflow.python.ipu.distributed.popdist_strategy import PopDistStrategy
  > from tensorflow.python.ipu.horovod import popdist_strategy
  > assert popdist_strategy.PopDistStrategy is PopDistStrategy
  > strategy = PopDistStrategy()
  > hvd.init()
  > assert hvd.is_initialized() and popdist.isBackendInitialized()
  > rank = hvd.rank()
  > assert (hvd.size(), hvd.local_size(), hvd.local_rank()) == (4, 4, rank)
  > with strategy.scope() as s:
  >     print(s.num_replicas_in_sync, strategy.run(lambda a, b: a + b, (1,), {"b": 2}))
  > ones = numpy.ones((2, 2), numpy.float32)
  > print(hvd.allreduce(ones * rank).tolist(), hvd.allreduce(ones, hvd.Sum, 0.5, 4.0).tolist())
  > print(hvd.allreduce(numpy.int64(rank), op=hvd.Sum), ones.tolist())
  > print(hvd.allgather(numpy.full((rank, 2), rank)).tolist())
  > print(hvd.broadcast(numpy.float16(rank), 2), distributed.broadcast(ones * rank, 1, name="x").tolist())
  > print(strategy.reduce("SUM", numpy.array([rank])), strategy.reduce("mean", numpy.array([rank * 1.0])))
  > for wrong in (lambda: hvd.allreduce(ones, hvd.Adasum),
  >               lambda: strategy.reduce("MAX", ones)):
  >     try:
  >         print(wrong())
  >     except (NotImplementedError, ValueError) as error:
  >         print(error)
  > hvd.shutdown()
  > assert not hvd.is_initialized()
  > Y
  $ PYTHONPATH=$sdk:real poprun --offline-mode=yes --num-replicas 8 --num-instances 4 --launcher local python3 operations.py > out
  $ for i in 0 1 2 3; do sed -n "s/^\[1,$i\]<stdout>://p" out > out.$i; done
  $ cmp out.0 out.1 && cmp out.0 out.2 && cmp out.0 out.3 && cat out.0
  8 3
  [[1.5, 1.5], [1.5, 1.5]] [[8.0, 8.0], [8.0, 8.0]]
  6 [[1.0, 1.0], [1.0, 1.0]]
  [[1, 1], [2, 2], [2, 2], [3, 3], [3, 3], [3, 3]]
  2.0 [[1.0, 1.0], [1.0, 1.0]]
  [6] [1.5]
  The Adasum reduction is not implemented.
  Unsupported reduce op: MAX
