#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
poptorch's options, strategies, errors and log, which need no PyTorch.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ echo 'raise ImportError("no PyTorch")' > torch.py
  $ cat > said.py <<'Y'
  > def said(function, *arguments, **keywords):
  >     try:
  >         print("done:", function(*arguments, **keywords))
  >     except Exception as error:
  >         print(f"{type(error).__name__}: {error}")
  > Y

Values can be assigned, and are of one type; a private name cannot be made up.

  $ cat > assigned.py <<'Y'
  > import copy, pickle, poptorch
  > from said import said
  > o = poptorch.Options()
  > o.replication_factor = 4
  > o.Training.gradient_accumulation = 3
  > print(o.replication_factor, o.Training.gradient_accumulation, o._input_replicas())
  > said(setattr, o, "replication_factor", 4.0)
  > said(setattr, o, "replicas", 4)
  > said(setattr, o.Training, "_replicas", 4)
  > said(o.deviceIterations, 2.5)
  > print(o.input_replication_factor, o.exists("input_replication_factor"))
  > print(o.replicationFactor(8, 2)._input_replicas(), o.input_replication_factor)
  > said(o.replicationFactor, 8, 3)
  > print(o.replicationFactor(8)._input_replicas())
  > o.inputReplicaGrouping(4, poptorch.CommGroupType.Consecutive)
  > print(o._input_replicas(), o.input_group_size)
  > print(o.updatableNamedBuffers(["a", "b"]).updatable_named_buffers)
  > print(o.maxRepeatLogs(2).max_repeat_logs, poptorch.Options().max_repeat_logs)
  > o.appendToLocationExcludes("here")
  > print(o._source_location_excludes, poptorch.Options()._source_location_excludes)
  > print(o.sourceLocationExcludes(["there"])._source_location_excludes)
  > assert o.GraphProcessing is o.Precision and o.Popart is o._Popart
  > assert o.Popart is o.Training._popart_options
  > o._freeze()
  > said(setattr, o, "replication_factor", 1)
  > said(setattr, o.Training, "gradient_accumulation", 1)
  > said(o.setExecutionStrategy, poptorch.ShardedExecution())
  > said(o.Precision.enableStochasticRounding, True)
  > said(o.randomSeed, 3)
  > for new in (copy.deepcopy(o), o.clone()):
  >     new.deviceIterations(7).Training.setAutomaticLossScaling(True)
  >     new.Precision.enableStochasticRounding(True)
  >     assert new._Popart is new.Training._popart_options
  >     print(new.device_iterations, o.device_iterations, sorted(new._Popart.options))
  >     print(repr(new.Training)[-17:], repr(o.Training)[-16:])
  > print(pickle.loads(pickle.dumps(poptorch.Options().deviceIterations(5))).device_iterations)
  > a = {}
  > said(o.update, o.toDict() if not o.defaultOutputMode() else {"log_dir": 1})
  > Y
  $ python3 assigned.py
  4 3 4
  AssertionError: Unexpected type <class 'float'> for option replication_factor. Expected <class 'int'>
  AssertionError: Invalid option replicas, valid options are dict_keys(['replication_factor', 'broadcast_buffers', 'device_iterations', 'log_dir', 'auto_round_num_ipus', 'anchored_tensors', 'output_mode', 'output_return_period', 'connection_type', 'sync_pattern', 'available_memory_proportion'])
  AttributeError: Invalid private attribute _replicas. Valid attributes: ['_popart_options', '_warnings', '_warnings_disabled', '_is_frozen']
  AssertionError: Unexpected type <class 'float'> for option device_iterations. Expected <class 'int'>
  1 False
  2 2
  ValueError: the replication factor 8 is not a multiple of input_replication_factor 3
  8
  2 4
  ['a', 'b']
  2 4
  ['install/poptorch', 'site-packages/torch', 'site-packages/poptorch', 'here'] ['install/poptorch', 'site-packages/torch', 'site-packages/poptorch']
  ['there']
  AttributeError: Can't modify frozen Options
  AttributeError: Can't modify frozen Options
  AttributeError: Can't modify frozen Options
  AttributeError: Can't modify frozen Options
  AttributeError: Can't modify frozen Options
  7 1 ['automaticLossScalingSettings.enabled', 'enableStochasticRounding', 'instrumentWithHardwareCycleCounter', 'rearrangeAnchorsOnHost']
  _is_frozen=False) _is_frozen=True)
  7 1 ['automaticLossScalingSettings.enabled', 'enableStochasticRounding', 'instrumentWithHardwareCycleCounter', 'rearrangeAnchorsOnHost']
  _is_frozen=False) _is_frozen=True)
  5
  AssertionError: Can't merge dictionaries, they have some keys in common

