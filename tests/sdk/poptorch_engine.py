"""ipubox's engine computes what PyTorch does: the same models, trained by both
from the same seed."""
import os

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_checks import attempt, check, finish, options, raises

UPDATES = 20
numbers = []            # states of the generators of all runs


class WithLoss(nn.Module):
    """A model, and a loss where there are targets."""

    def __init__(self, model, loss=None):
        super().__init__()
        self.model = model
        self.loss = loss or nn.CrossEntropyLoss()

    def forward(self, x, targets=None):
        y = self.model(x)
        return y if targets is None else (y, self.loss(y, targets))


class LogProbabilities(nn.Module):
    """As in PyTorch's examples."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, targets=None):
        y = F.log_softmax(self.model(x), dim=-1)
        return y if targets is None else (
            y, poptorch.identity_loss(F.nll_loss(y, targets.long()), "none"))


class Residual(nn.Module):
    """All kinds of operations that are no chain."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 8, 3, padding=1)
        self.third = nn.Conv2d(8, 8, 1)
        self.last = nn.Linear(256, 7)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.relu(self.first(x))
        y = self.third(F.gelu(self.second(x))) + x
        y = torch.cat([F.leaky_relu(y, 0.2), torch.tanh(x)], 1) * 0.5
        y = F.max_pool2d(y, 2).reshape(y.size(0), -1)
        return self.last(F.dropout(y, 0.3, False))


class Tokens(nn.Module):
    """Layers of rows."""

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(6, 16), nn.Linear(5, 5)

    def forward(self, x):
        y = torch.sigmoid(self.one(x)).transpose(1, 2)
        return self.other(y).permute(0, 2, 1)


class Normalised(nn.Module):
    """A residual block with statistics, and groups of channels."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False)
        self.second = nn.Conv2d(8, 8, 3, padding=1, groups=4, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(8) for _ in range(2))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.last = nn.Linear(8, 7)

    def forward(self, x):
        x = F.relu(self.norms[0](self.first(x)))
        y = F.avg_pool2d(F.relu(x + self.norms[1](self.second(x))), 2)
        return self.last(torch.flatten(self.pool(y), 1))


class Attention(nn.Module):
    """A layer of a transformer."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(30, 16)
        self.places = nn.Parameter(torch.randn(1, 6, 16) * 0.1)
        self.norm, self.last_norm = nn.LayerNorm(16), nn.LayerNorm(16)
        self.three, self.joined = nn.Linear(16, 48), nn.Linear(16, 16)
        self.drop = nn.Dropout(0.2)
        self.last = nn.Linear(16, 5)

    def forward(self, x):
        x = self.table(x) + self.places
        parts = self.three(self.norm(x)).chunk(3, dim=-1)
        q, k, v = (each.view(x.size(0), 6, 2, 8).transpose(1, 2)
                   for each in parts)
        scores = torch.softmax(q @ k.transpose(-2, -1) / 8 ** 0.5, dim=-1)
        y = (self.drop(scores) @ v).transpose(1, 2).reshape(x.shape)
        x = self.last_norm(x + self.joined(y))
        return self.last(x.mean(dim=1))


