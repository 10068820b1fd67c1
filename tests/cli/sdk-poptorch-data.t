#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
poptorch.DataLoader and poptorch.AsynchronousDataAccessor, checked against
plain PyTorch (sdk-poptorch-data.py), and what they refuse and warn of.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ python3 -W ignore $TESTDIR/cli/sdk-poptorch-data.py 2> errors
  modes:
  The number of elements in the dataset (50) is not divisible by the number of elements processed per step (24) and drop_last=False. The last tensor will have a batch size of 2. To avoid having to handle this special case switch to drop_last=True
  The number of elements in the dataset (50) is not divisible by the number of elements processed per step (24) and drop_last=False. The last tensor will have a batch size of 2. To avoid having to handle this special case switch to drop_last=True
  The number of elements in the dataset (50) is not divisible by the number of elements processed per step (24) and drop_last=False. The last tensor will have a batch size of 2. To avoid having to handle this special case switch to drop_last=True
  The number of elements in the dataset (50) is not divisible by the number of elements processed per step (24) and drop_last=False. The last tensor will have a batch size of 2. To avoid having to handle this special case switch to drop_last=True
  shuffled:
  rebatched:
  AssertionError: The rebatched_worker_size (2) must be <= to the combined batch size (1)
  AssertionError: You cannot use DataLoaderMode.AsyncRebatched and manually specify the rebatched_size in async_options
  The number of elements in the dataset (6) is not divisible by the number of elements processed per step (4) and drop_last=False. The last tensor will have a batch size of 2. To avoid having to handle this special case switch to drop_last=True
  AssertionError: The 'drop_last=False' option from the DataLoader only works if 'rebatched_size' is specified too.
  iterables:
  TypeError: object of type 'Stream' has no len()
  IterableDataset used with num_workers=2 but no worker_init_fn specified: as a result the DataLoader will return 2 times each element in the dataset (See torch.utils.data.IterableDataset's documentation for more information)
  distributed:
  The number of elements in the dataset (29) is not divisible by the number of elements processed per step (12) and drop_last=False. The last tensor will have a batch size of 5. To avoid having to handle this special case switch to drop_last=True
  The number of elements in the dataset (29) is not divisible by the number of elements processed per step (12) and drop_last=False. The last tensor will have a batch size of 5. To avoid having to handle this special case switch to drop_last=True
  The number of elements in the dataset (29) is not divisible by the number of elements processed per step (12) and drop_last=False. The last tensor will have a batch size of 5. To avoid having to handle this special case switch to drop_last=True
  AssertionError: When using auto_distributed_partitioning you must set poptorch.Options.randomSeed() to ensure that tensors are in the same order in all processes.
  AssertionError: batch_size=None not allowed when using auto_distributed_partitioning.
  AssertionError: auto_distributed_partitioning not supported for IterableDataset
  elements:
  ahead:
  Error: 'poptorch_py_error': the AsynchronousDataAccessor has no worker process: it was terminated, has failed, or belongs to the process PID
  AssertionError: The current element must be released by calling releaseElement() before trying to acquire a new one
  errors:
  Error: 'poptorch_py_error': AsynchronousDataAccessor worker thread failed to start (Check above for details)
  poptorch.poptorch_core.Error: 'poptorch_py_error': The Dataset is empty
  Error: 'poptorch_py_error': AsynchronousDataAccessor worker thread failed to start (Check above for details)
  poptorch.poptorch_core.Error: 'poptorch_py_error': Tensor at index 1 is not a torch tensor (<class 'str'>). AsynchronousDataAccessor expects data to be organised as a flat 1D container of tensors.
  Error: 'poptorch_py_error': AsynchronousDataAccessor worker thread failed to start (Check above for details)
  KeyError: 'item that is not there'
  AssertionError: An error occurred in the data fetcher: KeyError: 'item that is not there'
  AssertionError: An error occurred in the data fetcher: KeyError: 'item that is not there'
  Error: 'poptorch_py_error': The DataLoader already uses an AsynchronousDataAccessor internally. Either use the existing one or set mode='poptorch.DataLoaderMode.Sync' in the DataLoader.
  AssertionError: rebatched_size must be None or greater than 1
  AssertionError: buffer_size must be greater than 0
  AssertionError: options is of type <class 'int'> (Expected poptorch.Options)
  AssertionError: The rebatched_worker_size (5) must be <= to the combined batch size (3)
  whole_batches:
  batch_samplers:
  The `batch_sampler` __len__ method is not implemented and drop_last=False. The last tensor may be incomplete - batch size < 6. To avoid having to handle this special case switch to drop_last=True.
  TypeError: object of type 'generator' has no len()
  ValueError: batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last
  ValueError: batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last
  ValueError: batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last
  ValueError: DataLoader with IterableDataset: expected unspecified batch_sampler option
  passed_on:
  done
  $ grep -c '^Traceback' errors
  5
  $ grep '^[a-zA-Z._]*Error' errors
  poptorch.poptorch_core.Error: 'poptorch_py_error': The Dataset is empty
  poptorch.poptorch_core.Error: 'poptorch_py_error': Tensor at index 1 is not a torch tensor (<class 'str'>). AsynchronousDataAccessor expects data to be organised as a flat 1D container of tensors.
  KeyError: 'item that is not there'
  KeyError: 'item that is not there'
  KeyError: 'item that is not there'