Options from a file and from the environment:

  $ cat > good.conf <<'C'
  > # a comment
  >   deviceIterations(3)
  > 
  > setExecutionStrategy(poptorch.ShardedExecution())
  > Training.gradientAccumulation(options.device_iterations + 1)
  > C
  $ printf 'deviceIterations(1)\n\ndeviceIterations(\n' > open.conf
  $ printf 'deviceIterations 1)\n' > bad.conf
  $ echo 'deviceIterations("a")' > value.conf
  $ cat > loaded.py <<'Y'
  > import poptorch
  > from said import said
  > o = poptorch.Options()
  > assert o.loadFromFile("good.conf") is o
  > print(o.device_iterations, type(o._execution_strategy).__name__, o.Training.gradient_accumulation)
  > for name in ("open.conf", "bad.conf", "value.conf", "none.conf"):
  >     said(o.loadFromFile, name)
  > assert poptorch.ConfigFileError
  > Y
  $ python3 loaded.py | sed 's/: [^:]*unmatched.*/: SYNTAX/; s/: invalid syntax.*/: SYNTAX/; s/^>/|/'
  3 ShardedExecution 4
  ConfigFileError: SyntaxError at line 3 of open.conf: unexpected EOF while parsing
  | options.deviceIterations(
  ConfigFileError: SyntaxError at line 1 of bad.conf: SYNTAX
  | options.deviceIterations 1)
  AssertionError: Unexpected type <class 'str'> for option device_iterations. Expected <class 'int'>
  FileNotFoundError: [Errno 2] No such file or directory: 'none.conf'
  $ export POPTORCH_DEFAULT_OPTIONS='{"deviceIterations": 4, "Training.gradientAccumulation": 2, "outputMode": "OutputMode.All", "logDir": "a.b"}'
  $ python3 -c 'import poptorch
  > o = poptorch.Options()
  > print(o.device_iterations, o.Training.gradient_accumulation, o.output_mode, o.log_dir)'
  4 2 2 a.b
  $ for wrong in '{"outputMode": "OutputMode.Some"}' '[1' '[1]' '{"devices": 1}'; do
  >     POPTORCH_DEFAULT_OPTIONS=$wrong python3 -c 'import poptorch
  > from said import said
  > said(poptorch.Options)'
  > done
  AssertionError: POPTORCH_DEFAULT_OPTIONS: OutputMode has no member Some
  ValueError: POPTORCH_DEFAULT_OPTIONS is not a JSON object: Expecting ',' delimiter: line 1 column 3 (char 2)
  AssertionError: POPTORCH_DEFAULT_OPTIONS is not a JSON object
  AttributeError: Invalid attribute devices.
  $ unset POPTORCH_DEFAULT_OPTIONS

