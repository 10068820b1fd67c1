A training whose processes are killed several times ends with the weights of one
that nobody killed, to the bit.  With FULL=1 it is a longer one, killed more
often.

  $ if [ -n "$FULL" ]; then samples=3200 kills=5; else samples=800 kills=3; fi
  $ export samples kills
  $ cat > program <<'X'
  > #!/bin/sh
  > echo $$ > pid.$RANK
  > [ $RANK != 0 ] || echo "run $POPRUN_RESTART_COUNT"
  > exec mnist-pipeline --dataset generated --samples $samples --batch-size 8 --test-batch-size 1 --device-iterations 1 --epochs 8 --save $SAVE
  > X
  $ chmod +x program; mkfifo output
  $ train() {	# SAVE OPTIONS
  >     SAVE=$1; export SAVE; shift
  >     poprun --launcher local --vipu-partition p --update-partition=yes --ipus-per-replica 4 "$@" ./program
  > }

Each kill comes when the output says how far the training is: VICTIM:EPOCHS is
the instance, and how many epochs of this run have begun by then.

  $ follow() {	# VICTIM:EPOCHS ...
  >     exec 8< output
  >     run=0
  >     for kill; do
  >         [ $run -lt $kills ] || break
  >         until [ "$line" = "[1,0]<stdout>:run $run" ]; do read -r line <&8 || return; done
  >         epochs=${kill#*:}
  >         while [ $epochs -gt 0 ]; do
  >             read -r line <&8 || return
  >             case $line in *:Epoch*) epochs=$((epochs - 1)) ;; esac
  >         done
  >         kill -KILL $(cat pid.${kill%:*})
  >         run=$((run + 1))
  >     done
  >     cat <&8 > rest
  >     exec 8<&-
  > }
  $ killed() {	# SAVE OPTIONS -- VICTIM:EPOCHS ...
  >     options=
  >     while [ $1 != -- ]; do options="$options $1"; shift; done; shift
  >     train $options --max-restarts 5 > output 2> err & job=$!
  >     follow "$@"; wait $job
  > }

  $ train whole.ck > whole
  $ killed parts.ck -- 0:1 0:2 0:1 0:2 0:2
  $ grep -c 'was killed by signal 9 (Killed); starting the job again' err | sed "s/^$kills\$/as often/"
  as often
  $ cmp whole.ck parts.ck; tail -1 whole > accuracy; tail -1 rest | cmp - accuracy

Two instances, of which one writes the check-point and both read it:

  $ pair='--num-replicas 2 --num-instances 2'
  $ train pair.ck $pair > whole
  $ killed pairs.ck $pair -- 1:1 0:2 1:1 0:2 1:2
  $ grep -c 'was killed by signal 9 (Killed); starting the job again' err | sed "s/^$kills\$/as often/"
  as often
  $ cmp pair.ck pairs.ck

A run that is started again says where it goes on, and what it does not take: a
check-point of another training, or of a later epoch, is replaced.

  $ again() {	# SAVE OPTIONS
  >     poprun --launcher local --vipu-partition p --update-partition=yes --ipus-per-replica 4 --max-restarts 1 \
  >         sh -c '[ $POPRUN_RESTART_COUNT = 1 ] || exit 3
  >         exec mnist-pipeline --dataset generated --samples $samples --batch-size 8 --test-batch-size 1 --device-iterations 1 --save "$@"' sh "$@" 2> err |
  >         grep 'Epoch\|Continuing'
  >     grep -v 'starting the job again' err
  > }
  $ cp whole.ck old.ck; again old.ck --epochs 8
  [1,0]<stdout>:Continuing from old.ck, epoch 8/8
  [1]
  $ cmp whole.ck old.ck
  $ again old.ck --epochs 9
  [1,0]<stdout>:Continuing from old.ck, epoch 8/9
  [1,0]<stdout>:Epoch 9/9
  [1]
  $ again old.ck --epochs 1
  [1,0]<stdout>:Epoch 1/1
  [1,0]<stderr>:mnist-pipeline: warning: not continuing from the check-point: old.ck is from epoch 9
  $ again old.ck --epochs 1 --seed 1
  [1,0]<stdout>:Epoch 1/1
  [1,0]<stderr>:mnist-pipeline: warning: not continuing from the check-point: old.ck is from another run: *seed* (glob)
  $ again none.ck --epochs 1
  [1,0]<stdout>:Epoch 1/1
  [1]
  $ again none.ck --epochs 2 --load whole.ck
  [1,0]<stderr>:mnist-pipeline: warning: not continuing from the check-point: none.ck is from epoch 1
