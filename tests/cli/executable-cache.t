Executable caches of mnist-pipeline and ipubox train: one process compiles, the
others load, and whatever stands in the directory, the run goes on.

  $ export POPTORCH_IPU_MODEL=1
  $ few='--dataset generated --samples 800 --batch-size 8 --test-batch-size 1 --device-iterations 1 --epochs 1'
  $ train() { mnist-pipeline $few "$@"; }
  $ told() { sed -n 's/.*: \([a-z]*: Exec[a-z]* [a-z]*\).*/\1/p; s/.*\(warning: .*\)/\1/p' | sed 's/[0-9a-f]\{32\}/KEY/; s|directory .*/whole|directory whole|'; }
  $ train > plain

A program's own cache; what it prints is what it prints without one:

  $ export POPTORCH_CACHE_DIR=cache
  $ train --debug 2>&1 > out | told; sed 's/\[.*//' plain > a; sed 's/\[.*//' out | cmp a
  debug: Executable compiled
  $ train --debug 2>&1 > out | told; sed 's/\[.*//' out | cmp a
  debug: Executable loaded
  $ ls cache | wc -l; stat -c %a cache cache/*
  1
  700
  600
  $ head -1 cache/*; sed -n '/^training/,/^0/p' cache/*
  ipubox executable 1
  training
  0 weights 1 1000 B1/conv2d/weights

Another model has another entry, and so has the same one in another way; what
decides nothing of it has not:

  $ train --learning-rate 0.1 --seed 3 --debug 2>&1 > out | told
  debug: Executable loaded
  $ train --batch-size 9 --debug 2>&1 > out | told
  debug: Executable compiled
  $ ipubox train mlp --dataset generated --samples 6000 --epochs 1 --debug 2>&1 > out | told
  debug: Executable compiled
  $ ls cache | wc -l
  3

What does not fit is refused from an entry as well, with the same words:

  $ rm -r cache; mnist-pipeline $few --ipu-memory 10M > out 2> first
  [1]
  $ mnist-pipeline $few --ipu-memory 10M 2>&1 > out | cmp first; ls cache | wc -l
  1

Damaged, of others, not a file: one sentence, and it is compiled again.

  $ rm -r cache; train > out; entry=$(echo cache/*.popef); cp $entry whole
  $ mended() { train 2>&1 > out | told; cmp whole $entry; train 2>&1 > out | told; }
  $ head -c 200 whole > $entry; mended
  warning: cache/KEY.popef is compiled again: it is cut short, or it is the entry of something else
  $ sed 's/weights 1 1000/weights 1 1008/' whole > $entry; mended
  warning: cache/KEY.popef is compiled again: its checksum does not match its contents
  $ cp "$IPUBOX" $entry; mended
  warning: cache/KEY.popef is compiled again: it is not an entry of a cache
  $ chmod 666 $entry; mended
  warning: cache/KEY.popef is compiled again: other users may write it
  $ mv $entry elsewhere; ln -s ../elsewhere $entry; mended
  warning: cache/KEY.popef is compiled again: it is a symbolic link
  $ cmp whole elsewhere

A place where nothing can be kept:

  $ for POPTORCH_CACHE_DIR in whole /proc/cache; do train 2>&1 > out | told; sed 's/\[.*//' out | cmp a; done
  warning: whole/KEY.popef is not kept: cannot make directory whole: Not a directory
  warning: /proc/cache/KEY.popef is not kept: cannot make directory /proc/cache: No such file or directory

Two instances of a job, of which one compiles; with a directory of one's own
the next job loads:

  $ unset POPTORCH_CACHE_DIR
  $ job() { poprun --launcher local --offline-mode yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4 "$@" mnist-pipeline $few --debug 2>&1 | told | sort; }
  $ job
  debug: Executable compiled
  debug: Executable loaded
  $ job --executable-cache-path kept
  debug: Executable compiled
  debug: Executable loaded
  $ job --executable-cache-path kept
  debug: Executable loaded
  debug: Executable loaded
  $ job --executable-cache-path=
  $ job --executable-cache-path whole
  warning: whole/KEY.popef is not kept: cannot make directory whole: Not a directory

A compiler that is killed, wherever that is: the next one has it, and nothing
is left.

  $ export POPTORCH_CACHE_DIR=cache
  $ n=1; while rm $entry; IPUBOX_FAULT=$n "$IPUBOX_FAULTY" mnist-pipeline $few > out 2>&1; test $? = 137; do
  >   train 2>&1 > out | told; cmp whole $entry
  >   n=$((n + 1))
  > done; [ $n -gt 5 ] || echo "only $n points"
  $ ls -A cache | grep -v lock | wc -l
  1

One is stopped while it compiles; another waits, and goes on when it is killed:

  $ rm $entry; IPUBOX_FAULT_STOP=1 "$IPUBOX_FAULTY" mnist-pipeline $few > out 2>&1 & holder=$!
  > while read -r _ _ state _ < /proc/$holder/stat; do [ $state != T ] || break; done
  > mnist-pipeline $few --debug > waiting 2> err & waiter=$!
  > until ls -l /proc/$waiter/fd 2> /dev/null | grep -q lock; do :; done
  > ls cache | wc -l; kill -9 $holder; wait $waiter; told < err
  0
  debug: Executable compiled

In a job that starts again, the compiler of its first run is killed; that is
the first instance, for the other one waits until it sees it at work:

  $ unset POPTORCH_CACHE_DIR
  $ cat > program <<'X'
  > #!/bin/sh
  > [ $RANK$POPRUN_RESTART_COUNT != 00 ] || export IPUBOX_FAULT=3
  > until [ $RANK = 0 ] || ls -A kept | grep -q popef; do :; done
  > exec "$IPUBOX_FAULTY" mnist-pipeline "$@" --debug
  > X
  $ chmod +x program; rm -r kept; mkdir kept
  $ poprun --launcher local --offline-mode yes --num-replicas 2 --num-instances 2 --ipus-per-replica 4 --max-restarts 1 --executable-cache-path kept ./program $few > out 2> err
  $ grep -c 'signal 9' err; job --executable-cache-path kept
  1
  debug: Executable loaded
  debug: Executable loaded
