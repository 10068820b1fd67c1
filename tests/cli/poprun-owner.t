The owner of a partition that poprun creates.

  $ alias run='poprun --launcher local'

What poprun is, stands in the partition while the job runs; one that is to stay
belongs to nobody:

  $ owner() { vipu get partition p --verbose | grep '^Owner [KR]'; }
  $ run --vipu-partition p --update-partition=yes sh -c 'vipu get partition p --verbose' | grep -o 'Owner [KR].*'
  Owner Kind           | process
  Owner Record         \| poprun, pid [0-9]+ on .+, user .+ (re)
  $ run --vipu-partition p --update-partition=yes --remove-partition=no true
  $ owner; vipu remove partition p > /dev/null
  Owner Kind           | none
  Owner Record         |

Another poprun does not replace it, even if no program is attached:

  $ mkfifo told; exec 9<> told
  $ run --vipu-partition p --update-partition=yes sh -c 'echo here >&9; exec sleep 60' & job=$!
  $ read -r line <&9
  $ run --vipu-partition p --update-partition=yes --num-replicas 2 true 2> err
  [1]
  $ sed "s/pid $job /pid N /" err
  POPRUN ERROR: partition p belongs to poprun, pid N on *, user * (*poprun --launcher local --vipu-partition p --update-partition=yes sh -c *, which still runs: wait until it has ended, or use another partition (glob)
  $ run --vipu-partition p --update-partition=yes --num-replicas 2 --check true | grep -c 'partition p belongs to poprun'
  1
  $ kill -TERM $job; wait $job
  [143]

One of an IPUJob shows by the same lock that its owner lives:

  $ cat > look <<'X'
  > #!/bin/sh
  > sed -i 's/^owner-kind = .*/owner-kind = ipujob/; s|^owner-text = .*|owner-text = ipujob default/mnist-training|' "$IPUBOX_STATE_DIR/partitions/p.ini"
  > vipu create partition q --size 1 --relocatable
  > vipu get partition p --verbose | grep '^Owner [KR]'
  > vipu get partition p --format json | grep 'owner_[kr]'
  > X
  $ chmod +x look; run --vipu-partition p --update-partition=yes ./look
  [1,0]<stdout>:create partition (q): success
  [1,0]<stdout>:Owner Kind           | ipujob
  [1,0]<stdout>:Owner Record         | ipujob default/mnist-training
  [1,0]<stdout>:    "owner_kind": "ipujob",
  [1,0]<stdout>:    "owner_record": "ipujob default/mnist-training"
  $ vipu list partitions -q; vipu remove partition q
  q
  remove partition (q): success

The guard of a created partition holds no file of the state but that by which
it owns the partition:

  $ cat > look <<'X'
  > #!/bin/sh
  > parent() { awk '/^PPid:/ { print $2 }' /proc/$1/status; }
  > poprun=$(parent $(parent $PPID))
  > for pid in $(grep -l "^PPid:.$poprun$" /proc/[0-9]*/status 2>/dev/null | tr -dc '0-9\n'); do
  >     test "$(cat /proc/$pid/comm)" != ipubox-guard || ls -l /proc/$pid/fd | grep -e "$IPUBOX_STATE_DIR" -e "$IPUBOX_REGISTRY" | sed 's|.*/||'
  > done
  > X
  $ chmod +x look; run --vipu-partition p --update-partition=yes ./look
  [1,0]<stdout>:lock
