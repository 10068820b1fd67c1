poprun: instances meet in a directory of the job, by its name.

  $ vipu create partition p --size 8 --num-gcds 2
  create partition (p): success
  $ run() { poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 "$@"; }
  $ small='--dataset generated --samples 2400 --device-iterations 2 --gradient-accumulation 7 --batch-size 40 --test-batch-size 4'

It is the user's alone, every instance has the same, and it is gone with the job:

  $ run sh -c 'echo "$IPUBOX_JOB_DIR" >> path; stat -c "%a %U" "$IPUBOX_JOB_DIR"; echo "$IPUBOX_JOB_DIR" | tr -d 0-9a-f | sed "s|.*/||"' > out
  $ sed "s/^\(.*stdout>:700\) $(id -un)\$/\1 me/; s/.*stdout>://" out | sort
  700 me
  700 me
  ipuox-jo-
  ipuox-jo-
  $ test ! -e "$(sed -n 1p path)"

One instance has nobody to meet, a dry run makes nothing:

  $ poprun --offline-mode=yes --launcher local sh -c 'echo ${IPUBOX_JOB_DIR-unset}'
  [1,0]<stdout>:unset
  $ run --dry-run true | grep -c IPUBOX_JOB_DIR
  0
  [1]

A program between poprun and the instance may close what it inherited; so does
Python's subprocess.  Two programs may run one after the other:

  $ cat > job <<'E'
  > fd=3; while [ $fd -lt 10 ]; do eval "exec $fd>&-"; fd=$((fd + 1)); done
  > mnist-pipeline --debug "$@" && exec mnist-pipeline --debug --seed 1 "$@"
  > E
  $ run sh job $small --epochs 1 2>&1 > out | sed -n 's/.*replica \([01]\): weights/\1/p' | sort > weights
  $ wc -l < weights
  4
  $ sort -k 2 weights | cut -d ' ' -f 2 | uniq -c | sed 's/^ *\([0-9]\).*/\1/'
  2
  2

Without the directory, and with one that somebody else could have made:

  $ export POPDIST_NUM_TOTAL_REPLICAS=2 POPDIST_NUM_LOCAL_REPLICAS=1 POPDIST_REPLICA_INDEX_OFFSET=0 POPDIST_LOCAL_INSTANCE_INDEX=0 POPDIST_NUM_IPUS_PER_REPLICA=4
  $ mnist-pipeline $small
  mnist-pipeline: the job's 2 replicas are in several instances, but IPUBOX_JOB_DIR is not set; start it with poprun on one host
  [1]
  $ mkdir -m 755 theirs
  $ IPUBOX_JOB_DIR=$PWD/theirs mnist-pipeline $small
  mnist-pipeline: IPUBOX_JOB_DIR: .*/theirs must be a directory that only this user may use (re)
  [1]
  $ mkdir -m 700 mine; ln -s mine link
  $ IPUBOX_JOB_DIR=$PWD/link mnist-pipeline $small 2>&1 | cut -d : -f 1-3 | sed 's|/.*/|/|'
  mnist-pipeline: IPUBOX_JOB_DIR: cannot open /link
  $ unset POPDIST_NUM_TOTAL_REPLICAS POPDIST_NUM_LOCAL_REPLICAS POPDIST_REPLICA_INDEX_OFFSET POPDIST_LOCAL_INSTANCE_INDEX POPDIST_NUM_IPUS_PER_REPLICA

While they train the memory has no name any more.  When all of them are killed at
once, the directory is left, the memory is not; the next job removes it (any job
of this user, so it may be gone already).

  $ mkfifo lines alive
  $ cat > job <<'E'
  > echo $$ > pid.$POPDIST_REPLICA_INDEX_OFFSET; echo "$IPUBOX_JOB_DIR" > path
  > exec mnist-pipeline "$@"
  > E
  $ start() {
  >     run sh job $small --epochs 1000000 > lines 9> alive 2> err &
  >     exec 7< lines 8< alive
  >     poprun=$!
  >     while read -r line <&7; do case $line in *Loss*) break ;; esac; done
  >     keeper=$(awk '/^PPid:/ { print $2 }' /proc/$(cat pid.0)/status)
  > }
  $ ended() { exec 7<&-; cat <&8; exec 8<&-; wait $poprun; } 2> /dev/null
  $ start
  $ ls "$(cat path)"
  collectives
  owner
  processes
  $ kill -STOP $keeper $poprun; kill -KILL $(cat pid.0 pid.1) $keeper $poprun
  $ ended
  [137]
  $ ls "$(cat path)" 2> /dev/null | grep -v owner
  [1]
  $ cp path left; run true; test ! -e "$(cat left)"

poprun killed alone: its keeper removes it.  The keeper killed: poprun does.

  $ start
  $ kill -KILL $poprun
  $ ended
  [137]
  $ test ! -e "$(cat path)"
  $ start
  $ kill -KILL $keeper
  $ ended
  [1]
  $ test ! -e "$(cat path)"

An instance that ends, with status 0, before it has met the others, or before
they are through, ends their waiting at once, and is named:

  $ cat > early <<'E'
  > me=$POPDIST_REPLICA_INDEX_OFFSET
  > [ "$1" != never ] || [ $me = 0 ] || exit 0
  > exec mnist-pipeline $small --epochs $((1 + 50 * (1 - me)))
  > E
  $ export small
  $ names() { sed 's/.*stderr>://; s/pid [0-9]*, [^)]*/pid N, HOST/; s/pid [0-9]*)/pid N)/'; }
  $ timeout 60 poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh early never 2>&1 > /dev/null | names
  mnist-pipeline: instance 1 (pid N, HOST) ended before it joined the others, while instance 0 waited for it in an all-reduce
  POPRUN ERROR: instance 0 (pid N) exited with status 1; the others were stopped
    it ran [0-9.]+ s; 1 other had succeeded (re)
    its last lines:
    | mnist-pipeline: instance 1 (pid N, HOST) ended before it joined the others, while instance 0 waited for it in an all-reduce
  $ timeout 60 poprun --launcher local --vipu-partition p --num-replicas 2 --num-instances 2 --ipus-per-replica 4 sh early soon 2>&1 > /dev/null | names
  mnist-pipeline: instance 1 (pid N, HOST) ended while instance 0 waited for it in an all-reduce
  POPRUN ERROR: instance 0 (pid N) exited with status 1; the others were stopped
    it ran [0-9.]+ s; 1 other had succeeded (re)
    its last lines:
    | mnist-pipeline: instance 1 (pid N, HOST) ended while instance 0 waited for it in an all-reduce
