Programs whose IPUs fail while they train: how they end, alone and under
poprun, how the partition fares, and that the next run works.

The files are of the right form, 2240 and 112 images of nonsense:

  $ mkdir mnist_data; cd mnist_data
  $ pixels() { printf '\0\0\10\3\0\0\'"$1"'\0\0\0\34\0\0\0\34'; seq 500000 | head -c $(($2 * 784)); }
  $ labels() { printf '\0\0\10\1\0\0\'"$1"; seq 9999 | tr -d '\n' | head -c "$2" | tr 0-9 '\000-\011'; }
  $ pixels '10\300' 2240 > train-images-idx3-ubyte
  $ labels '10\300' 2240 > train-labels-idx1-ubyte
  $ pixels '0\160' 112 > t10k-images-idx3-ubyte
  $ labels '0\160' 112 > t10k-labels-idx1-ubyte
  $ cd ..
  $ alias train='mnist-pipeline --device-iterations 2 --gradient-accumulation 7 --batch-size 80'
  $ state() { vipu get partition $1 | sed -n 's/^State *| //p'; }
  $ clock() { sed 's/20[-0-9]*T[.:0-9]*Z/TIME/; s/instance [01] (pid [0-9]*/instance N (pid N/'; }
  $ mkfifo out

A simulated error after two calls: an epoch has two, so the second epoch fails.

  $ vipu create partition p --size 4 > /dev/null
  $ GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":2,"simulateSOCError.rearmOnReset":true}' train --epochs 2 > log
  mnist-pipeline: poptorch.poptorch_core.RecoverableError: In unknown:0: 'poplar_recoverable_runtime_error': [Recovery action: IPU_RESET] CIUERRVR.IPUSOFTERR error on IPU 0 (ag01:0 of partition p). IPU will be reset the next time a program is executed.
  Error raised in:
    [0] execute
  [1]
  $ cut -c 1-9 log
  Training.
  Epoch 1/2
  Loss:[0-9.]* (re)
  Epoch 2/2
  $ gc-info -i -d 0 | grep 'error state'
    ipu error state: IPUSOFTERR
  $ state p
  ACTIVE
  $ GCDA_OPTIONS='{"simulateSOCError.errorList":"SOC1PGMERR","simulateSOCError.triggerCount":"0"}' train --epochs 1 2>&1 | grep -o "poptorch_core.Error: .* error"
  poptorch_core.Error: In unknown:0: 'poplar_application_runtime_error': CIUERRVR.SOC1PGMERR error
  $ train --epochs 1 | cut -c 1-8
  Training
  Epoch 1/
  Loss:[0-9.]* (re)
  Testing.
  100%|█
  Accuracy
  $ gc-info -i -d 0 | grep 'error state'
    ipu error state: no errors

The count goes on into the test, whose only call is the third here:

  $ GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":2}' train --epochs 1 2>&1 | cut -c 1-24
  Training...
  Epoch 1/1
  Loss:.* (re)
  Testing...
  mnist-pipeline: poptorch
  Error raised in:
    [0] execute
  $ GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":3}' train --epochs 1 2>&1 | tail -1 | cut -c 1-8
  Accuracy

What is wrong in the options is refused, but only by programs that run:

  $ export GCDA_OPTIONS='{"simulateSOCError.errorList":"SOFT","simulateSOCError.triggerCount":2}'
  $ train
  mnist-pipeline: GCDA_OPTIONS: simulateSOCError.errorList: 'SOFT' is not a SoC error; use SOC0PGMERR, SOC1PGMERR, ELINKPGMERR, HEXOVERFLOWERR, MCUPGMERR, SOC0SOFTERR, SOC1SOFTERR, ELINKSOFTERR, IPUSOFTERR, NMLINKDN0, NMLINKDN1, MCUSOFTERR
  [1]
  $ popdist-env get getDeviceId 4
  4
  $ gc-info --ipu-count
  gc-info: GCDA_OPTIONS: simulateSOCError.errorList: 'SOFT' is not a SoC error; use SOC0PGMERR, SOC1PGMERR, ELINKPGMERR, HEXOVERFLOWERR, MCUPGMERR, SOC0SOFTERR, SOC1SOFTERR, ELINKSOFTERR, IPUSOFTERR, NMLINKDN0, NMLINKDN1, MCUSOFTERR
  4
  $ GCDA_OPTIONS='{' train
  mnist-pipeline: GCDA_OPTIONS must be a JSON object such as {"enableMonitoring":"true"}
  [1]
  $ unset GCDA_OPTIONS

From outside: an error of an IPU, and a lost machine.  `start` returns as soon
as an epoch has been trained.

  $ start() {
  >     "$@" > out 2> err & job=$!
  >     exec 8<out
  >     until read -r line <&8; case $line in *Loss*) ;; *) false ;; esac; do :; done
  > }
  $ ended() {
  >     cat <&8 > rest; exec 8<&-
  >     wait $job
  >     echo "status $?"
  >     grep -v 1,0 err | clock
  > }
  $ epochs='--device-iterations 2 --gradient-accumulation 7 --batch-size 80 --epochs 1000000'
  $ start mnist-pipeline $epochs
  $ vipu-admin inject ag01:2 soc-error ELINKSOFTERR
  inject IPU (ag01:2): success.
  $ ended
  status 1
  mnist-pipeline: poptorch.poptorch_core.RecoverableError: In unknown:0: 'poplar_recoverable_runtime_error': [Recovery action: IPU_RESET] CIUERRVR.ELINKSOFTERR error on IPU 2 (ag01:2 of partition p). IPU will be reset the next time a program is executed.
  Error raised in:
    [0] execute
  $ start mnist-pipeline $epochs
  $ gc-info -i -d 2 | grep 'error state'
    ipu error state: no errors
  $ vipu-admin inject ag01 down
  inject agent (ag01): success.
  $ ended
  status 1
  mnist-pipeline: poptorch.poptorch_core.UnrecoverableError: In unknown:0: 'poplar_unrecoverable_runtime_error': read_config_space(offset=0x3030): Could not complete operation. Fabric error: QP is not operational, device 0, IP 10.1.5.1:50055. IPUoF Server unreachable at TIME
  Error raised in:
    [0] execute
  partition p is in state ERROR: machine ag01 is down
  $ train --epochs 1
  mnist-pipeline: Failed to acquire 4 IPU(s)
  partition p is in state ERROR: machine ag01 is down
  [1]
  $ vipu-admin inject ag01 up
  inject agent (ag01): success.
  $ train --epochs 1 | tail -1 | cut -c 1-8
  Accuracy
  $ vipu remove partition p
  remove partition (p): success

