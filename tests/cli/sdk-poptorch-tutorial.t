#needs python3:torch python3:tqdm
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
The tutorial on pipelining, in the steps of its own program, on digits that are
easy: each strategy, and the optimiser's state on the chip or off it.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 IPUBOX_FILE=$IPUBOX OMP_NUM_THREADS=1
  $ vipu create partition pt --size 8 --reconfigurable
  create partition (pt): success
  $ python3 "$TESTDIR/sdk/digits.py" digits/MNIST/raw 8000 1600
  $ tutorial() { python3 "$TESTDIR/../config/sdk/examples/mnist_pipeline.py" --data digits --workers 2 "$@"; }
  $ between() { sed -n 's/.*Accuracy on test set: \(.*\)%$/\1/p' "$1" | awk -v low="$2" -v high="$3" '{ print ($1 >= low && $1 <= high) ? "as it must be" : $0 }'; }
  $ tutorial --epochs 3 > out 2> err
  $ sed 's/:.*//' out
  Epoch 1/3
  Loss
  Epoch 2/3
  Loss
  Epoch 3/3
  Loss
  Accuracy on test set
  $ between out 97 100
  as it must be
  $ tr '\r' '\n' < err | grep -o 'Graph compilation: 100%.*100/100' | sed 's/|.*|/|...|/' | sort -u
  Graph compilation: 100%|...| 100/100

How the device is scheduled changes nothing that is computed:

  $ tutorial --epochs 1 > pipelined 2> err
  $ for how in '--offload-optimiser' '--strategy sharded' '--strategy sharded --offload-optimiser'; do tutorial --epochs 1 $how > other 2> err; cmp pipelined other; done

Its profile has the pages of mnist-pipeline's:

  $ tutorial --epochs 1 --profile > out 2> err; cmp pipelined out
  $ ls profile
  inference
  training
  $ ls profile/training
  report.html
  schedule.txt
  summary.json
  timeline.svg
  trace.json
  $ grep -c '^IPU [0-3] ' profile/training/schedule.txt
  4
  $ grep -ho '"device": .*' profile/*/summary.json
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
  $ python3 timeline.py profile/training/trace.json
  1 compile
  1 attach
  1 weights to the device
  2 input
  2 run
  20 device iteration
  2 output
  1 weights to the host
  1 detach
  $ python3 timeline.py profile/inference/trace.json | grep -v -e input -e run -e output
  1 compile
  1 attach
  1 weights to the device
  200 device iteration
  1 detach
  $ grep -c 'id="host-timeline"' profile/*/report.html
  profile/inference/report.html:1
  profile/training/report.html:1

Two instances with a replica each see half of the images each:

  $ poprun --vipu-partition pt --launcher local --num-instances 2 --num-replicas 2 --ipus-per-replica 4 python3 "$TESTDIR/../config/sdk/examples/mnist_pipeline.py" --data digits --workers 2 --epochs 4 --seed 3 > out 2> err
  $ between out 90 100
  as it must be
  as it must be
  $ gc-monitor | grep -c python3
  0
  [1]
