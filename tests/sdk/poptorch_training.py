"""Training: what is on the device and what the user's model sees of it."""
import copy
import io
import pickle
import types
import warnings

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_checks import check, finish, options, raises, same


class Model(nn.Module):
    """Two layers, each a block on an IPU of its own."""

    def __init__(self, dropout=0., norm=False):
        super().__init__()
        self.a = nn.Linear(8, 16)
        self.norm = nn.BatchNorm1d(16) if norm else nn.Identity()
        self.dropout = nn.Dropout(dropout)
        self.b = nn.Linear(16, 4)
        self.loss = nn.CrossEntropyLoss()

    def forward(self, x, y=None):
        with poptorch.Block("one", ipu_id=0):
            hidden = self.dropout(F.relu(self.norm(self.a(x))))
        with poptorch.Block("two", ipu_id=1):
            out = self.b(hidden)
            return out if y is None else (out, self.loss(out, y))


class Reassigns(nn.Module):
    """Has another buffer after its forward."""

    def __init__(self):
        super().__init__()
        self.register_buffer("y", torch.zeros(1))

    def forward(self, x):
        self.y = x.mean()[None]
        return x


class Counts(nn.Module):
    """A buffer, and a tensor that nobody has registered."""

    def __init__(self):
        super().__init__()
        self.register_buffer("i", torch.zeros(1))
        self.constant = torch.zeros(1)

    def forward(self):
        self.i += 1
        self.constant += 1
        return self.i, self.constant


class Clamps(nn.Module):
    """A weight that the model itself changes, or a buffer."""

    def __init__(self, is_buffer):
        super().__init__()
        if is_buffer:
            self.register_buffer("weight", torch.ones(2))
        else:
            self.weight = nn.Parameter(torch.ones(2))

    def forward(self):
        with torch.no_grad():
            self.weight.clamp_(max=.5)
        return self.weight * 2


class Unused(nn.Module):
    """Normalises, and does nothing with it."""

    def __init__(self):
        super().__init__()
        self.layer, self.norm = nn.Linear(8, 2), nn.BatchNorm1d(8)

    def forward(self, x):
        self.norm(x)
        return poptorch.identity_loss(self.layer(x), "sum")


class Silent(nn.Module):
    """Learns, and returns nothing."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        poptorch.identity_loss(self.layer(x), "sum")


class Loops(nn.Module):
    """A loop that draws, and writes a buffer, in a loop."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.register_buffer("turns", torch.zeros(1))

    def turn(self, x):
        self.turns += 1
        return self.layer(x) + torch.rand(1)

    def forward(self, x):
        y = poptorch.for_loop(3, lambda a: poptorch.for_loop(
            2, self.turn, [a])[0], [x])[0]
        return y, poptorch.identity_loss(y, "sum")


def with_accumulation(count, replicas=1):
    made = options().replicationFactor(replicas).broadcastBuffers(False)
    made.Training.gradientAccumulation(count)
    return made


def sgd(model, lr=.1):
    return torch.optim.SGD(model.parameters(), lr=lr)


def losses_like_pytorch(make_optimizer, dropout=0.):
    """20 updates; each of them of three micro-batches."""
    torch.manual_seed(2)
    model = Model(dropout)
    plain = copy.deepcopy(model)
    trained = poptorch.trainingModel(
        model, with_accumulation(3).outputMode(poptorch.OutputMode.All)
        .randomSeed(9), make_optimizer(model.parameters()))
    optimizer = make_optimizer(plain.parameters())
    inputs, labels = torch.randn(20, 24, 8), torch.randint(4, (20, 24))
    got = [trained(x, y)[1] for x, y in zip(inputs, labels)]
    torch.manual_seed(9)
    wanted = []
    for x, y in zip(inputs, labels):
        optimizer.zero_grad()
        found = [plain(part, label)[1]
                 for part, label in zip(x.split(8), y.split(8))]
        (sum(found) / 3).backward()
        optimizer.step()
        wanted.append(torch.stack(found).detach())
    return torch.stack(wanted), torch.stack(got)


x, y = torch.randn(24, 8), torch.randint(4, (24,))