Under poprun one instance's machine reboots; the other instance is ended.

  $ vipu create partition p --size 8 --num-gcds 2 > /dev/null
  $ cat > job <<'X'
  > exec mnist-pipeline --device-iterations 2 --gradient-accumulation 7 --batch-size 80 "$@"
  > X
  $ alias pair='poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh job'
  $ start poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh job --epochs 1000000
  $ vipu-admin inject ag02 reboot --seconds 0
  inject agent (ag02): success.
  $ ended
  status 1
  [1,1]<stderr>:mnist-pipeline: poptorch.poptorch_core.UnrecoverableError: In unknown:0: 'poplar_unrecoverable_runtime_error': read_config_space(offset=0x3030): Could not complete operation. Fabric error: QP is not operational, device 0, IP 10.1.5.2:50055. IPUoF Server unreachable at TIME
  [1,1]<stderr>:Error raised in:
  [1,1]<stderr>:  [0] execute
  [1,1]<stderr>:partition p is in state ACTIVE: machine ag02 rebooted
  POPRUN ERROR: instance N (pid N) exited with status 1; the others were stopped
  POPRUN ERROR: partition p failed during the job: machine ag02 rebooted; it is in state PS_ACTIVE now
    it ran * (glob)
    its last lines:
  ...
    | partition p is in state ACTIVE: machine ag02 rebooted
  ...
  $ state p
  ACTIVE

