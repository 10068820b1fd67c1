vipu-server: its command line, its file, and how it begins and ends.  What it
serves is tried by clients: vipu-server-client.t and vipu-server-access.t.

  $ vipu-server --help | head -3
  usage: vipu-server [-dn] [--secure | --insecure] [--listen ADDR[:PORT]]
                     [--metrics ADDR[:PORT]] [--config FILE]
         vipu-server --init [--secure] [--default-user-id ID]
  $ vipu-server --version
  ipubox * (vipu-server) (glob)

Mistakes in the command line:

  $ vipu-server --listen localhost
  vipu-server: --listen localhost: must be a numeric address such as 127.0.0.1:8090, 0.0.0.0 or [::]:8090
  usage: vipu-server [option ...] (--help lists them)
  [2]
  $ vipu-server --listen 127.0.0.1:70000 2>&1 | head -1
  vipu-server: --listen '70000': too large, must be 0 to 65535
  $ vipu-server --default-user-id ann 2>&1 | head -1
  vipu-server: --default-user-id needs --init --secure
  $ vipu-server now 2>&1 | head -1
  vipu-server: unexpected argument 'now'
  $ vipu-server --secure --insecure
  vipu-server: secure and insecure exclude each other
  [1]

Its file is checked without a server, and without a pod:

  $ conf() { printf '%s\n' "$@" > conf; vipu-server -n --config conf; }
  $ conf '[server]' 'listen = 127.0.0.1:8090' 'listen = [::1]:8091' 'log = debug' '[access]' 'administrators = ann,bob'
  $ conf '[server]' 'listen = here'
  vipu-server: conf:2: listen here: must be a numeric address such as 127.0.0.1:8090, 0.0.0.0 or [::]:8090
  [1]
  $ conf '[server]' 'port = 1'
  vipu-server: conf:2: * (glob)
  [1]
  $ conf '[access]' 'administrators = ann, bob'
  vipu-server: administrators: user name ' bob': * (glob)
  [1]
  $ conf '[server]' 'keep-alive = 3s'
  $ conf '[server]' 'keep-alive = 2'
  vipu-server: conf:2: keep-alive 2: must be at least 3 s; a third of it is the time for the answer
  [1]
  $ conf '[server]'; chmod g+w conf; vipu-server -n --config conf
  vipu-server: conf: only its owner may have write access; run chmod go-w conf
  [1]
  $ vipu-server -n --config none
  vipu-server: cannot read none: No such file or directory
  [1]
  $ [ -e "$IPUBOX_STATE_DIR" ]
  [1]

The first pod:

  $ vipu-server --init
  Initialised storage: * (glob)
  $ vipu-server --init
  vipu-server: a pod already exists in *; leave out --init, or replace the pod with vipu-admin init (glob)
  [1]
  $ vipu-server --secure
  vipu-server: the pod is not in secure mode; make a secure pod with vipu-server --init --secure, or replace this one with vipu-admin init --secure
  [1]
  $ vipu-server --listen 0.0.0.0
  vipu-server: listen 0.0.0.0: other hosts can reach this address, but the pod is not in secure mode; make a secure pod with vipu-admin init --secure, or let everybody in with --insecure
  [1]

