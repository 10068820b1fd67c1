While a server has a state directory nobody else changes it: commands ask the
server, and where it cannot be asked they are refused, in time.

  $ serve() { rm -f log; mkfifo log; vipu-server --listen 127.0.0.1:0 2> log & server=$!; exec 3< log; until read -r line <&3; case $line in *vipu.sock) ;; *) port=${line##*:}; false ;; esac; do :; done; }
  $ stop() { { kill -"$1" $server; wait $server; } 2> /dev/null; echo $?; }
  $ plain() { sed "s|$IPUBOX_STATE_DIR|STATE|g;s|$IPUBOX_REGISTRY|REGISTRY|g;s/pid [0-9]*/pid PID/;s/kill [0-9][0-9]*/kill PID/;s/kill -CONT [0-9]*/kill -CONT PID/;s/since [0-9TZ:-]*/since WHEN/"; }
  $ hide() { mv "$IPUBOX_STATE_DIR/vipu.sock" "$IPUBOX_STATE_DIR/hidden"; }
  $ show() { mv "$IPUBOX_STATE_DIR/hidden" "$IPUBOX_STATE_DIR/vipu.sock"; }
  $ vipu create partition p --size 4 --reconfigurable
  create partition (p): success
  $ serve

Each tool goes to the socket, whatever says that the pod of this host is meant:

  $ vipu --server-version | plain
  version: * (glob)
  host: STATE/vipu.sock
  $ vipu -H local create partition q --size 2 --relocatable; VIPU_CLI_API_HOST=local vipu remove partition q
  create partition (q): success
  remove partition (q): success
  $ vipu-admin inject ag02 down; vipu-admin inject ag02 up; vipu-admin create cluster c2 --agents ag16 2>&1 | sed 's/:.*//'
  inject agent (ag02): success.
  inject agent (ag02): success.
  create cluster (c2)
  $ IPUOF_VIPU_API_HOST=local poprun --vipu-partition job --update-partition=yes --num-instances 1 --num-replicas 1 true 2> /dev/null; vipu __complete get partition ''
  p
  [3]
  $ IPUOF_VIPU_API_HOST=local gc-reset -d 6; gc-info -d 0 --gsp-status | head -1
  Resetting device 6... done
  GSP Status:
  $ gc-reset -d 9 2>&1 | plain
  gc-reset: no device 9: partition p has devices 0-6
  (server: STATE/vipu.sock)
  $ IPUOF_VIPU_API_PARTITION_ID=none gc-reset 2>&1 | plain | tail -1
  (server: STATE/vipu.sock)
  $ printf 'attach 4 -1\n' | IPUOF_VIPU_API_PARTITION_ID=p ipubox __device | sed 1d
  ok 6 4 0
  $ said() { until read -r line <&3; case $line in *"$1"*) ;; *) false ;; esac; do :; done; echo "$line" | sed 's/.*]: //' | plain; }
  $ said 'reset device'
  reset device 6 of partition p: gc-reset of * on * by administrator, uid *, pid PID (glob)

A user who is named shows a key there as well:

  $ vipu list partitions -q --api-user-id ann --api-access-key wrong
  list partitions: failed: user ann is unknown, or * (glob)
  [1]

Where the socket is gone, none of them goes round it:

  $ hide
  $ for command in 'vipu create partition q --size 4' 'vipu list partitions' 'vipu reset partition p' 'vipu remove partition p' 'vipu-admin inject ag01 down' 'vipu-admin create user ann' 'vipu-admin init --force' 'gc-reset -d 6' 'gc-info -d 0 --gsp-status' 'vipu-server'; do $command 2>&1 | plain | sed 's/STATE.*/STATE/'; done
  create partition (q): failed: the state directory STATE
  list partitions: failed: the state directory STATE
  reset partition (p): failed: the state directory STATE
  remove partition (p): failed: the state directory STATE
  inject agent (ag01): failed: the state directory STATE
  create user (ann): failed: the state directory STATE
  vipu-admin: init pod (pod64): failed: the state directory STATE
  gc-reset: the state directory STATE
  gc-info: the state directory STATE
  vipu-server: another server owns the state directory STATE
  $ vipu create partition q --size 4 2>&1 | plain
  create partition (q): failed: the state directory STATE belongs to a server, vipu-server (pid PID, since WHEN), and only the server may change it; commands ask it by themselves while it answers; kill PID stops it.
  $ printf 'attach 4 -1\n' | IPUOF_VIPU_API_PARTITION_ID=p ipubox __device | sed -n '2s/belongs.*//p' | plain
  error busy Failed to acquire 4 IPU(s)\nthe state directory STATE  (glob)
  $ vipu doctor | grep FAIL | plain
  FAIL  lock: STATE belongs to a server, vipu-server (pid PID, since WHEN), which does not answer: no server runs on STATE; try again, or end it with kill PID: nothing is lost
  $ gc-info -l | wc -l; show
  15

