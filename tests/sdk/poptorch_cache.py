"""One process of a job: it compiles two models that differ in what a module
does, and runs them.  Says on which instance a result was wrong."""
import sys

import popdist.poptorch
import poptorch
import torch
from torch import nn


class Model(nn.Module):
    """A layer, and then what it is told."""

    def __init__(self, last):
        super().__init__()
        self.layer = nn.Linear(16, 4)
        self.last = last

    def forward(self, x):
        return self.last(self.layer(x))


def check(last):
    """Compile and run a model with that end; its result is PyTorch's."""
    torch.manual_seed(1)
    model = Model(last)
    x = torch.randn(2, 16)
    options = popdist.poptorch.Options() if "--job" in sys.argv \
        else poptorch.Options()
    got = poptorch.inferenceModel(model, options.showCompilationProgressBar(
        False))(x)
    if not torch.allclose(got, model(x)):
        print("another model's result")


check(lambda value: torch.tanh(2 * value))
check(torch.sum)
# The same operations, bytes and flop as the first: only its code says that it
# is another model.
check(lambda value: torch.tanh(3 * value))
