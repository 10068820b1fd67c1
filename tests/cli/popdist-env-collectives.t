#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
popdist-env's collectives, alone and under the launcher that this test's name
says.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias four='poprun --offline-mode=yes --launcher $launcher --num-replicas 4 --num-instances 4'
  $ run() { four sh "$@" 2>&1 | sort | sed 's/pid [0-9]*/pid N/'; }

Alone one gets one's own values, and waits for nobody:

  $ popdist-env barrier; popdist-env barrier x
  $ popdist-env allreduce sum 3.5 -1 1e6 0.1 -0 1e300 123456789.125
  3.5
  -1
  1000000
  0.1
  -0
  1e+300
  123456789.125
  $ popdist-env allreduce --type half sum 0.1 65504 3e-8 -1e-9
  0.1
  65504
  6e-08
  -0
  $ popdist-env allreduce sum --type float 0.1 16777217 3e38
  0.1
  16777216
  3e+38
  $ popdist-env --type int8 allreduce sum -128 127; popdist-env --type int64 allreduce sum -9223372036854775808
  -128
  127
  -9223372036854775808
  $ popdist-env --json allreduce sum 1 -2.5 0.1
  [
    1,
    -2.5,
    0.1
  ]
  $ popdist-env broadcast 'two words'; popdist-env gather "$(printf 'a\nb')" --json
  two words
  [
    "a\nb"
  ]
  $ popdist-env broadcast ''; popdist-env gather -- --json
  
  --json

Misuse, and what cannot be:

  $ popdist-env barrier a b
  popdist-env: barrier takes at most an id
  usage: popdist-env [option ...] barrier [ID]
  [2]
  $ popdist-env --id a barrier b 2>&1 | head -1
  popdist-env: barrier takes one id; leave out --id or the word
  $ popdist-env allreduce sum 2>&1 | head -1
  popdist-env: allreduce takes "sum" and at least one number
  $ popdist-env allreduce max 3
  popdist-env: allreduce 'max': must be sum
  usage: popdist-env [option ...] allreduce sum NUMBER ...
  [2]
  $ for number in x '' 0x10 1e999 nan; do popdist-env allreduce sum "$number" 2>&1 | head -1; done
  popdist-env: NUMBER 'x': not a number
  popdist-env: NUMBER '': not a number
  popdist-env: NUMBER '0x10': not a number
  popdist-env: NUMBER '1e999': too large, must be -1.79769e+308 to 1.79769e+308
  popdist-env: NUMBER 'nan': not a number
  $ popdist-env --type int8 allreduce sum 128 2>&1 | head -1
  popdist-env: NUMBER '128': too large, must be -128 to 127
  $ popdist-env --type half allreduce sum 65505 2>&1 | head -1
  popdist-env: NUMBER '65505': too large, must be -65504 to 65504
  $ popdist-env --type bool allreduce sum 1 2>&1 | head -1
  popdist-env: --type 'bool': must be half, float, double, int8, int16, int32 or int64
  $ popdist-env --type int8 gather x 2>&1 | head -1; popdist-env --root 0 gather x 2>&1 | head -1
  popdist-env: --type is only for allreduce
  popdist-env: --root is only for broadcast
  $ popdist-env --id x shard 3 2>&1 | head -1
  popdist-env: --id, --type, --root and --timeout need a collective: barrier, allreduce, broadcast or gather
  $ popdist-env --root 1 broadcast x
  popdist-env: 'default': root 1 must be a number from 0 to 0
  [1]
  $ popdist-env --id '' barrier; popdist-env --timeout -1 barrier; POPDIST_TIMEOUT=soon popdist-env barrier
  popdist-env: the id of a collective must have 1 to 255 bytes, not 0
  popdist-env: --timeout '-1': too small, must be 0 to 2.14748e+06
  popdist-env: POPDIST_TIMEOUT 'soon': not a number
  [1]
  $ popdist-env barier 2>&1 | head -1
  popdist-env: no such command: barier (did you mean barrier?)
  $ popdist-env allreduce sum 1 > /dev/full
  popdist-env: cannot write to standard output: No space left on device
  [1]

