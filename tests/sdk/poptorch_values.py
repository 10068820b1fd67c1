"""Values that differ from call to call: inputs, results, weights, states."""
import collections
import contextlib
import io
import tempfile

import poptorch
import torch
import torch.nn as nn
from poptorch_checks import check, finish, options, raises, same

x = torch.ones(2)


def warned(function):
    """The lines that PopTorch logs meanwhile."""
    poptorch.setLogLevel("WARN")
    with contextlib.redirect_stderr(io.StringIO()) as text:
        function()
    poptorch.setLogLevel("ERR")
    return text.getvalue().splitlines()


# Inputs that autograd follows.
for name, given in {"a leaf": x.clone().requires_grad_(),
                    "of a function": x.clone().requires_grad_() * 3}.items():
    double = poptorch.inferenceModel(lambda a: a * 2, options())
    lines = warned(lambda: double(given))
    check(f"{name}: {lines}", len(lines) == 1 and lines[0].endswith(
        "Input tensor has requires_grad=True set. This tensor will be "
        "detached because backward pass via inputs is not supported."))
    result = double(given)
    same(name, given.detach() * 2, result)
    check(f"{name} is detached", not result.requires_grad and
          given.requires_grad and not warned(lambda: double(given)))


class Bag:
    """What a program may return: tensors in an object of its own."""

    def __init__(self, first, more):
        self.first, self.more = first, more


class BagParser(poptorch.ICustomArgParser):
    """PopTorch's way into it."""

    def yieldTensors(self, struct):
        yield struct.first
        yield struct.more["x"]

    def reconstruct(self, original_structure, tensor_iterator):
        first = next(tensor_iterator)
        return Bag(first, collections.OrderedDict(x=next(tensor_iterator)))


poptorch.registerCustomArgParser(Bag, BagParser())
Inner = collections.namedtuple("Inner", "x y")
Outer = collections.namedtuple("Outer", "inner bag")


def bag_of(a):
    """An object within tuples, and tensors that belong to two."""
    return Bag(a * 2, collections.OrderedDict(x=a))


# What a call returns has that call's values, in the program's classes.
for name, function, values in (
        ("object", bag_of, lambda r: (r.first, r.more["x"])),
        ("objects", lambda a: [bag_of(a), {"b": bag_of(a + 1)}],
         lambda r: (r[0].first, r[1]["b"].more["x"] - 1)),
        ("named tuple", lambda a: Outer(Inner(a * 2, 7), bag_of(a)),
         lambda r: (r.inner.x, r.bag.more["x"])),
        ("ordered", lambda a: collections.OrderedDict(a=Inner(a * 2, a)),
         lambda r: (r["a"].x, r["a"].y)),
        ("default", lambda a: collections.defaultdict(list, a=a * 2, b=a),
         lambda r: (r["a"], r["b"]))):
    made = poptorch.inferenceModel(function, options())
    results = [made(x * count) for count in (1, 2, 3)]
    for count, result in enumerate(results, 1):
        same(f"{name} of {count}", (x * 2 * count, x * count),
             values(result))
    check(f"class of {name}", type(results[1]) is type(function(x)))


with tempfile.TemporaryDirectory() as directory:
    file = f"{directory}/bag.poptorch"
    poptorch.inferenceModel(nn.Identity(), options()).compileAndExport(
        file, Bag(x, {"x": x + 1}))
    same("an object in a file", x * 3, poptorch.load(file)(
        Bag(x, {"x": x * 3})).more["x"])


