#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
#skip-unless [ -c /dev/ptmx ]
poprun --stdin: which instance reads the standard input, under the launcher that
this test's name says.

  $ printf 'a\nb\n' > input
  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias four='poprun --offline-mode=yes --launcher $launcher --num-replicas 4 --num-instances 4'
  $ run() { four "$@" | sort; }

  $ run sh -c 'cat; echo end' < input
  [1,0]<stdout>:a
  [1,0]<stdout>:b
  [1,0]<stdout>:end
  [1,1]<stdout>:end
  [1,2]<stdout>:end
  [1,3]<stdout>:end
  $ run --stdin 3 cat < input
  [1,3]<stdout>:a
  [1,3]<stdout>:b
  $ run --stdin none cat < input
  $ cat input | run --stdin all cat
  [1,0]<stdout>:a
  [1,0]<stdout>:b
  [1,1]<stdout>:a
  [1,1]<stdout>:b
  [1,2]<stdout>:a
  [1,2]<stdout>:b
  [1,3]<stdout>:a
  [1,3]<stdout>:b
  $ run --stdin all cat < /dev/null
  $ run --stdin all cat <&-
  $ poprun --offline-mode=yes --launcher $launcher --stdin 1 cat
  POPRUN ERROR: --stdin 1: the job has 1 instance, counted from 0
  usage: poprun [option ...] program [argument ...]
  [2]

mpirun is not asked to do it:

  $ four --stdin 3 --dry-run -v true 2> /dev/null | sed -n 's/^command.*--stdin.*/&/p; s/^command: .*true$/command/p'
  command

30 MB to one and to all four, from a file and through a pipe, in little memory:

  $ export MOST=8192; ! ldd "$IPUBOX" > lib 2>&1 || MOST=65536 # a sanitizer's own
  $ seq 1 4000000 | head -c 30000000 > big; sum=$(cksum < big)
  $ cat > program <<'X'
  > #!/bin/sh
  > cksum
  > while [ $RANK = 0 ] && [ ! -s poprun ]; do :; done
  > [ $RANK != 0 ] || awk -v most=$MOST '/^VmHWM/ { print ($2 < most ? "little" : $2) }' /proc/$(cat poprun)/status > memory
  > X
  $ chmod +x program
  $ run --stdin 2 cksum < big | sed "s/$sum/the sum/"
  [1,0]<stdout>:4294967295 0
  [1,1]<stdout>:4294967295 0
  [1,2]<stdout>:the sum
  [1,3]<stdout>:4294967295 0
  $ start() { sh -c 'echo $$ > poprun; exec poprun --offline-mode=yes --launcher '$launcher' --num-replicas 4 --num-instances 4 --stdin all ./program' > out; }
  $ start < big; sed 's/.*://' out | sort | uniq -c | sed "s/^ *//; s/$sum/the sum/"; cat memory
  4 the sum
  little
  $ cat big | start; sed 's/.*://' out | sort | uniq -c | sed "s/^ *//; s/$sum/the sum/"; cat memory
  4 the sum
  little

One that reads no more is left out, one that has not read yet is waited for:

  $ mkfifo told
  $ run --stdin all sh -c 'case $RANK in
  >     1) exit 0 ;;
  >     2) read -r line < told; exec cksum ;;
  >     3) head -c 50000 > /dev/null; exec < /dev/null; echo go > told ;;
  >     *) exec cksum ;; esac' < big | sed "s/$sum/the sum/"
  [1,0]<stdout>:the sum
  [1,2]<stdout>:the sum

Whoever writes learns that nobody reads any more, also while the job goes on; a
writer that says nothing holds up no job; and what nobody reads stays:

  $ (yes; echo "yes ended with $?" >&2) 2> writer | run --stdin all head -n 1
  [1,0]<stdout>:y
  [1,1]<stdout>:y
  [1,2]<stdout>:y
  [1,3]<stdout>:y
  $ cat writer
  yes ended with 141
  $ (yes; echo "yes ended with $?" >&2) 2> writer | run --stdin none true; cat writer
  yes ended with 141
  $ for who in all 2; do (yes; echo "yes ended" > told) | four --stdin $who sh -c 'exec < /dev/null; [ $RANK != 1 ] || cat told'; done
  [1,1]<stdout>:yes ended
  [1,1]<stdout>:yes ended
  $ mkfifo silent; exec 8<>silent
  $ for who in 0 2 all none; do four --stdin $who true < silent; echo "$who $?"; done
  0 0
  2 0
  all 0
  none 0
  $ four --stdin 2 sh -c 'exit 5' < silent 2> /dev/null
  [5]
  $ exec 8<&-
  $ (four --stdin none true; cat) < input
  a
  b
  $ (four --stdin all ./no-such-program 2> /dev/null; cat) < input
  a
  b

