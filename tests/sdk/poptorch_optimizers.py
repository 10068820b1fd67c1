"""Optimizers of models that are trained: they learn what torch's learn, take
new values when they are told, and keep their states."""
import contextlib
import copy
import io
import itertools

import poptorch
import torch
import torch.nn as nn
from poptorch import OutputMode, ReductionType, optim
from poptorch_checks import check, finish, options, raises, same


class Model(nn.Module):
    """Two layers and a loss."""

    def __init__(self, reduction="mean"):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
        self.reduction = reduction

    def forward(self, x, y):
        out = self.net(x)
        return out, nn.functional.mse_loss(out, y, reduction=self.reduction)


torch.manual_seed(11)
xs, ys = torch.randn(8, 5, 4), torch.randn(8, 5, 3)


def learn(trained, count=8):
    """The losses of so many steps."""
    return torch.stack([trained(x, y)[1] for x, y in zip(xs, ys)][:count])


def learn_plainly(model, optimizer, clip=None):
    """The same by PyTorch."""
    found = []
    for x, y in zip(xs, ys):
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        if clip is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        found.append(loss.detach())
    return torch.stack(found)


def pair(make, plainly, opts=None):
    """A model that is trained, its optimizer, a copy, and that one's."""
    model = Model()
    plain = copy.deepcopy(model)
    optimizer = make(model)
    return (poptorch.trainingModel(model, opts or options(), optimizer),
            optimizer, plain, plainly(plain))


# What torch has too.
for name, values in (
        ("SGD", {"lr": .1, "weight_decay": .1}),
        ("SGD", {"lr": .1, "momentum": .9, "nesterov": True}),
        ("Adam", {"lr": .01, "weight_decay": .1, "betas": (.8, .9)}),
        ("AdamW", {"lr": .01, "weight_decay": .3}),
        ("RMSprop", {"lr": .01, "momentum": .5, "centered": True})):
    for module in (optim, torch.optim):
        trained, _, plain, other = pair(
            lambda model: getattr(module, name)(model.parameters(), **values),
            lambda model: getattr(torch.optim, name)(model.parameters(),
                                                     **values))
        same(f"{name}, {values}", learn_plainly(plain, other),
             learn(trained), 1e-5)
        same("weights", list(plain.parameters())[0].detach(),
             list(trained.model.parameters())[0].detach(), 1e-5)

# What torch does by other means, or has not.
for values, clip in (
        ({"loss_scaling": 64.}, None), ({"max_grad_norm": .2}, .2),
        ({"momentum": .9, "use_combined_accum": True,
          "velocity_scaling": 8., "loss_scaling": 16.}, None)):
    trained, _, plain, other = pair(
        lambda model: optim.SGD(model.parameters(), lr=.1, **values),
        lambda model: torch.optim.SGD(model.parameters(), lr=.1,
                                      momentum=values.get("momentum", 0.)))
    same(f"SGD, {values}", learn_plainly(plain, other, clip),
         learn(trained), 1e-5)


def two_groups(module):
    """Groups that differ in what they keep."""
    return lambda model: module.SGD(
        [{"params": model.net[0].parameters(), "momentum": .9},
         {"params": model.net[2].parameters(), "lr": .2}], lr=.05)


trained, optimizer, plain, other = pair(two_groups(optim),
                                        two_groups(torch.optim))
same("groups", learn_plainly(plain, other), learn(trained), 1e-5)

# New values count when setOptimizer() is called, and not before.
schedule = torch.optim.lr_scheduler.ExponentialLR
for each in (optimizer, other):
    for group in each.param_groups:
        group["lr"] *= .5
before = learn(trained, 1)
trained.setOptimizer(optimizer)
raises("a constant", poptorch.Error, "Problem with weight decays",
       lambda: trained.setOptimizer(optim.SGD(
           [dict(group, weight_decay=.5) for group in optimizer.param_groups],
           lr=.05)))
