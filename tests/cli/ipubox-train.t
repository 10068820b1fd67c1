ipubox-train: models that files describe.  Digits are drawn, few of them.

  $ ipubox-train --list
  encoder  A transformer's encoder of one layer: the rows of an image are its tokens.
  lenet5   LeNet-5 with max pooling and ReLU: two convolutions and three linear layers.
  mlp      Two hidden layers of 128 units on two IPUs, trained by SGD with momentum.
  mnist    The pipelining tutorial's network for MNIST, one block on each of four IPUs.
  resnet8  A residual network with batch normalisation, of eight layers on a path.
  $ for model in encoder lenet5 mlp mnist resnet8; do ipubox-train --print $model | cmp - "$TESTDIR"/../config/models/$model.ini; done
  $ ipubox-train --version
  ipubox [0-9.]+ \(ipubox-train\) (re)
  $ ipubox-train --help | sed -n 's/^usage: \([^ ]* [^ ]*\) .*/\1/p'
  ipubox-train MODEL

Under ipubox its name is "train" too, as git has it; completion knows it:

  $ ipubox train --help > train.help
  $ ipubox-train --help | cmp - train.help
  $ ipubox __complete train --memory-r
  --memory-report
  $ ipubox trai
  ipubox: no applet is called 'trai' (ipubox --help lists them; did you mean train?)
  [127]

Misuse:

  $ ipubox-train 2>&1 | head -1
  ipubox-train: which model? (--list shows the built-in ones)
  $ ipubox-train mnist mlp 2>&1 | head -1
  ipubox-train: takes only one model
  $ ipubox-train --nope 2>&1 | head -1
  ipubox-train: unrecognised option '--nope'
  $ ipubox-train mnist --epochs -1 2>&1 | head -1
  ipubox-train: --epochs '-1': too small, must be 0 to 1000000
  $ ipubox-train mnist --samples 5 2>&1 | head -1
  ipubox-train: --samples '5': too small, must be 6 to 1000000
  $ ipubox-train mlp --stages hidden 2>/dev/null
  [2]
  $ ipubox-train vgg
  ipubox-train: no built-in model is called 'vgg'; they are encoder, lenet5, mlp, mnist, resnet8; the name of a file must contain '/' or end with .ini
  [1]
  $ ipubox-train --print vgg
  ipubox-train: no built-in model is called 'vgg'; they are encoder, lenet5, mlp, mnist, resnet8; the name of a file must contain '/' or end with .ini
  [1]
  $ ipubox-train no-such.ini
  ipubox-train: cannot open no-such.ini: No such file or directory
  [1]

A model's file is refused with its line:

  $ ipubox-train --print mlp | sed 's/out_features=10$/out_features=11/' > mine.ini
  $ ipubox-train mine.ini
  ipubox-train: mine\.ini:[0-9]+: the model has 11 outputs, but there are 10 classes (re)
  [1]

No IPUs; two are asked for, one for one IPU alone:

  $ few='--dataset generated --samples 1200 --batch-size 10 --gradient-accumulation 7 --device-iterations 2 --test-device-iterations 25'
  $ ipubox-train mlp $few 2>&1 | head -1
  ipubox-train: Failed to acquire 2 IPU(s)
  $ ipubox-train mlp $few --strategy one-ipu 2>&1 | head -1
  ipubox-train: Failed to acquire 1 IPU(s)

A run.  The weights are the same whatever the strategy is, to the bit; an option
wins over the file:

  $ vipu create partition p1 --size 4 --reconfigurable
  create partition (p1): success
  $ ipubox train mlp $few --epochs 2
  Dataset: 1200 + 200 generated digits (not MNIST)
  Training...
  Epoch 1/2
  Loss:[0-9]\.[0-9]{4} \| Accuracy:[0-9]{2}\.[0-9]{2}%: 100%\|██████████\| 8/8 \[.*\] (re)
  Epoch 2/2
  Loss:[0-9]\.[0-9]{4} \| Accuracy:[0-9]{2}\.[0-9]{2}%: 100%\|██████████\| 8/8 \[.*\] (re)
  Testing...
  100%\|██████████\| 1/1 \[.*\] (re)
  Accuracy on test set: [0-9]{2}\.[0-9]{2}% (re)
  $ fewer="$few --samples 280 --test-device-iterations 5 --epochs 1"
  $ weights() { ipubox train "$@" $fewer --debug 2>&1 | sed -n 's/.*weights //p'; }
  $ for model in mlp lenet5 mnist; do
  >   for how in '--strategy pipelined' '--strategy interleaved' '--strategy sharded' '--strategy one-ipu' '--recompute' '--offload-optimiser'; do
  >     weights $model $how
  >   done | sort -u | wc -l
  > done
  1
  1
  1
  $ tiny='--samples 60 --batch-size 4 --gradient-accumulation 7 --device-iterations 1 --test-batch-size 2 --test-device-iterations 4'
  $ for model in encoder resnet8; do
  >   for how in '--strategy pipelined' '--strategy one-ipu' '--recompute'; do
  >     weights $model $how $tiny
  >   done | sort -u | wc -l
  > done
  1
  1
  $ for stages in B1/B2/B3/B4 B1,B2/B3,B4 B1,B2,B3/B4 B1,B2,B3,B4; do weights mnist --stages $stages; done | sort -u | wc -l
  1
  $ weights mlp > a; weights mlp --seed 1 | cmp -s - a
  [1]

