#needs python3:numpy python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
MNIST of torchvision, which poptorch.DataLoader reads by the batch: bit for bit
what its items are (sdk-poptorch-data-torchvision.py).  First ours, in a Python
that has everything but the real one; then whichever there is.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ mkdir packages && python3 -c 'import os, torch
  > there = os.path.dirname(os.path.dirname(torch.__file__))
  > for name in os.listdir(there):
  >     if not name.startswith("torchvision"):
  >         os.symlink(os.path.join(there, name), os.path.join("packages", name))'
  $ PYTHONPATH=$PYTHONPATH:packages python3 -S $TESTDIR/cli/sdk-poptorch-data-torchvision.py
  Dataset MNIST
      Number of datapoints: 64
      Root location: root
      Split: Train
      StandardTransform
  Transform: Compose(
                 ToTensor()
                 Normalize(mean=(0.1307,), std=(0.3081,))
             )
  <DataLoaderMode.Sync: 0> [8, 8]
  <DataLoaderMode.Async: 1> [8, 8]
  <DataLoaderMode.AsyncRebatched: 2> [8, 8]
  <DataLoaderMode.Sync: 0> [8, 8]
  <DataLoaderMode.Async: 1> [8, 8]
  <DataLoaderMode.AsyncRebatched: 2> [8, 8]
  <DataLoaderMode.Sync: 0> [8, 8]
  <DataLoaderMode.Async: 1> [8, 8]
  <DataLoaderMode.AsyncRebatched: 2> [8, 8]
  calls: 7 negative: True
  3 (28, 28) L int
  packed/MNIST/raw 4
  2 Dataset not found: put train-images-idx3-ubyte and train-labels-idx1-ubyte, plain or as .gz, into flat/MNIST/raw; the torchvision of ipubox downloads nothing
  root/MNIST/raw/t10k-images-idx3-ubyte has 5 bytes of data, but its header says 1568
  torchvision.datasets.CIFAR10 is not in the torchvision of ipubox, which has only MNIST, FashionMNIST and KMNIST; install torchvision for the rest
  torchvision.models is not in the torchvision of ipubox, which has only datasets.MNIST and its transforms; install torchvision for the rest
  torchvision.transforms.Resize is not in the torchvision of ipubox, which has only Compose, Lambda, Normalize, PILToTensor and ToTensor; install torchvision for the rest
  done

Without PIL an image is an object of ours, and nothing else differs:

  $ rm -rf root packed flat packages/PIL*
  $ PYTHONPATH=$PYTHONPATH:packages python3 -S $TESTDIR/cli/sdk-poptorch-data-torchvision.py | tail -1
  done
  $ rm -rf root packed flat
  $ python3 $TESTDIR/cli/sdk-poptorch-data-torchvision.py | tail -1
  done
