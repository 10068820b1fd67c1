#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
horovod.torch, by two instances: each checks all results against plain numbers
(sdk-horovod.py), and the first one shows what is refused.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ poprun --offline-mode=yes --num-replicas 2 --num-instances 2 --launcher local python3 $TESTDIR/cli/sdk-horovod.py > out
  $ sed -n 's/^\[1,1\]<stdout>://p' out
  done
  $ sed -n 's/^\[1,0\]<stdout>://p' out
  ValueError: Horovod has not been initialized; use hvd.init().
  HorovodInternalError: instance 0 calls allreduce of shape [2], but instance 1 of [3]; all must call the same operations in the same order
  HorovodInternalError: instance 0 calls allreduce of torch.int64, but instance 1 of torch.int32; all must call the same operations in the same order
  HorovodInternalError: instance 0 calls allreduce under one name, but instance 1 under another one; all must call the same operations in the same order
  HorovodInternalError: instance 0 calls allreduce with hvd.Max, but instance 1 with hvd.Sum; all must call the same operations in the same order
  HorovodInternalError: instance 0 calls broadcast of root 0, but instance 1 of root 1; all must call the same operations in the same order
  HorovodInternalError: instance 0 calls allreduce, but instance 1 allgather; all must call the same operations in the same order
  HorovodInternalError: instance 0 calls allgather of shape [2, 2], but instance 1 of [2, 3]; all must call the same operations in the same order
  ValueError: allgather concatenates tensors, so they need at least one dimension; use reshape(1)
  ValueError: root_rank 2: must be a number from 0 to 1
  ValueError: root_rank -1: must be a number from 0 to 1
  ValueError: The op parameter supersedes average. Please provide only one of them.
  NotImplementedError: hvd.Adasum is not supported; use hvd.Average, Sum, Min, Max or Product
  ValueError: 17 is not one of hvd.Average, Sum, Min, Max and Product
  ValueError: Tensor type torch.complex64 is not supported.
  ValueError: invalid params of type: <class 'int'>
  ValueError: named_parameters should be a sequence of tuples (name, parameter), usually produced by model.named_parameters().
  ValueError: Parameter names in named_parameters must be unique. Found duplicates: a
  ValueError: gradient_predivide_factor not supported with op != Average
  NotImplementedError: hvd.init(): comm and process_sets are not supported, because all instances of the job take part; popdist has communicators for some of them
  HorovodInternalError: allreduce cannot go on without the instances that have joined
  ValueError: Horovod has not been initialized; use hvd.init().
  the operation failed; perhaps an instance has ended
  RuntimeError: hvd.init(): the job has 4 instances, but MASTER_PORT is not set; start the program with poprun, which sets it
  ValueError: WORLD_SIZE 'four': not a whole number
  done

Without PyTorch, which -S hides, an import says so:

  $ python3 -S -c 'import horovod; print(horovod.__name__)'
  horovod
  $ python3 -S -c 'import horovod.torch' 2>&1 | tail -1
  ImportError: horovod.torch needs PyTorch, which this Python does not have: install Debian's package python3-torch and use /usr/bin/python3, or `pip install torch`
