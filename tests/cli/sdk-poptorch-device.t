#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Models take IPUs as PopTorch's do: the tools show them, and they are free again
whatever ends the program.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python:$TESTDIR/sdk PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 IPUBOX_FILE=$IPUBOX
  $ vipu create partition pt --size 4 --reconfigurable
  create partition (pt): success
  $ cat > one.py <<'Y'
  > import os, sys, torch, poptorch
  > def options():
  >     return poptorch.Options().showCompilationProgressBar(False)
  > def said(function):
  >     try:
  >         function()
  >     except Exception as error:
  >         print(f"{type(error).__name__}: {error}")
  > double = poptorch.inferenceModel(lambda x: x * 2, options())
  > x = torch.ones(4)
  > Y
  $ cat > life.py <<'Y'
  > from one import *
  > print(poptorch.ipuHardwareIsAvailable(), poptorch.ipuHardwareIsAvailable(4), poptorch.ipuHardwareIsAvailable(8), poptorch.ipuHardwareVersion())
  > said(lambda: double.attachToDevice())
  > print(double(x).tolist(), double.isAttachedToDevice())
  > os.system("env -u COLUMNS gc-monitor | grep -c python3")
  > said(lambda: double.attachToDevice())
  > double.detachFromDevice()
  > said(lambda: double.detachFromDevice())
  > os.system("env -u COLUMNS gc-monitor | grep -c python3")
  > print(double(x).tolist(), double.isAttachedToDevice())
  > double.destroy()
  > said(lambda: double.copyWeightsToHost())
  > four = poptorch.inferenceModel(lambda x: x * 2, options().replicationFactor(4))
  > print(four(x).tolist())
  > eight = poptorch.inferenceModel(lambda x: x * 2, options().replicationFactor(8))
  > said(lambda: eight(torch.ones(8)))
  > three = poptorch.inferenceModel(lambda x: x * 2, options().replicationFactor(3))
  > said(lambda: three(torch.ones(3)))
  > four.detachFromDevice()
  > rounded = poptorch.inferenceModel(lambda x: x * 2, options().replicationFactor(3).autoRoundNumIPUs(True))
  > print(rounded(torch.ones(3)).tolist())
  > offline = poptorch.inferenceModel(lambda x: x * 2, options().useOfflineIpuTarget())
  > said(lambda: offline(x))
  > print(offline.compile(x), offline.isCompiled())
  > Y
  $ python3 life.py 2> err
  True True False 2
  Error: 'poptorch_py_error': Model has not been compiled or has been destroyed.
  [2.0, 2.0, 2.0, 2.0] True
  1
  Error: 'poptorch_py_error': Device is already attached
  Error: 'poptorch_py_error': Device is not attached
  0
  [2.0, 2.0, 2.0, 2.0] True
  Error: 'poptorch_py_error': Model has not been compiled or has been destroyed.
  [2.0, 2.0, 2.0, 2.0]
  Error: In unknown:0: 'poptorch_cpp_error': Failed to acquire 8 IPU(s)
  No device found on the system with 8 IPUs: the configuration needs changing
  partition pt has only 4 IPU(s)
  Error raised in:
    [0] Compiler::initSession
    [1] LowerToPopart::compile
    [2] compileWithManualTracing
  Error: In unknown:0: 'poptorch_cpp_error': The model specifies the use of 3 IPUs, however PopTorch must reserve a minimum of 4 in order to allow the model to run, because PopTorch must reserve a power of 2 or maximum of 64 IPUs per process. Please reconfigure your model to use a different number of IPUs or set poptorch.Options().autoRoundNumIPUs(True).
  [2.0, 2.0, 2.0]
  AssertionError: Trying to run a model on an offline device (ConnectionType.Never): use model.compile(inputs) instead of model(inputs)
  None True
  $ sed 's/^\[[^]]*\] //' err
  [poptorch:cpp] [warning] Reserving 4 IPUs when the model specifices the use of only 3, because PopTorch must reserve a power of 2 or maximum of 64 IPUs per process. 1 will be reserved but not used.

