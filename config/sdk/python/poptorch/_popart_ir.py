"""A compiled model's graph in PopART's words, for programs that look at it.

The operations are PyTorch's; what comes behind them is what PopART makes of
an optimizer for each weight.
"""
import json

import torch

from ._optimizer_attributes import _OptimizerType as Types

# What PopART calls an operation of ATen's, where the names differ.
_OPERATIONS = {
    "_log_softmax": "LogSoftmax", "_softmax": "Softmax", "addmm": "Gemm",
    "avg_pool2d": "AveragePool", "baddbmm": "MatMul", "bmm": "MatMul",
    "cat": "Concat", "convolution": "Conv", "div": "Div", "embedding":
    "Gather", "index_select": "Gather", "max_pool2d_with_indices": "MaxPool",
    "mean": "ReduceMean", "mm": "MatMul", "mul": "Mul", "native_batch_norm":
    "BatchNormalization", "native_group_norm": "GroupNormalization",
    "native_layer_norm": "GroupNormalization", "nll_loss_forward": "Nll",
    "native_dropout": "Dropout", "relu": "Relu", "select": "Slice",
    "stack": "Concat", "sum": "ReduceSum", "t": "Transpose"}

# The device has no longs and no doubles.
_TYPES = {
    torch.float16: "FLOAT16", torch.bfloat16: "BFLOAT16",
    torch.float32: "FLOAT", torch.float64: "FLOAT", torch.int64: "INT32",
    torch.int32: "INT32", torch.int16: "INT16", torch.int8: "INT8",
    torch.uint8: "UINT8", torch.bool: "BOOL"}

_ADAM = (Types.ADAM, Types.ADAMW, Types.ADAMW_NO_BIAS, Types.LAMB,
         Types.LAMB_NO_BIAS)
_LAMB = (Types.LAMB, Types.LAMB_NO_BIAS)


def popart_ir(device, placements):
    """The graph as JSON: {"maingraph": [operation, ...]}, each with its type,
    name, inputs, outputs and attributes.  placements: of each node."""
    found = [made for node, place in zip(device.graph.nodes, placements)
             for operation in node.operations
             if operation.name != "aten::detach"
             for made in [_of_aten(node.scope, operation, place)] *
             operation.attributes.get("serialization_factor", 1)]
    if device.optimizer is not None:
        for update in device.optimizer.updates():
            found += _Update(update, device.shape, device.processes).written()
    return json.dumps({"maingraph": found})


def popart_type(operation):
    """PopART's word for an operation of ATen's."""
    name = operation.name.partition("::")[2].rstrip("_")
    return _OPERATIONS.get(name) or \
        "".join(part.capitalize() for part in name.split("_"))


def popart_name(scope, kind):
    """"fc1/Gemm": PopART's name of an operation of that type."""
    return f"{scope}/{kind}" if scope else kind


def named_operations(graph):
    """(node, operation, PopART's name of what it makes) of all operations in
    their order: "fc1/Gemm:0"."""
    counts = {}
    for node in graph.nodes:
        for operation in node.operations:
            if operation.name == "aten::detach" or not operation.outputs:
                continue
            name = popart_name(node.scope, popart_type(operation))
            number = counts[name] = counts.get(name, -1) + 1
            yield node, operation, f"{name}:{number}"


def element_type(dtype):
    """PopART's word for a type of PyTorch's."""
    return _TYPES.get(dtype, "UNDEFINED")


def _of_aten(scope, operation, place):
    kind = popart_type(operation)
    name = popart_name(scope, kind)
    return _operation(kind, name, [("", *each) for each in operation.inputs],
                      [name for _ in operation.outputs],
                      **_placed(place),
                      **{key: str(value) for key, value in
                         operation.attributes.items()})


def _placed(place):
    """PopART's attributes of where an operation runs."""
    when = ("__pipeline_stage", place.stage) if place.phase < 0 else \
        ("__execution_phase", place.phase)
    return {"__ipu_number": str(place.ipu), when[0]: str(when[1])}


def _operation(kind, name, inputs, outputs, **attributes):
    """inputs: (name, shape, type of PyTorch's); outputs: names."""
    return {
        "type": kind, "name": name,
        "inputs": [
            {"name": tensor, "shape": f"[{' '.join(map(str, shape))}]",
             "type": element_type(dtype), "index": str(index)}
            for index, (tensor, shape, dtype) in enumerate(inputs)],
        "outputs": [{"name": tensor, "index": str(index)}
                    for index, tensor in enumerate(outputs)],
        "attributes": attributes}


