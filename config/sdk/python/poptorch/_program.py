"""A graph as a function of Python: what runs for each micro-batch.

The function is written out as source, one line for a node, so that nothing
but the calls themselves takes time.  It runs above autograd, like the model
it came from.
"""
import torch

from . import _half
from ._graph import Value, values_in

# Calls that need autograd, also where nothing is trained.
_AUTOGRAD = frozenset(("backward", "grad", "jacobian", "hessian"))


class Program:
    """A graph that can be run.  kept: values that a run returns behind its
    results; is_wide: halves are float32, see _half.can_be_wide()."""

    def __init__(self, graph, kept=(), is_wide=False):
        self.needs_grad = any(node.name in _AUTOGRAD for node in graph.nodes)
        self.writes_inputs = any(value.kind == "input"
                                 for value in graph.written)
        self.result = graph.result
        self.result_values = _unique(graph.outputs())
        writer = _Writer(graph, [*self.result_values, *kept], is_wide)
        self.source = writer.source()
        names = writer.names
        exec(compile(self.source, "<poptorch model>", "exec"), names)
        self._run = names["run"]

    def run(self, weights, buffers, inputs):
        """One micro-batch: (loss or None, tensors of result_values and of
        what is kept)."""
        return self._run(weights, buffers, inputs)


def _unique(values):
    return list({value.number: value for value in values}.values())


class _Writer:
    """Writes the source of a graph."""

    def __init__(self, graph, results, is_wide):
        self._graph = graph
        self._results = results
        self._is_wide = is_wide
        self.names = {"_no_grad": torch.no_grad, "_halved": _half.returned}
        self._lines = []
        self._last = self._last_uses()

    def source(self):
        """The whole function `run`."""
        graph = self._graph
        self._unpack("weights", graph.parameters.values())
        self._unpack("buffers", graph.buffers.values())
        self._unpack("inputs", graph.inputs)
        for value in graph.constants:
            name = self._constant(value.data.float() if self._halves(value)
                                  else value.data)
            if value in graph.written:
                name += ".clone()"
            self._lines.append(f"    {value!r} = {name}")
        for number, node in enumerate(graph.nodes):
            self._node(number, node)
        loss = repr(graph.loss) if graph.loss is not None else "None"
        results = "".join(
            f"_halved({value!r}), " if self._halves(value)
            else f"{value!r}, " for value in self._results)
        self._lines.append(f"    return {loss}, ({results})")
        return "\n".join(["def run(weights, buffers, inputs):"] +
                         self._lines) + "\n"

    def _halves(self, value):
        """Whether a run has float32 for a value of halves."""
        return self._is_wide and value.dtype is torch.float16

    def _unpack(self, name, values):
        names = "".join(f"{value!r}, " for value in values)
        if names:
            self._lines.append(f"    {names}= {name}")

    def _last_uses(self):
        """Value number -> the last node that takes it."""
        last = {}
        for number, node in enumerate(self._graph.nodes):
            for value in values_in((node.args, node.kwargs, node.result)):
                last[value.number] = number
        for value in self._results:
            last.pop(value.number, None)
        if self._graph.loss is not None:
            last.pop(self._graph.loss.number, None)
        return last

    def _node(self, number, node):
        arguments = [self._expression(each) for each in node.args]
        arguments += [f"{key}={self._expression(each)}"
                      for key, each in node.kwargs.items()]
        function = _half.wide_function(node) if self._is_wide \
            else node.function
        call = f"{self._constant(function)}({', '.join(arguments)})"
        target, taken = self._target(node)
        line = f"{target} = {call}" if target else call
        indent = "    "
        if not node.grad_enabled:
            self._lines.append("    with _no_grad():")
            indent += "    "
        self._lines.append(indent + line)
        self._lines += taken
        gone = [repr(value) for value in
                _unique(values_in((node.args, node.kwargs, node.result)))
                if self._last.get(value.number) == number
                and (value.kind == "node") and
                (value.node is not node or target)]
        if gone:
            self._lines.append(f"    del {', '.join(gone)}")

    def _target(self, node):
        """What the call's result is assigned to, "" where nothing is new;
        and lines that take tensors out of it."""
        result = node.result
        if not node.outputs():
            return "", []
        if isinstance(result, (Value, tuple, list)):
            return self._pattern(result, node), []
        lines = []
        for key, each in result.items():
            pattern = self._pattern(each, node)
            if pattern != "_":
                lines.append(f"    {pattern} = _made[{self._constant(key)}]")
        return "_made", lines

    def _pattern(self, result, node):
        """The same for a tensor, and for tensors in tuples and lists."""
        if isinstance(result, Value):
            return repr(result) if result.node is node else "_"
        if isinstance(result, (tuple, list)) and \
                any(value.node is node for value in values_in(result)):
            parts = (self._pattern(each, node) for each in result)
            return f"[{', '.join(parts)}]"
        return "_"

    def _expression(self, structure):
        if isinstance(structure, Value):
            return repr(structure)
        if type(structure) is tuple:
            inner = "".join(f"{self._expression(each)}, "
                            for each in structure)
            return f"({inner})"
        if type(structure) is list:
            return f"[{', '.join(map(self._expression, structure))}]"
        if isinstance(structure, slice):
            parts = (structure.start, structure.stop, structure.step)
            return f"slice({', '.join(map(self._expression, parts))})"
        if type(structure) is dict:
            return "{%s}" % ", ".join(
                f"{self._constant(key)}: {self._expression(each)}"
                for key, each in structure.items())
        if isinstance(structure, (tuple, list, dict)) and \
                values_in(structure):
            return self._rebuilt(structure)
        if structure is None or structure is Ellipsis or \
                type(structure) in (bool, int):
            return repr(structure)
        if structure is torch.float16 and self._is_wide:
            structure = torch.float32
        return self._constant(structure)

    def _rebuilt(self, structure):
        """A class of the user's, or of PyTorch's, that holds tensors."""
        kind = self._constant(type(structure))
        if hasattr(structure, "_fields"):
            parts = ", ".join(map(self._expression, structure))
            return f"{kind}({parts})"
        plain = dict if isinstance(structure, dict) else list
        return f"{kind}({self._expression(plain(structure))})"

    def _constant(self, thing):
        name = f"k{len(self.names)}"
        self.names[name] = thing
        return name