An executor that nobody has any more gives them back, and weights to its model;
of one in a circle they are found when no other is free:

  $ cat > dropped.py <<'Y'
  > from one import *
  > model = torch.nn.Linear(4, 4)
  > class Trained(torch.nn.Module):
  >     def __init__(self):
  >         super().__init__()
  >         self.layer = model
  >     def forward(self, x):
  >         return poptorch.identity_loss(self.layer(x), "sum")
  > def train():
  >     poptorch.trainingModel(Trained(), options())(x)
  > before = model.weight.detach().clone()
  > for _ in range(5):
  >     poptorch.inferenceModel(model, options())(x)
  >     train()
  > print(torch.equal(before, model.weight))
  > os.system("gc-monitor | grep -c python3")
  > for _ in range(5):
  >     circle = poptorch.inferenceModel(model, options())
  >     circle.itself = circle
  >     circle(x)
  > print(circle.isAttachedToDevice())
  > Y
  $ python3 dropped.py
  False
  0
  True

A device by its id, and cycles, which the IPU model does not count:

  $ cat > numbered.py <<'Y'
  > from one import *
  > def take(number, replicas=1):
  >     taken = poptorch.inferenceModel(lambda x: x * 2, options().useIpuId(number).replicationFactor(replicas))
  >     taken(x)
  >     return taken
  > held = take(3)
  > said(lambda: take(3))
  > said(lambda: take(1, 2))
  > larger = take(4)
  > larger.detachFromDevice()
  > def counted(opts):
  >     model = poptorch.inferenceModel(torch.nn.Linear(4, 4), opts.logCycleCount(True))
  >     model.compile(x.view(1, 4))
  >     model(x.view(1, 4))
  >     print(model.cycleCount() > 0)
  > poptorch.setLogLevel("DEBUG")
  > counted(options())
  > poptorch.setLogLevel("WARN")
  > said(lambda: counted(options().useIpuModel(True)))
  > said(lambda: counted(options().useOfflineIpuTarget()))
  > said(lambda: poptorch.inferenceModel(lambda x: x, options().useIpuModel(True).useOfflineIpuTarget()).compile(x))
  > Y
  $ python3 numbered.py 2> err | grep -v '^  \[\|^Error raised'
  Error: In unknown:0: 'poptorch_cpp_error': Failed to acquire device Id 3
  device 3 is already attached; detach it first, with detachFromDevice() in PopTorch
  Error: In unknown:0: 'poptorch_cpp_error': Expected at least replication factor * used IPUs = 1 * 2 = 2 device Ids but the user provided 1
  True
  Error: In unknown:0: 'poptorch_cpp_error': Cycle count logging is only supported on actual IPU hardware.
  Error: In unknown:0: 'poptorch_cpp_error': Cycle count logging is only supported on actual IPU hardware.
  Error: In unknown:0: 'poptorch_cpp_error': ConnectionType.Never / poptorch.Options.useOfflineIpuTarget not supported for the IPU model
  $ grep -o -e 'Expected replication.*' -e '%.*gemm.*' -e 'Writing.*' -e 'Total number of IPU cycles' err
  Expected replication factor * used IPUs = 1 * 1 = 1 device Ids but the device selected has 2 IPUs which means some of them will not be used.
  %1 : Float(1, 4, requires_grad=0, device=ipu:0) = popart::gemm() was lowered to Gemm:0 [FLOAT(1, 4), mode(Pipelined), ipu(0), stage(0)]
  Writing weights from host to IPU memory.
  Total number of IPU cycles

Without IPUs there is PopTorch's error; the model of an IPU needs none:

  $ cat > run.py <<'Y'
  > from one import *
  > print(poptorch.ipuHardwareIsAvailable(), double(x).tolist())
  > Y
  $ IPUOF_VIPU_API_PARTITION_ID=no python3 run.py 2>&1 | grep -o 'Failed to acquire.*' | head -1
  Failed to acquire 1 IPU(s)
  $ POPTORCH_IPU_MODEL=1 python3 run.py
  False [2.0, 2.0, 2.0, 2.0]