for name, make in {
        "SGD": lambda each: torch.optim.SGD(each, lr=.1, momentum=.9),
        "AdamW": lambda each: torch.optim.AdamW(each, lr=.01),
        "Adam": lambda each: torch.optim.Adam(each, lr=.01),
        "RMSprop": lambda each: torch.optim.RMSprop(each, lr=.01)}.items():
    same(f"losses, {name}", *losses_like_pytorch(make))
same("losses with dropout", *losses_like_pytorch(
    lambda each: torch.optim.SGD(each, lr=.1), .5))

raises("too little accumulation", poptorch.Error,
       "(3) when using poptorch.PipelinedExecution. Please note that a model "
       "with 2 pipeline stages",
       lambda: poptorch.trainingModel(model := Model(), options(),
                                      sgd(model))(x, y))

# Two replicas are one with twice the batch.
one, other = Model(), None
other = copy.deepcopy(one)
for model, replicas, accumulation in ((one, 2, 3), (other, 1, 6)):
    trained = poptorch.trainingModel(
        model, with_accumulation(accumulation, replicas), sgd(model))
    for _ in range(5):
        trained(x, y)
same("replicas", one.a.weight.detach(), other.a.weight.detach(), 1e-5)

# When weights are copied.
model = Model()
check("a class of the user's before", type(model) is Model)
opts = with_accumulation(3)
trained = poptorch.trainingModel(model, opts, sgd(model))
check("still one of the user's", isinstance(model, Model) and
      type(model).__name__ == "PoptorchModel" and
      isinstance(model.a.weight, nn.Parameter))
copied = []
plain_copy = trained.copyWeightsToHost


def counted(self):
    copied.append(None)
    return plain_copy()


trained.copyWeightsToHost = types.MethodType(counted, trained)
before = model.a.weight.detach().clone()
for _ in range(3):
    trained(x, y)
check("no copies while it is trained", len(copied) == 0)
check("weights have changed", not torch.equal(before, model.a.weight))
model.b.weight + 0
check("one copy for all", len(copied) == 1)
trained(x, y)
model.state_dict()
check("one for a state_dict", len(copied) == 2)
tested = poptorch.inferenceModel(model, options().deviceIterations(2))
trained(x, y)
first = tested(x)
hidden = F.relu(F.linear(x, model.a.weight, model.a.bias))
same("inference has the newest", F.linear(hidden, model.b.weight,
                                          model.b.bias).detach(), first, 1e-5)
trained(x, y)
check("and again", not torch.equal(first, tested(x)))
twin = copy.deepcopy(model)
check("a copy is the user's", type(twin) is Model and
      type(twin.a.weight) is nn.Parameter and
      torch.equal(twin.a.weight, model.a.weight))
stream = io.BytesIO()
torch.save(model, stream)
stream.seek(0)
loaded = torch.load(stream, weights_only=False)
check("and so is what was saved", type(loaded) is Model and
      torch.equal(loaded.a.weight, model.a.weight))
raises("wrapped twice", RuntimeError, "has already been wrapped in "
       "'poptorch.trainingModel'. Call model.destroy()",
       lambda: poptorch.trainingModel(model, opts))
trained.destroy()
check("destroy", type(model) is Model and
      type(model.a.weight) is nn.Parameter)
again = poptorch.trainingModel(model, opts, sgd(model))
again(x, y)
raises("frozen", AttributeError, "Can't modify frozen Options",
       lambda: opts.deviceIterations(2))

# Random numbers.
model = Model(.5)
trained = poptorch.trainingModel(model, with_accumulation(3).randomSeed(7),
                                 sgd(model, 0.))
check("dropout goes on", trained(x, y)[1].item() != trained(x, y)[1].item())
state = torch.get_rng_state()
trained(x, y)
check("those of the host stay", torch.equal(state, torch.get_rng_state()))

# Buffers.
model = Model(norm=True)
mean = model.norm.running_mean.clone()
trained = poptorch.trainingModel(model, with_accumulation(3), sgd(model))
trained(x, y)
check("statistics of a batch", model.norm.num_batches_tracked.item() == 3 and
      not torch.equal(mean, model.norm.running_mean))
unused = Unused()
expected = copy.deepcopy(unused)
expected(x)
poptorch.trainingModel(unused, options())(x)
same("statistics of what nobody uses", expected.norm.running_mean,
     unused.norm.running_mean)
