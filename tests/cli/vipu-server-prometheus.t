#needs prometheus promtool
The metrics of vipu-server and a Prometheus as Debian has it: promtool accepts
the text and the rules, and Prometheus scrapes as vipu-server(8) shows it.

  $ vipu create partition p1 --size 4
  create partition (p1): success
  $ mkfifo log; vipu-server --listen 127.0.0.1:0 --metrics 127.0.0.1:0 2> log & server=$!
  $ exec 3< log; while read -r line <&3; do case $line in *metrics\ on*) port=${line##*:};; *confined*) break;; esac; done
  $ get() { python3 -c 'import sys, urllib.request as r; print(r.urlopen(r.Request(sys.argv[1]), timeout=20).read().decode(), end="")' "$1"; }
  $ for path in /metrics /agents/ag01/metrics; do get "http://127.0.0.1:$port$path" | promtool check metrics; done
  $ promtool check rules "$TESTDIR/../config/metrics/alerts.yml" | tail -2
    SUCCESS: 6 rules found
  

The configuration of the manual, for a Prometheus that scrapes at once:

  $ sed -n '/^scrape_configs:/,/^\.Ed/p' "$TESTDIR/../man/vipu-server.8" | sed "/^\.Ed/d;s/10.1.3.101:2112/127.0.0.1:$port/" > scrapes
  $ { printf 'global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\nrule_files: [%s]\n' "$TESTDIR/../config/metrics/alerts.yml"; cat scrapes; } > prometheus.yml
  $ promtool check config prometheus.yml > checked || cat checked
  $ own=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
  $ prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=127.0.0.1:$own 2> prometheus.log & prometheus=$!
  $ cat > query.py <<'X'
  > import json, sys, time, urllib.parse, urllib.request
  > port, query, wanted = sys.argv[1:]
  > url = f'http://127.0.0.1:{port}/api/v1/query?' + \
  >     urllib.parse.urlencode({'query': query})
  > until = time.monotonic() + 30
  > while True:
  >     try:
  >         with urllib.request.urlopen(url, timeout=5) as answer:
  >             rows = json.load(answer)['data']['result']
  >     except OSError:
  >         rows = []
  >     if len(rows) == int(wanted) or time.monotonic() > until:
  >         break
  > for row in rows:
  >     print(*(row['metric'].get(name, '-') for name in
  >             ('job', 'instance', 'agent', 'ipu', 'partition')),
  >           row['value'][1])
  > X
  $ query() { python3 query.py "$own" "$@" | sed "s/127.0.0.1:$port/SERVER/"; }
  $ query vipu_num_ipus 1
  vipu SERVER - - - 64
  $ query 'sort_desc(ipu_tile_clk_speed{instance="ag01:2112"})' 4 | sort
  node ag01:2112 ag01 0 p1 1330
  node ag01:2112 ag01 1 p1 1330
  node ag01:2112 ag01 2 p1 1330
  node ag01:2112 ag01 3 p1 1330
  $ query 'up == 1' 3 | sort
  node ag01:2112 - - - 1
  node ag02:2112 - - - 1
  vipu SERVER - - - 1
  $ query 'count(ipu_attached{host="Graphcore IPU-M2000"})' 1
  - - - - - 8

A machine that is down is down for Prometheus, and the alert waits its time:

  $ vipu-admin inject ag02 down
  inject agent (ag02): success.
  $ query 'up{instance="ag02:2112"} == 0' 1
  node ag02:2112 - - - 0
  $ query 'ALERTS{alertname="IpuMachineDown",alertstate="pending"}' 1
  vipu SERVER ag02 - - 1
  $ kill $prometheus $server; wait $prometheus; cat <&3 > /dev/null; wait $server
