mnist-pipeline: what the environment decides: profiles, what is told, which
IPUs, and waiting for them.

  $ alias train='mnist-pipeline --dataset generated --samples 840 --epochs 1 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4'

No partition, in PopTorch's words; uncaught, where more is told:

  $ train
  mnist-pipeline: Failed to acquire 4 IPU(s)
  No IPU detected in the system. 
  For more information use the Graphcore command-line tool `gc-monitor`.
  no partition is active; `vipu create partition NAME --size 4` makes one; with POPTORCH_IPU_MODEL=1 a PopTorch program needs no partition
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]
  $ POPTORCH_LOG_LEVEL=DEBUG train
  mnist-pipeline: poptorch.poptorch_core.Error: In unknown:0: 'poptorch_cpp_error': Failed to acquire 4 IPU(s)
  No IPU detected in the system. 
  For more information use the Graphcore command-line tool `gc-monitor`.
  no partition is active; `vipu create partition NAME --size 4` makes one; with POPTORCH_IPU_MODEL=1 a PopTorch program needs no partition
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  Error raised in:
    [0] Compiler::initSession
    [1] LowerToPopart::compile
    [2] compileWithManualTracing
  [1]

One that fits and is not chosen is named, as gc-info does:

  $ { vipu create partition two --size 8 --num-gcds 2; vipu create partition fits --size 4; } > created 2>&1
  $ said() { eval "$*" 2>&1 | sed -n 's/^.*no partition is active[:;] //p' | cut -d ';' -f 1; }
  $ said train
  `vipu exec fits -- PROGRAM` runs a program on partition fits
  $ said train --replicas 2
  `vipu create partition NAME --size 8` makes one
  $ said gc-info -l
  `vipu exec fits -- PROGRAM` runs a program on partition fits
  $ vipu exec fits -- "$IPUBOX" mnist-pipeline --dataset generated --samples 840 --epochs 1 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 | grep -c Epoch
  1
  $ { vipu remove partition two; vipu remove partition fits; } > removed

Waiting does not help there:

  $ POPTORCH_WAIT_FOR_IPU=1 train 2>&1 | head -2
  mnist-pipeline: Failed to acquire 4 IPU(s)
  No IPU detected in the system. 

The IPU model needs no IPUs:

  $ POPTORCH_IPU_MODEL=1 POPTORCH_LOG_LEVEL=DEBUG train 2>&1 >/dev/null | sed 's/ Kernels.*//; s/weights .*/weights/'
  mnist-pipeline: debug: Instantiated device, running on IPU model.
  mnist-pipeline: debug: Epoch 1: replica 0: weights

A program reserves a power of two of IPUs, for all of its replicas:

  $ train --stages B1/B2/B3,B4
  mnist-pipeline: The model specifies the use of 3 IPUs, however PopTorch must reserve a minimum of 4 in order to allow the model to run, because PopTorch must reserve a power of 2 or maximum of 64 IPUs per process. Please reconfigure your model to use a different number of IPUs or set poptorch.Options().autoRoundNumIPUs(True). (Here: --auto-round.)
  [1]
  $ train --replicas 3 2>&1 | cut -c 1-119
  mnist-pipeline: The model specifies the use of 12 IPUs, however PopTorch must reserve a minimum of 16 in order to allow
  $ train --replicas 17
  mnist-pipeline: Too many IPUs requested (128). Experiments that need more than 64 IPUs require distributed execution.
  [1]
  $ train --replicas 17 --auto-round
  mnist-pipeline: Too many IPUs requested (128). Experiments that need more than 64 IPUs require distributed execution.
  [1]
  $ train --auto-round=yes 2>&1 | head -1
  mnist-pipeline: option '--auto-round' takes no argument
  $ train --auto-round=yes 2> /dev/null
  [2]

On IPUs:

  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ POPTORCH_LOG_LEVEL=DEBUG train 2>&1 >/dev/null | sed 's/ Kernels.*//; s/weights .*/weights/'
  mnist-pipeline: debug: Acquired 4 IPU(s): running on device Id 6.
  mnist-pipeline: debug: Epoch 1: replica 0: weights
  $ POPTORCH_LOG_LEVEL=OFF train --debug 2>&1 >/dev/null | head -1 | sed 's/ Kernels.*//'
  mnist-pipeline: debug: Acquired 4 IPU(s): running on device Id 6.
  $ POPTORCH_LOG_LEVEL=loud train
  mnist-pipeline: POPTORCH_LOG_LEVEL: Unknown log level: loud. Valid values are DEBUG, DEBUG_IR, ERR, INFO, OFF, TRACE, TRACE_ALL and WARN
  [1]
  $ POPTORCH_WAIT_FOR_IPU=yes train
  mnist-pipeline: POPTORCH_WAIT_FOR_IPU 'yes': not a whole number
  [1]
  $ POPTORCH_WAIT_FOR_IPU=0 POPTORCH_LOG_LEVEL=INFO train 2>&1 >/dev/null
  mnist-pipeline: info: From POPTORCH_WAIT_FOR_IPU environment variable: If no IPU is available: Fail & exit

