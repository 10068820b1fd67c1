#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
Where the programs of a job meet, under the launcher that this test's name says.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias two='poprun --offline-mode=yes --launcher $launcher --num-replicas 2 --num-instances 2'
  $ alias one='poprun --offline-mode=yes --launcher $launcher'

A job of two and more has a socket in its directory, which is gone with it:

  $ cat > show.sh <<'X'
  > popdist-env barrier
  > [ "$(popdist-env get getInstanceIndex)" = 0 ] || exit 0
  > stat -c '%A' "$IPUBOX_JOB_DIR"
  > [ -S "$IPUBOX_JOB_DIR/collectives" ] && echo socket
  > echo "$IPUBOX_JOB_DIR" > directory
  > X
  $ two sh show.sh
  [1,0]<stdout>:drwx------
  [1,0]<stdout>:socket
  $ [ -e "$(cat directory)" ]
  [1]

One instance has nobody to meet:

  $ one sh -c 'echo ${IPUBOX_JOB_DIR-none}; popdist-env gather x'
  [1,0]<stdout>:none
  [1,0]<stdout>:x

An instance that was started again meets the others again:

  $ cat > again.sh <<'X'
  > popdist-env gather "run $POPRUN_RESTART_COUNT"
  > popdist-env barrier
  > [ "$POPRUN_RESTART_COUNT" = 1 ] || exit 3
  > X
  $ two --max-restarts 1 sh again.sh 2> /dev/null | sort
  [1,0]<stdout>:run 0
  [1,0]<stdout>:run 0
  [1,0]<stdout>:run 1
  [1,0]<stdout>:run 1
  [1,1]<stdout>:run 0
  [1,1]<stdout>:run 0
  [1,1]<stdout>:run 1
  [1,1]<stdout>:run 1

Who waits learns that poprun has ended (the sockets of that name are the one
that poprun listens at, and one for each program that it has let in; a sanitizer
that looks for leaks does not bear the signals that come then):

  $ cat > orphan.sh <<'X'
  > trap '' TERM
  > sockets() { grep -c "$IPUBOX_JOB_DIR/collectives" /proc/net/unix; }
  > popdist-env barrier
  > [ "$(popdist-env get getInstanceIndex)" = 0 ] || exec sleep 60
  > until [ "$(sockets)" = 1 ]; do :; done
  > ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 popdist-env barrier y 2> why &
  > until [ "$(sockets)" = 2 ]; do :; done
  > echo > ready
  > wait
  > echo > told
  > X
  $ mkfifo ready told
  $ two --grace 60 sh orphan.sh > /dev/null 2>&1 & poprun=$!
  $ cat ready; kill -9 $poprun; cat told; cat why
  
  
  popdist-env: poprun has ended
