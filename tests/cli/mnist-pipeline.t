mnist-pipeline: what it prints, what it refuses, several instances, and a
profile.  Digits are drawn; the genuine files have a test of their own.

  $ mnist-pipeline --help | sed -n '/--strategy NAME  /,/pipelined)/p'
        --strategy NAME           execution strategy: pipelined, interleaved,
                                  sharded or one-ipu (default: pipelined)
  $ mnist-pipeline --version
  ipubox [0-9.]+ \(mnist-pipeline\) (re)

Misuse:

  $ mnist-pipeline --strategy phased 2>&1 | head -1
  mnist-pipeline: --strategy phased: must be one of pipelined, interleaved, sharded, one-ipu
  $ mnist-pipeline --dataset cifar 2>&1 | head -1
  mnist-pipeline: --dataset cifar: must be one of mnist, generated
  $ mnist-pipeline --learning-rate fast 2>&1 | head -1
  mnist-pipeline: --learning-rate fast: must be a number above 0, at most 1
  $ mnist-pipeline --batch-size 0 2>&1 | head -1
  mnist-pipeline: --batch-size '0': too small, must be 1 to 1000000
  $ mnist-pipeline --batch-size 1000000 2>&1 | head -1
  mnist-pipeline: one call would take 100000000 samples, but at most 1000000 are possible; reduce batch size x gradient accumulation x device iterations
  $ mnist-pipeline --output-mode some 2>&1 | head -1
  mnist-pipeline: --output-mode some: must be one of final, every-n, all, sum
  $ mnist-pipeline --auto-stage some 2>&1 | head -1
  mnist-pipeline: --auto-stage some: must be one of same-as-ipu, auto-increment
  $ mnist-pipeline --stages B1,B5/B3 2>&1 | head -1
  mnist-pipeline: --stages B1,B5/B3: Unknown Block 'B5' list of expected Blocks: ['B1', 'B2', 'B3', 'B4']
  $ mnist-pipeline --stages B1,B2/B2 2>&1 | head -1
  mnist-pipeline: --stages B1,B2/B2: B2 associated with more than one stage
  $ mnist-pipeline --stages B1,B2/B4 2>&1 | head -1
  mnist-pipeline: --stages B1,B2/B4: Unknown Block 'B3' list of expected Blocks: ['B1', 'B2', 'B4']

PopTorch reserves a power of two of IPUs.

  $ mnist-pipeline --stages B1/B2/B3,B4 --dataset generated
  mnist-pipeline: The model specifies the use of 3 IPUs, however PopTorch must reserve a minimum of 4 in order to allow the model to run, because PopTorch must reserve a power of 2 or maximum of 64 IPUs per process. Please reconfigure your model to use a different number of IPUs or set poptorch.Options().autoRoundNumIPUs(True). (Here: --auto-round.)
  [1]
  $ mnist-pipeline --ipu-memory 2G 2>&1 | head -1
  mnist-pipeline: --ipu-memory '2G': not a whole number
  $ mnist-pipeline --ipu-memory 1k 2>&1 | head -1
  mnist-pipeline: --ipu-memory 1k: must be at least one byte for each of the 1472 tiles
  $ mnist-pipeline --recompute=maybe 2>&1 | head -1
  mnist-pipeline: --recompute 'maybe': must be yes or no (on/off, true/false and 1/0 mean the same)
  $ mnist-pipeline --offload-optimiser=2 2>&1 | head -1
  mnist-pipeline: --offload-optimiser '2': must be yes or no (on/off, true/false and 1/0 mean the same)
  $ mnist-pipeline --offload-optimiser=2 2> /dev/null
  [2]
  $ mnist-pipeline now 2>&1 | head -1
  mnist-pipeline: unexpected argument 'now'
  $ mnist-pipeline --epochs 2>/dev/null
  [2]

No data:

  $ mnist-pipeline
  mnist-pipeline: no MNIST data: neither train-images-idx3-ubyte nor train-images-idx3-ubyte.gz in mnist_data or mnist_data/MNIST/raw; the files are at http://yann.lecun.com/exdb/mnist/ (see mnist-pipeline(1)); without them try --dataset generated
  [1]
  $ mkdir mnist_data
  $ printf '\0\0\10\3\0\0\0\2\0\0\0\34\0\0\0\34' > mnist_data/train-images-idx3-ubyte
  $ mnist-pipeline
  mnist-pipeline: mnist_data/train-images-idx3-ubyte: truncated: it has 0 bytes of data, but the header says 1568
  [1]

