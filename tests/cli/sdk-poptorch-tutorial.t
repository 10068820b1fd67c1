#needs python3:torch python3:tqdm
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
The tutorial on pipelining, in the steps of its own program: each strategy, and
the optimiser's state on the chip or off it.

  $ export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1
  $ ipubox --install-sdk sdk > /dev/null; eval "$(ipubox sdk-env sdk)"; cd sdk/examples
  $ vipu create partition pt --size 8 --reconfigurable
  create partition (pt): success
  $ between() { sed -n 's/.*Accuracy on test set: \(.*\)%$/\1/p' "$1" | awk -v low="$2" -v high="$3" '{ print ($1 >= low && $1 <= high) ? "as it must be" : $0 }'; }
  $ losses() { tr '\r' '\n' < "$1" | grep -o '^Loss:[0-9.]* | Accuracy:[0-9.]*%' | uniq; }

Without the files it says what to do; --dataset generated needs none:

  $ python3 mnist_pipeline.py
  mnist_pipeline.py: cannot read the MNIST data: Dataset not found: put train-images-idx3-ubyte and train-labels-idx1-ubyte, plain or as .gz, into mnist_data/MNIST/raw; the torchvision of ipubox downloads nothing; --dataset generated works without them
  [1]
  $ tutorial() { python3 mnist_pipeline.py --dataset generated --samples 4800 "$@"; }
  $ tutorial > out 2> err
  $ cat out
  Dataset: 4800 + 800 generated digits (not MNIST)
  Epoch 1/3
  Epoch 2/3
  Epoch 3/3
  Accuracy on test set: [0-9.]+% (re)
  $ between out 65 95
  as it must be
  $ losses err | wc -l
  3
  $ tr '\r' '\n' < err | grep -o 'Graph compilation: 100%.*100/100' | sed 's/|.*|/|...|/' | sort -u
  Graph compilation: 100%|...| 100/100
  $ grep -c debug err
  0
  [1]

The same digits in the files of MNIST train the same model; the defaults are the
tutorial's:

  $ mkdir -p mnist_data/MNIST/raw
  $ python3 - <<'Y'
  > import struct
  > from ipubox_sdk import digits
  > for name, part, count in ("train", "train", 4800), ("t10k", "test", 800):
  >     pixels, labels = digits.draw(part, count)
  >     with open(f"mnist_data/MNIST/raw/{name}-images-idx3-ubyte", "wb") as file:
  >         file.write(struct.pack(">4I", 0x803, count, 28, 28) + pixels)
  >     with open(f"mnist_data/MNIST/raw/{name}-labels-idx1-ubyte", "wb") as file:
  >         file.write(struct.pack(">2I", 0x801, count) + labels)
  > Y
  $ python3 mnist_pipeline.py --batch-size 40 --device-iterations 10 --gradient-accumulation 10 --test-batch-size 8 --epochs 3 --learning-rate 0.001 --strategy pipelined > files 2> files.err
  $ sed 1d out | cmp - files; losses err > wanted; losses files.err | cmp wanted -

The command lines that the tutorial prints; how the device is scheduled, and
where the optimiser's state is, changes nothing that is computed:

  $ python3 mnist_pipeline.py --learning-rate 0.002 --debug --epochs 5 > out 2> err
  $ grep -c Epoch out; between out 65 98
  5
  as it must be
  $ grep -c 'debug. poptorch.Options set device_iterations to value 10$' err
  1
  $ python3 mnist_pipeline.py --profile --profile-dir pipeline_profile > out 2> err
  $ cmp files out; losses err | cmp wanted -; ls pipeline_profile
  inference
  training
  $ python3 mnist_pipeline.py --strategy sharded --profile --profile-dir sharding_profile > out 2> err
  $ cmp files out; losses err | cmp wanted -; ls sharding_profile
  inference
  training
  $ python3 mnist_pipeline.py --offload-optimiser > out 2> err
  $ cmp files out; losses err | cmp wanted -; ls -d profile
  ls: cannot access 'profile': No such file or directory
  [2]

A bad value is refused in one line, before anything runs:

  $ python3 mnist_pipeline.py --strategy diagonal 2>&1 | tail -1 | sed 's/(choose.*//'
  mnist_pipeline.py: error: argument --strategy: invalid choice: 'diagonal' 
  $ python3 mnist_pipeline.py --epochs 0 2>&1 | tail -1
  mnist_pipeline.py: error: argument --epochs: must be a number, 1 or more, not '0'
  $ python3 mnist_pipeline.py --samples 3999 2>&1 > out
  mnist_pipeline.py: the data set has 3999 samples, but one call takes 4000; choose a smaller batch size or fewer device iterations
  [1]

Its profile has the pages of mnist-pipeline's:

  $ ls pipeline_profile/training
  report.html
  schedule.txt
  summary.json
  trace.json
  $ grep -c '^IPU [0-3] ' pipeline_profile/training/schedule.txt
  4
  $ grep -ho '"device": .*' pipeline_profile/*/summary.json
  "device": "device Id 12, 4 IPUs of partition pt",
  "device": "device Id 12, 4 IPUs of partition pt",

What this host did stands there as it was measured: one behind the other, and
device iterations within the run of their call.

  $ cat > timeline.py <<'Y'
  > import collections, json, sys
  > events = json.load(open(sys.argv[1]))["traceEvents"]
  > host = next(each["pid"] for each in events if each["name"] == "process_name" and each["args"]["name"] == "host (host time)")
  > slices = [each for each in events if each["ph"] == "X" and each["pid"] == host]
  > for name, count in collections.Counter(each["name"] for each in slices).items():
  >     print(count, name)
  > end = lambda each: each["ts"] + each["dur"]
  > for row in 1, 2, 3:
  >     mine = [each for each in slices if each["tid"] == row]
  >     assert all(end(one) <= two["ts"] + 0.01 for one, two in zip(mine, mine[1:])), row
  > runs = {each["args"]["call"]: each for each in slices if each["name"] == "run"}
  > for each in slices:
  >     if each["name"] == "device iteration":
  >         run = runs[each["args"]["call"]]
  >         assert run["ts"] <= each["ts"] + 0.01 and end(each) <= end(run) + 0.01
  > Y
  $ python3 timeline.py pipeline_profile/training/trace.json
  1 compile
  1 attach
  1 weights to the device
  3 input
  3 run
  30 device iteration
  3 output
  1 weights to the host
  1 detach
  $ python3 timeline.py pipeline_profile/inference/trace.json | grep -v -e input -e run -e output
  1 compile
  1 attach
  1 weights to the device
  100 device iteration
  1 detach
  $ grep -c '^\["run",1,1,0,' pipeline_profile/*/report.html
  pipeline_profile/inference/report.html:1
  pipeline_profile/training/report.html:1

Two instances with a replica each see half of the images each:

  $ poprun --vipu-partition pt --launcher local --num-instances 2 --num-replicas 2 --ipus-per-replica 4 python3 mnist_pipeline.py --dataset generated --samples 9600 --workers 1 --epochs 4 --seed 3 > out 2> err
  $ between out 65 98
  as it must be
  as it must be
  $ gc-monitor | grep -c python3
  0
  [1]
