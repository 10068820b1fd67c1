The clock of a server: what is due in a pod happens though nobody asks.  Only
its log is read here and the files of its state are looked at, and whoever asked
is killed.

  $ start() { mkfifo "$1"; vipu-server --listen 127.0.0.1:0 2> "$1" & server=$!; exec 3< "$1"; told 'confined'; }
  $ told() { while read -r line <&3; do case $line in *"$1"*) return ;; esac; done; echo "not told: $1"; }
  $ ini() { echo "$IPUBOX_STATE_DIR/partitions/$1.ini"; }
  $ gone() { told "remove partition $1"; ! [ -e "$(ini "$1")" ] || echo "$1 is there"; }
  $ idle() { told "partition $1: ACTIVE, IDLE"; grep -E '^(state|operation) = ' "$(ini "$1")" | xargs; }
  $ asked() { told "$1 partition $2"; grep '^operation' "$(ini "$2")"; kill -9 "$client"; wait "$client" 2> out; }

The time of a partition is over, and whoever waits for its IPUs gets them:

  $ start log
  $ vipu create partition brief --size 64 --ttl 1s
  create partition (brief): success
  $ vipu create partition next --size 64 --wait > next 2>&1 & client=$!
  $ gone brief; wait $client; grep ^create next
  create partition (next): success
  $ vipu create partition brief --size 64 --ttl 1s > out 2>&1
  [1]
  $ vipu remove partition next; vipu create partition brief --size 64 --ttl 1s 2> out
  remove partition (next): success
  create partition (brief): success
  $ gone next; gone brief; echo "${line#*]: }"
  remove partition brief: its time to live has ended

A configuration ends when it is done, also where the server was killed
meanwhile; a reset is one as well, and a removal takes as long:

  $ vipu-admin inject ag01 slow 800
  inject agent (ag01): success.
  $ vipu create partition p --size 4 > out 2>&1 & client=$!
  $ asked create p; kill -9 "$server"; wait "$server" 2> out
  operation = creating
  [137]
  $ start log2; idle p
  state = active operation = idle
  $ vipu reset partition p > out 2>&1 & client=$!
  $ asked reset p; idle p
  operation = resetting
  state = active operation = idle
  $ vipu remove partition p > out 2>&1 & client=$!
  $ asked remove p; until ! [ -e "$(ini p)" ]; do :; done
  operation = removing

A machine comes back, and its partition is reset:

  $ vipu-admin inject ag01 up > out; vipu create partition p --size 4 > out 2>&1
  $ vipu-admin inject ag01 reboot --seconds 1
  inject agent (ag01): success.
  $ told 'inject fault reboot'; idle p; grep -c '^reset-ms' "$(ini p)"
  state = active operation = idle
  1

A configuration that failed is tried again:

  $ vipu remove partition p > out; vipu-admin inject ag01 slow 200 > out; vipu-admin inject ag01 fail-config 2 > out
  $ vipu create partition p --size 4 > out 2>&1 & client=$!
  $ told fail-config; asked create p; idle p; grep ^attempts "$(ini p)"
  operation = creating
  state = active operation = idle
  attempts = 2
  $ kill "$server"; wait "$server"