What comes back in training is not what comes back in the test:

  $ last() { ipubox train mlp $few --epochs 1 "$@" 2>&1 | tail -1; }
  $ for mode in all final sum; do last --output-mode $mode; done | sort -u | sed 's/[0-9]/N/g'
  Accuracy on test set: NN.NN%

The tutorial's model is that of the tutorial's program:

  $ mnist-pipeline $fewer --debug 2>&1 | sed -n 's/.*weights //p' > a
  $ weights mnist | cmp - a

Several replicas in one process, on as many times the IPUs:

  $ ipubox train mlp $few --epochs 1 --debug --replicas 2 2>&1 | sed -n 's/.*\(replica [0-9]*\): weights.*/\1/p'
  replica 0
  replica 1
  $ ipubox train mlp $few --epochs 1 --debug --replicas 2 2>&1 | sed -n 's/.*weights //p' | sort -u | wc -l
  1
  $ ipubox train mlp $few --replicas 4 2>&1 | head -1
  ipubox-train: Failed to acquire 8 IPU(s)

Under poprun it is poprun that says how many:

  $ poprun --vipu-partition p1 --num-replicas 2 --num-instances 1 --ipus-per-replica 2 ipubox train mlp $few --replicas 2 2>&1 | sed 's/.*ipubox-train/ipubox-train/' | head -1
  ipubox-train: --replicas 2: cannot be used under poprun; use poprun's --num-replicas

What the memory of the IPUs will hold, as a table and as JSON:

  $ ipubox train mlp $few --epochs 0 --memory-report --memory-json memory.json | sed -n '/^Memory/p; /^all/p' | cut -d '|' -f 1-4
  Memory per IPU, training: 1,472 tiles of 624.0 kB, 897.0 MB
  all | 462.0 kB | 462.0 kB  | 462.0 kB  
  Memory per IPU, inference: 1,472 tiles of 624.0 kB, 897.0 MB
  all | 462.0 kB | 0 B       | 0 B       
  $ sed -n 's/^  "fits": \(.*\),/\1/p' memory.json
  true
  true
  $ ! command -v python3 > /dev/null || python3 -m json.tool memory.json > /dev/null
  $ ipubox train mlp $few --epochs 0 --offload-optimiser --memory-report | sed -n '/^all/s/.*| //p'
  [1-9].* kB (re)
  0 B
  $ ipubox train mlp $few --memory-json no/such/file
  ipubox-train: cannot write no/such/file: No such file or directory
  [1]

It does not fit: nothing is attached, nothing trained:

  $ ipubox train mlp $few --ipu-memory 8M 2>/dev/null | wc -l
  0
  $ ipubox train mlp $few --ipu-memory 8M 2>&1 | head -2 | cut -d ' ' -f 1-9
  ipubox-train: Out of memory: Cannot fit all variable data
  IPU [01]: tile [0-9]+ needs [0-9,]+ bytes and has (re)

What the data do not fill:

  $ ipubox train mlp $few --samples 100
  ipubox-train: the training set has 100 samples, but one call takes 140; choose a smaller batch size, gradient accumulation or number of device iterations
  [1]
  $ ipubox train mlp $few --output-mode every-n --output-return-period 100
  ipubox-train: Return period must be <= to the number of batches per step: it is 100, a call has 14 micro-batches
  [1]

