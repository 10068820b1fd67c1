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
  >     poprun --offline-mode=yes --launcher local --grace 2 ./program $1 $2 2>$1.err &
  >     poprun=$!
  >     exec 8<$1.alive
  >     read -r instance grandchild <&8
  >     supervisor=$(parent $instance) reaper=$(parent $(parent $instance))
  > }
  $ round() {	# NAME VICTIMS
  >     start $1 $2
  >     case $1 in *[13579].*) kill -STOP $instance $grandchild ;; esac
  >     pids=
  >     for victim in $(echo $2 | tr , ' '); do eval "pids=\"\$pids \$$victim\""; done
  >     kill -KILL $pids
  >     timeout 60 cat <&8 && echo "$2: all gone" >> results
  >     [ $2 != poprun,reaper,supervisor ] || kill -KILL -- -$instance -$grandchild
  >     wait $poprun
  > }

Twelve rounds; in every second one the instances are stopped.

  $ for rounds in '1 2 3 4 5 6' '7 8 9 10 11 12'; do
  >     for n in $rounds; do
  >         for victims in poprun reaper supervisor poprun,reaper poprun,supervisor reaper,supervisor poprun,reaper,supervisor; do
  >             round $n.$victims $victims &
  >         done
  >     done
  >     wait
  > done 2>/dev/null
  $ sort results | uniq -c | sed 's/^ *//'
  12 poprun,reaper,supervisor: all gone
  12 poprun,reaper: all gone
  12 poprun,supervisor: all gone
  12 poprun: all gone
  12 reaper,supervisor: all gone
  12 reaper: all gone
  12 supervisor: all gone

poprun says who was killed:

  $ sed 's/pid [0-9]*/pid N/' *.reaper.err | sort | uniq -c | sed 's/^ *//'
  12 POPRUN ERROR: the reaper of the job (pid N) was killed; the job was stopped
  $ sed 's/pid [0-9]*/pid N/' *[0-9].supervisor.err | sort | uniq -c | sed 's/^ *//'
  12 POPRUN ERROR: the keeper of the job (pid N) was killed; the job was stopped

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
