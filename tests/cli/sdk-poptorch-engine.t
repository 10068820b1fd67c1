#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Models that ipubox's engine computes, in place of PyTorch.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python:$TESTDIR/sdk PYTHONDONTWRITEBYTECODE=1 IPUBOX_FILE=$IPUBOX
  $ POPTORCH_IPU_MODEL=1 python3 "$TESTDIR/sdk/poptorch_engine.py"
  189 passed, 0 failed

A program with it, one without it, and one that it must not be used for:

  $ cat > run.py <<'Y'
  > import os, signal, sys, threading, torch, poptorch
  > class Model(torch.nn.Module):
  >     def __init__(self):
  >         super().__init__()
  >         self.layer = torch.nn.Linear(784, 400)
  >         self.last = torch.nn.Linear(400, 10)
  >     def forward(self, x, y):
  >         out = getattr(torch, sys.argv[1])(self.layer(x))
  >         return torch.nn.functional.cross_entropy(self.last(out), y)
  > count, batch = 30, 64
  > model = Model()
  > trained = poptorch.trainingModel(model, poptorch.Options()
  >     .showCompilationProgressBar(False).deviceIterations(count))
  > x = torch.zeros(count * batch, 784)
  > y = torch.zeros(count * batch, dtype=torch.int32)
  > def engine():
  >     return trained._executable.engine._process.pid
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

A program that is killed leaves neither:

  $ cat > killed.py <<'Y'
  > trained(x, y)
  > print(engine(), flush=True)
  > os.kill(os.getpid(), signal.SIGKILL)
  > Y
  $ python3 run.py relu 'exec(open("killed.py").read())' > pid 2> err
  [137]
  $ python3 -c 'import select, os; 
  > try:
  >     watched = os.pidfd_open(int(open("pid").read())) 
  > except ProcessLookupError: 
  >     print("ended") 
  > else: 
  >     print("ended" if select.select([watched], [], [], 20)[0] else "runs")'
  ended
  $ gc-monitor -c --no-headers | cut -d, -f13
  
