#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
poprun: how a job ends, under the launcher that this test's name says: the same
statuses and the same words.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ ulimit -c 0
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias two='env --default-signal=INT,QUIT poprun --offline-mode=yes --launcher $launcher --num-replicas 2 --num-instances 2'
  $ words() { sed -n 's/pid [0-9]*/pid N/; s/the 9 s of/the 4 s of/; /^POPRUN/p' err; }
  $ run() { two "$@" > out 2> err; echo $?; words; }

Exit statuses:

  $ run true
  0
  $ run sh -c 'test $RANK = 0 || exit 3; exec sleep 60'
  3
  POPRUN ERROR: instance 1 (pid N) exited with status 3; the others were stopped
  $ run sh -c 'test $RANK = 1 || exit 255; exec sleep 60'
  255
  POPRUN ERROR: instance 0 (pid N) exited with status 255; the others were stopped

The first failure counts, whatever the others make of their end:

  $ run sh -c 'test $RANK = 0 || exit 3; trap "exit 7" TERM; sleep 60 & wait'
  3
  POPRUN ERROR: instance 1 (pid N) exited with status 3; the others were stopped

One that is done does not end the others:

  $ mkfifo done
  $ run sh -c 'test $RANK = 0 && { exec 9<done; cat <&9; echo late; exit; }; exec 9>done'
  0
  $ cat out
  [1,0]<stdout>:late

Signals that end an instance:

  $ run sh -c 'test $RANK = 0 || kill -KILL $$; exec sleep 60'
  137
  POPRUN ERROR: instance 1 (pid N) was killed by signal 9 (Killed); the others were stopped
  $ run sh -c 'test $RANK = 0 || kill -ABRT $$; exec sleep 60'
  134
  POPRUN ERROR: instance 1 (pid N) was killed by signal 6 (Aborted); the others were stopped
  $ run sh -c 'test $RANK = 1 || kill -TERM $$; exec sleep 60'
  143
  POPRUN ERROR: instance 0 (pid N) was killed by signal 15 (Terminated); the others were stopped

A program that is not there, or cannot be executed:

  $ run ./missing
  127
  POPRUN ERROR: program './missing' not found
  $ echo > plain
  $ run ./plain
  126
  POPRUN ERROR: cannot execute ./plain: Permission denied
  $ printf '#!/nowhere/interpreter\n' > lost; chmod +x lost

(below srun other hosts start it, whose files poprun does not read)

  $ case $launcher in
  > srun) run ./lost | sed 's/cannot execute \(.*\) for instance . on n.:\(.*\)/\1 names the interpreter \/nowhere\/interpreter:\2; install it, or change the first line of the file/' ;;
  > *)    run ./lost ;;
  > esac
  127
  POPRUN ERROR: ./lost names the interpreter /nowhere/interpreter: No such file or directory; install it, or change the first line of the file

Time:

  $ run --timeout 4 sleep 60
  110
  POPRUN ERROR: the job ran longer than the 4 s of --timeout, and was stopped

Signals to poprun, once both instances are there:

  $ mkfifo told answer
  $ start() {	# the rest of poprun's command line
  >     two "$@" > out 2> err & poprun=$!
  >     exec 8<told
  >     read -r one <&8; read -r other <&8
  > }
  $ ended() { wait $poprun; echo $?; words; exec 8<&-; }
  $ for signal in TERM INT HUP QUIT; do
  >     start sh -c 'exec 9>told; echo $RANK >&9; exec sleep 60'
  >     kill -$signal $poprun; ended
  > done 2> /dev/null
  143
  130
  129
  131

Programs may finish in the time of grace, and are killed behind it; a second
signal does not wait for it.

  $ cat > tidy <<'X'
  > #!/bin/sh
  > exec 9>told
  > trap 'echo asked >&9; read -r go < answer; echo tidy; exit 0' TERM
  > echo $RANK >&9
  > sleep 60 & wait
  > X
  $ chmod +x tidy
  $ start --grace 60 ./tidy
  $ kill -TERM $poprun; read -r one <&8; read -r other <&8; echo $one $other
  asked asked
  $ exec 7<>answer; echo go >&7; echo go >&7; ended; exec 7>&-
  143
  $ sort out
  [1,0]<stdout>:tidy
  [1,1]<stdout>:tidy
  $ start --grace 1 sh -c 'trap "" TERM; exec 9>told; echo $RANK >&9; while :; do sleep 60; done'
  $ kill -TERM $poprun; cat <&8; ended
  143
  $ start --grace 600 sh -c 'trap "" TERM; exec 9>told; echo $RANK >&9; while :; do sleep 60; done'
  $ kill -TERM $poprun; kill -HUP $poprun; cat <&8; ended > said; grep -cx '143\|129' said
  1

Nor does the end of a poprun that is killed after it began to end the job:

  $ cat > deaf <<'X'
  > #!/bin/sh
  > exec 9>told
  > trap 'echo asked >&9' TERM
  > echo $RANK >&9
  > while :; do sleep 60 & wait; done
  > X
  $ chmod +x deaf
  $ start --grace 600 ./deaf
  $ kill -TERM $poprun; read -r one <&8; read -r other <&8; echo $one $other
  asked asked
  $ kill -KILL $poprun; timeout 60 cat <&8 || echo something is left; ended 2> /dev/null
  137

