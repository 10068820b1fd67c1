poprun and all of its processes killed at one time, so that none of them can
remove the partition: whoever comes next does.

The program tells all descendants of poprun, and stays until it is killed.

  $ mkfifo told held
  $ cp "$TESTDIR/descendants" program

A process has ended when it is a zombie at least: its files are closed then.

  $ ended() {
  >     for pid; do
  >         while grep -q '^State:.[^ZX]' /proc/$pid/status; do :; done
  >     done 2>/dev/null
  > }
  $ start() {
  >     poprun --launcher local --vipu-partition p --update-partition=yes ./program told > held & job=$!
  >     exec 8<held
  >     read -r pids < told
  > }
  $ killed() {
  >     kill -STOP $pids; kill -KILL $pids
  >     wait $job; ended $pids; exec 8<&-
  > }
  $ parts() { ls "$IPUBOX_STATE_DIR/partitions"; }

Four processes at least: poprun, its guard, its keeper and the program.

  $ start; test $(echo $pids | wc -w) -ge 4 || echo $pids
  $ killed 2>/dev/null
  $ parts
  p.ini
  $ vipu doctor | grep -v '^ok'
  warn  partitions: partition p belongs to a job that has ended: poprun, pid [0-9]+ on .+, user .+; the next command removes it once no program is attached to it (re)
  $ vipu list partitions -q
  $ parts

Readers and writers do so, and tell of no failure:

  $ next() { start; killed 2>/dev/null; parts; "$@"; parts; }
  $ next vipu create partition p --size 64
  p.ini
  create partition (p): success
  p.ini
  $ vipu get partition p --verbose | grep 'Owner K'; vipu remove partition p
  Owner Kind           | none
  remove partition (p): success
  $ next gc-info -l
  p.ini
  gc-info: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  $ next gc-info --ipu-count
  p.ini
  0
  $ next poprun --launcher local --vipu-partition p --update-partition=yes sh -c 'echo runs'
  p.ini
  [1,0]<stdout>:runs
  $ next vipu remove partition p
  p.ini
  remove partition (p): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)

Who waits for the IPUs gets them:

  $ poprun --launcher local --vipu-partition p --update-partition=yes --num-replicas 64 ./program told > held & job=$!
  $ exec 8<held; read -r pids < told
  $ mkfifo waits; vipu create partition next --size 64 --wait > created 2> waits & wait=$!
  $ read -r line < waits; echo "$line"
  vipu: waiting for 64 IPUs; .* (re)
  $ killed 2>/dev/null
  $ wait $wait; cat created
  create partition (next): success
  $ vipu remove partition next
  remove partition (next): success

A partition that is not poprun's is left alone, also one that was put in the
place of poprun's:

  $ vipu create partition p --size 1
  create partition (p): success
  $ next vipu list partitions -q
  p.ini
  p
  p.ini
  $ vipu remove partition p
  remove partition (p): success
  $ start
  $ vipu remove partition p; vipu create partition p --size 1
  remove partition (p): success
  create partition (p): success
  $ killed 2>/dev/null; vipu list partitions -q
  p
  $ vipu remove partition p
  remove partition (p): success

Directories that killed jobs left are removed by the next job:

  $ mkdir -m 700 "$TMPDIR/ipubox-job-old"; touch -d @1 "$TMPDIR/ipubox-job-old"
  $ poprun --offline-mode=yes --launcher local --num-instances 2 --num-replicas 2 true
  $ test ! -e "$TMPDIR/ipubox-job-old"
