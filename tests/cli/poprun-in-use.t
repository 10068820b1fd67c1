poprun: a partition that does not fit and is in use is not offered to be replaced.

  $ vipu create partition p --size 4 > created
  $ poprun --launcher local --vipu-partition p --num-replicas 1 --ipus-per-replica 4 mnist-pipeline --dataset generated --samples 400 --epochs 100000 --batch-size 4 --device-iterations 1 --gradient-accumulation 8 --test-batch-size 2 > log 2>&1 & job=$!
  $ until vipu list partitions --format json > /dev/null && gc-monitor --no-card-info | grep -q mnist-pipeline; do :; done
  $ poprun --launcher local --vipu-partition p --num-replicas 2 true 2>&1 | sed 's/pid [0-9]*/pid N/; s/ on [^)]*)/ on HOST)/; s/user [^,]*/user U/'
  POPRUN ERROR: partition p has 4 IPUs, but 2 replicas of 1 IPUs need a partition of 2; partition p is in use: user U, pid N (mnist-pipeline *) is attached to ag01:0; end it first (glob)
  $ { kill $job; wait $job; } 2> /dev/null
  [143]
  $ poprun --launcher local --vipu-partition p --num-replicas 2 true
  POPRUN ERROR: partition p has 4 IPUs, but 2 replicas of 1 IPUs need a partition of 2; --update-partition=yes lets poprun replace it
  [1]