Others are passed on to the programs; with TSTP poprun stops itself as well, after
that, and is only then to be continued:

  $ cat > listens <<'X'
  > #!/bin/sh
  > exec 9>told
  > for signal in USR1 USR2 TSTP CONT WINCH; do
  >     trap "echo $signal >&9" $signal
  > done
  > trap 'exit 0' TERM
  > echo $RANK >&9
  > sleep 60 9>&- & while :; do wait; done
  > X
  $ chmod +x listens
  $ start ./listens
  $ for signal in USR1 USR2 WINCH TSTP CONT; do
  >     kill -$signal $poprun; read -r one <&8; read -r other <&8; echo $one $other
  >     until [ $signal != TSTP ] || grep -q '^State:.T' /proc/$poprun/status; do :; done
  > done
  USR1 USR1
  USR2 USR2
  WINCH WINCH
  TSTP TSTP
  CONT CONT
  $ kill -TERM $poprun; ended
  143

Nothing is left, whoever is killed.  An instance and a grandchild in a session
of its own, deaf to signals, hold a pipe open; the pipe ends with the last of
them.  Where all above an instance are killed together only the instance holds
it.

  $ cat > holds <<'X'
  > #!/bin/sh
  > [ $RANK = 0 ] || while :; do sleep 60; done
  > exec 9>told
  > setsid sh -c 'trap "" TERM INT HUP; echo "$0 $$" >&9; [ $1 != all ] || exec 9>&-
  >     while :; do sleep 60 9>&-; done' $$ "$1" &
  > while :; do sleep 60 9>&-; done
  > X
  $ chmod +x holds
  $ above() { awk '/^PPid:/ { print $2 }' /proc/$1/status; }
  $ below() {	# all descendants; of srun nothing ends with its helper
  >     set -- $(cat /proc/[0-9]*/status 2> /dev/null |
  >         awk -v above=$1 '/^Pid:/ { pid = $2 } /^PPid:/ && $2 == above { print pid }')
  >     for child; do
  >         echo $child
  >         [ "$(cat /proc/$child/comm)" = srun ] || below $child
  >     done
  > }
  $ chain() {	# what is between the instance and poprun
  >     pid=$instance chain=
  >     while pid=$(above $pid) && [ $pid != $poprun ] && [ -O /proc/$pid ]; do
  >         chain="$chain $pid"
  >     done
  >     # Between them is a daemon of Slurm, which belongs to root.
  >     [ $launcher != srun ] || chain="$chain $(below $poprun)"
  > }
  $ begin() {
  >     two --grace 0 ./holds $1 > out 2> err & poprun=$!
  >     exec 8<told; read -r instance grandchild <&8
  >     chain
  > }
  $ killed() {	# WHO PID ...
  >     who=$1; shift
  >     kill -KILL "$@"
  >     timeout 60 cat <&8 || echo "$who: something is left"
  >     [ $who != all ] || kill -KILL -- -$grandchild
  >     wait $poprun; echo "$who $?" >> statuses
  >     exec 8<&-
  > }
  $ begin names; killed instance $instance 2> /dev/null
  $ set -- $chain; number=$#
  $ begin poprun; killed poprun $poprun 2> /dev/null
  $ i=1; while [ $i -le $number ]; do
  >     begin each; set -- $chain; shift $((i - 1))
  >     killed $(cat /proc/$1/comm) $1; i=$((i + 1))
  > done 2> /dev/null
  $ begin all; killed all $poprun $chain 2> /dev/null
  $ grep -v '^ipubox-parent\|^ipubox-keeper\|^mpirun\|^srun' statuses | sort
  all 137
  instance 137
  ipubox-reaper 1
  ipubox-superv 1
  poprun 137

What a failure tells beside its one line, of several instances always, of one
where it was not seen:

  $ told() { sed -n "s/it ran [0-9.]* s/it ran N s/; $own /^  /p" err; }

(below srun there are real hosts, and they take their time to start)

  $ own= hosts='--emulate-hosts 1 --host a,b' limit=4
  $ [ $launcher != srun ] || own='s/ on n[0-9]*;/;/;' hosts= limit=9
  $ mkfifo both
  $ run sh -c 'test $RANK = 0 || { read -r line < both; echo one >&2; echo two >&2; exit 3; }; echo > both; exec sleep 60'
  3
  POPRUN ERROR: instance 1 (pid N) exited with status 3; the others were stopped
  $ told
    it ran N s; 1 other was stopped
    its last lines:
    | one
    | two
  $ two $hosts sh -c 'test $RANK = 0 || { read -r line < both; exit 127; }; echo > both; exec sleep 60' 2> err
  [127]
  $ [ $launcher != srun ] || own='s/ on n[0-9]*;/ on b;/;'
  $ told
    it ran N s on b; 1 other was stopped
    127 is a shell's status for a program that was not found
  $ poprun --offline-mode=yes --launcher $launcher sh -c 'echo seen >&2; kill -BUS $$' 2> err; told
    perhaps /dev/shm or a disk is full: see df
  $ poprun --offline-mode=yes --launcher $launcher --console-instances none sh -c 'echo seen >&2; exit 1' 2> err; told
    its last lines:
    | seen
  $ run --timeout $limit sh -c 'test $RANK = 1 || exec sleep 60'
  110
  POPRUN ERROR: the job ran longer than the 4 s of --timeout, and was stopped
  $ told
    instances that were still running: 0 (1 of 2)