class Windows(nn.Module):
    """Windows with two different sides, and in one dimension."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 6, (3, 1), stride=(2, 1), padding=(2, 0),
                               dilation=(2, 1))
        self.second = nn.Conv2d(6, 6, (1, 3), padding="same", groups=2)
        self.third = nn.Conv1d(6, 8, 5, stride=2, padding=3, dilation=2)
        self.last = nn.Linear(8, 5)

    def forward(self, x):
        y = torch.tanh(self.second(self.first(x)))
        y = F.max_pool2d(y, (2, 1), stride=1, padding=(1, 0))
        y = F.avg_pool2d(y, (1, 3), (2, 1), padding=(0, 1)).flatten(2)
        y = F.avg_pool1d(F.max_pool1d(F.relu(self.third(y)), 3, 2, 1), 2)
        return self.last(F.adaptive_avg_pool1d(y, 1).squeeze(-1))


class Transformer(nn.Module):
    """Encoders and a decoder of PyTorch's, with their batch first or second,
    and constant masks."""

    def __init__(self, batch_first):
        super().__init__()
        self.batch_first = batch_first
        kinds = nn.TransformerEncoderLayer, nn.TransformerDecoderLayer
        one, other = (kind(16, 2, 24, 0.1 * (number + 1), "gelu",
                           batch_first=batch_first, norm_first=number == 1)
                      for number, kind in enumerate(kinds))
        self.table = nn.Embedding(30, 16)
        self.register_buffer("places", torch.randn(9, 1, 16))
        self.register_buffer(
            "mask", nn.Transformer.generate_square_subsequent_mask(6))
        self.encoder = nn.TransformerEncoder(one, 2, nn.LayerNorm(16))
        self.decoder = nn.TransformerDecoder(other, 1)
        self.attention = nn.MultiheadAttention(16, 4, bias=False,
                                               batch_first=True)
        self.last = nn.Linear(16, 5)

    def forward(self, x):
        x = self.table(x if self.batch_first else x.t())
        places = self.places[:6]
        x = F.dropout(x + (places.transpose(0, 1) if self.batch_first
                           else places), 0.1, self.training)
        x = self.decoder(x, self.encoder(x, self.mask), self.mask)
        if not self.batch_first:
            x = torch.cat([x[:1] + x[-1:] * 0.1, x[1:]], 0)
            x = x.transpose(0, 1)
        x = F.dropout(x, 0.1, self.training)
        mask = torch.ones(6, 6, dtype=torch.bool).triu(2)
        return self.last(self.attention(x, x, x, attn_mask=mask)[0].mean(1))


class Rows(nn.Module):
    """A loss of each row."""

    def __init__(self):
        super().__init__()
        self.table, self.last = nn.Embedding(30, 8), nn.Linear(8, 5)
        self.loss = nn.CrossEntropyLoss(torch.tensor([.5, 2, 1, 1, 3.]),
                                        label_smoothing=0.1)

    def forward(self, x, targets=None):
        y = self.last(torch.tanh(self.table(x)))
        if targets is None:
            return y
        return y, self.loss(y.view(-1, 5), targets.view(-1))


class Arithmetic(nn.Module):
    """Sums, products and indices."""

    def __init__(self):
        super().__init__()
        self.one, self.gate = nn.Linear(6, 16), nn.Linear(6, 1)
        self.places, self.last = nn.Embedding(5, 16), nn.Linear(16, 5)
        self.limit = nn.ReLU6()
        self.register_buffer("shift", torch.randn(16))

    def forward(self, x):
        a = self.one(x) + self.places(torch.arange(5))
        y = F.silu(a) * torch.sigmoid(self.gate(x)) - x[..., None, 3].mean(
            1, keepdim=True)
        y = (1 - y) - F.elu(a, 0.7) * 0.5 + self.limit(3 * a) / 2
        y = y - F.relu6(a) - F.softplus(-a) + (self.shift - a)
        y = y.square() * 0.1 + torch.exp(-a * a) + 0.1
        return self.last(y[:, 0] + y[:, -1, :] - y[:, 1:3].sum(1) +
                         y.select(1, 3))


class Several(nn.Module):
    """Words, integers and numbers as inputs, and in inference several results.
    """

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(30, 8)
        self.numbers, self.last = nn.Linear(3, 6), nn.Linear(14, 5)

    def forward(self, words, more, numbers, targets=None):
        x = self.table(words) + (1 - more.float()[:, :, None]) * 0.1
        hidden = torch.cat([x.mean(1), torch.tanh(self.numbers(numbers))], 1)
        y = self.last(hidden)
        if targets is None:
            return x, F.softmax(y, 1), hidden, y
        return y, F.cross_entropy(y, targets)


def perceptron():
    """Four layers."""
    return nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 32),
                         nn.ReLU(), nn.Linear(32, 32), nn.ReLU(),
                         nn.Linear(32, 5))


def lenet():
    """LeNet-5."""
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
        nn.Linear(84, 10))


def inputs_of(shape, targets, count, generator):
    """Samples and targets: classes below a number, such classes of a shape,
    some without a loss, or floats of a shape."""
    if isinstance(shape[0], tuple):
        return *(inputs_of(each, 1, count, generator)[0]
                 for each in shape[1:]), *inputs_of(
                     shape[0], targets, count, generator)
    x = torch.randn(count, *shape, generator=generator)
    if shape == (6,):
        x = torch.randint(0, 30, (count, *shape), generator=generator)
    if isinstance(targets, int):
        return x, torch.randint(0, targets, (count,), generator=generator,
                                dtype=torch.int32)
    if isinstance(targets[-1], tuple):
        return x, torch.randint(0, targets[0], (count, *targets[1]),
                                generator=generator).where(
            torch.rand(count, *targets[1], generator=generator) > 0.2,
            torch.tensor(-100))
    return x, torch.rand(count, *targets, generator=generator)


def train(mode, make, optimizer, shape, targets, batch, steps, replicas,
          output_mode):
    """(results, weights, state of the optimizer) of a program."""
    os.environ["IPUBOX_POPTORCH"] = mode
    torch.manual_seed(3)
    model = make()
    iterations, accumulation = steps
    opts = options().deviceIterations(iterations)
    opts.replicationFactor(replicas).outputMode(*output_mode)
    opts.Training.gradientAccumulation(accumulation)
    optim = optimizer(model.parameters())
    trained = poptorch.trainingModel(model, opts, optim)
    generator = torch.Generator().manual_seed(5)
    count = batch * iterations * accumulation * replicas
    results = []
    for number in range(UPDATES // iterations):
        results += trained(*inputs_of(shape, targets, count, generator))
        if number == 1:
            optim.param_groups[0]["lr"] *= 0.5
            trained.setOptimizer(optim)
    check(f"{mode}: {make}",
          (trained._executable.engine is not None) == (mode == "engine"))
    state = optim.get_state_dict()["ipu_state"]
    numbers.append(trained.rng_state)
    weights = {name: each.clone() for name, each in
               model.state_dict().items()}
    trained.detachFromDevice()
    model.eval()
    tested = poptorch.inferenceModel(model, options().deviceIterations(3))
    *x, y = inputs_of(shape, targets, 3 * batch, generator)
    found = tested(*x)
    results += found if isinstance(found, tuple) else [found]
    tested = poptorch.inferenceModel(model, options().deviceIterations(3))
    results += tested(*x, y)
    return results, weights, state


def distance(one, other):
    """Relative, by their norms; a difference in form is infinite."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return float("inf")
    one, other = one.double(), other.double()
    return ((one - other).norm() / (other.norm() + 1e-30)).item()


