"""The outline of a model: what the device is told of it, and what it says.

`ipubox __outline` reads operations with their arithmetic and bytes, cut into
stages, and answers with memory, modelled cycles, and a profile where one is
asked for.  ipubox-link(7) describes the document.
"""
import json
import math
import os
import subprocess
import sys

import torch
from ipubox_sdk import device as _device

from . import _impl, _saved, enums
from ._engine_options import EngineOptions
from ._logging import compiler_log, logger

_VIEWS = frozenset((
    "alias", "as_strided", "_reshape_alias", "detach", "diagonal", "expand",
    "lift", "lift_fresh", "permute", "reshape", "select", "slice", "split",
    "split_with_sizes", "squeeze", "t", "transpose", "unbind", "unfold",
    "unsqueeze", "_unsafe_view", "view", "view_as_real"))
_PRODUCTS = frozenset(("addbmm", "addmm", "baddbmm", "bmm", "linear",
                       "matmul", "mm"))
_CONVOLUTIONS = frozenset(("convolution", "_convolution", "conv2d",
                           "mkldnn_convolution", "convolution_overrideable"))
# What only pages show: no estimate depends on it.
_OF_A_PROFILE = frozenset(("model", "program", "command", "instance",
                           "first_replica"))
_MODES = {enums.OutputMode.Final: "final", enums.OutputMode.All: "all",
          enums.OutputMode.EveryN: "every-n", enums.OutputMode.Sum: "sum"}
# What is kept for the way back is the result, not what went in.
_KEEP_RESULT = frozenset((
    "elu", "exp", "_log_softmax", "relu", "rsqrt", "sigmoid", "_softmax",
    "sqrt", "tanh"))
_KEEP_NOTHING = frozenset((
    "add", "bernoulli", "cat", "clone", "copy", "div_", "empty", "empty_like",
    "fill", "mean", "neg", "ones", "ones_like", "rsub", "stack", "sub", "sum",
    "zeros", "zeros_like", "zero", "_to_copy", "constant_pad_nd"))


def _bytes(shape, dtype):
    count = math.prod(shape)
    if dtype in (torch.int64, torch.float64):
        return 4 * count
    return count * torch.empty(0, dtype=dtype).element_size()


def flops(operation):
    """Of one run, forward: a product and its sum are two."""
    name = operation.name.partition("::")[2]
    made = sum(math.prod(shape) for shape, _ in operation.outputs[:1])
    if name in _VIEWS or not operation.outputs:
        return 0
    if name in _CONVOLUTIONS and len(operation.inputs) > 1:
        return 2 * made * math.prod(operation.inputs[1][0][1:])
    if name in _PRODUCTS:
        matrices = [shape for shape, _ in operation.inputs if len(shape) > 1]
        return 2 * made * (matrices[-2][-1] if len(matrices) > 1 else 1)
    taken = sum(math.prod(shape) for shape, _ in operation.inputs[:1])
    return max(made, taken)


def only_views(node):
    """Whether a node computes nothing: it is another view of what is
    there."""
    return all(operation.name.partition("::")[2] in _VIEWS
               for operation in node.operations)


def _saved_bytes(operation, input_bytes):
    name = operation.name.partition("::")[2].rstrip("_")
    if name in _VIEWS or name in _KEEP_NOTHING:
        return 0
    if name in _KEEP_RESULT:
        return sum(_bytes(*each) for each in operation.outputs[:1])
    if name == "max_pool2d_with_indices":
        return sum(_bytes(*each) for each in operation.outputs[1:])
    return input_bytes