raises("another one", poptorch.Error, "Can not replace optimizer of type SGD "
       "with new optimizer of type Adam", lambda: trained.setOptimizer(
           optim.Adam(trained.parameters())))
raises("a negative rate", poptorch.Error, "Negative learning rate (-1) in SGD",
       lambda: trained.setOptimizer(optim.SGD(
           [dict(group, lr=-1.) for group in optimizer.param_groups], lr=.05)))
trained, optimizer, plain, other = pair(
    lambda model: optim.SGD(model.parameters(), lr=0.),
    lambda model: torch.optim.SGD(model.parameters(), lr=.1))
optimizer.param_groups[0]["lr"] = .1
weights = trained.model.net[0].weight.detach().clone()
learn(trained)
check("a rate that nobody has told it", torch.equal(
    weights, trained.model.net[0].weight))
trained.setOptimizer(optimizer)
schedulers = schedule(optimizer, .7), schedule(other, .7)
for _ in range(2):
    same("schedules", learn_plainly(plain, other), learn(trained), 1e-5)
    for scheduler in schedulers:
        scheduler.step()
    trained.setOptimizer(optimizer)

# States: they outlive what was compiled, and are loaded at any time.
trained, optimizer, plain, other = pair(
    lambda model: optim.Adam(model.parameters(), lr=.05),
    lambda model: torch.optim.Adam(model.parameters(), lr=.05))
check("no state", optimizer.state_dict()["ipu_state"] is None)
for _ in range(2):
    same("an optimizer that goes on", learn_plainly(plain, other),
         learn(trained), 1e-5)
    trained.destroy()
    trained = poptorch.trainingModel(trained.model, options(), optimizer)
learn(trained)
kept = io.BytesIO()
torch.save((trained.state_dict(), optimizer.state_dict()), kept)
wanted = learn(trained)
learn(trained)
kept.seek(0)
of_model, of_optimizer = torch.load(kept)
trained.load_state_dict(of_model)
optimizer.load_state_dict(of_optimizer)
check("a state to be written", optimizer.ipu_state_is_dirty and
      not optimizer.host_state_is_dirty)
same("back to where it was", wanted, learn(trained))
check("a state to be read", optimizer.host_state_is_dirty and
      not optimizer.ipu_state_is_dirty)

# Iterations, accumulation and replicas, with each reduction.
x, y = torch.randn(24, 4), torch.randn(24, 3)
for iterations, replicas, kind, reduction in itertools.product(
        (1, 2), (1, 3), (ReductionType.Mean, ReductionType.Sum),
        ("mean", "sum")):
    model = Model(reduction)
    plain = copy.deepcopy(model)
    opts = options().deviceIterations(iterations).replicationFactor(replicas)
    opts.outputMode(OutputMode.All).Training.gradientAccumulation(2)
    opts.Training.accumulationAndReplicationReductionType(kind)
    trained = poptorch.trainingModel(
        model, opts, optim.SGD(model.parameters(), lr=.01))
    found = trained(x, y)[1]
    other = torch.optim.SGD(plain.parameters(), lr=.01)
    each = 24 // (iterations * replicas * 2)
    wanted = []
    for part, label in zip(x.chunk(iterations), y.chunk(iterations)):
        other.zero_grad()
        losses = [plain(one, its)[1] for one, its in
                  zip(part.split(each), label.split(each))]
        scale = len(losses) if kind == ReductionType.Mean else 1
        (sum(losses) / scale).backward()
        other.step()
        wanted += [loss.detach() for loss in losses]
    same(f"{iterations} x {replicas}, {kind!r}, {reduction}",
         torch.stack(wanted), found, 1e-5)

# Processes that poprun has not started.
opts = options()
opts.Distributed.configureProcessId(1, 2)
with contextlib.redirect_stderr(io.StringIO()) as told:
    poptorch.setLogLevel("WARN")
    learn(poptorch.trainingModel(Model(), opts))
check("it trains alone", "poprun did not start it" in told.getvalue())

finish()
