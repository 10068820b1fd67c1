"""Replicas: weights of which groups of them have values of their own."""
import copy
import pickle

import poptorch
import torch
import torch.nn as nn
from poptorch import CommGroupType, VariableRetrievalMode
from poptorch_checks import check, finish, options, raises, same

ONE, ALL = VariableRetrievalMode.OnePerGroup, VariableRetrievalMode.AllReplicas
EACH = (CommGroupType.NoGrouping, 0, ONE)


class Product(nn.Module):
    """A product, and the mean of its squares."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight)

    def forward(self, x):
        y = x @ self.weight
        return y, poptorch.identity_loss(y ** 2, reduction="mean")


class Table(nn.Module):
    """Rows of a table."""

    def __init__(self, *groups):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(*groups, 3, 2))

    def forward(self, x):
        return self.rows[x]


class Shared(nn.Module):
    """A weight of which each replica has its own, at two places, beside one
    that all have."""

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Module(), nn.Module()
        self.one.weight = nn.Parameter(torch.randn(2, 3))
        self.other.weight = self.one.weight
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        y = self.layer(x * self.one.weight) + self.other.weight
        return y, poptorch.identity_loss(y, "sum")


def columns(kind, make):
    """A matrix in four parts of columns and a batch in two, on eight
    replicas, learns what PyTorch learns in one piece."""
    torch.manual_seed(5)
    x, weight = torch.randn(8, 6), torch.randn(6, 12)
    model = Product(weight.reshape(6, 4, 3).transpose(0, 1).contiguous())
    opts = options().replicationFactor(8)
    opts.outputMode(poptorch.OutputMode.All).inputReplicaGrouping(
        4, CommGroupType.Consecutive if kind == CommGroupType.Orthogonal
        else CommGroupType.Orthogonal)
    trained = poptorch.trainingModel(model, opts, make(model.parameters()))
    trained.weight.perReplica(kind, 2, ONE)
    plain = nn.Parameter(weight.clone())
    optimizer = make([plain])
    for _ in range(4):
        _, loss = trained(x.reshape(2, 4, 6))
        optimizer.zero_grad()
        wanted = ((x @ plain) ** 2).mean()
        wanted.backward()
        optimizer.step()
        same(f"loss, {kind!r}", wanted.detach(), loss.mean())
    same(f"weights, {kind!r}", plain.detach(),
         model.weight.detach().transpose(0, 1).reshape(6, 12))


for kind in (CommGroupType.Orthogonal, CommGroupType.Consecutive):
    columns(kind, lambda each: torch.optim.SGD(each, lr=.01, momentum=.9))
    columns(kind, lambda each: poptorch.optim.Adam(each, lr=.01))

# Which replica is in which group, and what comes back.
for kind, size, groups in (
        (CommGroupType.Consecutive, 2, [0, 0, 1, 1, 2, 2, 3, 3]),
        (CommGroupType.Orthogonal, 2, [0, 1, 2, 3] * 2),
        (CommGroupType.NoGrouping, 0, list(range(8)))):
    for mode in (ONE, ALL):
        model = Table(max(groups) + 1)
        before = model.rows.detach().clone()
        run = poptorch.inferenceModel(model, options().replicationFactor(8))
        run.rows.replicaGrouping(kind, size, mode)
        x = torch.tensor([0, 2] * 8)
        wanted = torch.cat([before[each][[0, 2]] for each in groups])
        name = f"{kind!r}, {mode!r}"
        same(name, wanted, run(x))
        run.copyWeightsToHost()
        same(f"{name}, what comes back",
             before[groups] if mode == ALL else before, model.rows.detach())
        run.copyWeightsToDevice()
        same(f"{name}, and what goes there again", wanted, run(x))

model = Table()
run = poptorch.inferenceModel(model, options().replicationFactor(2))
run.rows.replicaGrouping(CommGroupType.All, 1, ALL)
same("a group of all has no effect", model.rows.detach()[[1, 2]],
     run(torch.tensor([1, 2])))
raises("a group of inputs that is all", ValueError, "is not valid as an input "
       "group type", lambda: options().inputReplicaGrouping(
           2, CommGroupType.All))
raises("groups of inputs that do not fit", poptorch.Error, "must be divisible "
       "by", lambda: poptorch.inferenceModel(
           model, options().replicationFactor(4).inputReplicaGrouping(
               3, CommGroupType.Consecutive))(torch.tensor([1, 2])))

model = Table(2)
run = poptorch.experimental.IPUContext(
    model, model=model, options=options().replicationFactor(2),
    per_replica_params={"rows": EACH})
same("a function's weights", torch.stack([model.rows[0, 1], model.rows[1, 2]])
     .detach(), run(torch.tensor([1, 2])))

# Below another module, and shared; a weight beside it is that of all.
model = Shared()
plain = copy.deepcopy(model)
opts = options().replicationFactor(2).outputMode(poptorch.OutputMode.All)
opts.Training.accumulationAndReplicationReductionType(
    poptorch.ReductionType.Sum)
trained = poptorch.trainingModel(
    model, opts, torch.optim.SGD(model.parameters(), lr=.1))
trained.one.weight.replicaGrouping(*EACH)
optimizer = torch.optim.SGD(plain.parameters(), lr=.1)
x = torch.randn(2, 3)
for _ in range(3):
    found = trained(x)[0]
    optimizer.zero_grad()
    wanted, loss = plain(x)
    loss.backward()
    optimizer.step()
    same("a shared weight", wanted.detach(), found)
same("a weight of all", plain.layer.weight.detach(),
     model.layer.weight.detach())
check("it is still shared", model.other.weight is model.one.weight)

# Each executor has groups of its own; models and states are kept.
model = Product(torch.randn(2, 4, 3))
optimizer = poptorch.optim.LAMB(model.parameters(), lr=.1)
trained = poptorch.trainingModel(model, options().replicationFactor(4),
                                 optimizer)
trained.weight.replicaGrouping(CommGroupType.Consecutive, 2, ONE)
tested = poptorch.inferenceModel(model, options().replicationFactor(2))
check("none of another executor's", tested.per_replica_params == {})
tested.weight.replicaGrouping(*EACH)
x = torch.randn(8, 4)
trained(x)
same("the weights that were trained",
     torch.stack([x[0] @ model.weight[0], x[1] @ model.weight[1]]).detach(),
     tested(x[:2])[0])
state = optimizer.state_dict()["ipu_state"]
check("states have a slice for each group",
      state["Accl1___weight"].shape == (2, 4, 3) and
      state["Step___weight"].tolist() == [1, 1])
trained.save("groups")
for name, again in (("saved", poptorch.load("groups")),
                    ("pickled", pickle.loads(pickle.dumps(trained)))):
    same(name, copy.deepcopy(trained)(x), again(x))
opts = options().replicationFactor(2)
opts.anchorTensor("slice", "weight")
anchored = poptorch.inferenceModel(model, opts)
anchored.weight.replicaGrouping(*EACH)
anchored(x[:2])
same("an anchor has the slice of each replica", model.weight.detach()
     .reshape(8, 3), anchored.getAnchoredTensor("slice"))
trained.load_state_dict({"weight": torch.zeros(2, 4, 3)})
check("a state_dict", trained.state_dict()["weight"].shape == (2, 4, 3) and
      not trained(x)[0].any())

raises("after compilation", poptorch.Error, "was called too late",
       lambda: trained.weight.replicaGrouping(*EACH))
raises("no group type", AssertionError, "comm_group_type must be of type "
       "CommGroupType", lambda: tested.weight.replicaGrouping(3, 0, ONE))


def refused(text, weight, *said):
    """Four replicas, and that is said of the weight."""
    run = poptorch.inferenceModel(Product(weight),
                                  options().replicationFactor(4))
    run.weight.replicaGrouping(*said)
    raises(text, poptorch.Error, text, lambda: run(torch.randn(4, 4)))


refused("Return mismatch with possibly appended outer dimension (3) of "
        "Tensor: \"weight\". should match numGroups: 4",
        torch.randn(3, 4, 2), *EACH)
refused("VariableSettings had 1 errors!", torch.randn(4, 4, 2),
        CommGroupType.Orthogonal, 0, ONE)
refused("must be divisible by the product of the stride and the group size.",
        torch.randn(4, 4, 2), CommGroupType.Consecutive, 3, ONE)
refused("Scalars cannot be passed as per-replica weight tensor values",
        torch.tensor(1.), *EACH)

finish()
