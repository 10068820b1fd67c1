"""The life of an executor, and of the model that it wraps."""
import contextlib
import io
import json
import os
import warnings

import poptorch
import torch
import torch.nn as nn
from poptorch_checks import check, finish, options, raises, same

NO_EXECUTABLE = "Model has not been compiled or has been destroyed."


class Model(nn.Module):
    """A layer, a loss and a buffer."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("buffer", torch.zeros(4))

    def forward(self, x, y=None):
        out = self.layer(x)
        return out if y is None else (out, nn.functional.mse_loss(out, y))


x, y = torch.randn(2, 4), torch.randn(2, 4)

# Before it is compiled.
fresh = poptorch.inferenceModel(Model(), options())
for name, ask in {
        "to the host": fresh.copyWeightsToHost,
        "to the device": fresh.copyWeightsToDevice,
        "attach": fresh.attachToDevice, "detach": fresh.detachFromDevice,
        "save": lambda: fresh.save("x"), "random": lambda: fresh.rng_state,
        "set random": lambda: setattr(fresh, "rng_state", [1])}.items():
    raises(name, poptorch.Error, NO_EXECUTABLE, ask)
check("not attached", not fresh.isAttachedToDevice())

# What the model can do while it is trained.
model = Model()
trained = poptorch.trainingModel(model, options())
before = model.layer.weight.detach().clone()
trained(x, y)
check("the model of an executor", trained.model is model)
check("newer weights", model.copyWeightsToHostIfNeeded())
check("only once", not model.copyWeightsToHostIfNeeded())
check("which have a number", model._host_weights_version == 1)
check("and differ", not torch.equal(before, model.layer.weight))
check("a state of plain tensors", {torch.Tensor} == set(
    map(type, model.state_dict().values())))
raises("wrapped twice", RuntimeError, "Call model.destroy() on the model",
       lambda: poptorch.trainingModel(model))
model.destroy()
check("the model's own destroy", type(model) is Model and
      not trained.isCompiled())

# Modes of the program's autograd are no modes of the device.
for name, mode in (("no_grad", torch.no_grad),
                   ("inference_mode", torch.inference_mode)):
    mine, other = Model(), Model()
    other.load_state_dict(mine.state_dict())
    within, without = (poptorch.trainingModel(each, options())
                       for each in (mine, other))
    with mode():
        losses = [within(x.clone(), y.clone())[1] for _ in range(3)]
        looked = poptorch.inferenceModel(mine, options())(x.clone())
        within.copyWeightsToHost()
    same(f"training in {name}", [without(x, y)[1] for _ in range(3)], losses)
    same(f"weights of {name}", other.layer.weight, mine.layer.weight)
    same(f"inference in {name}", other(x), looked)
    mine(x).sum().backward()
    check(f"an output of {name}", not looked.is_inference())

# IPUs and weights of executors that nobody has any more.
before = model.layer.weight.detach().clone()
poptorch.trainingModel(model, options())(x, y)
check("weights of one that is gone",
      not torch.equal(before, model.layer.weight))
raises("it is wrapped", RuntimeError, "wrapped in 'poptorch.trainingModel'",
       lambda: poptorch.trainingModel(model))
model.destroy()
check("until destroy", type(model) is Model)

# Hooks around compilations.
seen = []
hooks = [poptorch.registerPreCompileHook(lambda: seen.append("pre")),
         poptorch.registerPostCompileHook(lambda: seen.append("post"))]
for _ in range(2):
    fresh(x)
check(f"called once: {seen}", seen == ["pre", "post"])
hooks[0].remove()
raises("an error in a forward", ZeroDivisionError, "division by zero",
       lambda: poptorch.inferenceModel(lambda each: 1 / 0, options())(x))
check(f"called after it: {seen}", seen[2:] == ["post"])
hooks[1].remove()
raises("no function", RuntimeError, "Post-compile hook must be callable",
       lambda: poptorch.registerPostCompileHook(3))

# Random numbers go on where they were.
drop = poptorch.inferenceModel(nn.Dropout(), options().randomSeed(42))
ones = torch.ones(64)
drop.compile(ones)
state = drop.rng_state
check("the seed and integers", state[0] == 42 and
      all(isinstance(each, int) for each in state))
first = drop(ones)
check("others", not torch.equal(first, drop(ones)))
drop.rng_state = state
check("the state that was set", drop.rng_state == state)
same("the same again", first, drop(ones))
raises("a state of something else", poptorch.Error, "has 1 words",
       lambda: setattr(drop, "rng_state", [1, 2]))

# Files.
fresh.compileAndExport("life.poptorch", x, export_model=False)
raises("no model in it", AssertionError, "created with 'export_model=False'",
       lambda: poptorch.load("life.poptorch"))
fresh.loadExecutable("life.poptorch")
same("its own executable", fresh.model(x), fresh(x))
raises("a file for a directory", AssertionError,
       "Destination folder life.poptorch is not a directory",
       lambda: fresh.save(os.path.join("life.poptorch", "x")))
fresh._poptorch_version = "0.1"
fresh.save("old.poptorch")
for name, kind, load in (
        ("load", AssertionError, poptorch.load),
        ("loadExecutable", poptorch.Error, fresh.loadExecutable)):
    raises(name, kind, "Invalid file old.poptorch: PopTorch version mismatch:"
           " File was created with version: 0.1 and this is version",
           lambda: load("old.poptorch"))

# Blocks without a name are numbered; one in a loop stays the same.
class Blocks(nn.Module):
    """Three layers, of which the second runs twice."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        poptorch.BeginBlock(self.layers[1])

    def forward(self, x):
        poptorch.Block.useAutoId()
        with poptorch.Block():
            x = self.layers[0](x)
        x = self.layers[1](self.layers[1](x))
        with poptorch.Block("named"):
            return self.layers[2](x)


