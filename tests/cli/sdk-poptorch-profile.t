#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
Profiles of a job whose program has a model of PopTorch, as the guide of PopRun
shows them.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 IPUBOX_FILE=$IPUBOX
  $ vipu create partition my_partition --size 4 --reconfigurable
  create partition (my_partition): success
  $ cat > train.py <<'Y'
  > import os, sys, torch, poptorch
  > class Model(torch.nn.Module):
  >     def __init__(self):
  >         super().__init__()
  >         self.layer = torch.nn.Linear(4, 2)
  >     def forward(self, x, y):
  >         out = self.layer(x)
  >         return out, torch.nn.functional.mse_loss(out, y)
  > options = poptorch.Options()
  > if "popdist" in sys.argv:
  >     import popdist.poptorch
  >     options = popdist.poptorch.Options()
  > if "named" in sys.argv:
  >     options.modelName("encoder")
  > model = Model()
  > trained = poptorch.trainingModel(
  >     model, options.showCompilationProgressBar(False),
  >     optimizer=poptorch.optim.SGD(model.parameters(), lr=.1))
  > for _ in range(3):
  >     trained(torch.randn(8, 4), torch.randn(8, 2))
  > Y
  $ run() { poprun --launcher local --vipu-partition=my_partition --mpi-global-args="--tag-output" "$@"; }
  $ alias job='run --num-replicas=4 --num-instances=4'
  $ job --autoreport-dir training-profile-directory python3 train.py
  $ ls -1 training-profile-directory
  0
  1
  2
  3

Each instance counts its own calls and samples:

  $ figures() { for i; do sed -n '/^  "instance"/s/^ *//p; /^  "run"/,/^  }/s/^ *\("\(calls\|complete\|samples\)"\)/\1/p' "$i/training/summary.json" | tr '\n' ' '; echo; done; }
  $ figures training-profile-directory/?
  "instance": 0, "calls": 3, "complete": true, "samples": 24, 
  "instance": 1, "calls": 3, "complete": true, "samples": 24, 
  "instance": 2, "calls": 3, "complete": true, "samples": 24, 
  "instance": 3, "calls": 3, "complete": true, "samples": 24, 
  $ grep -c '</html>' training-profile-directory/*/training/report.html
  training-profile-directory/0/training/report.html:1
  training-profile-directory/1/training/report.html:1
  training-profile-directory/2/training/report.html:1
  training-profile-directory/3/training/report.html:1

The page of all instances has a row for each:

  $ sed -n 's/^ *"\([0-9][.].*\)": {$/\1/p' training-profile-directory/0/index.html
  0.training
  1.training
  2.training
  3.training

With the options of popdist.poptorch and a name of the program's, and where the environment has options that
are not about profiles:

  $ POPLAR_ENGINE_OPTIONS='{"allowOutOfMemory":"true"}' run --num-replicas=2 --num-instances=2 --autoreport-dir second python3 train.py popdist named
  $ ls second/1
  encoder
  $ ls -1 second
  0
  1

Without profiles:

  $ POPLAR_ENGINE_OPTIONS='{"autoReport.all":"false"}' run --num-replicas=1 --autoreport-dir none python3 train.py
  $ ls -1 none
  ls: cannot access 'none': No such file or directory
  [2]

Options that conflict:

  $ job --autoreport-dir none --mpi-local-args '-x POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"/tmp/training/profile-directory"}'' python3 train.py
  POPRUN ERROR: autoreport-dir command line argument cannot be specified when POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.
  [1]
  $ job --autoreport-dir none --instance-mpi-local-args '0:-x POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"/tmp/training-profile-directory/0"}'' python3 train.py
  POPRUN ERROR: autoreport-dir command line argument cannot be specified when POPLAR_ENGINE_OPTIONS contains autoReport.directory setting.
  [1]

A single instance:

  $ run --num-replicas=1 --autoreport-dir single python3 train.py popdist
  $ ls -1 single single/0
  single:
  0
  
  single/0:
  index.html
  training

The program's own directory gives way, and the environment's is before all:

  $ sed 's/popdist.poptorch.Options()/&.enableProfiling("own")/' train.py > own.py
  $ run --num-replicas=1 --autoreport-dir given python3 own.py popdist; ls own given
  ls: cannot access 'own': No such file or directory
  given:
  0
  [2]
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ POPDIST_AUTOREPORT_DIRECTORY=given POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"environment","autoReport.outputGraphProfile":true}' python3 own.py; ls environment
  training
  $ POPDIST_AUTOREPORT_DIRECTORY=given POPLAR_ENGINE_OPTIONS='["autoReport.all"]' python3 own.py 2>&1 | grep '^poptorch.*Error'
  poptorch.poptorch_core.Error: * POPLAR_ENGINE_OPTIONS is not a JSON object: it is another value (glob)
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.al":"true"}' python3 train.py 2>&1 | grep '^poptorch.*Error'
  poptorch.poptorch_core.Error: * POPLAR_ENGINE_OPTIONS: invalid_option: Unrecognised option 'autoReport.al' (glob)