Data of another size, as the model takes it, and what does not fit:

  $ sed 's/1x28x28/1x4x5/; s/^folder = .*/folder = tiny/; s/out_features=10$/out_features=3/; s/^classes = .*/classes = 3/' mine.ini > tiny.ini
  $ sed -i 's/out_features=11$/out_features=3/' tiny.ini
  $ tiny='--batch-size 4 --gradient-accumulation 3 --device-iterations 1 --test-device-iterations 2 --epochs 1'
  $ mkdir tiny
  $ images() { printf '\0\0\10\3\0\0\0\60\0\0\0\4\0\0\0\'"$1"; seq 500000 | head -c $((48 * 4 * $1)); }
  $ labels() { printf '\0\0\10\1\0\0\0\60'; seq 9999 | tr -d '\n' | head -c 48 | tr 0-9 "$1"; }
  $ for set in train t10k; do images 5 > tiny/$set-images-idx3-ubyte; labels '\000\001\002\000\001\002\000\001\002\000' > tiny/$set-labels-idx1-ubyte; done
  $ ipubox train tiny.ini $tiny | tail -1
  Accuracy on test set: [0-9.]+% (re)
  $ labels '\000-\011' > tiny/t10k-labels-idx1-ubyte
  $ ipubox train tiny.ini $tiny
  ipubox-train: tiny/t10k-labels-idx1-ubyte: label 2 is 3, but must be at most 2
  [1]
  $ images 4 > tiny/train-images-idx3-ubyte
  $ ipubox train tiny.ini $tiny
  ipubox-train: tiny/train-images-idx3-ubyte: its images are 4 x 4, but must be 4 x 5
  [1]
  $ ipubox train tiny.ini $tiny --dataset generated
  ipubox-train: generated digits are 28 x 28 in 10 classes, but the model takes 4 x 5 in 3
  [1]
  $ sed -i 's/1x4x5/3x4x5/' tiny.ini
  $ ipubox train tiny.ini $tiny
  ipubox-train: the model takes images with 3 channels, but the data have 1
  [1]

Check-points.  Two epochs and then two more are four, to the bit, also when the
strategy changes between them; what is done already is not done again:

  $ run() { ipubox train mlp $few --debug "$@" 2>&1 | sed -n 's/.*weights //p'; }
  $ run --epochs 4 > whole
  $ run --epochs 2 --save half.ck > parts
  $ run --epochs 4 --load half.ck --strategy sharded --save whole.ck >> parts
  $ cmp whole parts
  $ wc -l < parts
  4
  $ run --epochs 4 --load half.ck --strategy interleaved | cmp - - <<E
  > $(tail -2 whole)
  > E
  $ head -12 whole.ck | tail -6
  layer 4 relu out=0 kernel=0 stride=0 padding=0 bias=1
  layer 5 linear out=10 kernel=0 stride=0 padding=0 bias=1
  optimiser sgd learning_rate=0.050000000000000003 momentum=0.90000000000000002 beta1=0.90000000000000002 beta2=0.999 epsilon=1e-08 weight_decay=0
  seed 0
  data generated samples=1200 mean=0.130700007 deviation=0.308099985
  order batch_size=10 gradient_accumulation=7 device_iterations=2 replicas=1

With no epoch left it is only tested:

  $ ipubox train mlp $few --epochs 4 | sed -n '/^Accuracy/p' > accuracy
  $ ipubox train mlp $few --epochs 0 --load whole.ck | grep -v '|'
  Dataset: 1200 + 200 generated digits (not MNIST)
  Testing...
  Accuracy on test set: [0-9]{2}\.[0-9]{2}% (re)
  $ ipubox train mlp $few --epochs 0 --load whole.ck | tail -1 | cmp - accuracy

Several instances load it, the first one writes it:

  $ pair() { poprun --launcher local --vipu-partition p1 --num-replicas 2 --num-instances 2 --ipus-per-replica 2 ipubox train mlp $few --debug "$@" 2>&1 | sed -n 's/.*weights //p' | sort -u; }
  $ for epochs in 1 2 3; do pair --epochs $epochs | sort; done | sort -u > whole
  $ pair --epochs 1 --save pair.ck > parts
  $ pair --epochs 3 --load pair.ck --save pair.ck >> parts
  $ sort -u parts | cmp - whole
  $ wc -l < whole
  3

Another run's, a damaged one, no place to write; nothing is trained then:

  $ ipubox train mlp $few --load half.ck --learning-rate 0.1
  ipubox-train: half.ck is from another run: it has "optimiser sgd learning_rate=0.050000000000000003 .*", but this run has "optimiser sgd learning_rate=0.1.*" (re)
  [1]
  $ ipubox train lenet5 $few --load half.ck 2>&1 | cut -c 1-70
  ipubox-train: half.ck is from another run: it has "layer 0 flatten out
  $ head -c 5000 half.ck > short.ck
  $ ipubox train mlp $few --load short.ck
  ipubox-train: short.ck is damaged or cut off: its SHA-256 digest does not match
  [1]
  $ ipubox train mlp $few --load mine.ini
  ipubox-train: mine.ini is not a check-point
  [1]
  $ ipubox train mlp $few --load none.ck
  ipubox-train: cannot open none.ck: No such file or directory
  [1]
  $ ipubox train mlp $few --save no/such/folder.ck
  ipubox-train: --save no/such/folder.ck: cannot write into its directory: No such file or directory
  [1]
  $ ipubox train mlp $few --save ./
  ipubox-train: --save ./: that is a directory
  [1]