blocks = Blocks()
staged = options().deviceIterations(3)
staged.setExecutionStrategy(poptorch.PipelinedExecution("0", "1", "named"))
x = torch.randn(3, 4)
same("numbered blocks", blocks(x),
     poptorch.inferenceModel(blocks, staged)(x))

def beside(x):
    """What computes behind a block."""
    with poptorch.Block("a", ipu_id=0):
        x = x * 2
    return x.view(-1) + 1


raises("no block", poptorch.Error,
       "No active Block, all the ops must belong to a Block",
       lambda: poptorch.inferenceModel(beside, options())(x))
check("as text", poptorch.module_repr(blocks) == """Blocks(
  (layers): ModuleList(
    (0): Linear(in_features=4, out_features=4, bias=True)
    (1): BeginBlock(user_id=None, ipu_id=None) \
Linear(in_features=4, out_features=4, bias=True)
    (2): Linear(in_features=4, out_features=4, bias=True)
  )
)""")
blocks = poptorch.inferenceModel(blocks, staged)
blocks(x)
where = [(each["attributes"]["__ipu_number"],
          each["attributes"]["__pipeline_stage"]) for each in
         json.loads(blocks._debugGetPopartIR())["maingraph"]
         if each["type"] == "Gemm"]
check(f"where they run: {where}", where == [
    ("0", "0"), ("1", "1"), ("1", "1"), ("2", "2")])
raises("a context without results", TypeError, "must return one or more",
       poptorch.experimental.IPUContext(lambda: None, options=options()))

# The mode is that of the moment when the model was wrapped.
class Moody(nn.Module):
    """Two results where it is trained."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        y = self.layer(x)
        return (y, poptorch.identity_loss(y, "sum")) if self.training else y


for mode in (True, False):
    model = Moody().train()
    trained = poptorch.trainingModel(model, options())
    tested = poptorch.inferenceModel(model.eval(), options())
    model.train(mode)
    check(f"train({mode}) after wrapping", len(trained(torch.ones(1, 4))) == 2
          and isinstance(tested(torch.ones(1, 4)), torch.Tensor))

# Weights that were trained, for an inferenceModel beside it.
model = Model()
x, y = torch.randn(2, 4), torch.randn(2, 4)
tested = poptorch.inferenceModel(model, options())
trained = poptorch.trainingModel(model, options())
for _ in range(2):
    trained(x, y)
    same("after training", model(x), tested(x))
trained(x, y)
trained.destroy()
same("after its end", model(x), tested(x))

# A period that does not fit.
for period, text in ((2, "a factor of"), (4, "<= to")):
    wrong = options().deviceIterations(3).outputMode(
        poptorch.OutputMode.EveryN, period)
    raises(f"period {period}", poptorch.Error, f"Return period must be {text} "
           "the number of batches per step",
           lambda: poptorch.inferenceModel(lambda each: each, wrong)(
               torch.ones(3)))

# Tensors that are made where nothing says, and that are not made at all.
said = io.StringIO()
poptorch.setLogLevel("WARN")
with contextlib.redirect_stderr(said):
    poptorch.inferenceModel(
        lambda each: each + torch.ones(2) + torch.normal(each, each)
        + torch.zeros(2, device=each.device), options())(torch.ones(2))
poptorch.setLogLevel("ERR")
check(f"one was made: {said.getvalue()}", said.getvalue().count("forcing")
      == said.getvalue().count("No device set in torch.ones(): forcing to IPU")
      == 1)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    poptorch.inferenceModel(lambda each: (each, y), options())(x)
check("a constant is returned", [str(each.message) for each in caught] ==
      ["Output expected to be on the IPU but is on cpu"])

# What is marked of an executor, where that is asked for.
os.environ["PVTI_OPTIONS"] = '{"enable": "true", "directory": "marks"}'
poptorch.inferenceModel(model, options())(x)
del os.environ["PVTI_OPTIONS"]
marks = [(each["cat"], each["name"]) for each in poptorch.profiling._events]
poptorch.profiling._events.clear()
check(f"marks: {marks}", marks == [
    ("poptorch.inferenceModel", each) for each in
    ("modelCompilation", "modelExecution")])

# Anchors of each micro-batch, and of each replica.
many = options().deviceIterations(3).replicationFactor(2)
many.anchorTensor("all", "input/0")
many.anchorTensor("last", "input/0", poptorch.OutputMode.Final)
many.anchorTensor("some", "input/0", poptorch.OutputMode.EveryN, 2)
many.anchorTensor("sum", "input/0", poptorch.OutputMode.Sum)
anchored = poptorch.inferenceModel(lambda each: each * 2, many)
given = torch.arange(6.)
anchored(given)
for name, wanted in {"all": [0, 1, 2, 3, 4, 5], "last": [4, 5],
                     "some": [2, 3], "sum": [6, 9]}.items():
    same(f"anchor {name}", torch.tensor(wanted, dtype=torch.float),
         anchored.getAnchoredTensor(name))
finish()