class Loop:
    """The node of poptorch.for_loop."""

    __name__ = "for_loop"

    def __init__(self, region):
        self.region = region
        self._program = None

    def __getstate__(self):
        return {"region": self.region, "_program": None}

    def __call__(self, count, inputs, taken):
        if self._program is None:
            self._program = Program(self.region)
        tensors = list(inputs)
        for _ in range(count):
            tensors = _run_region(self._program, tensors, taken)
        return tensors


class Choice:
    """The node of poptorch.cond."""

    __name__ = "cond"

    def __init__(self, then_region, else_region):
        self.regions = (then_region, else_region)
        self._programs = None

    def __getstate__(self):
        return {"regions": self.regions, "_programs": None}

    def __call__(self, condition, then_inputs, then_taken, else_inputs,
                 else_taken):
        if self._programs is None:
            self._programs = [Program(region) for region in self.regions]
        if condition:
            return self._run(0, then_inputs, then_taken)
        return self._run(1, else_inputs, else_taken)

    def _run(self, number, inputs, taken):
        """One of the two, on copies of what it writes."""
        region = self.regions[number]
        tensors = [tensor.clone() if value.number in region.changed
                   else tensor for value, tensor in
                   zip(region.inputs, list(inputs) + list(taken))]
        return _run_region(self._programs[number], tensors, ())


def _run_region(program, inputs, taken):
    _, made = program.run((), (), list(inputs) + list(taken))
    tensors = {value.number: tensor for value, tensor in
               zip(program.result_values, made)}
    return [tensors[value.number] for value in program.result]
