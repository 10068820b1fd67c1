#needs python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
The cache of PopTorch programs: ipubox keeps what the device says of a model, and
of several processes one asks for it.

  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
  $ export POPTORCH_IPU_MODEL=1 IPUBOX_FILE=$IPUBOX POPTORCH_LOG_LEVEL=DEBUG
  $ told() { sed -n 's/.*\(Executable [a-z]*\)[ ,].*/\1/p; s/.*\[warning\] //p' "$@" | sed 's/[0-9a-f]\{32\}/KEY/' | sort | uniq -c | sed 's/^ *//'; }
  $ program=$TESTDIR/sdk/poptorch_cache.py

Four instances, two models, the first of them twice; then the same job again:

  $ job() { poprun --launcher local --offline-mode yes --num-replicas 4 --num-instances 4 --mpi-global-args=--tag-output --executable-cache-path "$1" python3 "$program" --job 2> err; told err; }
  $ job kept; ls kept | wc -l
  2 Executable compiled
  10 Executable loaded
  2
  $ job kept
  12 Executable loaded

A model whose code has changed is never an old one, though it is as large; what
is damaged, of another model or of others is made anew, and told once:

  $ export POPTORCH_CACHE_DIR=kept
  $ run() { python3 "$program" 2> err; told err; }
  $ rm kept/*; run
  2 Executable compiled
  1 Executable loaded
  $ set -- kept/*; first=$1 second=$2; cp $first a; cp $second b
  $ head -c 1000 a > $first; cp a $second; run; cmp a $first; cmp b $second
  2 Executable compiled
  1 Executable loaded
  2 kept/KEY.popef is compiled again: it is cut short, or it is the entry of something else
  $ chmod 646 $first; ln -sf ../b $second; run; cmp a $first; cmp b $second
  2 Executable compiled
  1 Executable loaded
  1 kept/KEY.popef is compiled again: it is a symbolic link
  1 kept/KEY.popef is compiled again: other users may write it
  $ POPTORCH_CACHE_DIR=a run
  3 a/KEY.popef is not kept: cannot make directory */a: Not a directory (glob)

A compiler is killed while another process waits for it:

  $ rm kept/*; export IPUBOX_FILE=$IPUBOX_FAULTY
  $ IPUBOX_FAULT_STOP=1 python3 "$program" > out 2>&1 & first=$!
  > child() { for pid in $(cat /proc/$1/task/*/children 2> /dev/null); do ls -l /proc/$pid/fd 2> /dev/null | grep -q lock && return; done; return 1; }
  > until child $first; do :; done; compiler=$pid
  > python3 "$program" 2> err & second=$!
  > until child $second; do :; done; ls kept | wc -l
  > kill -9 $compiler; wait $second; told err; wait $first
  0
  2 Executable compiled
  1 Executable loaded
  [1]
  $ grep -c '^poptorch.*Error' out
  1