What is killed gives them back, and so does ^C; a process that was forked from
the program has none:

  $ cat > ends.py <<'Y'
  > from one import *
  > import signal
  > double(x)
  > child = os.fork()
  > if child == 0:
  >     said(lambda: double.detachFromDevice())
  >     os._exit(0)
  > os.waitpid(child, 0)
  > sys.stdout.flush()
  > os.kill(os.getpid(), getattr(signal, sys.argv[1]))
  > import time
  > time.sleep(1000)
  > Y
  $ for signal in SIGKILL SIGINT SIGTERM; do
  >   python3 ends.py $signal > out 2> err; echo "$signal $?"
  >   sed 's/pid [0-9]*/pid PID/' out
  >   until [ "$(gc-monitor | grep -c python3)" = 0 ]; do :; done
  > done
  SIGKILL 137
  Error: In unknown:0: 'poptorch_cpp_error': this process was forked from the process that holds the device, pid PID; only that process may use it
  SIGINT 130
  Error: In unknown:0: 'poptorch_cpp_error': this process was forked from the process that holds the device, pid PID; only that process may use it
  SIGTERM 143
  Error: In unknown:0: 'poptorch_cpp_error': this process was forked from the process that holds the device, pid PID; only that process may use it

Two instances of a job, with two replicas each, also where groups of replicas
have weights of their own:

  $ poprun --launcher local --num-instances 2 --num-replicas 4 --ipus-per-replica 1 --vipu-partition pt python3 "$TESTDIR/sdk/poptorch_job.py" 2> err | sort
  [1,0]<stdout>:instance 0 of 2, replicas 2:  True True True True True True
  [1,1]<stdout>:instance 1 of 2, replicas 2:  True True True True True True

A model that is too large for an IPU, and its profile:

  $ cat > large.py <<'Y'
  > from one import *
  > model = torch.nn.Linear(16384, 16384)
  > large = poptorch.inferenceModel(model, options())
  > said(lambda: large(torch.ones(1, 16384)))
  > print(large.isCompiled())
  > Y
  $ python3 large.py 2> err
  Error: In unknown:0: 'poplar_graph_memory_allocation_error': Out of memory: Cannot fit all variable data onto one or more tiles.
  IPU 0: tile 1 needs 784,936 bytes and has 638,976; 1,472 of 1,472 tiles are too small
    1.0 GB of weights, weight: a smaller layer
    77.5 MB of code: more memory on a tile
    128.0 kB of activations, stage0/working: a smaller batch size
  Error raised in:
    [0] popart::Session::prepareDevice: Poplar compilation
    [1] Compiler::compileAndPrepareDevice
    [2] LowerToPopart::compile
    [3] compileWithManualTracing
  False
  $ too_large() { POPLAR_ENGINE_OPTIONS="{\"autoReport.outputGraphProfile\":true,\"autoReport.directory\":\"$1\"$2}" python3 large.py 2> err | grep -o 'Profile saved.*'; ls $1; }
  $ too_large full
  Profile saved to: full/inference/report.html
  inference
  $ sed -n '/"complete"/,/"interrupted"/s/^ *//p' full/inference/summary.json
  "complete": false,
  "interrupted": "interrupted before call 1 was complete: the model does not fit into memory",
  $ too_large none ',"debug.allowOutOfMemory":"false"'
  ls: cannot access 'none': No such file or directory
  [2]
  $ too_large none ',"allowOutOfMemory":"false"'
  ls: cannot access 'none': No such file or directory
  [2]
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true","autoReport.directory":"report"}' python3 run.py
  True [2.0, 2.0, 2.0, 2.0]
  $ ls report/inference
  report.html
  schedule.txt
  summary.json
  trace.json