def compare(name, *arguments):
    """Both learn the same."""
    def run():
        ours, theirs = (train(mode, *arguments)
                        for mode in ("engine", "torch"))
        check(f"{name}: random numbers", numbers[-1] == numbers[-2])
        check(f"{name}: number of results", len(ours[0]) == len(theirs[0]))
        check(f"{name}: states", list(ours[2]) == list(theirs[2]))
        for what, one, other in (
                ("results", ours[0], theirs[0]),
                ("weights", ours[1].values(), theirs[1].values()),
                ("states", ours[2].values(), theirs[2].values())):
            most = max(map(distance, one, other), default=0.0)
            check(f"{name}: {what} differ by {most}", most < 1e-5)
    attempt(name, run)


def unknown():
    """What the engine does not have is named."""
    class Odd(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 4)

        def forward(self, x):
            return torch.erfinv(self.layer(x))

    os.environ["IPUBOX_POPTORCH"] = "engine"
    x = torch.randn(2, 4)
    model = poptorch.inferenceModel(Odd(), options())
    raises("the operation is named", poptorch.Error, "erfinv",
           lambda: model(x))
    raises("again", poptorch.Error, "erfinv", lambda: model(x))
    class Mixed(Odd):
        def forward(self, x):
            return self.layer(x.transpose(0, 1)) + x

    mixed = poptorch.inferenceModel(Mixed(), options())
    raises("two orders", poptorch.Error, "batch first and second",
           lambda: mixed(torch.randn(2, 2, 4)))
    half = poptorch.inferenceModel(nn.Linear(4, 4).half(), options())
    raises("halves", poptorch.Error, "linear", lambda: half(x.half()))
    os.environ["IPUBOX_POPTORCH"] = "fast"
    raises("another word", poptorch.Error, "must be auto, engine or torch",
           lambda: model(x))
    os.environ["IPUBOX_POPTORCH"] = "auto"
    check("PyTorch computes it", model(x).shape == (2, 4))


