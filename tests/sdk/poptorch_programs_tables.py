"""Programs with tables, graphs and operators, and with PopTorch's options."""
import copy
import ctypes
import io

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_plain import (Plain, adamw, last, learn, opts_of, options,
                            program, sgd, weights)
from poptorch_programs_images import WithLoss


@program("regression", "MSE, 10 iterations a call, Sum of outputs")
def regression():
    model = WithLoss(nn.Linear(3, 1), nn.MSELoss())
    plain = copy.deepcopy(model)
    opts = options().deviceIterations(10).outputMode(poptorch.OutputMode.Sum)
    x = torch.randn(80, 3)
    y = x @ torch.tensor([[1.], [-2], [3]]) + .5
    trainer = poptorch.trainingModel(model, opts, torch.optim.SGD(
        model.parameters(), lr=.1))
    got = torch.stack([trainer(x, y)[1].reshape(()) for _ in range(3)])
    reference = Plain(plain, torch.optim.SGD(plain.parameters(), lr=.1), opts)
    return [(got, torch.stack([reference(x, y).sum() for _ in range(3)])),
            (weights(model), weights(plain))]


class Dlrm(nn.Module):
    """Products of embeddings, as of a recommender."""

    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, 8) for n in (20, 7, 11))
        self.bottom = nn.Sequential(nn.Linear(4, 16), nn.ReLU(),
                                    nn.Linear(16, 8), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(14, 16), nn.ReLU(),
                                 nn.Linear(16, 1))
        one, other = torch.tril_indices(4, 4, -1)
        self.register_buffer("pairs", one * 4 + other)

    def forward(self, dense, kinds, clicked):
        x = self.bottom(dense)
        every = torch.stack([x] + [
            table(kinds[:, number]) for number, table in
            enumerate(self.tables)], 1)
        products = (every @ every.transpose(1, 2)).flatten(1)[:, self.pairs]
        y = self.top(torch.cat([x, products], 1))[:, 0]
        return y.sigmoid(), F.binary_cross_entropy_with_logits(y, clicked)


def clicks(count, batch):
    return [(torch.rand(batch, 4), torch.stack(
        [torch.randint(n, (batch,)) for n in (20, 7, 11)], 1),
             torch.randint(2, (batch,)).float()) for _ in range(count)]


@program("DLRM", "4 replicas, rates of two groups that fall")
def dlrm():
    model, opts = Dlrm(), opts_of(1, 1, 4)
    plain, batches, found = copy.deepcopy(model), clicks(4, 32), []
    for each, module in ((model, poptorch.optim), (plain, torch.optim)):
        optimizer = module.SGD(
            [{"params": each.tables.parameters(), "lr": .5},
             {"params": [*each.bottom.parameters(),
                         *each.top.parameters()]}], lr=.1)
        trainer = Plain(each, optimizer, opts) if each is plain else \
            poptorch.trainingModel(each, opts, optimizer)
        losses = []
        for batch in batches:
            losses.append(last(trainer(*batch)))
            for group in optimizer.param_groups:
                group["lr"] *= .5
            if each is model:
                trainer.setOptimizer(optimizer)
        found.append((torch.cat(losses), weights(each)))
    return zip(*found)


class Graph(nn.Module):
    """A graph network with a dense matrix of its edges."""

    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(6, 16), nn.Linear(16, 3)

    def forward(self, x, edges, labels, mask):
        y = edges @ self.two(F.relu(edges @ self.one(x)))
        losses = F.nll_loss(y.log_softmax(-1).transpose(1, 2), labels,
                            reduction="none")
        return y, poptorch.identity_loss(
            (losses * mask).sum() / mask.sum(), "none")


@program("graph, dense", "masked loss, batches of matrices")
def graph():
    near = (torch.rand(4, 9, 9) > .6).float()
    near = ((near + near.transpose(1, 2)) > 0).float() + torch.eye(9)
    root = near.sum(-1).rsqrt()
    edges = root[..., None] * near * root[:, None]
    batches = [(torch.randn(4, 9, 6), edges, torch.randint(3, (4, 9)),
                (torch.rand(4, 9) > .3).float()) for _ in range(4)]
    return learn(Graph(), batches, *adamw(lr=.01))