Variables of a job of two without a poprun that could be asked:

  $ export POPDIST_NUM_TOTAL_REPLICAS=4 POPDIST_NUM_LOCAL_REPLICAS=2 POPDIST_REPLICA_INDEX_OFFSET=2 POPDIST_LOCAL_INSTANCE_INDEX=1
  $ popdist-env barrier
  popdist-env: IPUBOX_JOB_DIR is not set, but this is one of 2 instances; start them with poprun
  [1]
  $ IPUBOX_JOB_DIR=/nonexistent popdist-env barrier
  popdist-env: the collectives of this job: cannot connect to /nonexistent/collectives: No such file or directory
  [1]
  $ export POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=0
  $ popdist-env barrier
  popdist-env: the replicas are not spread evenly over the instances, but OMPI_COMM_WORLD_RANK, which identifies this instance, is not set
  [1]
  $ OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=3 popdist-env barrier
  popdist-env: OMPI_COMM_WORLD_RANK is 3, but there are 3 instances
  [1]
  $ OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 popdist-env gather x
  x
  $ unset POPDIST_NUM_TOTAL_REPLICAS POPDIST_NUM_LOCAL_REPLICAS POPDIST_REPLICA_INDEX_OFFSET POPDIST_LOCAL_INSTANCE_INDEX POPDIST_UNIFORM_REPLICAS_PER_INSTANCE

Several calls in a row, with numbers and texts of the instances:

  $ cat > row.sh <<'X'
  > n=$(popdist-env get getInstanceIndex)
  > popdist-env allreduce sum $n -$n.5 0.1
  > popdist-env gather "text $(printf "%${n}s" | tr ' ' x)"
  > popdist-env barrier
  > popdist-env --root 1 broadcast "from $n"
  > popdist-env --json gather "$n"
  > popdist-env --type int8 --id small allreduce sum $((100 + n))
  > popdist-env --type half --id small allreduce sum 2048.$n 1 1
  > popdist-env barrier the-end
  > X
  $ four sh row.sh > out; sed -n 's/^.1,0.<stdout>://p' out
  6
  -8
  0.4
  text 
  text x
  text xx
  text xxx
  from 1
  [
    "0",
    "1",
    "2",
    "3"
  ]
  -106
  8192
  4
  4
  $ for n in 1 2 3; do sed -n "s/^.1,$n.<stdout>://p" out; done > others; sed -n 's/^.1,0.<stdout>://p' out > one; cat one one one | cmp - others

Calls at once, with ids that each instance has in an order of its own:

  $ cat > once.sh <<'X'
  > n=$(popdist-env get getInstanceIndex)
  > case $n in 0) ids='a b c d' ;; 1) ids='d b a c' ;; 2) ids='c d b a' ;; 3) ids='b a d c' ;; esac
  > for id in $ids; do
  > 	popdist-env --id $id gather "$id$n" | tr '\n' ' ' > $n.$id &
  > done
  > wait
  > [ "$n" != 0 ] || for id in a b c d; do cat 0.$id; echo; done
  > popdist-env barrier
  > cat $n.? | cksum
  > X
  $ four sh once.sh | sort | uniq | sed 's/^.1,[123].<stdout>/other/' | uniq | sed 's/:[0-9][0-9]* 48$/:SUM/'
  [1,0]<stdout>:SUM
  [1,0]<stdout>:a0 a1 a2 a3 
  [1,0]<stdout>:b0 b1 b2 b3 
  [1,0]<stdout>:c0 c1 c2 c3 
  [1,0]<stdout>:d0 d1 d2 d3 
  other:SUM

A text that is larger than a message:

  $ cat > large.sh <<'X'
  > text=$(printf '%100000d' "$(popdist-env get getInstanceIndex)")
  > popdist-env gather "$text" | tr -d ' ' | tr '\n' +
  > popdist-env --root 2 broadcast "$text" | wc -c
  > X
  $ run large.sh
  [1,0]<stdout>:0+1+2+3+100001
  [1,1]<stdout>:0+1+2+3+100001
  [1,2]<stdout>:0+1+2+3+100001
  [1,3]<stdout>:0+1+2+3+100001

