poprun: nothing of a job outlives it, whoever dies first.

Each instance and a grandchild, in a session of its own and deaf to signals,
hold a pipe open; the pipe ends with the last of them.

  $ mkfifo alive go
  $ cat > program <<'X'
  > #!/bin/sh
  > exec 9>alive
  > setsid sh -c 'trap "" TERM INT HUP; echo "$0 grandchild" >&9
  >     while :; do sleep 60; done' $$ &
  > while :; do sleep 60; done
  > X
  $ chmod +x program
  $ start() {
  >     poprun --offline-mode=yes --launcher local --grace 1 --num-replicas 2 --num-instances 2 "$@" ./program 2>err &
  >     poprun=$!
  >     exec 8<alive
  >     read -r instance rest <&8
  >     read -r other rest <&8
  >     keeper=$(awk '/^PPid:/ { print $2 }' /proc/$instance/status)
  > }
  $ gone() {
  >     cat <&8
  >     exec 8<&-
  >     wait $poprun 2>/dev/null
  >     echo "gone, $?"
  >     sed 's/[0-9][0-9]* )/N)/; s/pid [0-9]*/pid N/; s/instance [01]/instance N/' err
  > }

poprun is killed:

  $ start
  $ kill -KILL $poprun
  $ gone 2>/dev/null
  gone, 137

The keeper is killed:

  $ start
  $ cat /proc/$keeper/comm
  ipubox-superv
  $ kill -KILL $keeper
  $ gone
  gone, 1
  POPRUN ERROR: the keeper of the job (pid N) was killed; the job was stopped

An instance is killed:

  $ start
  $ kill -KILL $instance
  $ gone
  gone, 137
  POPRUN ERROR: instance N (pid N) was killed by signal 9 (Killed); the others were stopped
    it ran * s; 1 other was stopped (glob)
    perhaps it ran out of memory: see dmesg

Signals end the job:

  $ start
  $ kill -TERM $poprun
  $ gone
  gone, 143
  $ start
  $ kill -HUP $poprun
  $ gone
  gone, 129

What is deaf to them is killed, by a second signal at once:

  $ printf '#!/bin/sh\ntrap "" TERM HUP\necho deaf > go\nwhile :; do sleep 60; done\n' > deaf
  $ chmod +x deaf
  $ poprun --offline-mode=yes --launcher local ./deaf & poprun=$!
  $ read -r deaf < go; kill -TERM $poprun; kill -HUP $poprun; wait $poprun; test $? -gt 128

A job that is done leaves nothing behind:

  $ cat > leaves <<'X'
  > #!/bin/sh
  > exec 9>alive
  > setsid sh -c 'while :; do sleep 60; done' &
  > echo started >&9
  > X
  $ chmod +x leaves
  $ poprun --offline-mode=yes --launcher local ./leaves & poprun=$!
  $ cat alive; wait $poprun
  started

Other signals are passed on:

  $ cat > waits <<'X'
  > #!/bin/sh
  > trap 'echo got USR1; exit 0' USR1
  > echo ready > go
  > sleep 60 & wait
  > X
  $ chmod +x waits
  $ poprun --offline-mode=yes --launcher local ./waits & poprun=$!
  $ read -r ready < go; kill -USR1 $poprun; wait $poprun
  [1,0]<stdout>:got USR1

Children of the shell that became poprun are not poprun's to end:

  $ sh -c 'sleep 60 & echo $! > bystander; exec poprun --offline-mode=yes --launcher local true'
  $ cat /proc/$(cat bystander)/comm; kill $(cat bystander)
  sleep