class Messages(nn.Module):
    """The same with lists of edges."""

    def __init__(self):
        super().__init__()
        self.say, self.out = nn.Linear(6, 16), nn.Linear(16, 1)

    def forward(self, x, source, target, y):
        said = F.relu(self.say(x))[source]
        heard = torch.zeros(x.shape[0], 16).scatter_add(
            0, target[:, None].expand(-1, 16), said)
        count = torch.zeros(x.shape[0]).scatter_add(
            0, target, torch.ones_like(target, dtype=torch.float))
        out = self.out(heard / count.clamp(min=1)[:, None])[:, 0]
        return out, F.smooth_l1_loss(out, y)


@program("graph, edges", "scatter_add, smooth L1")
def messages():
    batches = [(torch.randn(9, 6), torch.randint(9, (20,)),
                torch.randint(9, (20,)), torch.randn(9)) for _ in range(4)]
    return learn(Messages(), batches, *adamw(lr=.01))


class Leaky(nn.Module):
    """A layer with the custom operator of Graphcore's tutorial."""

    def __init__(self, is_plain=False):
        super().__init__()
        self.one, self.two = nn.Linear(6, 16), nn.Linear(16, 4)
        self.is_plain = is_plain

    def forward(self, x, labels):
        y = self.one(x)
        if self.is_plain:
            y = F.leaky_relu(y, .02)
        else:
            y = poptorch.custom_op([y], "LeakyRelu", "custom.ops", 1,
                                   example_outputs=[y],
                                   attributes={"alpha": .02})[0]
        y = self.two(y)
        return y, F.cross_entropy(y, labels)


@program("custom operator", "library that is missing, stand-in")
def custom():
    ctypes.cdll.LoadLibrary("./build/custom_ops.so")
    model, plain = Leaky(), Leaky(True)
    plain.load_state_dict(model.state_dict())
    trainer = poptorch.trainingModel(model, options(), torch.optim.Adam(
        model.parameters(), lr=.01))
    reference = Plain(plain, torch.optim.Adam(plain.parameters(), lr=.01))
    batches = [(torch.randn(8, 6), torch.randint(4, (8,))) for _ in range(4)]
    got = torch.stack([trainer(*each)[1].reshape(()) for each in batches])
    return [(got, torch.cat([reference(*each) for each in batches])),
            (weights(model), weights(plain))]