Rounded up, the fourth is held as well, and stays idle; so are those behind
three replicas of one IPU each, which have learnt the same:

  $ train --stages B1/B2/B3,B4 --auto-round --debug --profile --profile-dir rounded 2>&1 >/dev/null | sed 's/ Kernels.*//; s/weights .*/weights/'
  mnist-pipeline: debug: Acquired 4 IPU(s): running on device Id 6.
  mnist-pipeline: debug: Epoch 1: replica 0: weights
  $ sed -n 's/.*"ipus": *\([0-9]*\),.*/\1/p' rounded/training/summary.json | head -1
  3
  $ train --strategy one-ipu --replicas 3 --auto-round --debug 2>&1 >/dev/null | sed 's/ Kernels.*//; s/.*weights //' | sort | uniq -c | awk '{ print $1 }'
  3
  1
  $ mkfifo held; exec 9<>held
  $ mnist-pipeline --stages B1/B2/B3,B4 --auto-round --dataset generated --samples 840 --epochs 100000 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 > held 2>&1 & first=$!
  $ until read -r line <&9; [ "$line" = 'Epoch 1/100000' ]; do :; done
  $ gc-monitor --no-card-info | grep -c mnist-pipeline
  4
  $ kill $first; wait $first 2> /dev/null
  [143]

Two that need the same IPUs, the second started while the first one holds them:

  $ mnist-pipeline --dataset generated --samples 840 --epochs 100000 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 > held 2>&1 & first=$!
  $ until read -r line <&9; [ "$line" = 'Epoch 1/100000' ]; do :; done
  $ train 2>&1 | sed 's/ held by .*/ held by/'
  mnist-pipeline: Failed to acquire 4 IPU(s)
  IPU 0 of partition p is held by
  $ POPTORCH_WAIT_FOR_IPU=1 POPTORCH_LOG_LEVEL=INFO train > out 2> err & second=$!
  $ until grep -q waiting err 2>/dev/null; do :; done
  $ kill $first; wait $second; tail -1 out | tr -d 0-9
  Accuracy on test set: .%
  $ sed 's/ held by .*/ held by/' err
  mnist-pipeline: info: From POPTORCH_WAIT_FOR_IPU environment variable: If no IPU is available: Wait
  mnist-pipeline: info: No IPU available, waiting: Failed to acquire 4 IPU(s)
  IPU 0 of partition p is held by

A partition of fixed shape is reset before a job, but not while another uses it:

  $ vipu create partition fixed --size 4 > /dev/null 2>&1
  $ IPUOF_VIPU_API_PARTITION_ID=fixed mnist-pipeline --dataset generated --samples 840 --epochs 100000 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 > held 2>&1 & first=$!
  $ until read -r line <&9; [ "$line" = 'Epoch 1/100000' ]; do :; done
  $ poprun --vipu-partition fixed --num-replicas 1 --ipus-per-replica 4 --launcher local true 2>&1 | cut -d : -f 1,2
  POPRUN ERROR: partition fixed is in use
  $ kill $first; wait $first 2> /dev/null; vipu remove partition fixed > /dev/null

Profiles that the environment asks for, moves and forbids:

  $ POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true","autoReport.directory":"here/it is"}' train > /dev/null
  $ ls here
  it is
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"there"}' train --profile --profile-dir mine > /dev/null
  mnist-pipeline: warning: Profiling setting overridden by environment variable. Check content of POPLAR_ENGINE_OPTIONS.
  $ ls -d there mine 2>&1 | sed 's/.*cannot.*/none/' | sort
  none
  there
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.all":"false"}' POPTORCH_LOG_LEVEL=ERR train --profile --profile-dir mine | grep -c Profiling
  0
  [1]
  $ ls -d mine 2>/dev/null
  [2]
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"there"}' train | grep -c Profiling
  0
  [1]
  $ POPLAR_ENGINE_OPTIONS='{"opt.maxCompilationThreads":"4"}' train --profile --profile-dir mine | head -2
  Dataset: 840 + 140 generated digits (not MNIST)
  Profiling is enabled.
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.al":"true"}' train
  mnist-pipeline: POPLAR_ENGINE_OPTIONS: invalid_option: Unrecognised option 'autoReport.al'
  [1]

A folder an instance:

  $ vipu remove partition p
  remove partition (p): success
  $ cat > job <<'E'
  > exec mnist-pipeline --dataset generated --samples 840 --epochs 1 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 "$@"
  > E
  $ alias pair='poprun --launcher local --vipu-partition p2 --update-partition=yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4'
  $ pair --autoreport-dir two sh job > /dev/null
  $ ls two
  0
  1
  $ pair sh job --profile --profile-dir asked > /dev/null
  $ ls asked
  0
  1
  $ POPLAR_ENGINE_OPTIONS='{"autoReport.all":"false"}' pair --autoreport-dir none sh job > /dev/null
  $ ls none 2>/dev/null
  [2]
  $ poprun --launcher local --vipu-partition p1 --update-partition=yes --ipus-per-replica 4 --autoreport-dir one sh job > /dev/null
  $ ls one
  0
