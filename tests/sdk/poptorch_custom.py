"""Operators of torch.ops.poptorch, and custom ones with their stand-ins."""
import ctypes
import json
import os
import tempfile

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_checks import attempt, check, finish, options, raises, same

operators = torch.ops.poptorch


class Scoped(nn.Module):
    """What public programs call by itself."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        operators.push_name_scope("outer")
        operators.set_attribute("__outline", "layer", "one")
        operators.begin_ipu_block(0, 0, 0)
        y = operators.recomputation_checkpoint(self.a(x))
        y = operators.nop(operators.set_available_memory(y, 0.2))
        operators.end_ipu_block()
        operators.begin_ipu_block(1, 0, 1)
        operators.begin_autocast()
        y = operators.internal_cast(self.b(y), "FLOAT16")
        operators.restore_autocast()
        y = operators.internal_cast.default(y, "FLOAT")
        loss = operators.identity_loss(y, 1)
        operators.end_ipu_block()
        operators.clear_attribute("__outline", "layer")
        operators.pop_name_scope()
        return y, loss


def scoped():
    """They do what poptorch's functions do, also in a file."""
    torch.manual_seed(1)
    x, model = torch.randn(2, 4), Scoped()
    wanted = model(x)
    before = model.a.weight.detach().clone()
    strategy = poptorch.PipelinedExecution(poptorch.AutoStage.AutoIncrement)
    opts = options().setExecutionStrategy(strategy)
    opts.Training.gradientAccumulation(3)
    trained = poptorch.trainingModel(model, opts)
    same("operators", wanted, trained(x.repeat(3, 1)), 1e-3)
    check("two blocks", {each.ipu for each in
                         trained._executable.plan.placements} == {0, 1})
    text = trained._debugGetPopartIR()
    check("a scope", "outer" in json.dumps(json.loads(text)))
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "model")
        trained.save(path)
        trained.destroy()
        same("from a file", trained.model(x)[0], poptorch.load(path)(
            x.repeat(3, 1))[0], 1e-3)
    check("trained", not torch.equal(before, model.a.weight))


def hosted():
    """Outside of a model."""
    x = torch.arange(6.)
    operators.push_name_scope("nothing runs")
    operators.pop_name_scope()
    same("slice", x[2:4], operators.dynamic_slice(x, 0, torch.tensor(2), 2, 1))
    raises("a type", poptorch.Error, "unknown type INT4",
           lambda: operators.internal_cast(x, "INT4"))


def custom(name, domain, outputs, *inputs, **attributes):
    """A model of one custom operator."""
    return poptorch.inferenceModel(lambda *given: poptorch.custom_op(
        list(given), name, domain, 1, outputs(*given), attributes),
        options())(*inputs)


def known():
    """Operators of public programs."""
    x, y = torch.randn(3, 4), torch.randn(5, 4)
    index = torch.randint(4, (3, 2), dtype=torch.int32)
    like = lambda *given: [torch.zeros_like(given[0])]
    for name, domain, outputs, inputs, attributes, wanted in (
            ("RemapCE", "ai.graphcore", like, [x], {"grain_size": 8}, x),
            ("Detach", "ai.graphcore", like, [x], {}, x),
            ("OneHot", "ai.graphcore", lambda a, b: [b],
             [torch.tensor([1, 0]), torch.zeros(2, 4)], {},
             torch.eye(4)[[1, 0]]),
            ("LeakyRelu", "custom.ops", like, [x], {"alpha": .2},
             F.leaky_relu(x, .2)),
            ("FastGatherLastDim", "poptorch.custom_ops",
             lambda a, b: [torch.zeros(3, 2)], [x, index], {"axis": -1},
             x.gather(1, index.long())),
            ("L1Distance", "ai.graphcore.pea",
             lambda a, b: [torch.zeros(3, 5)], [x, y], {},
             (x[:, None] - y).abs().sum(2)),
            ("L2Distance", "ai.graphcore.pea",
             lambda a, b: [torch.zeros(3, 5)], [x, y], {},
             (x[:, None] - y).norm(dim=2)),
            ("AutogradProxy", "ai.graphcore.pea", like, [x, x + 1], {}, x)):
        same(name, [wanted], custom(name, domain, outputs, *inputs,
                                    **attributes), 1e-5)
        halves = [each.half() if each.is_floating_point() else each
                  for each in inputs]
        got = custom(name, domain, lambda *given: [
            each.half() for each in outputs(*given)], *halves, **attributes)
        same(f"{name} in half", [wanted.half()], got, 2e-2)


class Scales(nn.Module):
    """Gradients pass one operator three-fold, and another one not at all."""

    def __init__(self):
        super().__init__()
        self.one = nn.Parameter(torch.ones(2))
        self.other = nn.Parameter(torch.ones(2))

    def forward(self, x):
        y, = poptorch.custom_op([self.one * x, self.one * x * 3],
                                "CustomGradient", "ai.graphcore.pea", 1, [x])
        z, = poptorch.custom_op([self.other * x], "Detach", "ai.graphcore",
                                1, [x])
        return y, poptorch.identity_loss(y + z, "sum")


def gradients():
    """What the way back is."""
    model = Scales()
    trained = poptorch.trainingModel(
        model, options(), torch.optim.SGD(model.parameters(), lr=.1))
    same("forward", torch.full((2,), 2.), trained(torch.full((2,), 2.))[0])
    same("three-fold", torch.full((2,), .4), model.one.detach())
    same("detached", torch.ones(2), model.other.detach())


def own():
    """Stand-ins of a program, and a library that is missing."""
    poptorch.registerCustomOpStandIn(
        "Cubed", "org.test", lambda inputs, attributes:
        (inputs[0] ** attributes["power"], inputs[0] + inputs[1]))
    two = lambda x, y: [x, y]
    x, y = torch.full((2,), 2.), torch.full((2,), 3.)
    same("own", [torch.full((2,), 8.), torch.full((2,), 5.)],
         custom("Cubed", "org.test", two, x, y, power=3))
    same("own, on the host", [x ** 2, x + y], poptorch.custom_op(
        [x, y], "Cubed", "org.test", 1, [x, y], {"power": 2}))
    same("none, on the host", [y], poptorch.custom_op(
        [x], "Missing", "org.test", 1, [y]))
    raises("none", poptorch.Error, "org.test.Missing is code for the tiles of "
           "real IPUs, and emulated ones have none; register a Python "
           "function that computes it with poptorch.registerCustomOpStandIn",
           lambda: custom("Missing", "org.test", two, x, y))
    raises("shapes", poptorch.Error, "returns tensors of the shapes [(2,), "
           "(2,)], but example_outputs has [(2,)]",
           lambda: custom("Cubed", "org.test", lambda x, y: [x], x, y,
                          power=1))
    for load in (ctypes.cdll.LoadLibrary, ctypes.CDLL):
        load("./build/custom_ops.so")
        load("./remap_ce.so")
        raises("another library", OSError, "cannot open shared object file",
               lambda: load("./libnothing.so"))


for each in (scoped, hosted, known, gradients, own):
    attempt(each.__name__, each)
finish()