A server that is stopped: the answer comes in time, and nobody waits for a lock.

  $ kill -STOP $server; until read -r _ _ state _ < "/proc/$server/stat" && [ "$state" = T ]; do :; done; vipu doctor | grep FAIL | plain
  FAIL  lock: STATE belongs to a server, vipu-server (pid PID, stopped, since WHEN), which does not answer: * (glob)
  $ vipu list partitions > listed 2>&1 & lister=$!; vipu -H 127.0.0.1 --api-port "$port" list partitions > far 2>&1 & far=$!; printf 'attach 4 -1\n' | ipubox __device | plain; wait $lister $far; plain < listed; plain < far | tail -1
  ipubox-device 1
  error failed Failed to acquire 4 IPU(s)\nunable to connect to VIRM/V-IPU Controller at STATE/vipu.sock: context deadline exceeded\n(it accepts connections, but does not answer)\n(the server is vipu-server (pid PID, stopped, since WHEN); kill -CONT PID lets it go on)
  unable to connect to VIRM/V-IPU Controller at STATE/vipu.sock: context deadline exceeded
  (it accepts connections, but does not answer)
  (the server is vipu-server (pid PID, stopped, since WHEN); kill -CONT PID lets it go on)
  (the server is vipu-server (pid PID, stopped, since WHEN); kill -CONT PID lets it go on)
  $ at() { IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=$port IPUOF_VIPU_API_PARTITION_ID=p IPUOF_VIPU_API_TIMEOUT=2 "$@"; }
  $ poprun --vipu-server-host 127.0.0.1 --vipu-server-port "$port" --vipu-server-timeout 2 --vipu-partition p --launcher local --num-instances 1 --num-replicas 1 true > run 2>&1 & runner=$!; at gc-info -l > info 2>&1 & printf 'attach 4 -1\n' | at ipubox __device > device; wait $runner $!; cat run info device | plain | grep -o '(the server is.*'
  (the server is vipu-server (pid PID, stopped, since WHEN); kill -CONT PID lets it go on)
  (the server is vipu-server (pid PID, stopped, since WHEN); kill -CONT PID lets it go on)
  (the server is vipu-server (pid PID, stopped, since WHEN); kill -CONT PID lets it go on)
  $ vipu __complete get partition ''
  [3]
  $ hide; vipu list partitions 2>&1 | plain; show
  list partitions: failed: the state directory STATE belongs to a server, vipu-server (pid PID, stopped, since WHEN), and only the server may change it; commands ask it by themselves while it answers; kill PID stops it.
  $ kill -CONT $server

A server that was killed leaves a socket, which does no harm, and the state.

  $ stop KILL; test -S "$IPUBOX_STATE_DIR/vipu.sock" && vipu create partition q --size 4 --relocatable
  137
  create partition (q): success
  $ serve; vipu list partitions -q
  p
  q

No second one on the same port, nor of a state that a later ipubox made:

  $ vipu-server --listen 127.0.0.1:0 2>&1 | plain
  vipu-server: another server owns the state directory STATE: vipu-server (pid PID, since WHEN); stop it with kill PID, or name another directory in IPUBOX_STATE_DIR
  $ stop TERM; test -e "$IPUBOX_STATE_DIR/vipu.sock"
  0
  [1]
  $ sed -i 's/^format = .*/format = 99/' "$IPUBOX_STATE_DIR/pod.ini"; vipu-server --listen 127.0.0.1:0 2>&1 | plain
  vipu-server: * (glob)
  $ grep format "$IPUBOX_STATE_DIR/pod.ini"
  format = 99
