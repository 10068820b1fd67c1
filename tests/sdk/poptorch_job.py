"""Instances of a job train one model: they get what one program would."""
import os

import popdist
import popdist.poptorch
import poptorch
import torch
import torch.nn as nn


class WithLoss(nn.Module):
    """A model and its loss."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, y):
        out = self.model(x)
        return out, nn.functional.mse_loss(out, y)


class Parts(nn.Module):
    """A weight in as many parts as there are groups of replicas."""

    def __init__(self, parts):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(parts, 4))

    def forward(self, x):
        out = x * self.weight
        return out, poptorch.identity_loss(out ** 2, "sum")


popdist.init()
torch.manual_seed(3)
instance, count = popdist.getInstanceIndex(), popdist.getNumInstances()
share = 8 // count
part = slice(instance * share, (instance + 1) * share)


def options():
    """This instance's."""
    made = popdist.poptorch.Options(ipus_per_replica=1)
    return made.showCompilationProgressBar(False)


def train():
    """Whether a model that is trained together is one of PyTorch's."""
    model, plain = WithLoss(nn.Linear(4, 2)), WithLoss(nn.Linear(4, 2))
    plain.load_state_dict(model.state_dict())
    trained = poptorch.trainingModel(
        model, options(), poptorch.optim.SGD(model.parameters(), lr=.1))
    optimizer = torch.optim.SGD(plain.parameters(), lr=.1)
    for x, y in zip(torch.randn(5, 8, 4), torch.randn(5, 8, 2)):
        trained(x[part], y[part])
        optimizer.zero_grad()
        plain(x, y)[1].backward()
        optimizer.step()
    trained.destroy()
    return torch.allclose(model.model.weight, plain.model.weight, atol=1e-6)


def train_parts(kind, size):
    """The same of a model whose replicas have weights of their own."""
    replicas = popdist.getNumTotalReplicas()
    groups = replicas // size
    model, plain = Parts(groups), Parts(groups)
    plain.load_state_dict(model.state_dict())
    trained = poptorch.trainingModel(
        model, options(), poptorch.optim.Adam(model.parameters(), lr=.1))
    trained.weight.replicaGrouping(
        kind, size, poptorch.VariableRetrievalMode.OnePerGroup)
    optimizer = torch.optim.Adam(plain.parameters(), lr=.1)
    group_of = [replica % groups if kind == poptorch.CommGroupType.Orthogonal
               else replica // size for replica in range(replicas)]
    for x in torch.randn(5, 8, 4):
        trained(x[part])
        optimizer.zero_grad()
        shares = x.reshape(replicas, -1, 4)
        loss = ((shares * plain.weight[group_of][:, None]) ** 2).sum()
        (loss / replicas).backward()
        optimizer.step()
    trained.destroy()
    return torch.allclose(model.weight, plain.weight, atol=1e-5)


def draw():
    """Whether each replica of all instances has random numbers of its
    own."""
    here = popdist.getNumLocalReplicas()
    dropout = poptorch.inferenceModel(nn.Dropout().train(),
                                      options().randomSeed(5))
    found = dropout(torch.ones(here, 64))
    dropout.destroy()
    wanted = []
    for replica in range(instance * here, (instance + 1) * here):
        torch.manual_seed(5 + replica)
        wanted.append(nn.functional.dropout(torch.ones(64)))
    return torch.equal(found, torch.stack(wanted))


def train_norms():
    """Whether the engine gives each replica of all instances the statistics
    and the dropouts that PyTorch does."""
    learned = []
    for mode in ("engine", "torch"):
        os.environ["IPUBOX_POPTORCH"] = mode
        torch.manual_seed(7)
        model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16),
                              nn.Dropout(0.3), nn.Linear(16, 2))
        trained = poptorch.trainingModel(
            WithLoss(model), options().randomSeed(9),
            poptorch.optim.SGD(model.parameters(), lr=.1, momentum=.9))
        inputs = torch.Generator().manual_seed(instance)
        for _ in range(5):
            out, loss = trained(torch.randn(32, 4, generator=inputs),
                                torch.randn(32, 2, generator=inputs))
        trained.destroy()
        learned.append([out, loss, *model.state_dict().values()])
    return all(torch.allclose(one, other, rtol=1e-5, atol=1e-5)
               for one, other in zip(*learned))


results = [train(), train_parts(poptorch.CommGroupType.Consecutive, 2),
           train_parts(poptorch.CommGroupType.Orthogonal, 2),
           train_parts(poptorch.CommGroupType.NoGrouping, 1), draw(),
           train_norms()]
print(f"instance {instance} of {count}, replicas "
      f"{popdist.getNumLocalReplicas()}: ", *results)
