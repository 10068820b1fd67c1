#skip-unless python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'
The SDK for Python: the packages popdist and ipubox_sdk, alone and under poprun.
The programs are the functions of sdk-python.py.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ export IPUBOX_FILE=$IPUBOX
  $ sdk=$TESTDIR/../config/sdk
  $ programs=$TESTDIR/cli/sdk-python.py
  $ job() { launcher=$1 instances=$2; shift 2; poprun --offline-mode=yes --launcher "$launcher" --num-instances "$instances" --num-replicas "$instances" --only-output-from-instance "${from:-0}" python3 "$programs" "$@"; }
  $ find "$sdk" -name '*.py' | sort > files

Each file is good for Python 3.8, in lines of at most 79 columns:

  $ python3 -c 'import ast, sys; [ast.parse(open(f).read(), f, feature_version=(3, 8)) for f in sys.argv[1:]]' $(cat files)
  $ awk 'length > 79 { print FILENAME ": " FNR }' $(cat files)

Without poprun a program is the only instance:

  $ cat > alone.py <<'Y'
  > import popdist
  > from popdist import collectives, popdist_core
  > for name in ("isPopdistEnvSet", "getNumTotalReplicas",
  >              "getNumLocalReplicas", "getReplicaIndexOffset",
  >              "getNumIpusPerReplica", "getNumInstances",
  >              "getInstanceIndex", "getLocalInstanceIndex"):
  >     assert getattr(popdist_core, name) is getattr(popdist, name)
  >     print(name, getattr(popdist, name)())
  > print(popdist.checkNumIpusPerReplica(1), popdist.isBackendInitialized())
  > for wrong in (collectives.barrier, lambda: collectives.allReduceSum(1)):
  >     try:
  >         wrong()
  >     except popdist.popdist_error as error:
  >         print(error)
  > popdist.init()
  > popdist.init()
  > print(popdist.isBackendInitialized(), popdist.defaultCommunicatorId())
  > print(popdist.setEngineOptions({"a": "b"}))
  > Y
  $ python3 alone.py
  isPopdistEnvSet False
  getNumTotalReplicas 1
  getNumLocalReplicas 1
  getReplicaIndexOffset 0
  getNumIpusPerReplica 1
  getNumInstances 1
  getInstanceIndex 0
  getLocalInstanceIndex 0
  True False
  the backend is not initialised; call popdist.init() first
  the backend is not initialised; call popdist.init() first
  True default
  {'a': 'b'}
  $ python3 "$programs" everything
  good
  $ python3 "$sdk/examples/hello.py"
  instance 0 of 1: the sum is 1

What it refuses:

  $ cat > refuse.py <<'Y'
  > import array, popdist, sys
  > from popdist.collectives import allGather, allReduceSum, barrier, broadcast
  > popdist.init()
  > five = memoryview(bytearray(10))[::2]
  > for wrong in (
  >         lambda: allReduceSum(True), lambda: allReduceSum("x"),
  >         lambda: allReduceSum(bytearray(3), type="float"),
  >         lambda: allReduceSum(1, type="int9"), lambda: allReduceSum(five),
  >         lambda: allReduceSum(array.array("d", [1]), type="float"),
  >         lambda: allReduceSum(2 ** 70), lambda: barrier(""),
  >         lambda: barrier("x" * 256), lambda: barrier("x", "y"),
  >         lambda: broadcast(1, root=3),
  >         lambda: allGather([1], out=array.array("q", [1, 2])),
  >         lambda: allGather([1], out=bytes(8)),
  >         lambda: popdist.registerCommunicator([1], "a"),
  >         lambda: popdist.registerCommunicator([], "a"),
  >         lambda: popdist.registerCommunicator("ab", "a"),
  >         lambda: popdist.setTimeout(-1), lambda: popdist.setTimeout("1"),
  >         lambda: popdist.execute_on_instances({1}, print),
  >         lambda: popdist.getDeviceId(-1)):
  >     try:
  >         print("done:", wrong())
  >     except popdist.PopdistError as error:
  >         print(error)
  > Y
  $ python3 refuse.py
  all-reduce 'default': bool cannot be added up
  str is not a vector: use an object with the buffer protocol, such as array.array, or a number; a tensor must be in the host's memory ('str' object has no attribute 'numpy')
  the vector has 3 bytes, which is not a multiple of the 4 bytes of float
  type 'int9' is unknown; the types are half, float, double, int8, int16, int32, int64, bool
  the vector is not contiguous in memory; use a contiguous copy
  the vector's elements have 8 bytes, but those of float have 4
  these are not numbers of type int64: * (glob)
  barrier: an id must have 1 to 255 bytes, not ''
  barrier: an id must have 1 to 255 bytes, not 'xx*xx' (glob)
  communicator 'x' has not been registered
  broadcast 'default': instance 3 does not exist
  all-gather 'default': the result has 16 bytes, but must have 8
  all-gather 'default': the result object is read-only
  communicator 'a': instance 1 does not exist
  communicator 'a' has no instances
  instances must be a set of indices, such as {0, 1}, not 'ab'
  time limit -1 s: must be a number from 0 to 4000000
  time limit 1 s: must be a number from 0 to 4000000
  instance 1 is not among those that call execute_on_instances()
  ipusPerReplica is -1: must be a number, 0 or more