One whose own IPUs are well is told of a machine of the other instance, here of
one that stands still and says nothing itself:

  $ cat > stopped <<'X'
  > echo $$ > pid.$POPDIST_REPLICA_INDEX_OFFSET
  > exec mnist-pipeline --device-iterations 2 --gradient-accumulation 7 --batch-size 80 --epochs 1000000
  > X
  $ start poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh stopped
  $ kill -STOP $(cat pid.1)
  $ vipu-admin inject ag02 reboot --seconds 0
  inject agent (ag02): success.
  $ cat <&8 > rest; exec 8<&-; wait $job
  [1]
  $ clock < err
  [1,0]<stderr>:mnist-pipeline: poptorch.poptorch_core.UnrecoverableError: In unknown:0: 'poplar_unrecoverable_runtime_error': read_config_space(offset=0x3030): Could not complete operation. Fabric error: QP is not operational, device 4, IP 10.1.5.2:50055. IPUoF Server unreachable at TIME
  [1,0]<stderr>:Error raised in:
  [1,0]<stderr>:  [0] execute
  [1,0]<stderr>:partition p is in state ACTIVE: machine ag02 rebooted
  [1,0]<stderr>:IPU-Machine ag02, with IPUs of another instance of this job, was lost
  POPRUN ERROR: instance N (pid N) exited with status 1; the others were stopped
  POPRUN ERROR: partition p failed during the job: machine ag02 rebooted; it is in state PS_ACTIVE now
    it ran * (glob)
    its last lines:
  ...
    | partition p is in state ACTIVE: machine ag02 rebooted
    | IPU-Machine ag02, with IPUs of another instance of this job, was lost
  $ pair --epochs 1 | grep -o Accuracy.on.*:
  Accuracy on test set:

Every instance has the simulated error; the first that ends ends the job.

  $ GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":1}' pair --epochs 2 > log 2>&1
  [1]
  $ grep -c -e 'CIUERRVR.IPUSOFTERR error on IPU 0 (ag0[12]:0 of partition p)' log
  [23] (re)
  $ pair --epochs 1 | grep -o Accuracy.on.*:
  Accuracy on test set:

A script that tries again until the machine is back:

  $ vipu-admin inject ag01 down
  inject agent (ag01): success.
  $ cat > again <<'X'
  > for attempt in 1 2 3; do
  >     poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh job --epochs 1 > log 2>&1 && break
  >     echo "attempt $attempt failed with $?"
  >     [ $attempt -lt 2 ] || vipu-admin inject ag01 up
  > done
  > echo "attempt $attempt: $(grep -o 'Accuracy on' log)"
  > X
  $ sh again
  attempt 1 failed with 1
  attempt 2 failed with 1
  inject agent (ag01): success.
  attempt 3: Accuracy on

poprun tells what befell the partition of any program that failed, and only
then:

  $ cat > lose <<'X'
  > [ $POPDIST_REPLICA_INDEX_OFFSET = 0 ] || exec sleep 60
  > vipu-admin inject ag01 down > /dev/null; exit 3
  > X
  $ alias lose='poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh lose'
  $ lose 2>&1 | clock
  POPRUN ERROR: instance N (pid N) exited with status 3; the others were stopped
  POPRUN ERROR: partition p failed during the job: machine ag01 is down; it is in state PS_ERROR now
    it ran * (glob)
  $ vipu-admin inject ag01 up > /dev/null
  $ poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh -c 'exit 4' 2>&1 | clock
  POPRUN ERROR: instance N (pid N) exited with status 4; the others were stopped
    it ran * (glob)
  $ poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh -c 'vipu remove partition p --force > /dev/null 2>&1; exit 5' 2>&1 | clock
  POPRUN ERROR: instance N (pid N) exited with status 5; the others were stopped
  POPRUN ERROR: partition p was removed during the job
    it ran * (glob)