class Rounded(nn.Module):
    """Weights of 8 bits, whose gradients pass the rounding."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 6))

    def forward(self, x, labels):
        scale = self.weight.abs().max().detach() / 127
        near = (self.weight / scale).round().clamp(-128, 127) * scale
        y = x @ (self.weight + (near - self.weight).detach()).t()
        return y, F.cross_entropy(y, labels)


@program("quantised weights", "detach, round and clamp")
def rounded():
    batches = [(torch.randn(8, 6), torch.randint(4, (8,))) for _ in range(4)]
    return learn(Rounded(), batches, *sgd(lr=.2))


@program("automatic scaling", "half, 2 replicas, finalLossScale", 5e-3)
def scaling():
    model = WithLoss(nn.Sequential(nn.Linear(8, 32), nn.ReLU(),
                                   nn.Linear(32, 4))).half()
    opts = opts_of(1, 2, 2)
    opts.Training.setAutomaticLossScaling(True)
    batches = [(torch.randn(32, 8), torch.randint(4, (32,)))
               for _ in range(6)]
    return learn(model, batches, *sgd(loss_scaling=1024.,
                                      use_combined_accum=False), opts)


@program("checkpoint", "saved, loaded into new objects, resumed")
def checkpoint():
    def made(optim):
        model = WithLoss(nn.Sequential(nn.Linear(6, 16), nn.Tanh(),
                                       nn.Linear(16, 4)))
        return model, optim.Adam(model.parameters(), lr=.01)
    model, optimizer = made(poptorch.optim)
    plain = copy.deepcopy(model)
    batches = [(torch.randn(8, 6), torch.randint(4, (8,))) for _ in range(8)]
    trainer = poptorch.trainingModel(model, options(), optimizer)
    got = [trainer(*each)[1] for each in batches[:4]]
    file = io.BytesIO()
    torch.save({"model": model.state_dict(),
                "optimizer": optimizer.state_dict()}, file)
    trainer.destroy()
    file.seek(0)
    kept = torch.load(file)
    model, optimizer = made(poptorch.optim)
    model.load_state_dict(kept["model"])
    optimizer.load_state_dict(kept["optimizer"])
    trainer = poptorch.trainingModel(model, options(), optimizer)
    got += [trainer(*each)[1] for each in batches[4:]]
    reference = Plain(plain, torch.optim.Adam(plain.parameters(), lr=.01))
    return [(torch.stack([each.reshape(()) for each in got]),
             torch.cat([reference(*each) for each in batches])),
            (weights(model), weights(plain))]


@program("output modes", "dictionary, 2 replicas x 4 iterations")
def modes():
    net = nn.Linear(3, 2)

    class Named(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, x, scale=2.):
            y = self.net(x)
            return {"y": y, "all": [y.sum(), (y * scale,)]}
    x = torch.randn(16, 3)
    parts = [net(each).detach() for each in x.chunk(8)]
    steps = [parts[0::2], parts[1::2]]
    pairs = []
    for mode, period, chosen in (
            (poptorch.OutputMode.All, None, [
                parts[2 * i + r] for i in range(4) for r in range(2)]),
            (poptorch.OutputMode.Final, None, [each[-1] for each in steps]),
            (poptorch.OutputMode.EveryN, 2, [
                steps[r][i] for i in (1, 3) for r in range(2)]),
            (poptorch.OutputMode.Sum, None, [sum(each) for each in steps])):
        opts = options().deviceIterations(4).replicationFactor(2)
        opts.outputMode(mode, period)
        got = poptorch.inferenceModel(Named(), opts)(x, scale=3.)
        pairs += [(got["y"], torch.cat(chosen)),
                  (got["all"][0], torch.stack([y.sum() for y in chosen])),
                  (got["all"][1][0], 3 * torch.cat(chosen))]
    return pairs


@program("policy gradient", "acts by inference, learns by training")
def policy():
    class Policy(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(),
                                     nn.Linear(16, 2))

        def forward(self, state, action=None, reward=None):
            chances = self.net(state).log_softmax(-1)
            if action is None:
                return chances.exp()
            taken = chances.gather(1, action[:, None])[:, 0]
            return chances, poptorch.identity_loss(-taken * reward, "mean")
    model = Policy()
    plain, found = copy.deepcopy(model), []
    for each in (model, plain):
        optimizer = torch.optim.Adam(each.parameters(), lr=.01)
        act, teach = (each, Plain(each, optimizer)) if each is plain else (
            poptorch.inferenceModel(each, options()),
            poptorch.trainingModel(each, options(), optimizer))
        torch.manual_seed(5)
        seen = []
        for _ in range(6):
            state = torch.randn(8, 4)
            chances = act(state).detach()
            action = (torch.rand(8) < chances[:, 1]).long()
            seen += [chances.mean(0)[:1], last(teach(
                state, action, state[:, 0] * (2. * action - 1))).reshape(1)]
        found.append((torch.cat(seen), weights(each)))
    return zip(*found)


@program("gradients", "anchors of a gradient and of the loss")
def anchors():
    model = WithLoss(nn.Sequential(nn.Linear(6, 8), nn.ReLU(),
                                   nn.Linear(8, 4)))
    opts, plain = opts_of(1, 2), copy.deepcopy(model)
    opts.anchorTensor("gradient", "Gradient___network.0.weight")
    opts.anchorTensor("loss", "loss")
    trainer = poptorch.trainingModel(model, opts, torch.optim.SGD(
        model.parameters(), lr=.1))
    x, labels = torch.randn(8, 6), torch.randint(4, (8,))
    trainer(x, labels)
    wanted = plain(x, labels)[1]
    wanted.backward()
    return [(trainer.getAnchoredTensor("gradient"),
             plain.network[0].weight.grad),
            (trainer.getAnchoredTensor("loss").mean(), wanted)]
