#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
popdist.poptorch, popdist.popart and poptorch's options, without PyTorch, PopART
and TensorFlow.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ export IPUBOX_FILE=$IPUBOX
  $ echo 'raise ImportError("no PyTorch")' > torch.py
  $ cat > said.py <<'Y'
  > def said(function, *arguments, **keywords):
  >     try:
  >         print("done:", function(*arguments, **keywords))
  >     except Exception as error:
  >         print(f"{type(error).__name__}: {error}")
  > Y

poptorch.Options: what is set can be read, and methods can be chained.

  $ cat > options.py <<'Y'
  > import copy, poptorch, sys
  > from said import said
  > o = poptorch.Options()
  > assert o.deviceIterations(3).replicationFactor(2).randomSeed(7) is o
  > print(o.device_iterations, o.replication_factor, o.random_seed)
  > o.Training.gradientAccumulation(8).accumulationAndReplicationReductionType(
  >     poptorch.ReductionType.Sum).setAutomaticLossScaling(True)
  > o.TensorLocations.setOptimizerLocation(
  >     poptorch.TensorLocationSettings().useOnChipStorage(False)
  >     .useReplicatedTensorSharding(True)).numIOTiles(64)
  > o.Precision.enableStochasticRounding(True).halfFloatCasting(
  >     poptorch.HalfFloatCastingBehavior.HalfUpcastToFloat)
  > o.setExecutionStrategy(poptorch.ShardedExecution(
  >     "a", poptorch.Stage("b", "c").ipu(1)))
  > o.setAvailableMemoryProportion({"IPU1": 0.5}).useIpuId(3)
  > o.outputMode(poptorch.OutputMode.EveryN, 2).logDir("logs")
  > o.connectionType(poptorch.ConnectionType.OnDemand)
  > o.enableExecutableCaching("cache").modelName("m").useIpuModel(True)
  > for name, value in sorted(o.toDict().items()):
  >     print(name, value if not isinstance(value, int) else int(value))
  > new = copy.deepcopy(o)
  > new.deviceIterations(5).Training.gradientAccumulation(1)
  > print(new.device_iterations, o.device_iterations, o("device_iterations"))
  > print(o.Training.gradient_accumulation)
  > o._freeze()
  > said(o.deviceIterations, 4)
  > said(o.Training.gradientAccumulation, 4)
  > said(o._Popart.set, "a", 1)
  > said(setattr, o, "replication_factor", 4)
  > said(o.clone().deviceIterations(4).exists, "device_iterations")
  > print(str(poptorch.Options())[:29])
  > old = poptorch.Options().anchorMode(poptorch.AnchorMode.Sum)
  > old.Popart.set("a", 1)
  > old.Training.accumulationReductionType(poptorch.ReductionType.Sum)
  > old.Precision.runningVarianceAlwaysFloat(True)
  > print(old.output_mode, old.defaultAnchorMode(), old.toDict()["a"])
  > Y
  $ python=python3
  $ $python options.py 2> err
  3 2 7
  accumulation_and_replication_reduction_type 0
  anchored_tensors {}
  auto_round_num_ipus 0
  automaticLossScalingSettings.enabled 1
  available_memory_proportion {1: 0.5}
  broadcast_buffers 1
  cachePath cache
  connection_type 1
  device_iterations 3
  distributed_process_id 0
  enableEngineCaching 1
  enableStochasticRounding 1
  execution_mode 1
  gradient_accumulation 8
  instrumentWithHardwareCycleCounter 0
  ipu_id 3
  ipuof_configs {}
  location_optimizer {'onChip': 0, 'useReplicatedTensorSharding': 1}
  log_dir logs
  meanAccumulationAndReplicationReductionStrategy 1
  model_name m
  numIOTiles 64
  num_distributed_processes 1
  output_mode 1
  output_return_period 2
  random_seed 7
  rearrangeAnchorsOnHost 0
  replication_factor 2
  sync_pattern 0
  use_model 1
  5 3 3
  8
  AttributeError: Can't modify frozen Options
  AttributeError: Can't modify frozen Options
  AttributeError: Can't modify frozen Options
  AttributeError: Can't modify frozen Options
  done: True
  replication_factor=1Options(,
  3 False 1
  $ sed 's/^\[[^]]*\] //' err
  [poptorch::python] [warning] poptorch.Options.anchorMode is deprecated since version 2.4 and will be removed in a future release.
  Reason: Use outputMode instead.
  [poptorch::python] [warning] poptorch.Options.Training.accumulationReductionType is deprecated since version 2.1 and will be removed in a future release.
  Reason: Use accumulationAndReplicationReductionType instead.
  [poptorch::python] [warning] poptorch.Options.Precision.runningVarianceAlwaysFloat is deprecated since version 2.1 and will be removed in a future release.
  Reason: Use runningStatisticsAlwaysFloat instead.
  [poptorch::python] [warning] poptorch.Options.defaultAnchorMode is deprecated since version 2.4 and will be removed in a future release.
  Reason: Use defaultOutputMode instead.
  $ POPTORCH_CACHE_DIR=c OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 $python -c 'import poptorch
  > o = poptorch.Options()
  > print(o.Distributed.processId, o.Distributed.numProcesses, o._Popart.options["cachePath"])'
  2 4 c

What PopTorch refuses, and what this poptorch does not have:

  $ cat > refused.py <<'Y'
  > import poptorch
  > from said import said
  > o = poptorch.Options()
  > said(o.toDict)
  > said(o.deviceIterations, 0)
  > said(o.replicationFactor, "2")
  > said(o.Training.gradientAccumulation, -1)
  > said(o.Training.accumulationAndReplicationReductionType, 1)
  > said(o.outputMode, poptorch.OutputMode.EveryN)
  > said(o.outputMode, 2)
  > said(o.TensorLocations.numIOTiles, 33)
  > said(o.TensorLocations.setWeightLocation, {})
  > said(o.Precision.autocastEnabled, 1)
  > said(o.Precision.setPartialsType, "double")
  > said(o.Distributed.configureProcessId, 2, 2)
  > said(o.setAvailableMemoryProportion, {"0": 0.5})
  > said(o.set, nonsense=1)
  > said(lambda: o.nonsense)
  > said(poptorch.PipelinedExecution, "a", poptorch.Stage("a"))
  > said(poptorch.PipelinedExecution("a").stage, "b")
  > said(poptorch.SerialPhasedExecution)
  > said(lambda: poptorch.trainingModel)
  > said(lambda: poptorch.Optoins)
  > print(hasattr(poptorch, "inferenceModel"))
  > Y
  $ $python refused.py
  AssertionError: An output mode must be picked before serialisation
  ValueError: deviceIterations must be 1 or more, not 0
  AssertionError: Unexpected type <class 'str'> for option replication_factor. Expected <class 'int'>
  ValueError: gradientAccumulation must be 1 or more, not -1
  ValueError: accumulationAndReplicationReductionType must be set to poptorch.ReductionType.Mean or poptorch.ReductionType.Sum
  AssertionError: EveryN anchor must have output_return_period set to valid positive integer
  AssertionError: output_mode must be of type OutputMode, not int
  AssertionError: numIOTiles must be an even number between 32 and 192.
  AssertionError: location must be of type TensorLocationSettings, not dict
  ValueError: autocastEnabled must be set to either True or False
  ValueError: parameter to setPartialsType should be eithertorch.float or torch.half
  ValueError: process 2 is not one of 2 processes
  AssertionError: Available memory proportions are expected to be in a dictionary of {"IPU0": 0.5} where the 0 in IPU is the index of the IPU. Invalid key: 0
  AssertionError: Invalid option nonsense, valid options are dict_keys(['replication_factor', 'broadcast_buffers', 'device_iterations', 'log_dir', 'auto_round_num_ipus', 'anchored_tensors', 'output_mode', 'output_return_period', 'connection_type', 'sync_pattern', 'available_memory_proportion'])
  AttributeError: Invalid attribute nonsense.
  AssertionError: a associated with more than one stage
  AssertionError: Unknown block b
  AssertionError: There is currently no AutoStage for PhasedExecution, please explicitly specify the phases
  AttributeError: poptorch.trainingModel needs PyTorch, which this Python does not have: install it with `pip install torch`
  AttributeError: module 'poptorch' has no attribute 'Optoins'
  False

popdist.poptorch.Options decides what is poprun's; no IPU is needed until a
model asks for the whole:

  $ cat > popdist_options.py <<'Y'
  > import popdist.poptorch, poptorch
  > from said import said
  > o = popdist.poptorch.Options(ipus_per_replica=2)
  > assert isinstance(o, poptorch.Options)
  > print(o.Distributed.processId, o.Distributed.numProcesses, o.replication_factor)
  > for forbidden in (o.useIpuId, o.replicationFactor, o.Distributed.disable,
  >                   o.Distributed.setEnvVarNames,
  >                   o.Distributed.configureProcessId):
  >     said(forbidden, 1)
  > said(popdist.poptorch.Options, 0)
  > o.outputMode(poptorch.OutputMode.All).deviceIterations(2)
  > said(lambda: o.clone().toDict()["ipu_id"])
  > o._freeze()
  > said(lambda: o.toDict()["ipu_id"])
  > said(o.deviceIterations, 1)
  > n = popdist.poptorch.Options().outputMode(poptorch.OutputMode.All)
  > n.connectionType(poptorch.ConnectionType.Never)
  > print("ipu_id" in n.toDict())
  > n.connectionType(poptorch.ConnectionType.Always).useIpuModel(True)
  > print("ipu_id" in n.toDict())
  > Y
  $ $python popdist_options.py 2>&1 | sed 's/(state.*/(state/'
  0 1 1
  RuntimeError: Cannot call `useIpuId` with popdist.poptorch.Options: PopDist sets it for this instance
  RuntimeError: Cannot call `replicationFactor` with popdist.poptorch.Options: PopDist sets it for this instance
  RuntimeError: Cannot call `Distributed.disable` with popdist.poptorch.Options: PopDist sets it for this instance
  RuntimeError: Cannot call `Distributed.setEnvVarNames` with popdist.poptorch.Options: PopDist sets it for this instance
  RuntimeError: Cannot call `Distributed.configureProcessId` with popdist.poptorch.Options: PopDist sets it for this instance
  ValueError: ipus_per_replica must be a number, 1 or more, not 0
  DeviceError: Failed to acquire 2 IPU(s)
  No IPU detected in the system. 
  For more information use the Graphcore command-line tool `gc-monitor`.
  no partition is active; `vipu create partition NAME --size 2` makes one; with POPTORCH_IPU_MODEL=1 a PopTorch program needs no partition
  (state
  DeviceError: Failed to acquire 2 IPU(s)
  No IPU detected in the system. 
  For more information use the Graphcore command-line tool `gc-monitor`.
  no partition is active; `vipu create partition NAME --size 2` makes one; with POPTORCH_IPU_MODEL=1 a PopTorch program needs no partition
  (state
  AttributeError: Can't modify frozen Options
  False
  False
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ $python popdist_options.py | grep -v Cannot
  0 1 1
  ValueError: ipus_per_replica must be a number, 1 or more, not 0
  done: 4
  done: 4
  AttributeError: Can't modify frozen Options
  False
  False
  $ vipu remove partition p
  remove partition (p): success
  $ poprun --vipu-partition q --update-partition=yes --num-replicas 4 --num-instances 2 --launcher local --ipus-per-replica 2 --only-output-from-instance 1 $python popdist_options.py | grep -v Cannot
  [1,1]<stdout>:1 2 2
  [1,1]<stdout>:ValueError: ipus_per_replica must be a number, 1 or more, not 0
  [1,1]<stdout>:done: 4
  [1,1]<stdout>:done: 4
  [1,1]<stdout>:AttributeError: Can't modify frozen Options
  [1,1]<stdout>:False
  [1,1]<stdout>:False

Nor in an offline job, which runs on the IPU model:

  $ poprun --offline-mode=yes --num-replicas 2 --num-instances 2 --launcher local --only-output-from-instance 0 $python -c 'import popdist.poptorch, poptorch
  > o = popdist.poptorch.Options().outputMode(poptorch.OutputMode.All)
  > print("ipu_id" in o.toDict())'
  [1,0]<stdout>:False
  $ POPTORCH_IPU_MODEL=0 $python -c 'import popdist.poptorch, poptorch
  > popdist.poptorch.Options().outputMode(poptorch.OutputMode.All).toDict()' 2>&1 | grep '^ipubox.*Error:'
  ipubox_sdk.device.DeviceError: Failed to acquire 1 IPU(s)

PopART's options on any object, and its device:

  $ cat > popart_options.py <<'Y'
  > import popdist.popart, types
  > from said import said
  > opts = types.SimpleNamespace()
  > popdist.popart.configureSessionOptions(opts)
  > print(vars(opts))
  > d = popdist.popart.getDevice(connectionType="OnDemand")
  > print(d.isAttached, d.numIpus, d.id)
  > d.attach(); print(d.isAttached); d.detach(); print(d.isAttached)
  > print(popdist.popart.getDevice(2).isAttached)
  > said(popdist.popart.getDevice, connectionType="always")
  > Y
  $ poprun --vipu-partition q --update-partition=yes --num-replicas 4 --num-instances 2 --launcher local --ipus-per-replica 2 --only-output-from-instance 1 $python popart_options.py
  [1,1]<stdout>:{'enableReplicatedGraphs': True, 'replicatedGraphCount': 2, 'enableDistributedReplicatedGraphs': True, 'globalReplicaOffset': 2, 'globalReplicationFactor': 4}
  [1,1]<stdout>:False 4 4
  [1,1]<stdout>:True
  [1,1]<stdout>:False
  [1,1]<stdout>:True
  [1,1]<stdout>:ValueError: connectionType always: must be Always, OnDemand or Never
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ $python popart_options.py
  {'enableReplicatedGraphs': False, 'replicatedGraphCount': 1, 'enableDistributedReplicatedGraphs': False, 'globalReplicaOffset': 0, 'globalReplicationFactor': 1}
  False 1 0
  True
  False
  True
  ValueError: connectionType always: must be Always, OnDemand or Never
  $ mkdir real
  $ cat > real/popart.py <<'Y'
  > import enum
  > DeviceConnectionType = enum.Enum("DeviceConnectionType", "Always OnDemand Never")
  > class DeviceManager:
  >     def acquireDeviceById(self, id, connectionType):
  >         return f"the device {id} of PopART, {connectionType.name}"
  > Y
  $ PYTHONPATH=$PYTHONPATH:real $python -c 'import popart, popdist.popart
  > print(popdist.popart.getDevice(2, popart.DeviceConnectionType.OnDemand))'
  the device 4 of PopART, OnDemand

A real poptorch takes our place, and popdist.poptorch goes with it:

  $ mkdir real/poptorch
  $ cat > real/poptorch/__init__.py <<'Y'
  > from . import options
  > from .options import Options
  > import enum
  > ConnectionType = enum.IntEnum("ConnectionType", "Always OnDemand Never", start=0)
  > Y
  $ cat > real/poptorch/options.py <<'Y'
  > class _DistributedOptions:
  >     def set(self, **values): print("set", values)
  > class Options:
  >     def __init__(self):
  >         self.Distributed, self._is_frozen = _DistributedOptions(), False
  >         self.connection_type = 0
  >     def exists(self, name): return False
  >     def _unfreeze(self): print("unfreeze")
  >     def replicationFactor(self, count): print("replicationFactor", count)
  >     def useIpuId(self, id): print("useIpuId", id)
  >     def toDict(self): return "toDict"
  > Y
  $ PYTHONPATH=$PYTHONPATH:real $python -c 'import os, poptorch, popdist.poptorch
  > print(os.path.relpath(poptorch.__file__))
  > print(popdist.poptorch.Options(2).toDict())'
  real/poptorch/__init__.py
  replicationFactor 1
  set {'distributed_process_id': 0, 'num_distributed_processes': 1}
  unfreeze
  useIpuId 4
  toDict

So does a real horovod:

  $ mkdir real/horovod
  $ echo 'print("horovod of its own")' > real/horovod/__init__.py
  $ echo 'print("and its torch")' > real/horovod/torch.py
  $ PYTHONPATH=$PYTHONPATH:real $python -c 'import horovod.torch as hvd
  > print(hvd.__name__)'
  horovod of its own
  and its torch
  horovod.torch

An old Python is told so:

  $ for package in poptorch popart horovod.torch; do
  >     $python -c "import sys
  > sys.version_info = (3, 6, 0, 'final', 0)
  > import $package" 2>&1 | tail -1
  > done
  ImportError: poptorch of ipubox needs Python 3.8 or later, but this is Python 3.6
  ImportError: popart of ipubox needs Python 3.8 or later, but this is Python 3.6
  ImportError: horovod of ipubox needs Python 3.8 or later, but this is Python 3.6
