The page of a job's instances: what became of each, whatever order they end in.

  $ cat > job <<'E'
  > [ "$POPDIST_REPLICA_INDEX_OFFSET" != "${WRONG-none}" ] || export GCDA_OPTIONS='{"simulateSOCError.errorList":"IPUSOFTERR","simulateSOCError.triggerCount":"3"}'
  > exec mnist-pipeline --dataset generated --samples 1680 --batch-size 4 --gradient-accumulation 7 --device-iterations 5 --test-batch-size 4 "$@"
  > E
  $ alias pair='poprun --launcher local --vipu-partition p2 --update-partition=yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4'
  $ rows() { sed -n '/^<tr><th scope="row">/{s|<[^>]*>| |g; s/  */ /g; s/^ //; s/ $//; p;}' "$1/index.html"; }
  $ pair --autoreport-dir all sh job --epochs 1 | tail -n 2
  \[1,0\]<stdout>:Profile: all/0 \(open all/0/training/report.html in a browser\) (re)
  [1,0]<stdout>:Profiles of all instances: all/index.html
  $ ls -A all
  0
  1
  index.html
  $ rows all
  instance 0, training 6 840 [0-9,]+ [0-9,]+ [0-9.]+ % [0-9.]+ % [0-9] complete (re)
  instance 0, inference 2 280 [0-9,]+ [0-9,]+ [0-9.]+ % [0-9.]+ % [0-9] complete (re)
  instance 1, training 6 840 [0-9,]+ [0-9,]+ [0-9.]+ % [0-9.]+ % [0-9] complete (re)

Each link leads to a page, and each figure is that of a summary:

  $ sed -n 's/.*href="\([^"]*\)".*/\1/p' all/index.html | while read -r page; do grep -c '</html>' "all/$page"; done
  1
  1
  1
  $ grep -o '"1.training.run.host_samples_per_second" data-value="[0-9]*' all/index.html | sed 's/.*"//' > shown
  $ sed -n 's/.*"host_samples_per_second": \([0-9]*\).*/\1/p' all/1/training/summary.json | cmp - shown

When one fails, each says why it ended:

  $ WRONG=1 pair --autoreport-dir failed sh job --epochs 9 > log 2>&1
  [1]
  $ rows failed | sed 's/ing [0-9].*% [0-9] /ing: /; s/(pid [0-9]*, [^)]*)/(PID)/'
  instance 0, training: interrupted after call 3 of 54: (Terminated|instance 1 .PID. failed while .*) (re)
  instance 1, training: interrupted after call 3 of 54: .*IPUSOFTERR.* (re)

When the job is stopped:

  $ mkfifo said
  $ pair --autoreport-dir stopped sh job --epochs 10000 > said 2>&1 & pid=$!; exec 9< said
  $ while read -r line <&9; do case $line in *'Epoch 2/'*) break ;; esac; done
  $ kill -TERM $pid; cat <&9 > log; wait $pid 2> /dev/null
  [143]
  $ rows stopped | sed 's/ing [0-9].*% [0-9] /ing: /; s/call [0-9]*/call N/'
  instance 0, training: interrupted after call N of 60000: Terminated
  instance 1, training: interrupted after call N of 60000: Terminated

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
  $ rows stopped | sed 's/ing [0-9].*% [0-9] /ing: /; s/call [0-9]*.*/call N/'
  instance 0 no profile: it still runs, or it ended before it could write one
  instance 1, training: interrupted after call N

Without a directory for each instance there is no page of them:

  $ vipu create partition p1 --size 4 > /dev/null
  $ sh job --epochs 1 --profile > log; ls profile
  inference
  training
