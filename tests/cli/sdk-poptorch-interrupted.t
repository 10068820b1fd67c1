#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Profiles of PyTorch programs that end early: of the completed calls, with the
reason.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 IPUBOX_FILE=$IPUBOX
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ vipu create partition p --size 2 --reconfigurable
  create partition (p): success
  $ cat > train.py <<'Y'
  > import os, signal, sys, torch, poptorch
  > class Model(torch.nn.Module):
  >     def __init__(self):
  >         super().__init__()
  >         self.layer = torch.nn.Linear(4, 2)
  >     def forward(self, x, y):
  >         out = self.layer(x)
  >         return out, torch.nn.functional.mse_loss(out, y)
  > model, call = Model(), 0
  > trained = poptorch.trainingModel(
  >     model, poptorch.Options().showCompilationProgressBar(False),
  >     optimizer=poptorch.optim.SGD(model.parameters(), lr=.1))
  > def run(count):
  >     for _ in range(count):
  >         trained(torch.randn(8, 4), torch.randn(8, 2))
  > def end(name):
  >     os.kill(os.getpid(), getattr(signal, name))
  > run(3)
  > exec(sys.argv[1])
  > Y
  $ alone() { POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true","autoReport.directory":"own"}' python3 train.py "$1" 2> err; status=$?; sed -n 's/^ *"\(calls\|complete\|interrupted\)"/\1/p' own/training/summary.json; return $status; }
  $ alone 'raise ValueError("the loss\nis nan")'
  calls: 3,
  complete: false,
  interrupted: "interrupted after call 3: ValueError: the loss is nan",
  [1]
  $ alone 'end("SIGTERM")'
  calls: 3,
  complete: false,
  interrupted: "interrupted after call 3: Terminated",
  [143]
  $ alone 'end("SIGINT")'
  calls: 3,
  complete: false,
  interrupted: "interrupted after call 3: Interrupt",
  [130]

A child of the program writes none, and what the program does at a signal is its
own:

  $ alone 'if os.fork() == 0: run = end("SIGTERM")
  > os.wait(); run(1)'
  calls: 4,
  complete: true,
  $ alone 'signal.signal(signal.SIGTERM, lambda *_: run(2)); end("SIGTERM")'
  calls: 5,
  complete: true,

A program that is killed has none, and an earlier one's is not shown:

  $ alone 'end("SIGKILL")'
  sed: can't read own/training/summary.json: No such file or directory
  [137]
  $ ls own/training
  schedule.txt
  trace.json

A profile that cannot be written is an error before the model runs:

  $ rm -r own; touch own
  $ alone pass 2> /dev/null
  [1]
  $ sed -n 's/.*Error: In.*: cannot/cannot/p' err
  cannot write a profile into own/training: Not a directory
  cannot write a profile into own/training: Not a directory

When one instance fails, each says why it ended:

  $ poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --autoreport-dir job python3 train.py 'if os.environ["OMPI_COMM_WORLD_RANK"] == "1": raise ValueError("nan")
  > run(1)' > log 2>&1
  [1]
  $ sed -n 's/.*"interrupted": //p' job/0/training/summary.json job/1/training/summary.json
  "interrupted after call 3: Terminated",
  "interrupted after call 3: ValueError: nan",
