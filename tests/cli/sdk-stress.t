Threads of many instances meet in random order, and instances are killed at
random points: no result is wrong, nobody waits for ever, and those who live
name the one that does not.  FULL=1 does as much as there is time for.

  $ ipubox --install-sdk sdk > /dev/null; mkdir config; ln -s ../sdk config/sdk
  $ gcc -O1 -D_GNU_SOURCE -I. "$TESTDIR/sdk/sdk_stress.c" sdk/lib/*.c -pthread -o stress
  $ run() { n=$1; shift; poprun --launcher local --offline-mode=yes --grace 60 --num-instances $n --num-replicas $n ./stress "$@" > out 2> err; }
  $ run 4 ${FULL:+2}200 1; echo $?; cat out err
  0
  $ run ${FULL:+6}4 ${FULL:+100}10 2 && run 16 20 2; echo $?; cat out err
  0

What the others print of the one that is killed, or exits:

  $ for round in 0 3 7 12 18; do
  >     run 8 20 $round die 4 $round; echo $?
  >     cat out | sed "s/^.*stdout>:instance [0-9]: [a-z-]* '[0-3] of [0-9]*': //; s/pid [0-9]*/pid N/" | sort -u
  >     run 8 20 $round exit 4 $round; echo $?
  >     cat out | sed "s/^.*stdout>:instance [0-9]: [a-z-]* '[0-3] of [0-9]*': //; s/pid [0-9]*/pid N/" | sort -u
  > done | sort | uniq -c | tr -s ' '
   5 137
   5 3
   5 instance 4 (pid N) exited with status 3
   5 instance 4 (pid N) was killed by signal 9 (Killed)