def odd_arguments():
    """PyTorch computes what a row of the table is not for."""
    os.environ["IPUBOX_POPTORCH"] = "auto"

    class Odd(nn.Module):
        def __init__(self, function):
            super().__init__()
            self.layer = nn.Linear(4, 4)
            self.weight = nn.Parameter(torch.tensor([1.0, -2, 3, 0]))
            self.function = function

        def forward(self, x):
            return self.function(self.layer(x), self.weight)

    x = torch.randn(2, 4)
    for name, function in (
            ("a weight less a result", lambda y, w: torch.rsub(y, w)),
            ("a number and a weight", lambda y, w: w + 0.5),
            ("a quotient by 0", lambda y, w: y / 0),
            ("a slope in a tensor", lambda y, w: F.leaky_relu(
                y, torch.tensor(2.0))),
            ("an elu's in one", lambda y, w: F.elu(y, torch.tensor(2.0)))):
        odd = Odd(function).eval()
        made = poptorch.inferenceModel(odd, options())(x)
        check(name, torch.allclose(made, odd(x), 1e-5, 1e-6))


def ignored_targets():
    """A call with a target that has no loss is PyTorch's; the weights are the
    same ones."""
    weights = []
    for mode in ("engine", "torch"):
        os.environ["IPUBOX_POPTORCH"] = mode
        torch.manual_seed(1)
        model = WithLoss(perceptron())
        trained = poptorch.trainingModel(model, options())
        x = torch.randn(8, 20)
        for targets in ([0, 1, 2, 3, 4, 0, 1, 2], [0, -100, 2] + [3] * 5,
                        [4] * 8):
            trained(x, torch.tensor(targets))
        weights.append(model.model[0].weight.detach().clone())
        raises("no class", IndexError, "out of bounds",
               lambda: trained(x, torch.tensor([5] * 8)))
    check("the weights", distance(*weights) < 1e-6)


def momentum_of_0():
    """The velocity stays while the momentum is 0."""
    weights = []
    for mode in ("engine", "torch"):
        os.environ["IPUBOX_POPTORCH"] = mode
        torch.manual_seed(1)
        model = WithLoss(perceptron())
        optim = OPTIM.SGD(model.parameters(), lr=0.1, momentum=0.9)
        trained = poptorch.trainingModel(model, options(), optim)
        x, y = torch.randn(8, 20), torch.arange(8) % 5
        for momentum in (0.9, 0.0, 0.5, 0.5):
            optim.param_groups[0]["momentum"] = momentum
            trained.setOptimizer(optim)
            trained(x, y)
        weights.append(model.model[0].weight.detach().clone())
    check("the weights", distance(*weights) < 1e-6)


def forked():
    """A process that was forked has a child and weights of its own."""
    os.environ["IPUBOX_POPTORCH"] = "engine"
    torch.manual_seed(1)
    model = WithLoss(perceptron())
    trained = poptorch.trainingModel(model, options())
    x, y = torch.randn(8, 20), torch.arange(8, dtype=torch.int32) % 5
    trained(x, y)
    before = model.model[0].weight.detach().clone()
    process = os.fork()
    if process == 0:
        trained(x, y)
        os._exit(int(torch.equal(before, model.model[0].weight.detach())))
    check("the other process", os.waitpid(process, 0)[1] == 0)
    check("this one", torch.equal(before, model.model[0].weight.detach()))
    _, loss = trained(x, y)
    check("it goes on", bool(loss.isfinite()))


EACH, LAST = (poptorch.OutputMode.All,), (poptorch.OutputMode.Final,)
SUM, SECOND = (poptorch.OutputMode.Sum,), (poptorch.OutputMode.EveryN, 2)
OPTIM = poptorch.optim

compare("SGD", lambda: WithLoss(perceptron()),
        lambda each: OPTIM.SGD(each, lr=0.1, momentum=0.0), (20,), 5, 8,
        (1, 1), 1, LAST)
compare("momentum", lambda: LogProbabilities(perceptron()),
        lambda each: OPTIM.SGD(each, lr=0.05, momentum=0.9,
                               weight_decay=1e-3),
        (20,), 5, 64, (2, 1), 1, EACH)
compare("Adam", lambda: WithLoss(perceptron(), nn.CrossEntropyLoss(
            ignore_index=2, reduction="sum")),
        lambda each: OPTIM.Adam(each, lr=0.001), (20,), 5, 16, (2, 3), 2,
        SECOND)
compare("LeNet-5", lambda: WithLoss(lenet()),
        lambda each: OPTIM.AdamW(each, lr=0.001), (1, 28, 28), 10, 16,
        (4, 1), 1, EACH)
