"""Models in our poptorch beside the same ones in plain PyTorch.

usage: poptorch_train.py SECONDS

Tensors are in memory, and both take turns in one process, so that a busy
machine is busy for both.  Prints, for each model, its name and the samples a
second of ours and of PyTorch's: the best of the turns.
"""
import copy
import sys

import poptorch
import torch
from torch import nn
from torch_train import rate

ACCUMULATION = 10
TURNS = 5


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(32, 64, batch_first=True)
        self.last = nn.Linear(64, 10)

    def forward(self, x):
        return self.last(self.lstm(x)[0][:, -1])


class Attending(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0,
                                           batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.last = nn.Linear(64, 10)

    def forward(self, x):
        return self.last(self.encoder(x).mean(1))


def models():
    """Of each its name, the module, the shape of a sample, the batch."""
    yield "tutorial", nn.Sequential(
        nn.Conv2d(1, 10, 5), nn.MaxPool2d(2), nn.ReLU(),
        nn.Conv2d(10, 20, 5), nn.MaxPool2d(2), nn.ReLU(),
        nn.Flatten(), nn.Linear(320, 256), nn.ReLU(),
        nn.Linear(256, 10)), (1, 28, 28), 40
    yield "layers", nn.Sequential(
        nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(),
        nn.Linear(256, 10)), (128,), 32
    yield "transformer", Attending(), (16, 64), 16
    yield "lstm", Recurrent(), (16, 32), 32


class WithLoss(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.loss = nn.CrossEntropyLoss()

    def forward(self, x, labels):
        return self.loss(self.model(x), labels)


def trained_by_us(model, x, labels):
    opts = poptorch.Options().showCompilationProgressBar(False)
    opts.Training.gradientAccumulation(ACCUMULATION)
    executor = poptorch.trainingModel(
        model, opts, poptorch.optim.AdamW(model.parameters(), lr=0.001))
    return lambda: executor(x, labels)


def trained_by_pytorch(model, x, labels):
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.001)

    def update():
        optimiser.zero_grad()
        for part, those in zip(x.chunk(ACCUMULATION),
                               labels.chunk(ACCUMULATION)):
            (model(part, those) / ACCUMULATION).backward()
        optimiser.step()
    return update


def main():
    seconds = float(sys.argv[1])
    torch.manual_seed(0)
    for name, model, shape, batch in models():
        samples = batch * ACCUMULATION
        x = torch.randn(samples, *shape)
        labels = torch.randint(0, 10, (samples,))
        model = WithLoss(model)
        steps = [trained_by_us(copy.deepcopy(model), x, labels),
                 trained_by_pytorch(model, x, labels)]
        best = [0.0, 0.0]
        for step in steps:
            step()
        for _ in range(TURNS):
            for number, step in enumerate(steps):
                best[number] = max(best[number],
                                   rate(seconds, samples, step))
        print(name, *best)


main()
