#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
The optimizers of poptorch as they run on the device, beside torch's own and
beside the papers.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ optim() { python3 $TESTDIR/cli/sdk-poptorch-optim.py "$@"; }

Twenty steps on the same gradients:

  $ optim equals_torch
  13 optimizers are torch's

What torch does not have:

  $ optim own_arithmetic
  as in the papers

Groups with values of their own, weights without gradients, and weights that
the model does not have:

  $ optim groups
  AssertionError: There is a list of weights for each group of the optimizer

Scales of the loss, and halves:

  $ optim scaling
  ['Accl1 torch.float16', 'Accl2 torch.float32', 'Step_ torch.float32']

New values count from the next step on:

  $ optim updates
  values are updated

States go through checkpoints:

  $ optim states 2> err; sed 's/^\[[^]]*\] //' err
  ['ipu_param', 'ipu_state', 'param_groups', 'state']
  ['Accl1___0.0', 'Accl1___0.1', 'Accl1___0.2', 'Accl1___0.3', 'Accl2___0.0', 'Accl2___0.1', 'Accl2___0.2', 'Accl2___0.3', 'Step___0.0', 'Step___0.1', 'Step___0.2', 'Step___0.3']
  RuntimeError: Cannot load optimizer state dictionary because it is empty.
  RuntimeError: Only IPU optimizer states can be loaded onto the IPU.
  [poptorch:cpp] [warning] writeOptimizerState: ignoring missing state Accl1___0.0
  [poptorch:cpp] [warning] writeOptimizerState: ignoring missing state Step___0.1
