#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Models that ipubox's engine computes, in place of PyTorch.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python:$TESTDIR/sdk PYTHONDONTWRITEBYTECODE=1 IPUBOX_FILE=$IPUBOX IPUBOX_POPTORCH=auto
  $ POPTORCH_IPU_MODEL=1 python3 "$TESTDIR/sdk/poptorch_engine.py"
  210 passed, 0 failed

A program with it, one without it, and one that it must not be used for:

  $ cat > run.py <<'Y'
  > import os, signal, sys, threading, torch, poptorch
  > from ipubox_sdk import device
  > class Model(torch.nn.Module):
  >     def __init__(self):
  >         super().__init__()
  >         self.layer = torch.nn.Linear(784, width)
  >         self.last = torch.nn.Linear(width, 10)
  >     def forward(self, x, y):
  >         out = getattr(torch, sys.argv[1])(self.layer(x))
  >         return torch.nn.functional.cross_entropy(self.last(out), y)
  > count, width, batch = map(int, os.environ.get("SIZES", "30 400 64").split())
  > model = Model()
  > trained = poptorch.trainingModel(model, poptorch.Options()
  >     .showCompilationProgressBar(False).deviceIterations(count))
  > x = torch.zeros(count * batch, 784)
  > y = torch.zeros(count * batch, dtype=torch.int32)
  > def engine():
  >     return trained._executable.engine._process.pid
  > def children():
  >     return engine(), device._shared.child._process.pid
  > def meanwhile(act, pid, number):
  >     """Signal in the middle of the next call, when the engine computes."""
  >     def ticks():
  >         with open(f"/proc/{engine()}/stat") as file:
  >             return sum(map(int, file.read().split()[13:15]))
  >     def wait():
  >         while ticks() < start + 10:
  >             os.sched_yield()
  >         act(pid, number)
  >     start = ticks()
  >     threading.Thread(target=wait, daemon=True).start()
  > exec(sys.argv[2])
  > Y
  $ run() { POPTORCH_LOG_LEVEL=INFO python3 run.py "$@" 2>&1 | sed -n 's/.*\[info\] \(.*engine.*\)/\1/p; s/^.*UnrecoverableError: //p; /^: /p'; }
  $ vipu create partition p --size 1
  create partition (p): success
  $ OMP_NUM_THREADS=1 run relu 'trained(x, y)'
  ipubox's engine computes the model with 1 thread
  $ run erfinv 'trained(x, y)'
  PyTorch computes the model, because ipubox's engine does not have: erfinv
  $ IPUBOX_POPTORCH=torch run relu 'trained(x, y); print(":", trained._executable.engine)'
  : None

Its process does not hold the device, and ends with the model:

  $ run relu 'trained(x, y); pid = engine(); os.system("gc-monitor -c --no-headers | cut -d, -f13 > holder"); print(":", int(open("holder").read()) == os.getpid()); trained.detachFromDevice(); print(":", os.path.exists(f"/proc/{pid}")); trained(x, y); pid = engine(); del trained; print(":", os.path.exists(f"/proc/{pid}"))' | grep :
  : True
  : False
  : False

Tools show the time in which it computes, also during a call, and then in the
middle of PyTorch's:

  $ cat > work.py <<'Y'
  > def session():
  >     """gc-monitor's and gc-info's."""
  >     found = [os.popen(tool).read().split("%")[0].split()[-1] for tool in (
  >         "gc-monitor --query=utilisation.session | tail -n 1",
  >         "gc-info -i -d 0 | grep session")]
  >     return list(map(float, found))
  > def watch():
  >     while min(session()) == 0:
  >         pass
  >     os.kill(os.getpid(), signal.SIGINT)
  > print(":", session())
  > threading.Thread(target=watch, daemon=True).start()
  > try:
  >     trained(x, y)
  > except KeyboardInterrupt:
  >     while not all(one > other > 0 for one, other in zip(session(), session())):
  >         pass
  >     print(": the work is over")
  > Y
  $ for by in engine torch; do IPUBOX_POPTORCH=$by SIZES="300 4000 64" run relu 'trained.compile(x, y); exec(open("work.py").read())'; done | grep :
  : [0.0, 0.0]
  : the work is over
  : [0.0, 0.0]
  : the work is over

