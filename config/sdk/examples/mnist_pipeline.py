"""The tutorial on pipelining with PopTorch: MNIST, a model in four blocks.

usage: mnist_pipeline.py [--strategy pipelined|sharded] [--offload-optimiser]
       [--epochs N] [--samples N] [--profile] [--data DIR] [--seed N]

Instances of a job need a seed, as they shuffle alike.
"""
import argparse
import json
import os

import popdist
import popdist.poptorch
import poptorch
import torch
import torch.nn as nn
import torchvision
from tqdm import tqdm

learning_rate = 0.001
batch_size = 40
test_batch_size = 8
training_iterations = 10
gradient_accumulation = 10
inference_iterations = 100


class ConvLayer(nn.Module):
    def __init__(self, in_channels, num_filters, kernel_size, pool_size):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, num_filters, kernel_size)
        self.pool = nn.MaxPool2d(kernel_size=pool_size)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.pool(self.conv(x)))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = ConvLayer(1, 10, 5, 2)
        self.layer2 = ConvLayer(10, 20, 5, 2)
        self.layer3 = nn.Linear(320, 256)
        self.layer3_act = nn.ReLU()
        self.layer4 = nn.Linear(256, 10)

    def forward(self, x):
        with poptorch.Block("B1"):
            x = self.layer1(x)
        with poptorch.Block("B2"):
            x = self.layer2(x)
        with poptorch.Block("B3"):
            x = x.view(-1, 320)
            x = self.layer3_act(self.layer3(x))
        with poptorch.Block("B4"):
            x = self.layer4(x)
        return x


class TrainingModelWithLoss(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.loss = nn.CrossEntropyLoss()

    def forward(self, args, labels=None):
        output = self.model(args)
        if labels is None:
            return output
        with poptorch.Block("B4"):
            loss = self.loss(output, labels)
        return output, loss


def accuracy(predictions, labels):
    _, ind = torch.max(predictions, 1)
    labels = labels[-predictions.size()[0]:]
    return torch.sum(torch.eq(ind, labels)).item() / labels.size()[0] * 100.0


def train(training_model, training_data, epochs):
    nr_steps = len(training_data)
    for epoch in range(1, epochs + 1):
        print(f"Epoch {epoch}/{epochs}")
        bar = tqdm(training_data, total=nr_steps)
        for data, labels in bar:
            preds, losses = training_model(data, labels)
            mean_loss = torch.mean(losses).item()
            acc = accuracy(preds, labels)
            bar.set_description(
                f"Loss:{mean_loss:0.4f} | Accuracy:{acc:0.2f}%")
        print(f"Loss:{mean_loss:0.4f} | Accuracy:{acc:0.2f}%")


def test(inference_model, test_data):
    sum_acc = 0.0
    for data, labels in tqdm(test_data, total=len(test_data)):
        sum_acc += accuracy(inference_model(data), labels)
    print(f"Accuracy on test set: {sum_acc / len(test_data):0.2f}%")


def stages():
    return [poptorch.Stage(f"B{number + 1}").ipu(number)
            for number in range(4)]


def dataset(directory, is_train, samples):
    transform = torchvision.transforms.Compose([
        torchvision.transforms.ToTensor(),
        torchvision.transforms.Normalize((0.1307,), (0.3081,))])
    found = torchvision.datasets.MNIST(directory, train=is_train,
                                       download=True, transform=transform)
    if samples and is_train:
        found = torch.utils.data.Subset(found, range(samples))
    return found


def options(seed):
    """Those of this program, or of an instance of a job."""
    if popdist.isPopdistEnvSet():
        made = popdist.poptorch.Options(ipus_per_replica=4)
    else:
        made = poptorch.Options()
    return made if seed is None else made.randomSeed(seed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strategy", default="pipelined")
    parser.add_argument("--offload-optimiser", action="store_true")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--data", default="mnist_data/")
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    if args.profile:
        os.environ["POPLAR_ENGINE_OPTIONS"] = json.dumps({
            "autoReport.all": "true", "autoReport.directory": "./profile"})
    torch.manual_seed(0)

    train_opts = options(args.seed)
    train_opts.deviceIterations(training_iterations)
    train_opts.Training.gradientAccumulation(gradient_accumulation)
    train_opts.outputMode(poptorch.OutputMode.All)
    kind = poptorch.PipelinedExecution if args.strategy == "pipelined" \
        else poptorch.ShardedExecution
    train_opts.setExecutionStrategy(kind(*stages()))
    if args.offload_optimiser:
        train_opts.TensorLocations.setOptimizerLocation(
            poptorch.TensorLocationSettings().useOnChipStorage(False))
    training_data = poptorch.DataLoader(
        train_opts, dataset(args.data, True, args.samples),
        batch_size=batch_size, shuffle=True,
        mode=poptorch.DataLoaderMode.Async, num_workers=args.workers)
    test_data = poptorch.DataLoader(
        options(args.seed).deviceIterations(inference_iterations),
        dataset(args.data, False, 0), batch_size=test_batch_size,
        shuffle=True, drop_last=True, mode=poptorch.DataLoaderMode.Async,
        num_workers=args.workers)

    model = Network()
    training_model = poptorch.trainingModel(
        TrainingModelWithLoss(model), train_opts,
        optimizer=poptorch.optim.AdamW(model.parameters(),
                                       lr=learning_rate))
    train(training_model, training_data, args.epochs)
    training_model.detachFromDevice()

    inf_options = train_opts.clone()
    inf_options.Training.gradientAccumulation(1)
    inf_options.deviceIterations(inference_iterations)
    inference_model = poptorch.inferenceModel(model, inf_options)
    test(inference_model, test_data)
    inference_model.detachFromDevice()


if __name__ == "__main__":
    main()
