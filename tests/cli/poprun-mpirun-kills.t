#needs mpirun
#skip-unless mpirun --allow-run-as-root --oversubscribe -n 2 true # it wants a network
poprun: each process of a launch below mpirun killed, alone and with others.

Two instances, and a grandchild of each in a session of its own, all deaf to
signals, hold a pipe open; the pipe ends with the last of them.  Each has a
TMPDIR of its own: mpirun fails where another makes its directory meanwhile.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ cat > program <<'X'
  > #!/bin/sh
  > trap "" TERM INT HUP
  > exec 9>"$1.alive"
  > setsid sh -c 'trap "" TERM INT HUP; echo "$0" >&9
  >     while :; do sleep 60 9>&-; done' $$ &
  > while :; do sleep 60 9>&-; done
  > X
  $ chmod +x program
  $ parent() { awk '/^PPid:/ { print $2 }' /proc/$1/status; }
  $ round() {	# VICTIMS
  >     mkfifo $1.alive
  >     TMPDIR=$(mktemp -d "$TMPDIR/XXX")
  >     poprun --offline-mode=yes --launcher mpirun --grace 1 --num-replicas 2 --num-instances 2 ./program $1 2>$1.err &
  >     poprun=$!
  >     exec 8<$1.alive
  >     read -r instance <&8
  >     read -r other <&8
  >     parent=$(parent $instance); keeper=$(parent $parent)
  >     mpirun=$(parent $keeper); supervisor=$(parent $mpirun)
  >     reaper=$(parent $supervisor) pids=
  >     for victim in $(echo $1 | tr , ' '); do eval "pids=\"\$pids \$$victim\""; done
  >     kill -KILL $pids
  >     timeout 60 cat <&8 && wait $poprun
  >     status=$?
  >     case $1,$status in *,*,0) ;; *,*,*) status=failed ;; esac
  >     echo "$1: $status" >> results
  > }
  $ rounds() { for victims; do round $victims & done; wait; }
  $ ( rounds poprun reaper supervisor mpirun keeper parent instance
  >   rounds poprun,reaper poprun,supervisor poprun,mpirun reaper,supervisor supervisor,mpirun
  >   rounds mpirun,keeper mpirun,parent keeper,parent parent,instance mpirun,keeper,parent
  >   rounds poprun,reaper,supervisor poprun,mpirun,parent reaper,supervisor,mpirun poprun,reaper,supervisor,mpirun poprun,reaper,supervisor,mpirun,keeper ) 2>/dev/null
  $ sort results
  instance: 137
  keeper,parent: failed
  keeper: 137
  mpirun,keeper,parent: failed
  mpirun,keeper: failed
  mpirun,parent: failed
  mpirun: 137
  parent,instance: failed
  parent: 1
  poprun,mpirun,parent: failed
  poprun,mpirun: failed
  poprun,reaper,supervisor,mpirun,keeper: failed
  poprun,reaper,supervisor,mpirun: failed
  poprun,reaper,supervisor: failed
  poprun,reaper: failed
  poprun,supervisor: failed
  poprun: 137
  reaper,supervisor,mpirun: failed
  reaper,supervisor: failed
  reaper: 1
  supervisor,mpirun: failed
  supervisor: 1

poprun says who was killed:

  $ said() { grep ^POPRUN $1.err | sed 's/pid [0-9]*/pid N/; s/instance [01]/instance N/'; }
  $ said instance
  POPRUN ERROR: instance N (pid N) was killed by signal 9 (Killed); the others were stopped
  $ said mpirun
  POPRUN ERROR: mpirun (pid N) was killed by signal 9 (Killed); the job was stopped
  $ said parent
  POPRUN ERROR: the parent of instance N was killed, or poprun's connection to it is lost; the job was stopped
  $ said supervisor
  POPRUN ERROR: the keeper of the job (pid N) was killed; the job was stopped
  $ said reaper
  POPRUN ERROR: the reaper of the job (pid N) was killed; the job was stopped
