#needs mpirun
#skip-unless mpirun --allow-run-as-root --oversubscribe -n 2 true # it wants a network
poprun: the parents of instances below mpirun.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ alias run='poprun --offline-mode=yes --launcher mpirun --num-replicas 2 --num-instances 2'
  $ parent() { awk '/^PPid:/ { print $2 }' /proc/$1/status; }
  $ mkfifo go told

A program's environment does not lead to poprun, nor does its parent's, and no
list of processes shows the secret:

  $ run sh -c 'env | grep "^IPUBOX_LINK"; tr "\0" "\n" < /proc/$PPID/environ | grep "^IPUBOX_LINK[_A-Z]*=."; echo $?' | sort
  [1,0]<stdout>:1
  [1,1]<stdout>:1
  $ run sh -c 'echo $PPID > told; read -r line < go' > out 2>&1 & poprun=$!
  $ exec 8<told; read -r one <&8
  $ keeper=$(parent $one); mpirun=$(parent $keeper)
  $ cat /proc/$one/comm /proc/$keeper/comm /proc/$mpirun/comm
  ipubox-parent
  ipubox-keeper
  mpirun
  $ tr '\0' '\n' < /proc/$mpirun/environ | sed -n 's/^IPUBOX_LINK_SECRET=//p' > secret
  $ grep -cE '^[0-9a-f]{64}$' secret
  1
  $ cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -f secret
  [1]
  $ kill -TERM $poprun; wait $poprun
  [143]
  $ exec 8<&-

All output comes, in its order, each line once; what stands without a newline
and what is written in the last moment as well:

  $ (seq 200000; echo end) > wanted
  $ run sh -c 'seq 200000; printf end' > out
  $ for i in 0 1; do sed -n "s/^\[1,$i\]<stdout>://p" out | cmp - wanted; done
  $ run sh -c '[ $OMPI_COMM_WORLD_RANK = 1 ] || read -r line < go; echo last; echo words >&2; kill -KILL $$' 2>&1 | grep '>:[lw]' | sort
  [1,1]<stderr>:words
  [1,1]<stdout>:last

What an instance wrote before it was stopped comes too, however late somebody
reads it:

  $ mkfifo pipe
  $ run sh -c '[ $OMPI_COMM_WORLD_RANK = 1 ] || { read -r line < go; exit 3; }; echo $$ > told; { seq 20000; echo > go; seq 20001 1000000; } & wait' > pipe 2> err & poprun=$!
  $ exec 7<pipe; read -r one < told; while kill -0 $one 2>/dev/null; do :; done
  $ sed -n 's/^\[1,1\]<stdout>://p' <&7 > out; wait $poprun
  [3]
  $ exec 7<&-; seq $(wc -l < out) | head -c $(($(wc -c < out) - 8)) > wanted
  $ head -c $(($(wc -c < out) - 8)) out | cmp - wanted; test $(wc -l < out) -ge 20000
  $ grep ERROR err
  POPRUN ERROR: instance 0 \(pid [0-9]+\) exited with status 3; the others were stopped (re)

A program that is not there at the instance, and one that cannot be executed:

  $ mkdir only; printf '#!/bin/sh\n' > only/there; chmod +x only/there
  $ PATH=$PWD/only:$PATH run --mpi-local-args "-x PATH=/usr/bin" there 2>&1 | grep ^POPRUN
  POPRUN ERROR: cannot execute there for instance [01]: No such file or directory (re)
  $ printf 'not a program\n' > only/there; printf '#!/nonexistent\n' > only/sh; printf '#!only/sh\n' > only/that; chmod +x only/*
  $ run only/there
  POPRUN ERROR: cannot execute only/there for instance [01]: Exec format error (re)
  [126]
  $ run only/that
  POPRUN ERROR: cannot execute only/that for instance [01]: No such file or directory (re)
  [127]