PopART's options are checked when a model compiles, and then logged:

  $ cat > checked.py <<'Y'
  > import popart, poptorch
  > from said import said
  > def check(key, value):
  >     o = poptorch.Options().outputMode(poptorch.OutputMode.All)
  >     o._Popart.set(key, value)
  >     poptorch.poptorch_core._validateOptions(o.toDict())
  > for value in (True, 1, 1.5, "a", ["a"], {"a": 1}, None):
  >     said(check, "nonsense", value)
  > said(check, "enableOutlining", 1)
  > said(check, "autoRecomputation", 9)
  > said(check, "dotChecks", {7})
  > for mode in popart.SyntheticDataMode:
  >     check("syntheticDataMode", int(mode))
  > check("autoRecomputation", popart.RecomputationType.RecomputeAll)
  > poptorch.setLogLevel("DEBUG")
  > check("engineOptions", {"opt.useAutoloader": "true"})
  > check("hardwareInstrumentations", [1])
  > said(check, "patterns", {"OpToIdentity": True})
  > check("logDir", "x")
  > o = poptorch.Options().outputMode(poptorch.OutputMode.All)
  > o.TensorLocations._values["location_weight"] = {"onTile": 1}
  > said(poptorch.poptorch_core._validateOptions, o.toDict())
  > Y
  $ python3 -u checked.py 2>&1 | sed 's/^\[[0-9:.]*\]/[TIME]/' | grep -e Error -e engineOptions -e Instr -e execution_mode -e warning -e output_mode -e broadcast
  Error: In unknown:0: 'poptorch_cpp_error': Unknown bool option nonsense
  Error: In unknown:0: 'poptorch_cpp_error': Unknown uint64 option nonsense
  Error: In unknown:0: 'poptorch_cpp_error': Unknown floating point option nonsense
  Error: In unknown:0: 'poptorch_cpp_error': Unknown string option nonsense
  Error: In unknown:0: 'poptorch_cpp_error': Unknown set / vector option nonsense
  Error: In unknown:0: 'poptorch_cpp_error': Unknown map option nonsense
  Error: In unknown:0: 'poptorch_cpp_error': Unknown value type <class 'NoneType'> for option nonsense
  Error: In unknown:0: 'poptorch_cpp_error': Unknown uint64 option enableOutlining
  Error: In unknown:0: 'poptorch_cpp_error': Value for RecomputationType out of range
  Error: In unknown:0: 'poptorch_cpp_error': Value for DotCheck out of range
  [TIME] [poptorch:cpp] [debug] poptorch.Options set execution_mode to value 0
  [TIME] [poptorch:cpp] [debug] poptorch.Options set engineOptions[opt.useAutoloader] to true
  [TIME] [poptorch:cpp] [debug] poptorch.Options set broadcast_buffers to value true
  [TIME] [poptorch:cpp] [debug] poptorch.Options set output_mode to value 2
  [TIME] [poptorch:cpp] [debug] poptorch.Options set execution_mode to value 0
  [TIME] [poptorch:cpp] [debug] poptorch.Options added 1 to hardwareInstrumentations
  [TIME] [poptorch:cpp] [debug] poptorch.Options set broadcast_buffers to value true
  [TIME] [poptorch:cpp] [debug] poptorch.Options set output_mode to value 2
  Error: In unknown:0: 'poptorch_cpp_error': PopART option 'patterns' should not be set without first setting 'patterns_level'.
  [TIME] [poptorch:cpp] [warning] Ignoring call to poptorch.Options._Popart.set("logDir",...): use poptorch.Options.logDir() instead
  [TIME] [poptorch:cpp] [debug] poptorch.Options set execution_mode to value 0
  [TIME] [poptorch:cpp] [debug] poptorch.Options set broadcast_buffers to value true
  [TIME] [poptorch:cpp] [debug] poptorch.Options set output_mode to value 2
  Error: In unknown:0: 'poptorch_cpp_error': Unknown option 'onTile' for tensor location location_weight
  $ python3 -c 'import popart
  > from said import said
  > print(int(popart.MergeVarUpdateType.AutoTight), popart.VirtualGraphMode.ExecutionPhases.value)
  > said(lambda: popart.Builder)
  > print(hasattr(popart, "DeviceManager"))'
  3 3
  AttributeError: popart.Builder belongs to Graphcore's PopART; the popart of ipubox has only the enums that poptorch.Options._Popart takes; install Graphcore's PopART for the rest
  False