No IPUs:

  $ alias train='mnist-pipeline --dataset generated --samples 12000 --batch-size 8 --epochs 1'
  $ train 2>&1 | head -1
  mnist-pipeline: Failed to acquire 4 IPU(s)

One replica.  The time and the last digits are the machine's own.  The profiles
have 10 calls of this host's and one of the model's, each of 10 iterations of 21
steps on each of 4 IPUs, and of 100 micro-batches of the test.

  $ vipu create partition p1 --size 4
  create partition (p1): success
  $ train --debug --test-batch-size 2 --profile
  mnist-pipeline: debug: Acquired 4 IPU\(s\): running on device Id 4. Kernels: (sse2|avx2|avx512). (re)
  Dataset: 12000 + 2000 generated digits (not MNIST)
  Profiling is enabled.
  Training...
  Epoch 1/1
  Loss:0\.[0-9]{4} \| Accuracy:9[0-9]\.[0-9]{2}%: 100%\|██████████\| 15/15 \[0[0-9]:[0-9]{2}<00:00, .*(it/s|s/it)\] (re)
  mnist-pipeline: debug: Epoch 1: replica 0: weights [0-9a-f]{16} (re)
  Testing...
  100%\|██████████\| 10/10 \[0[0-9]:[0-9]{2}<00:00, .*(it/s|s/it)\] (re)
  Accuracy on test set: 9[0-9]\.[0-9]{2}% (re)
  Profile: ./profile (open ./profile/training/report.html in a browser)
  $ ls profile
  inference
  training
  $ ls profile/training
  report.html
  schedule.txt
  summary.json
  trace.json
  $ for name in forward backward update; do grep -c "\"name\":\"$name\"" profile/training/trace.json; done
  4400
  4400
  440
  $ grep -c '"name":"forward"' profile/inference/trace.json
  4400
  $ grep -c '"name":"backward"' profile/inference/trace.json
  0
  [1]
  $ sed -n '1p;/IPU0/p' profile/training/schedule.txt
  mnist, training: pipelined, N = 4 stages on 4 IPUs, G = 10 micro-batches, D = 10 device iterations
  IPU0 F1  F2  F3  F4   .  F5   .  F6   .  F7  B1  F8  B2  F9  B3  F10 B4   .  B5   .  B6   .  B7  B8  B9  B10
  $ sed -n 's/.*"\(calls\|samples\|host_processors\)": *\([0-9]*\).*/\1 \2/p' profile/training/summary.json | grep -v host
  calls 15
  samples 12000
  $ ! command -v python3 > /dev/null || python3 -c 'import json, sys
  > for name in sys.argv[1:]: json.load(open(name))' profile/*/trace.json profile/*/summary.json
  $ train --profile --profile-dir /proc/none > /dev/null
  mnist-pipeline: cannot create directory /proc/none: No such file or directory
  [1]

Two switches, off again behind a model that has them on:

  $ for switch in recompute offload-optimiser; do for value in "" =yes " no" =no; do mnist-pipeline --stages B1,B2/B3,B4 --$switch$value --memory-report --data-dir none 2> /dev/null | cksum; done | uniq -c | awk '{ print $1 }'; done
  2
  2
  2
  2

The schedule alone, without IPUs' memory or data:

  $ mnist-pipeline --stages B1,B2/B3,B4 --gradient-accumulation 3 --test-device-iterations 2 --dump-schedule
  training: pipelined, 2 stages, 3 micro-batches, 75.0 % used
  col   1   2   3   4   5   6   7   8
  IPU0 F1  F2   .  F3  B1   .  B2  B3
  IPU1  .  F1  B1  F2  B2  F3  B3   .
  
  inference: pipelined, 2 stages, 2 micro-batches, 66.7 % used
  col   1   2   3
  IPU0 F1  F2   .
  IPU1  .  F1  F2
  $ mnist-pipeline --strategy one-ipu --gradient-accumulation 1 --test-device-iterations 1 --dump-schedule | head -3
  training: one-ipu, 4 stages, 1 micro-batches, 100.0 % used
  col    1    2    3    4    5    6    7    8
  IPU0 F1.0 F1.1 F1.2 F1.3 B1.3 B1.2 B1.1 B1.0