class Outline:
    """Of one compiled model."""

    def __init__(self, executor, graph, plan):
        options = executor._options
        self._options = options
        engine = EngineOptions(options)
        self._directory = engine.profile_directory
        self._reports_too_large = engine.allows_out_of_memory
        self._trained = executor.trained_names()
        self._training = executor._training
        self._seen = set()
        self.document = self._header(executor, graph, plan)
        self.document["stages"] = [
            self._stage(plan, number, graph) for number in
            range(len(plan.stages))]

    def _header(self, executor, graph, plan):
        options = self._options
        inputs = [value for value in graph.inputs]
        late = [value for value in inputs
                if plan.first_stage(value) == len(plan.stages) - 1 != 0]
        distributed = options.Distributed
        total = options.replication_factor * distributed.numProcesses
        document = {
            "outline": 1,
            "name": profile_name(executor),
            "model": type(executor._model).__name__,
            "program": os.path.basename(sys.argv[0]) or "python3",
            "command": " ".join(sys.argv),
            "instance": distributed.processId,
            "training": self._training,
            "strategy": plan.strategy(options),
            "recompute": plan.recomputes(options),
            "micro_batch": max(1, inputs[0].shape[0]
                               if inputs and inputs[0].shape else 1),
            "device_iterations": options.device_iterations,
            "replicas": total,
            "local_replicas": options.replication_factor,
            "first_replica": distributed.processId *
            options.replication_factor,
            "ipus": plan.ipus_used,
            "output_mode": _MODES[enums.OutputMode(options.output_mode)],
            "host_in_bytes": sum(value.nbytes for value in inputs
                                 if value not in late),
            "labels_bytes": sum(value.nbytes for value in late),
            "host_out_bytes": sum(value.nbytes for value in graph.outputs()),
            "off_chip": self._off_chip(),
        }
        if options.output_mode == enums.OutputMode.EveryN:
            document["output_return_period"] = options.output_return_period
        if self._training:
            document["gradient_accumulation"] = \
                options.Training.gradient_accumulation
            optimizer = executor._optimizer
            if optimizer is not None:
                document["optimiser"] = {
                    "name": type(optimizer).__name__,
                    "states": executor.optimizer_states()}
        return document

    def _off_chip(self):
        def is_off(name):
            location = f"location_{name}"
            if not self._options.TensorLocations.exists(location):
                return False
            return not getattr(self._options.TensorLocations,
                               location).get("onChip", 1)

        found = {"weights": is_off("weight"),
                 "activations": is_off("activation"),
                 "accumulators": is_off("accumulator")}
        if self._training:
            found["optimiser"] = is_off("optimizer")
        return found

    def _stage(self, plan, number, graph):
        stage = plan.stages[number]
        received, sent = plan.traffic(number, graph)
        operations = []
        for node in stage.nodes:
            operations += self._operations(node)
        if not operations:              # it only hands tensors on
            operations.append({"name": "nothing", "op": "aten::alias"})
        return {"ipu": stage.ipu, "blocks": stage.blocks,
                "received_bytes": received, "sent_bytes": sent,
                "operations": operations}

    def _operations(self, node):
        parameters = []
        for value in node.inputs():
            if value.kind == "parameter" and value.name not in self._seen:
                self._seen.add(value.name)
                parameters.append({
                    "name": value.name, "elements": math.prod(value.shape),
                    "bytes": value.nbytes,
                    "trained": value.name in self._trained})
        weights = sum(value.nbytes for value in node.inputs()
                      if value.kind == "parameter")
        made = []
        for operation in node.operations:
            if operation.name == "aten::detach":
                continue
            made.append(self._operation(node, operation, weights))
        if parameters:
            if not made:
                made.append({"name": node.scope or node.name,
                             "op": f"aten::{node.name}"})
            heaviest = max(made, key=lambda each: each.get("forward_flops",
                                                           0))
            heaviest["parameters"] = parameters
        return made

    def _operation(self, node, operation, weights):
        taken = sum(_bytes(*each) for each in operation.inputs)
        taken = max(0, taken - weights)
        forward = flops(operation)
        told = {"name": node.scope or node.name, "op": operation.name,
                "forward_flops": forward, "input_bytes": taken,
                "output_bytes": sum(_bytes(*each)
                                    for each in operation.outputs)}
        if self._training and node.grad_enabled:
            name = operation.name.partition("::")[2]
            heavy = name in _CONVOLUTIONS or name in _PRODUCTS
            told["backward_flops"] = forward * (2 if heavy else 1)
            told["saved_bytes"] = _saved_bytes(operation, taken)
        return told

    # --- the answer --------------------------------------------------------

    def ask(self):
        """What the device says: a dictionary; None where there is no ipubox
        to ask.  Raise an error where the model does not fit.

        Where there is a cache, one process of all that have the same model
        asks, and the others read what it was told.
        """
        answer = _run(
            {name: each for name, each in self.document.items()
             if name not in _OF_A_PROFILE},
            cache=_saved.cache_directory(self._options))
        if answer is not None:
            self._tell(answer.get("executable"))
        if answer is not None and answer.get("error"):
            if self.is_profiled and self._reports_too_large:
                answer = self.write_profile(    # which names the page
                    {}, "the model does not fit into memory")
            raise _impl.create_compiler_error(
                answer["error"]["text"],
                ("popart::Session::prepareDevice: Poplar compilation",
                 "Compiler::compileAndPrepareDevice",
                 "LowerToPopart::compile", "compileWithManualTracing"),
                "poplar_graph_memory_allocation_error")
        return answer

    def _tell(self, used):
        """How the cache served; why it did not, once in a job."""
        if used is None:
            return
        if used["trouble"] and self._options.Distributed.processId == 0:
            logger.warning("%s", used["trouble"])
        if used["loaded"]:
            compiler_log("debug", f"Executable loaded from {used['path']}")
        elif used["kept"]:
            compiler_log("debug", "Executable compiled, and kept in "
                                  f"{used['path']}")

    @property
    def is_profiled(self):
        """Whether a profile is wanted."""
        return bool(self._directory)

    def attached(self, attachment):
        """A profile says on which device the model has run."""
        if self.is_profiled:
            self.document["device"] = attachment.in_words()

    def prepare_profile(self):
        """Make the directory before the model runs, and remove the profile of
        an earlier run: a run that is killed has none."""
        directory = os.path.join(self._directory, self.document["name"])
        try:
            os.makedirs(directory, exist_ok=True)
            for name in ("report.html", "summary.json"):
                path = os.path.join(directory, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    os.unlink(path)
        except OSError as error:
            raise _impl.create_compiler_error(
                f"cannot write a profile into {directory}: "
                f"{error.strerror}") from None

    def write_profile(self, host, why=None):
        """Write the pages, in a directory of the model's name; host: the
        times that were measured; why: where the run ended early.  Return
        the answer."""
        document = dict(self.document)
        if host:
            document["host"] = host
        if why:
            document["interrupted"] = why
        return _run(document, profile=self._directory)


def profile_name(executor):
    """The name of a model's directory in a profile."""
    options = executor._options
    if options.exists("model_name"):
        return options.model_name
    return "training" if executor._training else "inference"


def _run(document, profile=None, cache=None):
    """Ask the ipubox that also holds devices."""
    try:
        found = _device.find_file()
    except _device.DeviceError as error:
        compiler_log("info", f"Memory and cycles are not known: {error}")
        return None
    command = [found, "__ipubox", "__outline"]
    for option, directory in (("--profile", profile), ("--cache", cache)):
        if directory:
            command += [option, directory]
    try:
        done = subprocess.run(command, input=json.dumps(document).encode(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise _impl.create_compiler_error(
            f"cannot start {found}: {error.strerror}") from None
    if done.returncode != 0:
        raise _impl.create_compiler_error(
            f"{found}: {os.fsdecode(done.stderr).strip()}")
    return json.loads(done.stdout)