One brings something else, or calls something else:

  $ cat > other.sh <<'X'
  > n=$(popdist-env get getInstanceIndex)
  > [ "$n" = 2 ] && mine=$2 || mine=$1
  > popdist-env --id x $mine
  > popdist-env barrier
  > X
  $ run other.sh 'allreduce sum 1' 'allreduce sum 1 2' | cut -d: -f2-
  popdist-env: all-reduce 'x': instance [0123] brings [12] double, instance [0123] brings [12] double (re)
  popdist-env: all-reduce 'x': instance [0123] brings [12] double, instance [0123] brings [12] double (re)
  popdist-env: all-reduce 'x': instance [0123] brings [12] double, instance [0123] brings [12] double (re)
  popdist-env: all-reduce 'x': instance [0123] brings [12] double, instance [0123] brings [12] double (re)
  $ run other.sh 'allreduce sum 1' 'gather y' | cut -d: -f2- | sort -u | sed 's/instance [0123] calls all-reduce, instance [0123] all-gather/A/; s/instance [0123] calls all-gather, instance [0123] all-reduce/A/'
  popdist-env: 'x': A

One does not come in time, and one is over before it comes (the others stay
until all have heard):

  $ cat > late.sh <<'X'
  > i=$(popdist-env get getInstanceIndex)
  > [ "$i" != 1 ] || exec popdist-env barrier other
  > : > here.$i
  > until [ -e here.0 ] && [ -e here.2 ] && [ -e here.3 ]; do :; done
  > popdist-env --timeout 0.9 barrier here
  > popdist-env barrier other
  > X
  $ run late.sh
  [1,0]<stderr>:popdist-env: barrier 'here': instance 1 did not come within 0.9 s
  [1,2]<stderr>:popdist-env: barrier 'here': instance 1 did not come within 0.9 s
  [1,3]<stderr>:popdist-env: barrier 'here': instance 1 did not come within 0.9 s
  $ cat > over.sh <<'X'
  > [ "$(popdist-env get getInstanceIndex)" != 1 ] || exit 0
  > popdist-env allreduce sum 1
  > echo $?
  > : > told.$(popdist-env get getInstanceIndex)
  > until [ -e told.0 ] && [ -e told.2 ] && [ -e told.3 ]; do :; done
  > X
  $ run over.sh
  [1,0]<stderr>:popdist-env: all-reduce 'default': instance 1 (pid N) exited with status 0
  [1,0]<stdout>:1
  [1,2]<stderr>:popdist-env: all-reduce 'default': instance 1 (pid N) exited with status 0
  [1,2]<stdout>:1
  [1,3]<stderr>:popdist-env: all-reduce 'default': instance 1 (pid N) exited with status 0
  [1,3]<stdout>:1

One is killed while the others wait for it; they may say so before they are
ended (a sanitizer that looks for leaks does not bear the signals that come
then):

  $ cat > killed.sh <<'X'
  > trap '' TERM
  > export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
  > popdist-env barrier
  > [ "$(popdist-env get getInstanceIndex)" != 1 ] || kill -9 $$
  > popdist-env gather x
  > X
  $ run killed.sh | grep gather
  [1,0]<stderr>:popdist-env: all-gather 'default': instance 1 (pid N) was killed by signal 9 (Killed)
  [1,2]<stderr>:popdist-env: all-gather 'default': instance 1 (pid N) was killed by signal 9 (Killed)
  [1,3]<stderr>:popdist-env: all-gather 'default': instance 1 (pid N) was killed by signal 9 (Killed)

The same id twice at once:

  $ cat > go.sh <<'X'
  > n=$(popdist-env get getInstanceIndex)
  > if [ "$n" = 0 ]; then
  > 	(popdist-env barrier x || popdist-env barrier go) & (popdist-env barrier x || popdist-env barrier go) & wait
  > else
  > 	popdist-env barrier go
  > 	popdist-env barrier x
  > fi
  > X
  $ run go.sh
  [1,0]<stderr>:popdist-env: barrier 'x': instance 0 has called it already and waits for its end; use another id