Where the blocks of a model are, by each strategy:

  $ cat > placed.py <<'Y'
  > import poptorch
  > from poptorch import execution
  > from said import said
  > def show(strategy, *blocks):
  >     print([tuple(one) for one in strategy.place(iter(blocks))])
  > S = poptorch.Stage
  > show(poptorch.PipelinedExecution(), ("a", 0), ("b", 2), ("a", None), (None, 1))
  > said(show, poptorch.PipelinedExecution(), ("a", None))
  > auto = poptorch.PipelinedExecution(poptorch.AutoStage.AutoIncrement)
  > show(auto, ("a", None), (None, None), ("a", None), (None, None), ("c", 1))
  > show(auto)
  > said(auto.place_outside, auto.place([("a", 0)])[0])
  > print(tuple(auto.place_outside(None)))
  > given = poptorch.ShardedExecution(S("a", "b").ipu(3), "c", ["d", "e"])
  > show(given, ("a", None), ("b", 1), ("c", None), ("d", 0), ("e", None))
  > said(given.place_outside, given.place([("a", 0)])[0])
  > said(show, given, ("f", 0))
  > said(show, given, (None, 0))
  > phased = poptorch.ParallelPhasedExecution([S("a").ipu(0), S("b").ipu(2)], poptorch.Phase("c"))
  > show(phased, ("a", None), ("b", None), ("c", 1))
  > print(tuple(phased.place_outside(None)), phased.phase(0).stage(1).blocks)
  > said(phased.phase, -1)
  > said(phased.phase(0).ipus, 1)
  > said(poptorch.Phase, "a", S("b"))
  > said(poptorch.SerialPhasedExecution, poptorch.AutoStage.SameAsIpu)
  > assert poptorch.SerialPhasedExecution([poptorch.Phase("a"), ["b"]]).phase(1).stage(0).blocks[0] == "b"
  > said(S, "a", 1)
  > def batches(training, *ipus, accumulation=1, iterations=1, kind=poptorch.PipelinedExecution):
  >     o = poptorch.Options().setExecutionStrategy(kind()).deviceIterations(iterations)
  >     o.Training.gradientAccumulation(accumulation)
  >     execution.check_pipeline(o, kind().place([(None, ipu) for ipu in ipus]), training)
  > said(batches, True, 0, 0, 1, accumulation=2)
  > said(batches, True, 0, 0, 1, accumulation=3)
  > said(batches, True, 0, 1, kind=poptorch.ShardedExecution)
  > said(batches, False, 0, 1, 0, iterations=2)
  > said(batches, False, 0, 1, 0, iterations=3)
  > said(batches, True)
  > print(execution.used_ipus([]), execution.used_ipus(given.place([("c", 0), ("a", 0)])))
  > Y
  $ python3 placed.py
  [('a', 0, -1, 0), ('b', 2, -1, 2), ('a', 0, -1, 0), ('0', 1, -1, 1)]
  AssertionError: poptorch.AutoStage.SameAsIpu was selected but no IPU was specified for block a
  [('a', 0, -1, 0), ('0', 1, -1, 1), ('a', 0, -1, 0), ('1', 2, -1, 2), ('c', 3, -1, 1)]
  []
  Error: In unknown:0: 'poptorch_cpp_error': No active Block, all the ops must belong to a Block
  (None, 0, -1, 0)
  [('a', 0, -1, 3), ('b', 0, -1, 3), ('c', 1, -1, 1), ('d', 2, -1, 0), ('e', 2, -1, 2)]
  Error: In unknown:0: 'poptorch_cpp_error': No active Block, all the ops must belong to a Block
  AssertionError: Unknown Block 'f' list of expected Blocks: ['a', 'b', 'c', 'd', 'e']
  AssertionError: Unknown Block '0' list of expected Blocks: ['a', 'b', 'c', 'd', 'e']
  [('a', 0, 0, 0), ('b', 1, 0, 2), ('c', 0, 1, 1)]
  (None, 0, 0, 0) ('b',)
  AssertionError: Phases are identified by positive integers
  AssertionError: Phase contains 2 stages but you provided 1 ipus
  AssertionError: All arguments must either be block IDs (strings) or Stages: [<class 'str'>, <class 'poptorch.execution.Stage'>]
  AssertionError: There is currently no AutoStage for PhasedExecution, please explicitly specify the phases
  AssertionError: Block IDs are supposed to be strings but got ('a', 1)
  Error: In unknown:0: 'poptorch_cpp_error': poptorch.Options().Training.gradientAccumulation must be greater than or equal to the number of pipeline stages (3) when using poptorch.PipelinedExecution. Please note that a model with 2 pipeline stages in PopTorch will have an additional 1 stages when training.
  done: None
  done: None
  Error: In unknown:0: 'poptorch_cpp_error': poptorch.Options().deviceIterations must be greater than or equal to the number of pipeline stages (3) when using PopTorch.PipelinedExecution.
  done: None
  done: None
  [0] [0, 3]
  $ POPTORCH_LOG_LEVEL=DEBUG python3 -c 'import poptorch
  > poptorch.PipelinedExecution("a", poptorch.Stage("b").ipu(3)).place([("a", None), ("b", 1)])' 2>&1 | sed 's/^\[[0-9:.]*\]/[TIME]/' | grep -v 'set to value'
  [TIME] [poptorch::python] [debug] block a added to stage 0 on IPU 0
  [TIME] [poptorch::python] [debug] block b added to stage 1 on IPU 3
  [TIME] [poptorch::python] [debug] No IPU specified for block a: default to stage_id 0
  [TIME] [poptorch::python] [debug] Starting block id=a stage=0 phase=-1 ipu=0
  [TIME] [poptorch::python] [debug] Starting block id=b stage=1 phase=-1 ipu=3

