#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
poptorch.optim: what a program gives to its optimizer, and what the device is
told of it. The programs are the functions of sdk-poptorch-optim.py.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1
  $ python3() { command python3 -SE "$TESTDIR/sdk/warm.py" "$@"; }
  $ optim() { python3 $TESTDIR/cli/sdk-poptorch-optim.py "$@"; }

Which optimizer of PopART's each one is:

  $ optim types
  SGD2=1 ADAM=2 SGD1=0 ADAMW=3 ADAMW_NO_BIAS=4 RMSPROP=5 RMSPROP_CENTERED=6 LAMB=7 LAMB_NO_BIAS=8 

A value that was not given is a constant of the executable; one of torch's
optimizers is where it is the usual one:

  $ optim constants
  poptorch SGD2 variable: learningRate
  poptorch SGD2 variable: learningRate momentum lossScaling
  torch SGD2 variable: learningRate
  torch SGD2 variable: learningRate momentum
  torch ADAMW variable: learningRate beta2
  poptorch RMSPROP variable: learningRate alpha
  AssertionError: Unknown attribute learning_rate, allowed values: ['lr', 'betas', 'eps', 'weight_decay', 'max_weight_norm', 'loss_scaling']

What cannot run on the device:

  $ optim refused
  AssertionError: Accumulation types must be either torch.float32 or torch.float16
  ValueError: Invalid beta parameter at index 1: 1.0
  WARNING velocity_scaling value ignored when using the separate variant (use_combined_accum=False). In future, this will lead to an error. Please update your code.
  AssertionError: Unsupported optimizer type. Types supported ['SGD', 'AdamW', 'Adam', 'RMSprop', 'LAMB']
  ValueError: Only non-amsgrad Adam/AdamW optimizers are supported.
  ValueError: accum_type must be set to either torch.float16 or torch.float32 not torch.float64
  ValueError: use_tf_variant is only available with RMSProp optimizers.
  ValueError: lr must not be NaN
  AssertionError: Expected a number for loss_scaling but got two instead
  AssertionError: Expected a pair for betas but got [0.9, 0.99] instead
  AssertionError: Mandatory attribute eps not found in optimizer group
  AssertionError: Mandatory attribute loss_scaling not found in optimizer attributes
  AssertionError: All parameter groups must have the same value for the 'centered' attribute (Group 0: False / Group 1: True)
  ValueError: Invalid optimizer: the new optimizer would require changing options.Training.meanAccumulationAndReplicationReductionStrategy to poptorch.MeanReductionStrategy.Running but the executable is already compiled.
  <MeanReductionStrategy.Post: 1>
  <MeanReductionStrategy.Running: 0>
  AttributeError: Can't modify frozen Options

Classes of the program's, and attributes that came later, are named, each time
in one text, or not at all where the checks are relaxed:

  $ optim unexpected
  WARNING Lazy is a class of the program; the device uses the values of its attributes, but computes like the class that it is derived from
  WARNING Ignoring unexpected default group variable in SGD2 optimizer: ['loss_scaling']
  WARNING Ignoring unexpected group 0 attribute in SGD2 optimizer: ['initial_lr']
  WARNING Ignoring unexpected optimizer attribute in SGD2 optimizer: ['loss_scailing']

Copies, pickles and learning rate schedules:

  $ optim copies
  LAMB (
  Parameter Group 0
      betas: (0.9, 0.999)
      eps: 1e-08
      lr: 0.5
      max_weight_norm: 65500.0
      weight_decay: 0.01
  )

What is logged of them for who debugs one:

  $ POPTORCH_LOG_DEST=stdout optim logged | sed -n 's/^\[[^]]*\] \(.*Updating\)/\1/p'
  [poptorch:cpp] [debug] Updating graph optimizer with SGD2, defaultDampening=0 (const), defaultLearningRate=0.1, defaultMomentum=0.5, defaultVelocityScaling=2, defaultWeightDecay=0 (const), lossScaling=2, nesterov=0 (const), accumType=FLOAT, firstOrderMomentumAccumType=FLOAT, secondOrderMomentumAccumType=FLOAT, useTfVariant=0, maxGradNorm=inf
  [poptorch:cpp] [debug] Updating group 0 optimizer with SGD2, dampening=0 (const), learningRate=0.1, momentum=0.5, nesterov=0 (const), velocityScaling=2, weightDecay=0 (const), accumType=FLOAT, firstOrderMomentumAccumType=FLOAT, secondOrderMomentumAccumType=FLOAT, useTfVariant=0, maxGradNorm=inf for (tensors affected [fc.weight, fc.bias])
  [poptorch:cpp] [debug] Updating graph optimizer with LAMB, defaultBeta1=0.9 (const), defaultBeta2=0.999 (const), defaultEps=1e-08 (const), defaultLearningRate=0.001 (const), defaultMaxWeightNorm=65500 (const), defaultWeightDecay=0.01 (const), lossScaling=1 (const), accumType=FLOAT16, firstOrderMomentumAccumType=FLOAT, secondOrderMomentumAccumType=FLOAT, useTfVariant=0, maxGradNorm=inf
  [poptorch:cpp] [debug] Updating group 0 optimizer with LAMB, beta1=0.9 (const), beta2=0.999 (const), eps=1e-08 (const), learningRate=0.001 (const), maxWeightNorm=65500 (const), weightDecay=0.01 (const), accumType=FLOAT16, firstOrderMomentumAccumType=FLOAT, secondOrderMomentumAccumType=FLOAT, useTfVariant=0, maxGradNorm=inf for (tensors affected [fc.weight, fc.bias])

An optimizer that cannot take the place of the compiled one:

  $ optim replacements
  New optimizer is not a valid replacement. Can not replace optimizer of type SGD with new optimizer of type Adam
  New optimizer is not a valid replacement. Weight decay modes do not match
  New optimizer is not a valid replacement. Adam modes do not match
  New optimizer is not a valid replacement. Clip norm settings do not match.
  New optimizer is not a valid replacement. Clip norm settings at index 0 do not match.
  New optimizer is not a valid replacement. Problem with loss scaling. Can not replace a constant value with a non constant value.
  New optimizer is not a valid replacement. Problem with momentums. Default value is not a valid replacement. Can not replace a constant value with a non constant value.
  New optimizer is not a valid replacement. Problem with weight decays. OptimizerValue for tensor fc2.weight is not a valid replacement.Can not replace a constant value with a non constant value.
  New optimizer is not a valid replacement. Problem with learning rates. Replacement OptimizerValueMap has a different number of specific tensors.
  New optimizer is not a valid replacement. this has SGDAccumulatorAndMomentum SGDAccumulatorAndMomentum::Separate, but other has SGDAccumulatorAndMomentum::Combined
  New optimizer is not a valid replacement. this has SGDAccumulatorAndMomentum::Separate and sgd2Accl1Type FLOAT, but other has FLOAT16
  New optimizer is not a valid replacement. Problem with eps. Default value is not a valid replacement. Values are constant but do not match.