PopTorch's constraint on a pipeline; sharded there is none:

  $ train --gradient-accumulation 6
  mnist-pipeline: poptorch.Options().Training.gradientAccumulation must be greater than or equal to the number of pipeline stages (7) when using poptorch.PipelinedExecution. Please note that a model with 4 pipeline stages in PopTorch will have an additional 3 stages when training.
  [1]
  $ train --batch-size 600 --strategy sharded --gradient-accumulation 11
  mnist-pipeline: the training set has 12000 samples, but one call takes 66000; choose a smaller batch size, gradient accumulation or number of device iterations
  [1]
  $ vipu remove partition p1
  remove partition (p1): success

Two instances train one model.  Only the first prints, both have the same
weights.  The files are of the right form, 2240 and 112 images of nonsense:

  $ rm -r mnist_data; mkdir mnist_data; cd mnist_data
  $ pixels() { printf '\0\0\10\3\0\0\'"$1"'\0\0\0\34\0\0\0\34'; seq 500000 | head -c $(($2 * 784)); }
  $ labels() { printf '\0\0\10\1\0\0\'"$1"; seq 9999 | tr -d '\n' | head -c "$2" | tr 0-9 '\000-\011'; }
  $ pixels '10\300' 2240 | gzip > train-images-idx3-ubyte.gz
  $ labels '10\300' 2240 | gzip > train-labels-idx1-ubyte.gz
  $ pixels '0\160' 112 > t10k-images-idx3-ubyte
  $ labels '0\160' 112 > t10k-labels-idx1-ubyte
  $ cd ..
  $ cat > job <<'E'
  > exec mnist-pipeline --epochs 2 --debug --device-iterations 2 --gradient-accumulation 7 --batch-size 80
  > E
  $ poprun --launcher local --vipu-partition p2 --update-partition=yes --remove-partition=yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh job > out 2> err
  $ sed 's/.*stdout>://' out | cut -d ' ' -f 1 | cut -c 1-8
  Training
  Epoch
  Loss:[0-9].[0-9] (re)
  Epoch
  Loss:[0-9].[0-9] (re)
  Testing.
  100%|█
  Accuracy
  $ grep -c weights err
  4
  $ sed -n 's/.*weights //p' err | sort -u | wc -l
  2

A test set that does not fill a call, and labels that do not fit, are found
before anything is trained or an IPU is taken; drawn digits are counted as well:

  $ few='--epochs 2 --device-iterations 2 --gradient-accumulation 7 --batch-size 80'
  $ mnist-pipeline $few --test-batch-size 9
  mnist-pipeline: the test set has 112 samples, but one call takes 126; choose a smaller --test-batch-size or --test-device-iterations
  [1]
  $ mnist-pipeline $few --dataset generated --samples 1200 --test-device-iterations 26
  mnist-pipeline: the test set has 200 samples, but one call takes 208; choose a smaller --test-batch-size or --test-device-iterations
  [1]
  $ mnist-pipeline $few 2>&1 | head -1
  mnist-pipeline: Failed to acquire 4 IPU(s)
  $ labels '0\157' 111 > mnist_data/t10k-labels-idx1-ubyte
  $ mnist-pipeline $few
  mnist-pipeline: mnist_data: 112 images in t10k-images-idx3-ubyte, but 111 labels in t10k-labels-idx1-ubyte
  [1]

A replica of other size than the model:

  $ POPDIST_NUM_TOTAL_REPLICAS=1 POPDIST_NUM_LOCAL_REPLICAS=1 POPDIST_REPLICA_INDEX_OFFSET=0 POPDIST_LOCAL_INSTANCE_INDEX=0 POPDIST_NUM_IPUS_PER_REPLICA=2 mnist-pipeline --dataset generated 2>&1 | tail -1
  mnist-pipeline: the model needs 4 IPUs per replica, but POPDIST_NUM_IPUS_PER_REPLICA is 2: use poprun --ipus-per-replica 4