Errors, and what ends a program:

  $ cat > failed.py <<'Y'
  > import pickle, poptorch
  > from said import said
  > from poptorch import poptorch_core as core, _impl
  > for kind in core.TestErrorType:
  >     try:
  >         core._throwTestError(kind)
  >     except poptorch.Error as error:
  >         assert isinstance(error, RuntimeError)
  >         assert str(error).startswith(f"In unknown:0: '{error.type}': {error.message}\n")
  >         assert "throwTestError::topLevel" in error.location
  >         copy = pickle.loads(pickle.dumps(error))
  >         assert (str(copy), vars(copy)) == (str(error), vars(error))
  >         print(type(error).__name__, error.type, getattr(error, "recovery_action", ""))
  > made = _impl.create_compiler_error("text", ("inner", "outer"))
  > print(made, made.location, sep="\n")
  > made = poptorch.createPoptorchError("text")
  > print(made, made.type, made.message, repr(made.location))
  > said(core.compileWithTrace, 1)
  > said(lambda: core.nothing)
  > said(poptorch.enableEagerMode)
  > said(poptorch.ipuHardwareVersion)
  > core.set_hardware_version_source(lambda ipus: 21)
  > print(poptorch.ipuHardwareVersion(), poptorch.hasMLIRSupportOnPlatform())
  > print(poptorch.isRunningOnIpu(), _impl.isDispatchTracing())
  > with _impl.running_on_ipu():
  >     print(poptorch.isRunningOnIpu(), _impl.isDispatchTracing())
  >     said(poptorch.autocast(enabled=False)(lambda: 3))
  >     said(poptorch.autocast()(lambda: 3))
  > print(poptorch.isRunningOnIpu())
  > said(poptorch.autocast()(lambda: 3))
  > said(lambda: poptorch.registerCustomArgParser)
  > print(poptorch.Options().Precision.autocast_policy_dict)
  > raise made
  > Y
  $ python3 failed.py 2> errors
  Error poptorch_cpp_error 
  Error popart_exception 
  Error popart_internal_exception 
  Error poplibs_exception 
  UnrecoverableError poplar_unrecoverable_runtime_error 
  Error poplar_unknown_runtime_error 
  RecoverableError poplar_recoverable_runtime_error FULL_RESET
  Error poplar_link_error 
  In unknown:0: 'poptorch_cpp_error': text
  Error raised in:
    [0] inner
    [1] outer
    [0] inner
    [1] outer
  'poptorch_py_error': text poptorch_py_error text ''
  Error: poptorch_core.compileWithTrace belongs to the compiler of Graphcore's PopTorch, which ipubox does not have; run models with poptorch.inferenceModel and poptorch.trainingModel
  AttributeError: module 'poptorch.poptorch_core' has no attribute 'nothing'
  Error: poptorch_core.enableEagerMode belongs to the compiler of Graphcore's PopTorch, which ipubox does not have; run models with poptorch.inferenceModel and poptorch.trainingModel
  AssertionError: No IPU hardware available on this system
  21 False
  False False
  True True
  done: 3
  done: 3
  False
  done: 3
  AttributeError: poptorch.registerCustomArgParser needs PyTorch, which this Python does not have: install it with `pip install torch`
  {'fp16': [], 'fp32': [], 'promote': [], 'demote': []}
  [1]
  $ sed 's/^\[[0-9:.]*\]/[TIME]/; /^ /d' errors
  [TIME] [poptorch::python] [critical] poptorch.poptorch_core.Error: 'poptorch_py_error': text
  Traceback (most recent call last):
  poptorch.poptorch_core.Error: 'poptorch_py_error': text
  

