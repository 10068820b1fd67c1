"""The tutorial's model in PyTorch on the CPU: torch_train.py SECONDS

Samples a second, the better of one thread and all cores' threads: training
(micro-batches of 40, ten backward passes, then one step of AdamW), and
inference in batches of 8 and of 40.  Prints the three numbers.
"""
import os
import sys
import time

import torch
from torch import nn


def rate(seconds, samples, step):
    """Samples a second of step(), called for so long."""
    step()
    begin = time.perf_counter()
    calls = 0
    while True:
        step()
        calls += 1
        took = time.perf_counter() - begin
        if took >= seconds:
            return calls * samples / took


def measure(threads, seconds):
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(1, 10, 5), nn.MaxPool2d(2), nn.ReLU(),
        nn.Conv2d(10, 20, 5), nn.MaxPool2d(2), nn.ReLU(),
        nn.Flatten(), nn.Linear(320, 256), nn.ReLU(), nn.Linear(256, 10))
    loss = nn.CrossEntropyLoss()
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.001)
    images = torch.randn(40, 1, 28, 28)
    labels = torch.randint(0, 10, (40,))

    def update():
        for _ in range(10):
            (loss(model(images), labels) / 10).backward()
        optimiser.step()
        optimiser.zero_grad()

    rates = [rate(seconds, 400, update)]
    with torch.no_grad():
        for batch in 8, 40:
            rates.append(rate(seconds, batch, lambda: model(images[:batch])))
    return rates


def main():
    seconds = float(sys.argv[1])
    both = [measure(n, seconds) for n in sorted({1, os.cpu_count()})]
    print(*("%.0f" % max(pair) for pair in zip(*both)))


if __name__ == "__main__":
    main()
