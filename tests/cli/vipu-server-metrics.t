vipu-server --metrics: the metrics of the controller and of the machines, by
HTTP.  `get` prints the status and the text of an answer.

  $ vipu-server --metrics localhost 2>&1 | head -1
  vipu-server: --metrics localhost: must be a numeric address such as 127.0.0.1:2112, 0.0.0.0 or [::]:2112
  $ printf '[server]\nmetrics = here\n' > conf; vipu-server -n --config conf
  vipu-server: conf:2: metrics here: must be a numeric address such as 127.0.0.1:2112, 0.0.0.0 or [::]:2112
  [1]
  $ cat > get <<'EOF'
  > import base64, http.client, sys
  > port, path, *more = sys.argv[1:]
  > headers = dict(line.split(': ') for line in more)
  > if 'User' in headers:
  >     pair = headers.pop('User').encode()
  >     headers['Authorization'] = 'Basic ' + base64.b64encode(pair).decode()
  > c = http.client.HTTPConnection('127.0.0.1', int(port), timeout=20)
  > c.request('GET', path, headers=headers)
  > r = c.getresponse()
  > print(r.status, r.reason, r.headers['Content-Type'])
  > print(r.read().decode(), end='')
  > EOF
  $ get() { python3 get "$port" "$@"; }
  $ lines() { grep -v '^#\|^200 '; }
  $ start() { mkfifo log; vipu-server --listen 127.0.0.1:0 --metrics 127.0.0.1:0 "$@" 2> log & server=$!; exec 3< log; while read -r line <&3; do case $line in *metrics\ on*) port=${line##*:}; echo "${line#*: }" | sed 's/:[0-9]*$//';; *confined*) break;; esac; done; }
  $ stop() { kill "$server"; cat <&3 > /dev/null; wait "$server"; exec 3<&-; rm log; }

A pod with one partition, whose IPUs nobody uses:

  $ vipu create partition p1 --size 2
  create partition (p1): success
  $ start
  metrics on 127.0.0.1
  $ get /metrics | grep -v '="ag[01][^1]"'
  200 OK text/plain; version=0.0.4; charset=utf-8
  # TYPE vipu_num_agents gauge
  # HELP vipu_num_agents Agents of the pod, one for each IPU-Machine.
  vipu_num_agents 16
  # TYPE vipu_num_clusters gauge
  # HELP vipu_num_clusters Clusters of the pod.
  vipu_num_clusters 1
  # TYPE vipu_num_partitions gauge
  # HELP vipu_num_partitions Partitions of the pod.
  vipu_num_partitions 1
  # TYPE vipu_num_ipus gauge
  # HELP vipu_num_ipus IPUs of the pod.
  vipu_num_ipus 64
  # TYPE vipu_num_ipus_free gauge
  # HELP vipu_num_ipus_free IPUs that no partition has.
  vipu_num_ipus_free 62
  # TYPE vipu_agent_up gauge
  # HELP vipu_agent_up 1 if the machine answers, else 0.
  vipu_agent_up{agent="ag01",cluster="cl0"} 1
  vipu_agent_up{agent="ag11",cluster="cl0"} 1
  # TYPE vipu_partition_ipus gauge
  # HELP vipu_partition_ipus IPUs of the partition.
  vipu_partition_ipus{partition="p1",cluster="cl0",allocation="default",user="",namespace="",job=""} 2
  # TYPE vipu_partition_ipus_attached gauge
  # HELP vipu_partition_ipus_attached IPUs of the partition that programs hold.
  vipu_partition_ipus_attached{partition="p1",cluster="cl0",allocation="default",user="",namespace="",job=""} 0
  # TYPE vipu_partition_active gauge
  # HELP vipu_partition_active 1 if the partition is ACTIVE, else 0.
  vipu_partition_active{partition="p1",cluster="cl0",allocation="default",user="",namespace="",job=""} 1
  $ get /agents/ag01/metrics | lines | grep -v ipu=.[123]
  exporter_ticks{agent="ag01",cluster="cl0",host="Graphcore IPU-M2000"} 2
  ipum_hardware_info{agent="ag01",cluster="cl0",host="Graphcore IPU-M2000",model="M2000",serial="0024.xxxx.8203321",ipuof_host="10.1.5.1"} 1
  chassis_power{agent="ag01",cluster="cl0",host="Graphcore IPU-M2000",psu_id=""} 224
  chassis_temperature{agent="ag01",cluster="cl0",host="Graphcore IPU-M2000"} 29.6
  chassis_fan{agent="ag01",cluster="cl0",host="Graphcore IPU-M2000"} 6400
  ipu_attached{agent="ag01",cluster="cl0",ipu="0",host="Graphcore IPU-M2000",partition="p1",user="",pid="",command="",namespace="",job="",pod=""} 0
  ipu_tile_clk_speed{*} 1330 (glob)
  gcipuinfo_clock_frequency{*} 1330 (glob)
  ipu_link_err_cnt{*} 0 (glob)
  ipu_soc_errors{*} 0 (glob)
  ipu_utilisation_ratio{*} 0 (glob)
  ipu_power_watts{*} 41 (glob)
  ipu_die_temperature_celsius{*} 39.2 (glob)
  ipu_busy_seconds_total{*} 0 (glob)
  ipu_exchange_bytes_total{*} 0 (glob)
  ipu_host_bytes_total{*} 0 (glob)

A reader that takes the listener for a machine names the machine's host;
OpenMetrics is given on request.

  $ get /metrics 'Host: 10.1.2.3:2112' | grep -o '^chassis_power.*ag..'
  chassis_power{agent="ag03
  $ get /agents/cl0:ag02/metrics 'Accept: application/openmetrics-text; version=1.0.0' | sed -n '1p;/busy/p;$p' | grep -v ipu=.[123]
  200 OK application/openmetrics-text; version=1.0.0; charset=utf-8
  # TYPE ipu_busy_seconds counter
  # HELP ipu_busy_seconds Time in which the IPU computed.
  ipu_busy_seconds_total{agent="ag02",*} 0 (glob)
  # EOF

The dashboard and the rules for alerts use these names:

  $ names() { grep -ohE '\b(vipu|ipum?|chassis|exporter|gcipuinfo)_[a-z_]+' "$@" | sort -u; }
  $ { get /metrics; get /agents/ag01/metrics; } | sed -n 's/^\([a-z_]*\)[{ ].*/\1/p' | sort -u > known
  $ for file in dashboard.json alerts.yml; do names "$TESTDIR/../config/metrics/$file" | comm -23 - known; done
  $ python3 -m json.tool "$TESTDIR/../config/metrics/dashboard.json" > /dev/null

Probes, and what is not served:

  $ get /health; get /ready
  200 OK text/plain; charset=utf-8
  healthy
  200 OK text/plain; charset=utf-8
  ready
  $ get /agents/ag99/metrics
  404 Not Found text/plain; charset=utf-8
  the agent does not exist; vipu-admin list agents shows the existing ones
  $ get /
  404 Not Found text/plain; charset=utf-8
  the paths are /metrics, /agents/ID/metrics, /health and /ready
  $ vipu-admin inject ag02 down
  inject agent (ag02): success.
  $ get /agents/ag02/metrics
  503 Service Unavailable text/plain; charset=utf-8
  the machine of agent ag02 does not answer
  $ get /metrics | grep 'up.*ag02'
  vipu_agent_up{agent="ag02",cluster="cl0"} 0
  $ stop

In a pod with users everybody sees which user has an IPU, and an administrator
with a key also sees the process.

  $ key() { sed -n "s/.*key is '\(.*\)'.*/\1/p;s/^Access Key is: //p"; }
  $ export IPUBOX_STATE_DIR=$PWD/secure IPUBOX_REGISTRY=$PWD/secure.registry
  $ ann=$(vipu-server --init --secure --default-user-id ann | key)
  $ bob=$(vipu-admin create user bob --allocations default | key)
  $ printf '[access]\nadministrators = ann\n' > conf
  $ start --config conf
  metrics on 127.0.0.1
  $ vipu create partition p2 --size 1
  create partition (p2): success
  $ mkfifo in out; ipubox __device < in > out & child=$!; exec 5> in 6< out
  $ echo attach 1 -1 >&5; for i in 1 2; do read -r line <&6; done; echo "$line"
  ok 0 1 0
  $ holder() { get /agents/ag01/metrics "$@" | sed -n '1s/ text.*//p;s/^ipu_attached.*partition="p2"/ipu_attached/p' | sed "s/pid=\"$$\"/pid=PID/;s/user=\"$(id -un)\"/user=\"USER\"/"; }
  $ holder
  200 OK
  ipu_attached,user="USER",pid="",command="",namespace="",job="",pod=""} 1
  $ holder "User: ann:$ann"
  200 OK
  ipu_attached,user="USER",pid=PID,command="sh *",namespace="",job="",pod=""} 1 (glob)
  $ holder "User: bob:$bob"
  200 OK
  ipu_attached,user="USER",pid="",command="",namespace="",job="",pod=""} 1
  $ holder "User: ann:$bob"
  401 Unauthorized
  $ get /metrics "User: ann"
  401 Unauthorized text/plain; charset=utf-8
  Authorization: must be Basic with a user and its access key
  $ exec 5>&- 6<&-; wait $child; stop

Strangers, and a writer at the same time; what is not so is printed.

  $ PYTHONDONTWRITEBYTECODE=1 python3 "$TESTDIR/cli/vipu-server-metrics.py"