shared = with_accumulation(3, 2).broadcastBuffers(True)
for lr in (0., .1):
    model = Model(norm=True)
    first = copy.deepcopy(model)
    poptorch.trainingModel(model, shared, torch.optim.SGD(
        model.parameters(), lr=lr, momentum=.9))(x, y)
    for part in x.chunk(6)[::2]:
        first(part)
    same("statistics are the first replica's", first.norm.running_mean,
         model.norm.running_mean)
for wrong in (Clamps(False), Clamps(True)):
    raises("buffers of replicas", poptorch.Error,
           "does not support broadcasting buffers", lambda:
           poptorch.inferenceModel(wrong, options().replicationFactor(2))())
raises("a buffer that is replaced", poptorch.Error,
       "Buffer y is reassigned within the model",
       lambda: poptorch.inferenceModel(Reassigns(), options())(x))
counts = poptorch.inferenceModel(Counts(), options())
with warnings.catch_warnings():         # that one is no tensor of the device
    warnings.simplefilter("ignore")
    check("a buffer counts, a constant does not",
          [tuple(map(float, counts())) for _ in range(3)] ==
          [(1., 1.), (2., 1.), (3., 1.)])
for dtype in (torch.float32, torch.int64):
    given = torch.zeros(4, dtype=dtype)
    poptorch.inferenceModel(lambda each: each.add_(1), options())(given)
    check(f"an input of {dtype} that is changed", given.sum() == 4)

# Losses that nobody looks at, and those of loops.
silent = Silent()
before = silent.layer.weight.detach().clone()
check("nothing is returned",
      poptorch.trainingModel(silent, options())(x) is None)
check("a loss that is not returned",
      not torch.equal(before, silent.layer.weight))
looping = Loops()
running = poptorch.inferenceModel(looping, options())
first, second = running(x)[0], running(x)[0]
running.copyWeightsToHost()
check("a buffer that a loop writes", float(looping.turns) == 12)
check("a loop that draws", not torch.equal(first, second))
raises("a trained loop", poptorch.Error,
       "poptorch.for_loop() is only supported in inference.",
       lambda: poptorch.trainingModel(looping, options(), sgd(looping))(x))

# A function that trains the model that it uses.
layer = nn.Linear(8, 2)
before = layer.weight.detach().clone()


@poptorch.experimental.IPUContext(model=layer, training=True,
                                  optimizer=sgd(layer), options=options())
def step_of(x):
    return poptorch.identity_loss(layer(x), "sum")


step_of(x)
same("a function that trains", before - 0.1 * x.sum(0), layer.weight, 1e-5)
for compiler in poptorch.Compiler:
    doubled = poptorch.experimental.IPUContext(
        lambda x: x * 2, compiler=compiler, options=options())
    same(f"a function of {compiler}", x * 2, doubled(x))

# Optimisers.
model = Model()
optimizer = sgd(model)
trained = poptorch.trainingModel(model, with_accumulation(3), optimizer)
trained(x, y)
before = model.a.weight.detach().clone()
optimizer.param_groups[0]["lr"] = 0.
trained.setOptimizer(optimizer)
trained(x, y)
check("setOptimizer", torch.equal(before, model.a.weight))

# What a call returns.
for mode, period, rows in (("Final", None, 4), ("All", None, 24),
                           ("EveryN", 2, 12), ("Sum", None, 4)):
    opts = options().deviceIterations(6).outputMode(
        getattr(poptorch.OutputMode, mode), period)
    made = poptorch.inferenceModel(Model(), opts)(x)
    check(f"rows of {mode}", made.shape == (rows, 4))
raises("backward", poptorch.Error, "backward() cannot be called explicitly",
       lambda: poptorch.inferenceModel(lambda each: each, options())(
           x).backward())
raises("batch", AssertionError, "the batch dimension (24) must be a multiple "
       "of Options.deviceIterations(7)",
       lambda: poptorch.inferenceModel(Model(),
                                       options().deviceIterations(7))(x))
raises("no loss", poptorch.Error, "Couldn't find a loss in graph!",
       lambda: poptorch.trainingModel(nn.Linear(8, 2), options())(x))
tested = poptorch.inferenceModel(Model().eval(), options()
                                 .deviceIterations(2))
raises("another shape", poptorch.Error, "Shape mismatch for x",
       lambda: (tested(x), tested(x[:12])))
same("an executor that was pickled", tested(x),
     pickle.loads(pickle.dumps(tested))(x))
finish()
