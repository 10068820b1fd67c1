#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
poptorch with PyTorch, without a model that runs: what options look like, the
arguments of a call, structures of tensors.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ cat > said.py <<'Y'
  > def said(function, *arguments, **keywords):
  >     try:
  >         print("done:", function(*arguments, **keywords))
  >     except Exception as error:
  >         print(f"{type(error).__name__}: {error}")
  > Y

Options as Graphcore's tutorial of pipelining shows them:

  $ python3 -c 'import poptorch
  > o = poptorch.Options()
  > o.deviceIterations(10)
  > o.TensorLocations.setOptimizerLocation(
  >     poptorch.TensorLocationSettings().useOnChipStorage(False))
  > o.Training.gradientAccumulation(10)
  > print(o.outputMode(poptorch.OutputMode.All))' | sed 's/0x[0-9a-f]*/ADDRESS/'
  replication_factor=1Options(, broadcast_buffers=TrueOptions(, device_iterations=10Options(, log_dir='.'Options(, auto_round_num_ipus=FalseOptions(, anchored_tensors={}Options(, output_mode=2Options(, output_return_period=1Options(, connection_type=0Options(, sync_pattern=0Options(, available_memory_proportion={}Distributed=_DistributedOptions(num_distributed_processes=1, distributed_process_id=0, ipuof_configs={}, _gcd_mappings={}, _warnings={}, _warnings_disabled=set(), _is_frozen=False), , Jit=_JitOptions(trace_model=False, _warnings={}, _warnings_disabled=set(), _is_frozen=False), , Precision=_PrecisionOptions(autocast_enabled=True, autocast_policy=<poptorch.autocasting.Policy object at ADDRESS>, autocast_policy_dict={'fp16': ['addbmm', 'addmm', 'addmv', 'addr', 'baddbmm', 'bmm', 'at', 'conv1d', 'conv2d', 'conv3d', 'conv_tbc', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d', 'convolution', 'matmul', 'mm', 'mv'], 'fp32': [], 'promote': ['addcdiv', 'addcmul', 'atan2', 'bilinear', 'cat', 'cross', 'dot', 'equal', 'index_put', 'stack', 'at'], 'demote': []}, half_float_casting=<HalfFloatCastingBehavior.Default: 2>, _popart_options=_PopartOptions(instrumentWithHardwareCycleCounter=False, rearrangeAnchorsOnHost=False), _warnings={}, _warnings_disabled=set(), _is_frozen=False), , TensorLocations=_TensorLocationOptions(location_optimizer={'onChip': 0}, _warnings={}, _warnings_disabled=set(), _is_frozen=False), , Training=_TrainingOptions(gradient_accumulation=10, accumulation_and_replication_reduction_type=<ReductionType.Mean: 1>, meanAccumulationAndReplicationReductionStrategy=<MeanReductionStrategy.Post: 1>, _popart_options=_PopartOptions(instrumentWithHardwareCycleCounter=False, rearrangeAnchorsOnHost=False), _warnings={}, _warnings_disabled=set(), _is_frozen=False), , _Popart=_PopartOptions(instrumentWithHardwareCycleCounter=False, rearrangeAnchorsOnHost=False))
  $ python3 -c 'import torch, poptorch
  > from said import said
  > o = poptorch.Options()
  > half = poptorch.autocasting.Policy(fp16=[torch.nn.Linear, torch.add], promote=[torch.nn.Sequential])
  > o.Precision.autocastPolicy(half)
  > print(o.Precision.autocast_policy_dict)
  > said(o.Precision.autocastPolicy, 1)
  > model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Linear(1, 1))
  > model[0].autocast()
  > half.apply(model, o)
  > print(model[0].weight.dtype, model[1].weight.dtype)
  > o.Precision.setPartialsType(torch.half)
  > print(o._Popart.options["partialsTypeMatMuls"], o._Popart.options["convolutionOptions"])
  > torch.manual_seed(1); first = torch.rand(1)
  > o.randomSeed(1)
  > print(torch.equal(first, torch.rand(1)), o.random_seed)'
  {'fp16': ['add'], 'fp32': [], 'promote': [], 'demote': []}
  ValueError: autocastPolicy must be set to an instance ofpoptorch.autocasting.Policy
  torch.float16 torch.float32
  half {'partialsType': 'half'}
  True 1

What the compiler sets from a strategy and blocks, and PopTorch's rules for phases:

  $ cat > set.py <<'Y'
  > import poptorch
  > from poptorch import _execution_log as log, enums
  > from said import said
  > def settings(strategy, training, *blocks):
  >     o = poptorch.Options().setExecutionStrategy(strategy).outputMode(enums.OutputMode.All)
  >     o._Popart.set("constantWeights", True)
  >     o.Training.gradientAccumulation(3)
  >     log.log_settings(o, strategy.place(blocks), training)
  > poptorch.setLogLevel("DEBUG")
  > two = (("a", 0), ("b", 1))
  > settings(poptorch.PipelinedExecution("a", "b"), True, *two)
  > settings(poptorch.ShardedExecution("a", "b"), False, ("a", 0))
  > poptorch.setLogLevel("OFF")
  > def phases(change, kind=poptorch.SerialPhasedExecution):
  >     strategy = change(kind("a", "b"))
  >     o = poptorch.Options().setExecutionStrategy(strategy)
  >     print(dict(log._settings(o, strategy.place(two), True))["executionPhaseSettings.phases"])
  >     return strategy
  > serial = phases(lambda each: each)
  > phases(lambda each: each.useSeparateBackwardPhase())
  > phases(lambda each: each.setTensorsLiveness(enums.Liveness.OffChipAfterEachPhase))
  > parallel = phases(lambda each: each.sendTensorsOffChipAfterFwd(), poptorch.ParallelPhasedExecution)
  > print([place.ipu for place in parallel.place([("a", None), ("b", None)])])
  > said(log.check_phases, parallel, parallel.place([("a", 0), ("b", 2)]))
  > said(log.check_phases, serial, serial.place([("a", 0), ("b", 2)]))
  > Y
  $ python3 set.py 2>&1 | sed 's/^.*\[debug\] //' | grep -v '^block\|^Starting'
  engineOptions[debug.retainDebugInformation] set to value false
  enablePipelining set to value 1
  autoRecomputation set to value Pipeline
  enableLoadAndOffloadRNGState set to value 1
  virtualGraphMode set to value Manual
  enableDistributedReplicatedGraphs set to value 0
  globalReplicationFactor set to value 1
  globalReplicaOffset set to value 0
  enableReplicatedGraphs set to value 0
  enableGradientAccumulation set to value 1
  engineOptions[debug.retainDebugInformation] set to value false
  enablePipelining set to value 0
  enableLoadAndOffloadRNGState set to value 1
  virtualGraphMode set to value Auto
  enableDistributedReplicatedGraphs set to value 0
  globalReplicationFactor set to value 1
  globalReplicaOffset set to value 0
  enableReplicatedGraphs set to value 0
  enableGradientAccumulation set to value 0
  2
  3
  8
  5
  [0, 1]
  Error: In unknown:0: 'poptorch_cpp_error': When phases are executed in parallel: even phases must run on even IPUs and odd phases on odd IPUs
  done: None

The arguments of a call, and what a model that is compiled refuses:

  $ cat > called.py <<'Y'
  > import torch, poptorch
  > from collections import namedtuple
  > from poptorch._args_parser import ArgsParser
  > from said import said
  > a, b, c = torch.zeros(2), torch.ones(3), torch.zeros(2, dtype=torch.int32)
  > def plain(x, y=None, z=5): pass
  > def many(x, *args, named=1, **kwargs): pass
  > class Model(torch.nn.Module):
  >     def forward(self, x, y): pass
  > def shapes(args): return [tuple(t.shape) for t in args.tensors()]
  > p = ArgsParser(plain)
  > one = p((a,), {"z": 7})
  > print(len(one.args), one.args[1:], one.arg_names, one.kwargs)
  > said(p, (), {})
  > said(p, (a, b, c, a), {})
  > said(p, (a,), {"q": 1})
  > said(p, (a,), {"x": b})
  > said(ArgsParser, 3)
  > said(ArgsParser(Model()), (a,), {})
  > m = ArgsParser(many)
  > two = m((a, b, c), {"named": b, "extra": a})
  > print(two.arg_names, list(two.kwargs), shapes(two))
  > args, kwargs = two.rebuild([t + 1 for t in two.tensors()])
  > print([t.tolist() for t in args], {k: t.tolist() for k, t in kwargs.items()})
  > Pair = namedtuple("Pair", "left right")
  > nest = ({"k": a, "j": [b, 1]}, Pair(a, (c, "s")))
  > three = p((nest,), {})
  > print(shapes(three))
  > turned = p((({"j": [b, 1], "k": a}, nest[1]),), {})
  > print(shapes(turned), [tuple(t.shape) for t in turned.tensors(three)])
  > three.validate(turned)
  > (got, y, z), _ = three.rebuild(iter("abcd"))
  > print(got, y, z)
  > # A dictionary, and a tensor that is not contiguous, are said once each.
  > strided = torch.zeros(4, 4)[:, :2]
  > for _ in range(2):
  >     print(p((strided, [strided]), {}).args[1][0].is_contiguous())
  > def differs(first, second, parser=p):
  >     try:
  >         parser(*first).validate(parser(*second))
  >         print("fits")
  >     except poptorch.Error as error:
  >         assert error.message.endswith("try again.")
  >         print(error.message.split("\n")[0])
  > end = "This error occurred because the inputs passed at runtime don't match the inputs used to compile the model.\nTo recompile the model for the new inputs create a new inferenceModel / trainingModel wrapper or call destroy() on the curent one and try again."
  > try:
  >     p((a,), {}).validate(p((b,), {}))
  > except poptorch.Error as error:
  >     print(str(error) == "'poptorch_py_error': Shape mismatch for x: expected torch.Size([2]) but got torch.Size([3]).\n" + end)
  > differs(((a,), {}), ((a,), {}))
  > differs(((a,), {}), ((c,), {}))
  > differs(((a,), {}), ((3,), {}))
  > differs(((a, 3), {}), ((a, 4), {}))
  > differs(((a, [b, 3]), {}), ((a, [b, 4]), {}))
  > differs(((a, [b, 3]), {}), ((a, [b]), {}))
  > differs((((a, (b, a)),), {}), (((a, (b, b)),), {}))
  > differs((({"k": a, "j": b},), {}), (({"k": a, "l": b, "m": b},), {}))
  > differs((({"k": a},), {}), (({"k": b},), {}))
  > differs(((a, b), {}), ((a, c), {}), m)
  > differs(((a, b), {}), ((a,), {}), m)
  > differs(((a,), {"q": b}), ((a,), {"r": b}), m)
  > differs(((a,), {"q": b}), ((a,), {"q": c}), m)
  > class Sub(ArgsParser):
  >     def __init__(self):
  >         self._has_variadic_arguments = True
  >         self._varnames = ["x"]
  >         self._defaults = {}
  >         self._warned_not_contiguous_input = False
  > print(Sub()((a, b), {"k": c}).arg_names, shapes(Sub()((a, b), {"k": c})))
  > print(ArgsParser(torch.nn.functional.logsigmoid)((a,), {}).arg_names)
  > Y
  $ python3 -u called.py 2>&1 | sed 's/^\[[0-9:.]*\]/[TIME]/'
  3 [None, 7] ['x', 'y', 'z'] {}
  Error: 'poptorch_py_error': Mandatory parameter x missing
  AssertionError: Too many arguments provided: expected ['x', 'y', 'z'] (3) but got 4
  AssertionError: q is not a valid parameter.Allowed values are ['x', 'y', 'z']
  AssertionError: Parameter x was passed more than once
  TypeError: Expected a torch.nn.Module or a callable
  Error: 'poptorch_py_error': Mandatory parameter y missing
  ['x', '*args[0]', '*args[1]'] ['named', 'extra'] [(2,), (3,), (2,), (3,), (2,)]
  [[1.0, 1.0], [2.0, 2.0, 2.0], [1, 1]] {'named': [2.0, 2.0, 2.0], 'extra': [1.0, 1.0]}
  [(2,), (3,), (2,), (2,)]
  [(3,), (2,), (2,), (2,)] [(2,), (3,), (2,), (2,)]
  ({'k': 'a', 'j': ['b', 1]}, Pair(left='c', right=('d', 's'))) None 5
  [TIME] [poptorch::python] [warning] At least one input tensor is not contiguous: non-contiguous tensors will be converted.
  True
  True
  True
  fits
  Data type mismatch for x: expected torch.float32 but got torch.int32.
  Type mismatch for x: expected <class 'torch.Tensor'> but got <class 'int'>.
  Value mismatch for y: expected 3 but got 4.
  Value mismatch for y[1]: expected 3 but got 4.
  Length mismatch for y: expected 2 elements but got 1.
  Shape mismatch for x[1][1]: expected torch.Size([2]) but got torch.Size([3]).
  [TIME] [poptorch::python] [warning] Dicts as inputs only have partial support, they can be accessed using literal keys, but full Python functionality is not enabled. Consider changing dict inputs to tuple.
  Keys mismatch for x: Unexpected arguments: l, m. Missing arguments: j.
  Shape mismatch for x[k]: expected torch.Size([2]) but got torch.Size([3]).
  Data type mismatch for *args[0]: expected torch.float32 but got torch.int32.
  Number of positional arguments mismatch: expected 2 arguments but got 1.
  Keys mismatch for named arguments: Unexpected arguments: r. Missing arguments: q.
  Data type mismatch for q: expected torch.float32 but got torch.int32.
  ['x', '*args[0]'] [(2,), (3,), (2,)]
  ['*args[0]']

A type of one's own, whose tensors a parser finds; attributes of operations;
what poptorch.experimental refuses:

  $ cat > own.py <<'Y'
  > import torch, poptorch
  > from poptorch import _impl, _utils
  > from poptorch._args_parser import ArgsParser
  > from said import said
  > class Graph:
  >     def __init__(self, nodes, edges): self.nodes, self.edges = nodes, edges
  > class GraphParser(poptorch.ICustomArgParser):
  >     def yieldTensors(self, struct):
  >         yield struct.nodes
  >         yield struct.edges
  >     def reconstruct(self, original_structure, tensor_iterator):
  >         return Graph(next(tensor_iterator), next(tensor_iterator))
  > said(poptorch.registerCustomArgParser, Graph, 3)
  > print(sorted(poptorch.ICustomArgParser.__abstractmethods__))
  > poptorch.registerCustomArgParser(Graph, GraphParser())
  > parser = ArgsParser(lambda g, x: None)
  > first = parser((Graph(torch.zeros(3), torch.zeros(2)), torch.ones(1)), {})
  > print([len(t) for t in first.tensors()])
  > (graph, x), _ = first.rebuild("abc")
  > print(graph.nodes, graph.edges, x)
  > said(first.validate, parser((Graph(torch.zeros(3), torch.zeros(2)), torch.ones(1)), {}))
  > try:
  >     first.validate(parser((Graph(torch.zeros(3), torch.zeros(1)), torch.ones(1)), {}))
  > except poptorch.Error as error:
  >     print(error.message.split("\n")[0])
  > poptorch.registerCustomArgParser(Graph, None)
  > print(_utils.flattenTensorStructure([Graph(torch.zeros(3), 1)]))
  > print(_utils.reconstructTensorStructure((1, [2, {"k": 3}]), iter("abc"), lambda node: isinstance(node, int)))
  > poptorch.attributes_lists.append({"alpha": 0.5})
  > print(poptorch.accessAttributes("0"), poptorch.accessAttributes("-1"))
  > said(poptorch.accessAttributes, "1")
  > layer = torch.nn.Linear(1, 1)
  > seen = []
  > hook = _impl.NameScopeHook("layer", layer)
  > layer.register_forward_pre_hook(lambda *_: seen.append(list(_impl.name_scopes)))
  > layer(torch.ones(1))
  > with _impl.running_on_ipu():
  >     layer(torch.ones(1))
  > print(seen, _impl.name_scopes)
  > Wrapped = _impl.mark_wrapped(type("PoptorchLinear", (torch.nn.Linear,), {}))
  > print(_impl.isWrapped(layer), _impl.isWrapped(Wrapped(1, 1)))
  > said(poptorch.experimental.IPUScope, 3)
  > said(poptorch.experimental.IPUScope, [3])
  > said(poptorch.experimental.IPUScope, [torch.ones(1)])
  > Y
  $ python3 own.py
  Error: 'poptorch_py_error': arg_parser must inherit from ICustomArgParser
  ['reconstruct', 'yieldTensors']
  [3, 2, 1]
  a b c
  done: None
  Shape mismatch for g[1]: expected torch.Size([2]) but got torch.Size([1]).
  []
  ('a', ['b', {'k': 'c'}])
  {'alpha': 0.5} {}
  ValueError: There are no attributes 1
  [[], ['layer']] []
  False True
  ValueError: You can only pass a list or tuple as the inputs argument to IPUScope.
  ValueError: You can only pass torch.Tensors as inputs to IPUScope.
  Error: 'poptorch_py_error': poptorch.experimental.IPUScope exists neither in newer releases of PopTorch nor in ipubox; make the region a function and pass it to poptorch.inferenceModel.