A server says when it is ready, and to a service manager as well; a second one
on the same state is refused, and one on the same port; it ends well.

  $ start() { mkfifo "$1"; vipu-server --listen "$2" 2> "$1" & server=$!; exec 3< "$1"; read -r line <&3; port=${line##*:}; echo "${line%:*}"; }
  $ start log 127.0.0.1:0
  20??-??-??T??:??:??Z vipu-server[*]: listening on 127.0.0.1 (glob)
  $ vipu-server --listen 127.0.0.1:0
  vipu-server: another server owns the state directory *: vipu-server (pid *, since *); stop it with kill *, or name another directory in IPUBOX_STATE_DIR (glob)
  [1]
  $ (export IPUBOX_STATE_DIR="$PWD/other" IPUBOX_REGISTRY="$PWD/other.registry"; vipu-server --listen "127.0.0.1:$port" 2>&1) | sed "s/$port/PORT/g"
  vipu-server: cannot listen on 127.0.0.1 port PORT: another program uses the port
  $ kill "$server"; wait "$server"
  $ cat <&3
  *Z vipu-server[*]: listening on */vipu.sock (glob)
  *Z vipu-server[*]: confined: no new privileges* (glob)
  *Z vipu-server[*]: stopping: signal 15 (glob)
  *Z vipu-server[*]: stopped (glob)

What it says to be confined by is what the kernel says.

  $ start log1 127.0.0.1:0
  *Z vipu-server[*]: listening on 127.0.0.1 (glob)
  $ read -r line <&3; read -r line <&3; echo "$line"
  *Z vipu-server[*]: confined: no new privileges* (glob)
  $ sed -n 's/^NoNewPrivs:\t//p' "/proc/$server/status"
  1
  $ case $line in *seccomp) echo 2 ;; *) echo 0 ;; esac > said
  $ sed -n 's/^Seccomp:\t//p' "/proc/$server/status" | diff said -
  $ kill "$server"; wait "$server"

Killed, it leaves nothing in the way of the next one:

  $ start log2 127.0.0.1:0
  *Z vipu-server[*]: listening on 127.0.0.1 (glob)
  $ kill -9 "$server"; wait "$server" 2> out
  [137]

Who may wait waits for one that does not answer yet, and not longer:

  $ away() { vipu -H 127.0.0.1 --api-port "$port" create partition far --size 2 --relocatable "$@" 2>&1; }
  $ away --wait=0 | head -1 | sed "s/$port/PORT/"
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  $ mkfifo told; away --wait=60 > told & exec 4< told; read -r line <&4; echo "$line"
  vipu: waiting for a V-IPU server at 127.0.0.1
  $ start log5 "127.0.0.1:$port"
  *Z vipu-server[*]: listening on 127.0.0.1 (glob)
  $ cat <&4; wait %1
  create partition (far): success
  $ away --wait --if-missing
  create partition (far): success
  $ kill -9 "$server"; wait "$server" 2> out
  [137]
  $ start log3 '[::1]:0'
  *Z vipu-server[*]: listening on [::1] (glob)
  $ kill -INT "$server"; wait "$server"
  $ cat <&3
  *Z vipu-server[*]: listening on */vipu.sock (glob)
  *Z vipu-server[*]: confined: no new privileges* (glob)
  *Z vipu-server[*]: stopping: signal 2 (glob)
  *Z vipu-server[*]: stopped (glob)

A pod that a newer release has made is not touched:

  $ sed 's/^format = .*/format = 99/' "$IPUBOX_STATE_DIR/pod.ini" > newer; cp "$IPUBOX_STATE_DIR/pod.ini" older; cp newer "$IPUBOX_STATE_DIR/pod.ini"
  $ vipu-server --listen 127.0.0.1:0
  vipu-server: */pod.ini: the state directory has format 99, but this ipubox knows only *; use the ipubox that made it (glob)
  [1]
  $ cmp newer "$IPUBOX_STATE_DIR/pod.ini" && cp older "$IPUBOX_STATE_DIR/pod.ini"

If the log goes to journald, which adds times itself, a line begins with its
level:

  $ mkfifo log4; JOURNAL_STREAM=$(stat -c %d:%i log4) vipu-server --listen 127.0.0.1:0 2> log4 & server=$!; exec 3< log4; read -r line <&3; echo "$line"
  <6>listening on 127.0.0.1:* (glob)
  $ kill "$server"; wait "$server"; cat <&3
  <6>listening on */vipu.sock (glob)
  <6>confined: no new privileges* (glob)
  <6>stopping: signal 15
  <6>stopped
