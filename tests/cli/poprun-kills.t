poprun: the three processes of a launch, killed in all combinations.

An instance and a grandchild in a session of its own, both deaf to signals, hold
a pipe open; the pipe ends with the last of them.  Where all three are killed,
only the instance holds it: grandchildren stay then, as the manual says.

  $ cat > program <<'X'
  > #!/bin/sh
  > trap "" TERM INT HUP
  > exec 9>"$1.alive"
  > setsid sh -c 'trap "" TERM INT HUP; echo "$0 $$" >&9
  >     [ $1 != poprun,reaper,supervisor ] || exec 9>&-
  >     while :; do sleep 60 9>&-; done' $$ "$2" &
  > while :; do sleep 60 9>&-; done
  > X
  $ chmod +x program
  $ parent() { awk '/^PPid:/ { print $2 }' /proc/$1/status; }
  $ start() {	# NAME VICTIMS
  >     mkfifo $1.alive
  >     poprun --offline-mode=yes --launcher local --grace 1 ./program $1 $2 2>$1.err &
  >     poprun=$!
  >     exec 8<$1.alive
  >     read -r instance grandchild <&8
  >     supervisor=$(parent $instance) reaper=$(parent $(parent $instance))
  > }
  $ round() {	# NAME VICTIMS
  >     start $1 $2
  >     case $1 in
  >     *[13579].poprun,reaper,supervisor) kill -STOP $instance ;; # the other may not have closed the pipe yet
  >     *[13579].*) kill -STOP $instance $grandchild ;;
  >     esac
  >     pids=
  >     for victim in $(echo $2 | tr , ' '); do eval "pids=\"\$pids \$$victim\""; done
  >     kill -KILL $pids
  >     timeout 60 cat <&8 && echo "$2: all gone" >> results
  >     [ $2 != poprun,reaper,supervisor ] || kill -KILL -- -$instance -$grandchild
  >     wait $poprun
  > }

Four rounds, with FULL=1 twelve; in every second one the instances are stopped.

  $ rounds=4; [ -z "$FULL" ] || rounds=12
  $ each() { sort | uniq -c | sed "s/^ *$rounds /each /"; }
  $ for rows in $(seq -s , $((rounds / 2))) $(seq -s , $((rounds / 2 + 1)) $rounds); do
  >     for n in $(echo $rows | tr , ' '); do
  >         for victims in poprun reaper supervisor poprun,reaper poprun,supervisor reaper,supervisor poprun,reaper,supervisor; do
  >             round $n.$victims $victims &
  >         done
  >     done
  >     wait
  > done 2>/dev/null
  $ each < results
  each poprun,reaper,supervisor: all gone
  each poprun,reaper: all gone
  each poprun,supervisor: all gone
  each poprun: all gone
  each reaper,supervisor: all gone
  each reaper: all gone
  each supervisor: all gone

poprun says who was killed:

  $ sed 's/pid [0-9]*/pid N/' *.reaper.err | each
  each POPRUN ERROR: the reaper of the job (pid N) was killed; the job was stopped
  $ sed 's/pid [0-9]*/pid N/' *[0-9].supervisor.err | each
  each POPRUN ERROR: the keeper of the job (pid N) was killed; the job was stopped

Helpers that are stopped do not hold up the end:

  $ stop() {	# VICTIMS
  >     start stopped.$1 $1
  >     eval "kill -STOP $(echo $1 | sed 's/,/ $/; s/^/$/')"
  >     kill -TERM $poprun
  >     timeout 60 cat <&8 && wait $poprun
  >     echo "$1: $?" >> stopped
  > }
  $ stop reaper & stop supervisor & stop reaper,supervisor & wait
  $ sort stopped
  reaper,supervisor: 143
  reaper: 143
  supervisor: 143

What ends poprun by its name ends none of the others: neither name nor command
line begins with it.

  $ start names none
  $ tr '\0' ' ' < /proc/$reaper/cmdline | grep -o '[^ ].*[^ ]'; cat /proc/$reaper/comm
  ipubox-reaper
  ipubox-reaper
  $ tr '\0' ' ' < /proc/$supervisor/cmdline | grep -o '[^ ].*[^ ]'; cat /proc/$supervisor/comm
  ipubox-superv
  ipubox-superv
  $ kill -KILL $poprun $instance $grandchild; cat <&8; wait $poprun 2>/dev/null
  [137]
