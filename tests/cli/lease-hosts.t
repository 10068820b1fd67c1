#needs ip
#skip-unless test "$(id -u)" = 0
#skip-unless unshare -nu ip link add veth0 type veth peer name veth1
Programs on another host, which is a network namespace, hold devices of a
vipu-server; whatever ends them, the devices are free again.  Who is silent is
asked after three seconds; with FULL=1 after the sixty of every server.

  $ [ -n "$FULL" ] && keep= least=59900 most=82000 || keep='keep-alive = 3s' least=2900 most=5500
  $ conf=$PWD/conf; printf '[server]\n%s\n' "$keep" > "$conf"
  $ setpriv --pdeathsig KILL unshare -nu sleep 300 & near=$!
  $ setpriv --pdeathsig KILL unshare -nu sleep 300 & far=$!
  $ until [ "$(readlink /proc/$near/ns/net)" != "$(readlink /proc/$$/ns/net)" ] && [ "$(readlink /proc/$far/ns/net)" != "$(readlink /proc/$$/ns/net)" ] && [ "$(cat /proc/$near/comm /proc/$far/comm | tr '\n' ' ')" = 'sleep sleep ' ]; do :; done
  $ near() { nsenter -t $near -n -u "$@"; }
  $ elsewhere() { exec env HOME="$PWD/far" IPUBOX_STATE_DIR="$PWD/far/none" IPUBOX_REGISTRY="$PWD/far/none.registry" nsenter -t $far -n -u "$@"; }
  $ far() { (elsewhere "$@"); }
  $ near hostname near && far hostname far && near ip link set lo up && far ip link set lo up
  $ near ip link add veth0 type veth peer name veth1 && near ip link set veth1 netns $far
  $ near ip addr add 10.79.0.1/24 dev veth0 && far ip addr add 10.79.0.2/24 dev veth1
  $ near ip link set veth0 up && far ip link set veth1 up
  $ mkfifo log; (exec nsenter -t $near -n -u vipu-server --insecure --listen 10.79.0.1 --config "$conf") 2> log & server=$!; exec 3< log; read -r line <&3; echo "${line#*: }"
  listening on 10.79.0.1:8090
  $ read -r line <&3; cat <&3 > log2 &

The partition's file goes to a host that has nothing else.

  $ near vipu -H 10.79.0.1 create partition p --size 4 --reconfigurable
  create partition (p): success
  $ mkdir -p far/.ipuof.conf.d && cp "$HOME/.ipuof.conf.d/p.conf" far/.ipuof.conf.d/scp
  $ far gc-info -l | sed '1p;$!d'
  -+- Id: [0], type:    [Fabric], PCI Domain: [3]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  $ far mnist-pipeline --dataset generated --samples 2400 --epochs 1 --batch-size 4 --test-batch-size 4 2>&1 | tail -1
  Accuracy on test set: * (glob)
  $ [ ! -e far/none ] && [ ! -e far/none.registry ] && echo nothing of its own
  nothing of its own

Who holds it is shown with its own host.

  $ program() { mkfifo "in$1" "out$1"; (elsewhere ipubox __device) < "in$1" > "out$1" & }
  $ held() { near gc-monitor | grep -c " far "; }
  $ program 1; first=$!; exec 4> in1 5< out1; read -r line <&5; echo attach 1 -1 >&4; read -r line <&5; echo "$line"
  ok 0 1 0
  $ near gc-monitor | grep -o 'IPUs in p attached from other namespaces\|^| 0  |  *[a-z]* '
  IPUs in p attached from other namespaces
  | 0  |             far 
  $ far gc-monitor | grep -c ' far '
  1

Killed, the device is free at once.

  $ ms() { date +%s%3N; }
  $ took() { took=$(($(ms) - since)); [ $took -ge "$1" ] && [ $took -le "$2" ] || echo "after $took ms"; }
  $ free() { until [ $(($(ms) - since)) -gt $((most + 3000)) ] || ! held > out; do :; done; took "$@"; }
  $ gone() { until [ $(($(ms) - since)) -gt $((most + 3000)) ] || [ "$(near vipu list partitions -q)" = p ]; do :; done; took "$@"; }
  $ since=$(ms); kill -9 $first; free 0 1000; exec 4>&- 5<&-

A job of poprun there has a partition that goes with it; its record says who
has it.

  $ job() { mkfifo "job$1"; (elsewhere poprun --launcher local --vipu-server-host 10.79.0.1 --vipu-partition "$1" --update-partition=yes --num-replicas 2 --num-instances 2 sh -c "$2" > "job$1" 2>&1) & }
  $ up() { while read -r line; do case $line in *up) return ;; *) echo "$line" ;; esac; done; echo ended; }
  $ job j 'echo up; exec sleep 100'; poprun=$!; exec 6< jobj; up <&6
  $ near vipu get partition j --format json | grep -A1 owner_kind | sed "s/pid [0-9]* of [0-9]*/pid PID of NS/;s/:[0-9]*\"/:PORT\"/"
      "owner_kind": "lease",
      "owner_record": "poprun on far, user root, an unnamed user, 10.79.0.2:PORT"
  $ since=$(ms); kill -9 $poprun; gone 0 3000
  $ far poprun --launcher local --vipu-server-host 10.79.0.1 --vipu-partition k --update-partition=yes --num-replicas 2 --num-instances 2 sh -c 'echo attach 1 -1 | ipubox __device | tail -1 | cut -c1-2; exit 3' > out 2>&1
  [3]
  $ grep -q '>:ok' out && echo attached
  attached
  $ near vipu list partitions -q
  p

A host that goes without a word, and a program that is stopped: after the time
of keep-alive, and a third of it for the answer.

  $ program 2; second=$!; exec 4> in2 5< out2; read -r line <&5; echo attach 1 -1 >&4; read -r line <&5; echo "$line"
  ok 0 1 0
  $ program 3; third=$!; exec 7> in3 8< out3; read -r line <&8; echo attach 1 -1 >&7; read -r line <&8; echo "$line"
  ok 1 1 0
  $ job l 'echo up; exec sleep 250'; poprun=$!; exec 6< jobl; up <&6
  $ held
  2
  $ since=$(ms); kill -STOP $third; near ip link set veth0 down
  $ limit() { from=$(ms); env "$@" 2>&1 | head -2; [ $(($(ms) - from)) -lt 1900 ] || echo late; }
  $ (elsewhere env IPUOF_VIPU_API_TIMEOUT=1 gc-info -l) 2>&1 | head -1
  gc-info: unable to connect to VIRM/V-IPU Controller at 10.79.0.1:8090: context deadline exceeded
  $ took 900 2500
  $ free $least $most; gone $least $most
  $ near ip link set veth0 up; kill -CONT $third
  $ lost() { while echo check -1 >&"$1" && read -r line <&"$2" && [ "$line" = ok ]; do :; done; printf '%s\n' "$line" | sed 's/\\n.*//'; }
  $ lost 4 5; lost 7 8
  error unavailable the device was lost with the V-IPU server at 10.79.0.1:8090
  error unavailable the device was lost with the V-IPU server at 10.79.0.1:8090
  $ kill -9 $poprun; exec 4>&- 5<&- 7>&- 8<&-

The log has it.

  $ kill $server; wait $server; kill $near $far
  $ grep -o 'remove partition [jl]: poprun, pid\|[0-9.]*:[0-9]*: it does not answer' log2 | sed 's/.*:[0-9]*:/FAR:/' | sort | uniq -c
        3 FAR: it does not answer
        1 remove partition j: poprun, pid
        1 remove partition l: poprun, pid
