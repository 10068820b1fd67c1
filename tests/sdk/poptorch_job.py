"""Instances of a job train one model: they get what one program would."""
import popdist
import popdist.poptorch
import poptorch
import torch
import torch.nn as nn


class Model(nn.Module):
    """One layer and its loss."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x, y):
        out = self.layer(x)
        return out, nn.functional.mse_loss(out, y)


popdist.init()
torch.manual_seed(3)
model, plain = Model(), Model()
plain.load_state_dict(model.state_dict())
options = popdist.poptorch.Options(ipus_per_replica=1)
options.showCompilationProgressBar(False)
trained = poptorch.trainingModel(
    model, options, poptorch.optim.SGD(model.parameters(), lr=.1))
optimizer = torch.optim.SGD(plain.parameters(), lr=.1)
instance, count = popdist.getInstanceIndex(), popdist.getNumInstances()
share = 8 // count
for x, y in zip(torch.randn(5, 8, 4), torch.randn(5, 8, 2)):
    part = slice(instance * share, (instance + 1) * share)
    trained(x[part], y[part])
    optimizer.zero_grad()
    plain(x, y)[1].backward()
    optimizer.step()
print(f"instance {instance} of {count}, replicas "
      f"{popdist.getNumLocalReplicas()}: ",
      torch.allclose(model.layer.weight, plain.layer.weight, atol=1e-6))