compare("ignored", lambda: WithLoss(perceptron(), nn.CrossEntropyLoss(
            ignore_index=2)),
        lambda each: OPTIM.AdamW(each, lr=0.003), (20,), 5, 13, (1, 2), 1,
        SUM)
compare("residual", lambda: WithLoss(Residual()),
        lambda each: OPTIM.SGD(each, lr=0.02, momentum=0.9), (3, 8, 8), 7, 8,
        (2, 2), 1, EACH)
compare("squares", lambda: WithLoss(Tokens(), nn.MSELoss()),
        lambda each: OPTIM.AdamW(each, lr=0.01), (5, 6), (5, 16), 16, (4, 1),
        1, EACH)
compare("probabilities", lambda: WithLoss(
            Tokens(), nn.BCEWithLogitsLoss(reduction="sum")),
        lambda each: OPTIM.SGD(each, lr=0.01), (5, 6), (5, 16), 16, (4, 1),
        2, LAST)
compare("norms", lambda: WithLoss(Normalised()),
        lambda each: OPTIM.SGD(each, lr=0.02, momentum=0.9, nesterov=True),
        (3, 8, 8), 7, 8, (2, 2), 1, EACH)
compare("norms of replicas", lambda: WithLoss(Normalised()),
        lambda each: OPTIM.SGD(each, lr=0.02, momentum=0.9), (3, 8, 8), 7, 16,
        (2, 3), 2, EACH)
compare("dropouts of replicas", lambda: WithLoss(nn.Sequential(
            nn.Linear(20, 32), nn.BatchNorm1d(32), nn.Dropout(0.4), nn.ReLU(),
            nn.Dropout(0.1), nn.Linear(32, 5))),
        lambda each: OPTIM.SGD(each, lr=0.02), (20,), 5, 32, (2, 1), 3, EACH)
compare("attention", lambda: WithLoss(Attention()),
        lambda each: OPTIM.SGD(each, lr=0.05), (6,), 5, 8, (2, 2), 1, EACH)
compare("several", Several, lambda each: OPTIM.AdamW(each, lr=0.001),
        ((3,), (6,), (6,)), 5, 8, (2, 2), 1, EACH)
compare("rows", Rows, lambda each: OPTIM.SGD(each, lr=0.05), (6,), (5, (6,)),
        9, (2, 2), 1, EACH)
compare("pixels", lambda: WithLoss(nn.Sequential(
            nn.Conv2d(2, 6, 3), nn.Tanh(), nn.Conv2d(6, 5, 1))),
        lambda each: OPTIM.SGD(each, lr=0.05), (2, 6, 6), (5, (4, 4)), 9,
        (2, 2), 1, LAST)
for loss in (nn.L1Loss(), nn.SmoothL1Loss(beta=0.3), nn.HuberLoss(),
             nn.BCEWithLogitsLoss(
                 pos_weight=torch.tensor([1, 3, 0.5, 2, 1.]))):
    compare(str(loss), lambda: WithLoss(nn.Sequential(
                nn.Linear(20, 16), nn.Tanh(), nn.Linear(16, 5)), loss),
            lambda each: OPTIM.SGD(each, lr=0.05), (20,), (5,), 16, (2, 1), 1,
            EACH)
compare("arithmetic", lambda: WithLoss(Arithmetic()),
        lambda each: OPTIM.SGD(each, lr=0.02), (5, 6), 5, 9, (2, 2), 1, EACH)
compare("windows", lambda: WithLoss(Windows()),
        lambda each: OPTIM.SGD(each, lr=0.05, momentum=0.9), (2, 9, 7), 5, 9,
        (2, 2), 1, EACH)
for first in True, False:
    compare("transformer", lambda: WithLoss(Transformer(first)),
            lambda each: OPTIM.SGD(each, lr=0.05, momentum=0.9), (6,), 5, 9,
            (2, 2), 1, EACH)
compare("RMSprop", lambda: WithLoss(nn.Sequential(
            nn.Linear(20, 16), nn.Tanh(), nn.Dropout(0.5), nn.Linear(16, 5))),
        lambda each: OPTIM.RMSprop(each, lr=0.002, momentum=0.5,
                                   centered=True),
        (20,), 5, 13, (2, 1), 1, EACH)
attempt("unknown", unknown)
attempt("odd arguments", odd_arguments)
attempt("ignored targets", ignored_targets)
attempt("momentum of 0", momentum_of_0)
attempt("forked", forked)
finish()