class _Update:
    """The operations that update one weight."""

    def __init__(self, update, shape, processes):
        self._name = update.name
        self._kind = update.kind
        self._values = update.values
        self._types = dict(update.state_types)
        self._accum_type = update.accum_type
        self._shape = update.shape
        self._weight = (update.name, update.shape, update.dtype)
        self._gradient = (f"Gradient___{update.name}", update.shape,
                          update.dtype)
        self._accumulates = shape.accumulation > 1
        self._reduces = shape.replicas * processes > 1
        self._found = []

    def written(self):
        """The operations in their order."""
        if self._kind in (Types.SGD1, Types.SGD2):
            self._sgd()
        else:
            self._adaptive()
        return self._found

    def _add(self, kind, inputs, output, **attributes):
        self._found.append(_operation(kind, "", inputs, [output],
                                      **attributes))

    def _state(self, role):
        return (f"{role}___{self._name}", self._shape, self._types[role])

    def _reduce(self, tensor, kind="ReplicatedAllReduce"):
        if self._reduces:
            self._add(kind, [tensor], f"{tensor[0]}__t0")

    def _accumulate(self, role, way):
        state = self._state(role)
        self._add("Accumulate", [state, self._gradient], f"{state[0]}__t0",
                  type=way)

    def _sgd(self):
        """A velocity also stands for what is accumulated."""
        if not self._types and not self._accumulates:
            self._reduce(self._gradient)
            self._update("SGD0VarUpdate", self._gradient)
        elif self._kind == Types.SGD1:
            self._types.setdefault("Accl", self._weight[2])
            self._accumulate("Accl", "DampenedAdd")
            self._reduce(self._state("Accl"), "ReplicatedAllReduceInplace")
            if self._values["nesterov"]:
                self._add("SGD1Nesterov", [self._gradient, self._weight,
                                           self._state("Accl")],
                          f"Nesterov___{self._name}")
            self._update("SGD1VarUpdate", self._state("Accl"))
            self._add("SGD1AcclUpdate", [self._state("Accl"), self._weight],
                      f"AcclFinalOut___{self._name}")
        else:
            self._types.setdefault("Accl1", self._weight[2])
            self._accumulate_gradients()
            self._add("SGD2PartialAcclUpdate",
                      [self._state("Accl1"), self._weight],
                      f"Accl1___{self._name}__t0")
            self._accumulate("Accl1", "DampenedAdd")
            self._zero()
            self._update("SGD2VarUpdate", self._state("Accl1"))

    def _update(self, kind, *tensors):
        self._add(kind, [self._weight, *tensors], f"UpdatedVar___{self._name}")

    def _accumulate_gradients(self):
        if not self._accumulates:
            self._reduce(self._gradient)
            return
        self._types["Accum"] = self._accum_type
        self._accumulate("Accum", "Add")
        self._reduce(self._state("Accum"), "ReplicatedAllReduceInplace")

    def _zero(self):
        if self._accumulates:
            self._add("AccumulatorZero", [self._state("Accum")],
                      f"UpdatedVar___Accum___{self._name}")

    def _adaptive(self):
        self._accumulate_gradients()
        if self._accum_type == torch.float16 and all(
                each == torch.float32 for role, each in self._types.items()
                if role != "Accum"):
            self._add("Cast", [self._gradient], f"Cast___{self._name}")
        self._add("Scale", [self._gradient], f"Scaled___{self._name}")
        if self._kind not in _ADAM or self._kind == Types.ADAM:
            self._add("ScaledAdd", [self._gradient, self._weight],
                      f"Decayed___{self._name}")
        if self._kind in _ADAM:
            self._adam()
        else:
            self._rmsprop()

    def _adam(self):
        self._accumulate("Accl1", "MovingAverage")
        self._accumulate("Accl2", "MovingAverageSquare")
        self._zero()
        updater = (f"AdamUpdater___{self._name}", self._shape, torch.float32)
        self._add("AdamUpdater",
                  [self._weight, self._state("Accl1"), self._state("Accl2")],
                  updater[0])
        if self._kind in _LAMB:
            self._add("LambSquare", [self._weight],
                      f"LambR1Sq___{self._name}")
            self._add("LambSquare", [updater], f"LambR2Sq___{self._name}")
        self._update("AdamVarUpdate", updater)

    def _rmsprop(self):
        self._accumulate("Accl1", "MovingAverageSquare")
        states = [self._state("Accl1")]
        if "Accl2" in self._types:
            self._accumulate("Accl2", "MovingAverage")
            states.append(self._state("Accl2"))
        updater = (f"AdaptiveUpdater___{self._name}", self._shape,
                   torch.float32)
        self._add("RMSPropUpdater", [self._gradient, *states], updater[0])
        self._zero()
        if "Accl3" in self._types:
            self._add("Accumulate", [self._state("Accl3"), updater],
                      f"Accl3___{self._name}__t0", type="DecayAdd")
        self._update("ScaledVarUpdate", updater)
