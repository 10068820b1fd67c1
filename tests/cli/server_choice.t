Which server a command asks, by each way to say it: one on this host that has
another pod than the commands, whose partition is called far.

  $ far() { env IPUBOX_STATE_DIR="$TEST_SHM/far" IPUBOX_REGISTRY="$TEST_SHM/far.registry" HOME="$TMPDIR" "$@"; }
  $ far vipu create partition far --size 4 > out && vipu create partition near --size 8 > out
  $ mkfifo log; env IPUBOX_STATE_DIR="$TEST_SHM/far" IPUBOX_REGISTRY="$TEST_SHM/far.registry" vipu-server --listen 127.0.0.1:0 2> log & server=$!
  $ exec 7< log; read -r line <&7; port=${line##*:}
  $ rm ~/.ipuof.conf.d/near.conf

With an option, a variable, a file:

  $ printf 'api-host="127.0.0.1"\napi-port=%s\n' "$port" > vipu-cli.hcl
  $ here='IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT='$port cli='VIPU_CLI_API_HOST=127.0.0.1 VIPU_CLI_API_PORT='$port
  $ vipu -H 127.0.0.1 --api-port $port list partitions -q; vipu-admin -H 127.0.0.1 --api-port $port list partitions -q
  far
  far
  $ env $cli vipu list partitions -q; env $cli vipu-admin list partitions -q
  far
  far
  $ vipu --config vipu-cli.hcl list partitions -q; vipu-admin --config vipu-cli.hcl list partitions -q
  far
  far
  $ VIPU_CLI_CONFIG=vipu-cli.hcl vipu list partitions -q; VIPU_CLI_CONFIG=vipu-cli.hcl vipu-admin list partitions -q
  far
  far
  $ alias run='poprun --launcher local --num-instances 1 --num-replicas 4'
  $ show='echo $IPUOF_VIPU_API_HOST $IPUOF_VIPU_API_PARTITION_ID'
  $ run --vipu-server-host 127.0.0.1 --vipu-server-port $port sh -c "$show"; env $cli poprun --launcher local --num-instances 1 --num-replicas 4 sh -c "$show"; VIPU_CLI_CONFIG=vipu-cli.hcl run sh -c "$show"; env $here poprun --launcher local --num-instances 1 --num-replicas 4 sh -c "$show"
  [1,0]<stdout>:127.0.0.1 far
  [1,0]<stdout>:127.0.0.1 far
  [1,0]<stdout>:127.0.0.1 far
  [1,0]<stdout>:127.0.0.1 far
  $ for tool in 'gc-info --ipu-count' 'gc-inventory' 'gc-monitor -c -s --no-headers'; do for way in "$cli" "$here" VIPU_CLI_CONFIG=vipu-cli.hcl; do env IPUOF_VIPU_API_PARTITION_ID=far $way $tool | grep -c -e '^4$' -e 'partition id: far' -e '^far,'; done; done | paste -sd ' ' -
  1 1 1 5 5 5 4 4 4
  $ cp vipu-cli.hcl .vipu-cli.hcl; vipu list partitions -q; IPUOF_VIPU_API_PARTITION_ID=far gc-info --ipu-count; run sh -c "$show"; rm .vipu-cli.hcl
  far
  4
  [1,0]<stdout>:127.0.0.1 far

What is nearer counts more, and local is the pod of this host:

  $ env VIPU_CLI_API_HOST=127.0.0.1 VIPU_CLI_API_PORT=1 vipu -H 127.0.0.1 --api-port $port list partitions -q
  far
  $ env VIPU_CLI_CONFIG=vipu-cli.hcl VIPU_CLI_API_HOST=local vipu list partitions -q; vipu --config vipu-cli.hcl -H local list partitions -q
  near
  near
  $ env $cli IPUOF_VIPU_API_HOST=local IPUOF_VIPU_API_PARTITION_ID=near gc-info --ipu-count
  8

One that is stopped takes connections and does not answer; then it is dead.

  $ dead() {	# COMMAND ...
  >   from=$(date +%s) n=0 pids=
  >   for command; do
  >     n=$((n + 1))
  >     $command > "said.$n" 2>&1 & pids="$pids $!"
  >   done
  >   wait $pids
  >   while [ $n -gt 0 ]; do
  >     grep -h unable "said.$n" | sed "s/:$port/:PORT/"; n=$((n - 1))
  >   done
  >   [ $(($(date +%s) - from)) -le 5 ] || echo "it took too long"
  > }
  $ job="poprun --launcher local --vipu-server-timeout 1 --vipu-server-host 127.0.0.1 --vipu-server-port $port --num-instances 1 --num-replicas 1 true"
  $ asks="env $here IPUOF_VIPU_API_PARTITION_ID=far IPUOF_VIPU_API_TIMEOUT=1"
  $ kill -STOP $server; dead "$asks ipubox-train mlp --dataset generated" "$asks gc-reset" "$asks gc-inventory" "$asks gc-monitor" "$asks gc-info -l" "$job" 2> /dev/null
  POPRUN ERROR: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-info: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-monitor: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-inventory: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-reset: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  $ kill -KILL $server; { wait $server; } 2> /dev/null; dead "$asks ipubox-train mlp --dataset generated" "$asks gc-reset" "$asks gc-inventory" "$asks gc-monitor" "$asks gc-info -l" "$job" "env $cli vipu-admin list agents" "env $cli vipu list partitions"
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  POPRUN ERROR: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-info: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-monitor: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-inventory: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  gc-reset: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
