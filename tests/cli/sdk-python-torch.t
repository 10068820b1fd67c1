#needs python3:numpy python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
The SDK for Python: arrays of numpy and tensors of torch as vectors.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ cat > arrays.py <<'Y'
  > import numpy, popdist, torch
  > from popdist.collectives import allGather, allReduceSum, barrier, broadcast
  > popdist.init()
  > for dtype in ("float16", "float32", "float64", "int8", "int16", "int32",
  >               "int64", "uint8", "uint16", "uint32", "uint64"):
  >     made = numpy.arange(6, dtype=dtype).reshape(2, 3)
  >     assert allReduceSum(made) is made
  >     got = allGather(made)
  >     assert got.shape == (1, 2, 3) and got.dtype == made.dtype
  >     assert (got[0] == made).all() and got is not made
  > assert broadcast(numpy.array([True])).dtype == numpy.bool_
  > assert allReduceSum(numpy.array(2.5)) == 2.5
  > assert allReduceSum(numpy.zeros((0, 3))).shape == (0, 3)
  > assert allReduceSum(numpy.float64(2.5)) == 2.5
  > for dtype in (torch.float16, torch.float32, torch.int64):
  >     made = torch.ones(2, 3, dtype=dtype)
  >     assert allReduceSum(made) is made
  >     got = allGather(made)
  >     assert got.shape == (1, 2, 3) and got.dtype == dtype
  >     assert (got[0] == made).all()
  > layer = torch.nn.Linear(2, 2)
  > broadcast(layer.weight)
  > for wrong in (numpy.zeros((4, 4))[:, 1], numpy.zeros(3, dtype=">f4"),
  >               numpy.zeros(3, dtype=complex), torch.zeros(4, 4).t()[1:],
  >               torch.zeros(3, dtype=torch.bfloat16), torch.zeros(2, 2).to_sparse()):
  >     try:
  >         print("done:", allReduceSum(wrong))
  >     except popdist.PopdistError as error:
  >         print(str(error).split(";")[0].split("(")[0])
  > Y
  $ python3 arrays.py
  the vector is not contiguous in memory
  elements of format '>f' cannot be exchanged
  elements of format 'Zd' cannot be exchanged
  the vector is not contiguous in memory
  Tensor is not a vector: use an object with the buffer protocol, such as array.array, or a number
  Tensor is not a vector: use an object with the buffer protocol, such as array.array, or a number
