poprun --stdin: which instance reads the standard input.

  $ run() { poprun --offline-mode=yes --launcher local --num-replicas 4 --num-instances 4 "$@" | sort; }
  $ printf 'a\nb\n' > input

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
  $ poprun --offline-mode=yes --launcher local --stdin 1 cat
  POPRUN ERROR: --stdin 1: the job has 1 instance, counted from 0
  usage: poprun [option ...] program [argument ...]
  [2]

100 MB to all four, from a file and through a pipe, in little memory:

  $ export MOST=8192; ! ldd "$IPUBOX" > lib 2>&1 || MOST=65536 # a sanitizer's own
  $ seq 1 12000000 | head -c 100000000 > big; sum=$(cksum < big)
  $ cat > program <<'X'
  > #!/bin/sh
  > cksum
  > while [ $RANK = 0 ] && [ ! -s poprun ]; do :; done
  > [ $RANK != 0 ] || awk -v most=$MOST '/^VmHWM/ { print ($2 < most ? "little" : $2) }' /proc/$(cat poprun)/status > memory
  > X
  $ chmod +x program
  $ start() { sh -c 'echo $$ > poprun; exec poprun --offline-mode=yes --launcher local --num-replicas 4 --num-instances 4 --stdin all ./program' > out; }
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
  >     3) head -c 50000 > /dev/null; echo go > told ;;
  >     *) exec cksum ;; esac' < big | sed "s/$sum/the sum/"
  [1,0]<stdout>:the sum
  [1,2]<stdout>:the sum

Whoever writes learns that nobody reads any more:

  $ (yes; echo "yes ended with $?" >&2) 2> writer | run --stdin all head -n 1
  [1,0]<stdout>:y
  [1,1]<stdout>:y
  [1,2]<stdout>:y
  [1,3]<stdout>:y
  $ cat writer
  yes ended with 141
  $ (yes; echo "yes ended with $?" >&2) 2> writer | run --stdin none true; cat writer
  yes ended with 141
