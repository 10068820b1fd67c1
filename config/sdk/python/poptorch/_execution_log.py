"""What PopTorch's compiler sets from a strategy and the blocks of a model: its
rules for phases, and the lines that it logs."""

from . import _impl, enums
from ._logging import compiler_log, is_logged
from ._popart_ir import element_type, named_operations, popart_type
from .execution import used_ipus

# What PyTorch's graphs call a type that PopART calls so.
_TYPES = {"FLOAT": "Float", "FLOAT16": "Half", "INT32": "Int",
          "INT16": "Short", "INT8": "Char", "UINT8": "Byte", "BOOL": "Bool"}

# So many phases of PopART's is each of PopTorch's, where tensors leave the
# chip between them.
_FACTORS = {enums.Liveness.OffChipAfterEachPhase: 4,
            enums.Liveness.OffChipAfterFwdNoOverlap: 2}


def active_phase(strategy, placement):
    """The number of the phase in PopART."""
    return placement.phase * _FACTORS.get(strategy._liveness, 1)


def check_phases(strategy, placements):
    """Raise PopTorch's error where phases are on the wrong IPUs."""
    if not strategy._is_phased():
        return
    serial = strategy.backendOptions()["serial_phases_execution"]
    for placement in placements:
        if not serial and (placement.phase - placement.ipu) % 2:
            raise _impl.create_compiler_error(
                "When phases are executed in parallel: even phases must run "
                "on even IPUs and odd phases on odd IPUs")


def _settings(options, placements, training):
    """(name, value) of what the compiler sets, in its order."""
    strategy = options._execution_strategy
    is_pipelined = strategy.backendOptions().get("execution_mode") == 0
    several = len(used_ipus(placements)) > 1
    yield "engineOptions[debug.retainDebugInformation]", "false"
    yield "enablePipelining", int(is_pipelined and several)
    if is_pipelined and several:
        yield "autoRecomputation", "Pipeline"
    mode = "Manual" if several else "Auto"
    if strategy._is_phased():
        mode = "ExecutionPhases"
        yield from _phases(strategy, placements)
    yield "enableLoadAndOffloadRNGState", 1
    yield "virtualGraphMode", mode
    distributed, replicas = options.Distributed, options.replication_factor
    yield ("enableDistributedReplicatedGraphs",
           int(distributed.numProcesses > 1))
    yield "globalReplicationFactor", distributed.numProcesses * replicas
    yield "globalReplicaOffset", distributed.processId * replicas
    yield "enableReplicatedGraphs", int(replicas > 1)
    yield "constantWeights", 0
    yield ("enableGradientAccumulation",
           int(training and options.Training.gradient_accumulation > 1))


def _phases(strategy, placements):
    phases = 1 + max((active_phase(strategy, each) for each in placements),
                     default=0)
    if strategy._liveness != enums.Liveness.AlwaysLive:
        phases += 3             # a tensor is live through two more
    elif strategy._separate_backward_phase:
        phases += 1
    serial = strategy.backendOptions()["serial_phases_execution"]
    yield "executionPhaseSettings.phases", phases
    yield "executionPhaseSettings.stages", 1 if serial else 2
    for name in ("activation", "weight", "optimizer", "accumulator"):
        yield f"location_{name}", "useOnChipStorage(False)"


def log_settings(options, placements, training):
    """Write the lines of what is set, unless the program has set it."""
    given = options.toDict()
    engine = given.get("engineOptions", {})
    for name, value in _settings(options, placements, training):
        if name in given or name[len("engineOptions["):-1] in engine:
            continue
        compiler_log("debug", f"{name} set to value {value}")


def log_lowered(graph, options, placements):
    """Write a line for each operation: what it is, and where it runs."""
    if not is_logged("debug"):
        return
    compiler_log("debug", "Graph lowered to Popart {")
    made = 0
    places = dict(zip(map(id, graph.nodes), placements))
    for node, operation, name in named_operations(graph):
        where = _place_in_words(options._execution_strategy,
                                places[id(node)])
        values = ", ".join(
            f"%{made + index} : {_of_pytorch(*each)}"
            for index, each in enumerate(operation.outputs))
        shapes = ", ".join(_of_popart(*each) for each in operation.outputs)
        made += len(operation.outputs)
        compiler_log("debug", (
            f"{values} = popart::{popart_type(operation).lower()}() was "
            f"lowered to {name} [{shapes},{where}]"))
    compiler_log("debug", "}")


def _of_pytorch(shape, dtype):
    kind = _TYPES.get(element_type(dtype), "Tensor")
    extents = "".join(f"{extent}, " for extent in shape)
    return f"{kind}({extents}requires_grad=0, device=ipu:0)"


def _of_popart(shape, dtype):
    return f"{element_type(dtype)}({', '.join(map(str, shape))})"


def _place_in_words(strategy, placement):
    if strategy._is_phased():
        return (f" mode(Phased), ipu({placement.ipu}), "
                f"phase({active_phase(strategy, placement)})")
    mode = "Pipelined" if strategy.backendOptions()["execution_mode"] == 0 \
        else "Sharded"
    return f" mode({mode}), ipu({placement.ipu}), stage({placement.stage})"
