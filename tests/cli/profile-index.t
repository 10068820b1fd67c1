The page of a job's instances: what became of each, whatever order they end in.

  $ cat > job <<'E'
  > [ "$POPDIST_REPLICA_INDEX_OFFSET" != "${WRONG-none}" ] || export GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":"3"}'
  > exec mnist-pipeline --dataset generated --samples 1680 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 "$@"
  > E
  $ alias pair='poprun --launcher local --vipu-partition p2 --update-partition=yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4'
  $ rows() { sed -n 's/^ *"\([0-9]*\)[.]\([a-z]*\)": {$/instance \1, \2/p; s/^ *"\(calls\|samples\|complete\|interrupted\)": \(.*[^,]\),*$/  \1: \2/p; s/^ *"\(count\|gaps\)": \(.*\),$/\1: \2/p' "$1/0/index.html"; }
  $ ends() { rows "$1" | grep -v 'calls\|samples'; }
  $ pair --autoreport-dir all sh job --epochs 1 | tail -n 2
  \[1,0\]<stdout>:Profile: all/0 \(open all/0/training/report.html in a browser\) (re)
  [1,0]<stdout>:Profiles of all instances: all/0/index.html
  $ ls -A all
  0
  1
  $ rows all
  count: 2
  gaps: false
  instance 0, training
    calls: 6
    complete: true
    samples: 840
  instance 0, inference
    calls: 2
    complete: true
    samples: 280
  instance 1, training
    calls: 6
    complete: true
    samples: 840

Each has a page, and each figure is that of a summary:

  $ grep -c '</html>' all/*/*/report.html
  all/0/inference/report.html:1
  all/0/training/report.html:1
  all/1/training/report.html:1
  $ figure() { sed -n 's/.*"host_samples_per_second": //p'; }
  $ sed -n '/"1.training"/,$p' all/0/index.html | figure > shown; figure < all/1/training/summary.json | cmp - shown

When one fails, each says why it ended:

  $ WRONG=1 pair --autoreport-dir failed sh job --epochs 9 > log 2>&1
  [1]
  $ ends failed | sed 's/(pid [0-9]*, [^)]*)/(PID)/'
  count: 2
  gaps: false
  instance 0, training
    complete: false
    interrupted: "interrupted after call 3 of 54: (Terminated|instance 1 .PID. failed while .*)" (re)
  instance 1, training
    complete: false
    interrupted: "interrupted after call 3 of 54: .*IPUSOFTERR.*" (re)

When the job is stopped:

  $ mkfifo said
  $ pair --autoreport-dir stopped sh job --epochs 10000 > said 2>&1 & pid=$!; exec 9< said
  $ while read -r line <&9; do case $line in *'Epoch 2/'*) break ;; esac; done
  $ kill -TERM $pid; cat <&9 > log; wait $pid 2> /dev/null
  [143]
  $ ends stopped | sed 's/call [0-9]*/call N/'
  count: 2
  gaps: false
  instance 0, training
    complete: false
    interrupted: "interrupted after call N of 60000: Terminated"
  instance 1, training
    complete: false
    interrupted: "interrupted after call N of 60000: Terminated"

When one is killed it has none, and an earlier run's is not shown:

  $ cat > killed <<'E'
  > [ "$POPDIST_REPLICA_INDEX_OFFSET" = 0 ] || exec sh job --epochs 10000
  > sh job --epochs 10000 & pid=$!
  > echo "pid $pid"; wait $pid
  > E
  $ pair --autoreport-dir stopped sh killed > said 2> log & job=$!; exec 9< said
  $ while read -r line <&9; do case $line in *pid*) pid=${line##* } ;; *'Epoch 2/'*) break ;; esac; done
  $ kill -KILL $pid; cat <&9 > rest; wait $job 2> /dev/null
  [137]
  $ ends stopped | sed 's/call [0-9]*.*/call N/'
  count: 2
  gaps: false
  instance 1, training
    complete: false
    interrupted: "interrupted after call N

Without a directory for each instance there is no page of them:

  $ vipu create partition p1 --size 4 > /dev/null
  $ sh job --epochs 1 --profile > log; ls profile
  inference
  training