class Unit(nn.Module):
    """One weight, 1, whose gradient is the input."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, a):
        return poptorch.identity_loss(a * self.weight, "sum")


def trained(optimizer, opts=None, **values):
    """A model after two calls, and its optimizer."""
    unit = Unit()
    how = optimizer(unit.parameters(), lr=0.25, **values)
    run = poptorch.trainingModel(unit, opts or options(), how)
    run(x[:1])
    run(x[:1])
    return unit, how, run


# The host's weights overwrite those of the device, trained or not.
unit, _, run = trained(poptorch.optim.SGD)
run.copyWeightsToDevice()
same("untouched weights", torch.ones(()), run(x[:1]))
same("and trained again", torch.tensor([0.75]), unit.weight.data)
held = unit.weight.data
run(x[:1])
held.fill_(8)
run.copyWeightsToDevice()
same("weights through an alias", torch.tensor(8.), run(x[:1]))

# The numbers of an optimizer that are not constants, by PopART's names.
for optimizer, values, wanted in (
        ("LAMB", {"loss_scaling": 4.}, {
            "lossScaling_FLOAT": 4, "learningRate___specific___weight": 0.25,
            "adamGradientScaling___specific___weight": 0.25}),
        ("SGD", {"weight_decay": 0.5}, {
            "weightDecayScaleFactor0___specific___weight": 0.875,
            "scaledLearningRate0___specific___weight": 0.25}),
        ("SGD", {"momentum": 0.5, "loss_scaling": 2.,
                 "use_combined_accum": False}, {
            "lossScaling_FLOAT": 2,
            "scaledWeightDecay1___specific___weight": 0,
            "scaledLearningRate2___specific___weight": 0.125,
            "dampeningScaleFactor2___specific___weight": 1,
            "scaledMomentum2___specific___weight": 0.5})):
    state = trained(getattr(poptorch.optim, optimizer), **values)[
        1].state_dict()
    same(f"numbers of {optimizer} {values}",
         {key: torch.tensor(float(each)) for key, each in wanted.items()},
         state["ipu_param"])

# Velocities have the loss scale in them, and come back as they were.
_, how, run = trained(poptorch.optim.SGD, momentum=0.5, loss_scaling=2.,
                      use_combined_accum=False)
state = how.state_dict()
same("velocity", torch.tensor([3.]), state["ipu_state"]["Accl1___weight"])
how.load_state_dict(state)
run(x[:1])
same("velocity after it was loaded", torch.tensor([3.5]),
     how.state_dict()["ipu_state"]["Accl1___weight"])

# Automatic loss scaling: twice as much after each step, unless halves are
# large.
for factor, wanted in ((1, [16, 32, 64]), (2048, [16, 8, 4])):
    opts = options()
    opts.anchorTensor("scale", "finalLossScale")
    opts.Training.setAutomaticLossScaling(True)
    unit = Unit().half()
    run = poptorch.trainingModel(unit, opts, poptorch.optim.SGD(
        unit.parameters(), lr=0., loss_scaling=16.))
    scales = []
    for _ in wanted:
        run((x[:1] * factor).half())
        scales.append(run.getAnchoredTensor("scale").item())
    check(f"loss scales of {factor}: {scales}", scales == wanted)
check("its name", "finalLossScale" in run.getTensorNames())
check("the time of a compilation", 0 < trained(poptorch.optim.SGD)[
    2].compilationTime().total_seconds() < 600)
raises("no compilation", poptorch.Error, "Please compile the model",
       poptorch.inferenceModel(unit, options()).compilationTime)

# Where PopTorch does not find tensors, none are returned.
for name, function in {
        "set": lambda a: {a * 2}, "deque": lambda a: collections.deque([a]),
        "generator": lambda a: (each for each in [a * 2]),
        "distribution": lambda a: torch.distributions.Normal(a, 1.),
        "nested": lambda a: [3, {a + 1}]}.items():
    raises(f"returned {name}", poptorch.Error, "registerCustomArgParser",
           lambda: poptorch.inferenceModel(function, options())(x))
raises("an argument that holds tensors", poptorch.Error,
       "The model is given a Held", lambda: poptorch.inferenceModel(
           lambda a, b: a + b.x, options())(x, type("Held", (), {
               "__init__": lambda self: setattr(self, "x", x)})()))
raises("storage", poptorch.Error, "Illegal use of `storage`",
       lambda: poptorch.inferenceModel(
           lambda a: torch.zeros(2).set_(a.storage()), options())(x))
for result in (None, 3, "text", torch.float, torch.Size([2]), Inner):
    same_thing = poptorch.inferenceModel(
        lambda a: (a, result), options())(x)[1]
    check(f"returned {result}", same_thing is result or
          same_thing == result)
finish()
