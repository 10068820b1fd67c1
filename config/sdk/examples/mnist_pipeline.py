"""The tutorial on pipelining with PopTorch: MNIST, a model in four blocks.

It takes the options of the tutorial's script, and some of its own: see
mnist_pipeline.py --help.
"""
import argparse
import json
import os
import sys

import popdist
import popdist.poptorch
import poptorch
import torch
import torch.nn as nn
import torchvision
from tqdm import tqdm

MEAN, DEVIATION = 0.1307, 0.3081        # of MNIST's pixels
TRAIN_TO_TEST = 6                       # digits of MNIST's two sets


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


def test(inference_model, test_data):
    sum_acc = 0.0
    for data, labels in tqdm(test_data, total=len(test_data)):
        sum_acc += accuracy(inference_model(data), labels)
    print(f"Accuracy on test set: {sum_acc / len(test_data):0.2f}%")


def stages():
    return [poptorch.Stage(f"B{number + 1}").ipu(number)
            for number in range(4)]


def generated(part, count, seed):
    """Digits that ipubox draws, as mnist-pipeline's, which need no files."""
    from ipubox_sdk import digits
    pixels, labels = digits.draw(part, count, seed)
    images = torch.frombuffer(bytearray(pixels), dtype=torch.uint8)
    images = images.view(-1, 1, 28, 28) / 255
    return torch.utils.data.TensorDataset((images - MEAN) / DEVIATION,
                                          torch.tensor(list(labels)))


def mnist(directory, is_train):
    """The files of MNIST, which a real torchvision downloads."""
    transform = torchvision.transforms.Compose([
        torchvision.transforms.ToTensor(),
        torchvision.transforms.Normalize((MEAN,), (DEVIATION,))])
    try:
        return torchvision.datasets.MNIST(directory, train=is_train,
                                          download=True, transform=transform)
    except (OSError, RuntimeError) as error:
        sys.exit(f"mnist_pipeline.py: cannot read the MNIST data: {error}; "
                 "--dataset generated works without them")


def datasets(args):
    """The training set and the test set."""
    if args.dataset == "generated":
        count = args.samples or 60000
        tests = count // TRAIN_TO_TEST
        print(f"Dataset: {count} + {tests} generated digits (not MNIST)")
        return (generated("train", count, args.seed or 0),
                generated("test", tests, args.seed or 0))
    training, tests = (mnist(args.data_dir, is_train)
                       for is_train in (True, False))
    if args.samples:
        count = min(args.samples, len(training))
        training = torch.utils.data.Subset(training, range(count))
    return training, tests


def data_loader(opts, dataset, batch_size, args):
    wanted = (batch_size * args.device_iterations * args.gradient_accumulation
              * popdist.getNumTotalReplicas())
    if len(dataset) < wanted:
        sys.exit(f"mnist_pipeline.py: the data set has {len(dataset)} "
                 f"samples, but one call takes {wanted}; choose a smaller "
                 "batch size or fewer device iterations")
    return poptorch.DataLoader(
        opts, dataset, batch_size=batch_size, shuffle=True, drop_last=True,
        mode=poptorch.DataLoaderMode.Async, num_workers=args.workers)


def options(seed):
    """Options of this program, or of an instance of a job."""
    if popdist.isPopdistEnvSet():
        made = popdist.poptorch.Options(ipus_per_replica=4)
    else:
        made = poptorch.Options()
    return made if seed is None else made.randomSeed(seed)


def count(text):
    """Reads the number of an option, which is 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"must be a number, 1 or more, not '{text}'")
    return int(text)


def add_own_options(parser):
    own = parser.add_argument_group("options that the tutorial's script does "
                                    "not have")
    own.add_argument("--dataset", choices=["mnist", "generated"],
                     default="mnist",
                     help="mnist, or generated for digits that the program "
                          "draws (default: mnist)")
    own.add_argument("--data-dir", metavar="DIR", default="mnist_data/",
                     help="directory of the MNIST files, or the one they are "
                          "downloaded to (default: mnist_data/)")
    own.add_argument("--samples", type=count, metavar="N",
                     help="number of samples to train on (default: 60000); a "
                          "generated test set has a sixth as many")
    own.add_argument("--seed", type=int, metavar="N",
                     help="seed of shuffling and of generated digits; the "
                          "instances of a job need one, because they must "
                          "shuffle alike")
    own.add_argument("--workers", type=count, metavar="N",
                     default=min(16, len(os.sched_getaffinity(0))),
                     help="number of processes that load data (default: the "
                          "number of processors, at most 16)")


def parse_options():
    parser = argparse.ArgumentParser(
        description="MNIST training in PopTorch with pipelining")
    for name, default, what in (
            ("--batch-size", 40, "mini-batch size for training"),
            ("--device-iterations", 10, "device iterations for training"),
            ("--gradient-accumulation", 10, "mini-batches in a weight update"),
            ("--test-batch-size", 8, "batch size for inference"),
            ("--epochs", 3, "number of epochs to train for")):
        parser.add_argument(name, type=count, default=default, metavar="N",
                            help=f"{what} (default: {default})")
    parser.add_argument("--learning-rate", type=float, default=0.001,
                        metavar="RATE",
                        help="learning rate of the AdamW optimiser "
                             "(default: 0.001)")
    parser.add_argument("--profile", action="store_true",
                        help="enable profiling")
    parser.add_argument("--profile-dir", default="./profile", metavar="DIR",
                        help="directory to save the profile in "
                             "(default: ./profile)")
    parser.add_argument("--strategy", choices=["pipelined", "sharded"],
                        default="pipelined",
                        help="execution strategy (default: pipelined)")
    parser.add_argument("--debug", action="store_true",
                        help="print the debug logging while running")
    parser.add_argument("--offload-optimiser", action="store_true",
                        help="offload the optimiser state")
    add_own_options(parser)
    return parser.parse_args()


def main():
    args = parse_options()
    if args.debug:
        poptorch.setLogLevel("DEBUG")
    if args.profile:
        os.environ["POPLAR_ENGINE_OPTIONS"] = json.dumps({
            "autoReport.all": "true",
            "autoReport.directory": args.profile_dir})
    torch.manual_seed(0)

    train_opts = options(args.seed)
    train_opts.deviceIterations(args.device_iterations)
    train_opts.Training.gradientAccumulation(args.gradient_accumulation)
    train_opts.outputMode(poptorch.OutputMode.All)
    kind = poptorch.PipelinedExecution if args.strategy == "pipelined" \
        else poptorch.ShardedExecution
    train_opts.setExecutionStrategy(kind(*stages()))
    if args.offload_optimiser:
        train_opts.TensorLocations.setOptimizerLocation(
            poptorch.TensorLocationSettings().useOnChipStorage(False))
    # As many mini-batches in a call as in training.
    inference_iterations = args.device_iterations * args.gradient_accumulation
    training_set, test_set = datasets(args)
    training_data = data_loader(train_opts, training_set, args.batch_size,
                                args)
    test_data = data_loader(
        options(args.seed).deviceIterations(inference_iterations), test_set,
        args.test_batch_size, args)

    model = Network()
    training_model = poptorch.trainingModel(
        TrainingModelWithLoss(model), train_opts,
        optimizer=poptorch.optim.AdamW(model.parameters(),
                                       lr=args.learning_rate))
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