An instance takes from the caller's input what it reads and no more, be it a
pipe, a file, a here-document or the script that a shell reads:

  $ one() { poprun --offline-mode=yes --launcher $launcher --num-replicas 2 --num-instances 2 "$@"; }
  $ for how in file pipe; do
  >     loop() { while read -r x; do one true; echo $x; done; }
  >     case $how in file) loop < input ;; pipe) cat input | loop ;; esac
  > done
  a
  b
  a
  b
  $ cat > script <<'X'
  > one() { poprun --offline-mode=yes --launcher $launcher --num-replicas 2 --num-instances 2 "$@"; }
  > one true
  > one sed -n 1p
  > echo this is what sed reads
  > X
  $ export launcher; cat script | bash -s
  [1,0]<stdout>:echo this is what sed reads
  $ bash -s <<X
  > poprun --offline-mode=yes --launcher $launcher true
  > echo next
  > X
  next
  $ cat > takes <<'X'
  > #!/bin/sh
  > [ $RANK = 1 ] || dd bs=1000 count=$1 iflag=fullblock 2> /dev/null | cksum
  > X
  $ chmod +x takes; big=$(head -c 1000000 big | cksum)
  $ for count in 0 1 3 64 70 333; do
  >     { one ./takes $count; cat; } < big > left
  >     { sed 1q left | cut -d : -f 2; sed 1d left | head -c 1000000 | cksum; } > got
  >     { head -c ${count}000 big | cksum; tail -c +${count}001 big | head -c 1000000 | cksum; } | cmp - got
  >     { head -c 2000000 big | { one ./takes $count; cat; }; } > left
  >     { sed 1q left | cut -d : -f 2; sed 1d left | head -c 1000000 | cksum; } | cmp - got
  > done

So does one that is stopped, and one that fails:

  $ (one --timeout 4 sh -c 'read -r x; exec sleep 60' 2> err; cat) < input
  b
  $ cat input | (one sh -c '[ $RANK = 1 ] || { read -r x; exit 3; }; exec sleep 60' 2> err; cat)
  b

What comes late is waited for, whatever was taken of what came before:

  $ mkfifo late back; exec 7<>back
  $ one sh -c '[ $RANK = 1 ] || while read -r x; do echo "$x" > back; done' < late &
  $ exec 8>late; for x in 1 2 3; do echo $x >&8; read -r y <&7; echo $y; done; exec 8>&-; wait
  1
  2
  3

From a terminal, one that is typed at and one that is not:

  $ cat > type.py <<'X'
  > import os, pty, sys
  > pid, fd = pty.fork()
  > if pid == 0:
  >     os.execvp(sys.argv[2], sys.argv[2:])
  > os.write(fd, sys.argv[1].encode())
  > said = b""
  > try:
  >     while True:
  >         said += os.read(fd, 4096)
  > except OSError:
  >     pass
  > print(said.decode().replace("\r", "").replace("\033[K", ""), end="")
  > sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
  > X
  $ type() { typed=$1; shift; python3 type.py "$typed" poprun --offline-mode=yes --launcher $launcher --num-replicas 4 --num-instances 4 "$@" | grep '<stdout>' | sort; }
  $ end=$(printf '\004')
  $ type "typed
  > $end" --stdin 3 cat
  [1,3]<stdout>:typed
  $ type "typed
  > $end" --stdin all cat
  [1,0]<stdout>:typed
  [1,1]<stdout>:typed
  [1,2]<stdout>:typed
  [1,3]<stdout>:typed
  $ type '' --stdin all sh -c 'echo $RANK'
  [1,0]<stdout>:0
  [1,1]<stdout>:1
  [1,2]<stdout>:2
  [1,3]<stdout>:3