What the environment says is checked, and a job without a place to meet is not
joined:

  $ refused() { env "$@" python3 -c 'import popdist; popdist.init()' 2>&1 | tail -1; }
  $ refused POPDIST_NUM_TOTAL_REPLICAS=2
  popdist.PopdistError: POPDIST_NUM_LOCAL_REPLICAS is not set, but POPDIST_NUM_TOTAL_REPLICAS is; poprun sets both
  $ some="POPDIST_NUM_TOTAL_REPLICAS=2 POPDIST_NUM_LOCAL_REPLICAS=1 POPDIST_REPLICA_INDEX_OFFSET=1"
  $ refused $some
  popdist.PopdistError: the job has 2 instances, but IPUBOX_JOB_DIR, the directory where they meet, is not set; start the job with poprun
  $ refused $some IPUBOX_JOB_DIR=$PWD
  popdist.PopdistError: poprun has ended: no process listens at /*/collectives (glob)
  $ refused $some POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=0
  popdist.PopdistError: the replicas are not spread evenly over the instances, but OMPI_COMM_WORLD_SIZE, which identifies this instance, is not set
  $ refused POPDIST_TIMEOUT=-1
  popdist.PopdistError: POPDIST_TIMEOUT '-1': too small, must be 0 to 4000000
  $ refused POPDIST_TIMEOUT=soon
  popdist.PopdistError: POPDIST_TIMEOUT 'soon': not a number

Poplar's engine gets options where poprun was asked for reports:

  $ options() { env $some POPDIST_AUTOREPORT_DIRECTORY=reports "$@" python3 -c 'import popdist; print(popdist.setEngineOptions({}))'; }
  $ options
  {'autoReport.directory': 'reports/1', 'autoReport.all': 'true'}
  $ options POPLAR_ENGINE_OPTIONS='{"autoReport.outputGraphProfile":"true"}'
  {'autoReport.directory': 'reports/1'}
  $ options POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"here"}'
  {'autoReport.all': 'true'}

A real popdist that is installed takes the place of this one, with its own
modules; a directory of that name is not one, nor is another copy of this:

  $ mkdir -p real/popdist empty/popdist
  $ printf 'from popdist.own import X\nimport popdist as me\nassert me.X is X\n' > real/popdist/__init__.py
  $ echo 'X = "real"' > real/popdist/own.py
  $ cp -r "$PYTHONPATH" copy
  $ PYTHONPATH=$PYTHONPATH:copy:empty:real python3 -c 'import popdist.own; print(popdist.X, popdist.own.X)'
  real real
  $ PYTHONPATH=$PYTHONPATH:copy:empty python3 -c 'import popdist; print(popdist.getNumInstances())'
  1
  $ echo 'raise ValueError("broken")' > real/popdist/own.py
  $ PYTHONPATH=$PYTHONPATH:real python3 -c 'import popdist' 2>&1 | tail -1
  ValueError: broken