The log: levels by number and by word, and where the compiler's lines go.

  $ cat > logged.py <<'Y'
  > import poptorch
  > from poptorch import _logging
  > from said import said
  > for level in (7, "LOUD", True):
  >     said(poptorch.setLogLevel, level)
  > for level in ("TRACE", 1, "WARN", 6):
  >     poptorch.setLogLevel(level)
  >     for word in ("debug", "warning"):
  >         getattr(poptorch.logger, word)("%s at %s", word, level)
  >         _logging.compiler_log(word, f"{word} at {level}")
  > poptorch.setLogLevel("INFO")
  > options = poptorch.Options().outputMode(poptorch.OutputMode.All)
  > poptorch.poptorch_core._validateOptions(options.maxRepeatLogs(2).toDict())
  > for _ in range(4):
  >     _logging.compiler_log("info", "again")
  > Y
  $ python3 -u logged.py 2>&1 | sed 's/^\[[0-9:.]*\]/[TIME]/'
  ValueError: Invalid log level integer
  ValueError: Unknown log level: LOUD. Valid values are DEBUG, ERR, INFO, OFF, TRACE and WARN
  ValueError: Unknown log level: True. Valid values are DEBUG, ERR, INFO, OFF, TRACE and WARN
  [TIME] [poptorch::python] [debug] debug at TRACE
  [TIME] [poptorch:cpp] [debug] debug at TRACE
  [TIME] [poptorch::python] [warning] warning at TRACE
  [TIME] [poptorch:cpp] [warning] warning at TRACE
  [TIME] [poptorch::python] [debug] debug at 1
  [TIME] [poptorch:cpp] [debug] debug at 1
  [TIME] [poptorch::python] [warning] warning at 1
  [TIME] [poptorch:cpp] [warning] warning at 1
  [TIME] [poptorch::python] [warning] warning at WARN
  [TIME] [poptorch:cpp] [warning] warning at WARN
  [TIME] [poptorch:cpp] [info] again
  [TIME] [poptorch:cpp] [info] again
  $ POPTORCH_LOG_DEST=file python3 logged.py 2>/dev/null >/dev/null; wc -l < file
  7
  $ POPTORCH_LOG_LEVEL=OFF python3 -c 'import poptorch, subprocess; subprocess.run(["sh", "-c", "echo why >&2; exit 3"], stderr=subprocess.PIPE, check=True)' 2>&1 | sed -n '1s/.*\[critical\]//p;/^why/p'
   subprocess.CalledProcessError: Command '['sh', '-c', 'echo why >&2; exit 3']' returned non-zero exit status 3.
  why
  $ POPTORCH_LOG_LEVEL=ERR python3 -c 'import poptorch; poptorch.logger.warning("w"); poptorch.logger.error("e")' 2>&1 | cut -d' ' -f2-
  [poptorch::python] [error] e

A channel writes what it was told only where PVTI_OPTIONS asks for it:

  $ cat > channel.py <<'Y'
  > import poptorch
  > class Worker:
  >     def work(self, value):
  >         return value + 1
  > channel = poptorch.profiling.Channel("mine")
  > worker = channel.instrument(Worker(), "work")
  > with channel.tracepoint("all"):
  >     print(worker.work(1))
  > Y
  $ python3 channel.py
  2
  $ PVTI_OPTIONS='{"enable":"true","directory":"reports"}' python3 channel.py
  2
  $ ls reports | sed 's/[0-9][0-9]*/PID/'
  poptorch_PID.json
  $ python3 -c 'import glob, json
  > for event in json.load(open(glob.glob("reports/*")[0]))["traceEvents"]:
  >     print(event["name"], event["cat"], event["ph"], event["dur"] >= 0)'
  work mine X True
  all mine X True