A profile says what computed, and has its times:

  $ cat > profiled.py <<'Y'
  > import torch, poptorch
  > run = poptorch.inferenceModel(torch.nn.Linear(8, 2), poptorch.Options().showCompilationProgressBar(False))
  > for _ in range(2):
  >     run(torch.zeros(4, 8))
  > Y
  $ cat > by.py <<'Y'
  > import glob, json
  > run = json.load(open("inference/summary.json"))["run"]
  > events = json.load(open("inference/trace.json"))["traceEvents"]
  > marks = json.load(open(glob.glob("marks/*")[0]))["traceEvents"]
  > print(run["host_computed_by"], run["calls"], [each["args"]["computed by"] for each in marks if each["name"] == "modelExecution"])
  > took = sum(each["dur"] for each in marks if each["name"] == "modelExecution") / 1e6
  > runs = sum(each["dur"] for each in events if each["name"] == "run") / 1e6
  > print(0 < runs < took, abs(runs - run["host_seconds"]) < 1e-5)
  > Y
  $ for by in engine torch; do rm -rf marks; PVTI_OPTIONS='{"enable":"true","directory":"marks"}' POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true"}' IPUBOX_POPTORCH=$by python3 profiled.py; python3 by.py; done
  ipubox's engine 2 ["ipubox's engine", "ipubox's engine"]
  True True
  PyTorch 2 ['PyTorch', 'PyTorch']
  True True

A call that ^C interrupts in the middle:

  $ ended() { python3 -c 'import os, select, sys
  > for pid in open(sys.argv[1]).read().split():
  >     try:
  >         watched = os.pidfd_open(int(pid))
  >     except ProcessLookupError:
  >         continue
  >     if not select.select([watched], [], [], 20)[0]:
  >         print(pid, "runs")' "$1"; }
  $ long() { SIZES="300 4000 64" python3 run.py relu "trained.compile(x, y); print(*children(), flush=True); $1" > out 2> err; }
  $ long 'os.setpgid(0, 0); meanwhile(os.killpg, 0, signal.SIGINT); trained(x, y); print("not interrupted")'
  [130]
  $ tail -n 1 err; ended out; gc-monitor -c --no-headers | cut -d, -f13
  KeyboardInterrupt
  
The program may catch it, and go on with another process:

  $ SIZES="60 4000 64" run relu 'trained.compile(x, y); pid = engine(); meanwhile(os.kill, os.getpid(), signal.SIGINT)
  > try:
  >     trained(x, y)
  > except KeyboardInterrupt:
  >     loss = trained(x, y)
  >     print(":", engine() != pid, bool(loss < 4))' | grep :
  : True True

A process that is killed is an error; the next call starts another one, with the
weights of the last call:

  $ run relu 'trained(x, y); pid = engine(); os.kill(pid, signal.SIGSTOP); threading.Timer(0, os.kill, (pid, signal.SIGKILL)).start()
  > try:
  >     trained(x, y)
  > except poptorch.UnrecoverableError as error:
  >     print(":", str(error).split("error%s: " % chr(39))[1].splitlines()[0])
  > loss = trained(x, y)
  > print(":", engine() != pid, bool(loss < 2))' | grep :
  : the process that computes the model has ended, by signal 9; the next call starts another one
  : True True

  $ long 'meanwhile(os.kill, engine(), signal.SIGKILL); trained(x, y)'
  [1]
  $ sed -n 's/^poptorch.*UnrecoverableError: .*error.: //p' err; ended out; gc-monitor -c --no-headers | cut -d, -f13
  the process that computes the model has ended, by signal 9; the next call starts another one
  
A program that is killed in the middle of a call leaves neither process:

  $ long 'meanwhile(os.kill, os.getpid(), signal.SIGKILL); trained(x, y)'
  [137]
  $ ended out; gc-monitor -c --no-headers | cut -d, -f13
  
