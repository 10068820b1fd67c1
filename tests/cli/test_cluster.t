vipu-admin test cluster: the wiring of the emulated machines.

  $ vipu-admin init --pod pod16
  init pod (pod16): success.
  $ vipu-admin test cluster cl0 | sed 's/| [0-9]*\.[0-9][0-9]s /| 0.00s /'
  Showing test results for cluster cl0
  Test Type     | Duration | Passed | Summary
  ---------------------------------------------------------------------------
  Version       | 0.00s    | 4/4    | All component versions are consistent
  Cabling       | 0.00s    | 12/12  | All cables connected as expected
  Sync-Link     | 0.00s    | 6/6    | Sync Link test passed
  Link-Training | 0.00s    | 38/38  | All Links Passed
  Traffic       | 0.00s    | 1/1    | Traffic test passed
  GW-Link       | 0.00s    | 0/0    | GW Link test skipped
  ---------------------------------------------------------------------------

Several racks have gateways:

  $ vipu-admin init --pod pod256 && vipu-admin test cluster cl0 | cut -d'|' -f1,3- | sed 's/ *|/ |/'
  init pod (pod256): success.
  Showing test results for cluster cl0
  Test Type | Passed  | Summary
  ----------------------------------------------------------------------------
  Version | 64/64   | All component versions are consistent
  Cabling | 256/256 | All cables connected as expected
  Sync-Link | 120/120 | Sync Link test passed
  Link-Training | 640/640 | All Links Passed
  Traffic | 5/5     | Traffic test passed
  GW-Link | 128/128 | GW Link test passed
  ----------------------------------------------------------------------------

A machine that does not answer fails what ends in it, and the command:

  $ vipu-admin init --pod pod16
  init pod (pod16): success.
  $ sed -i '$a state = down' "$IPUBOX_STATE_DIR/agents/cl0:ag02.ini" && rm "$IPUBOX_REGISTRY"
  $ vipu-admin test clusters cl0 > out; echo "status $?"; cut -d'|' -f1,3- out | sed 's/ *|/ |/'
  status 1
  Showing test results for cluster cl0
  Test Type | Passed | Summary
  -------------------------------------------------------------------------------
  Version | 3/4    | ag02 does not answer
  Cabling | 4/12   | ag01 - ag02: not connected, and 7 more
  Sync-Link | 2/6    | ag01 - ag02: no sync, and 3 more
  Link-Training | 26/38  | ag01:2 - ag02:0: not trained, and 11 more
  Traffic | 0/1    | ag01:0 -> ag02:0: no route, and 171 more
  GW-Link | 0/0    | GW Link test skipped
  -------------------------------------------------------------------------------

Work that runs is not disturbed, unless forced:

  $ vipu-admin init && vipu create partition busy --size 4
  init pod (pod64): success.
  create partition (busy): success
  $ vipu-admin test cluster cl0
  test cluster (cl0): failed: its tests would disturb partition busy; remove it first, or use --force.
  [1]
  $ vipu-admin test cluster cl0 --force | sed -n '8p' | cut -d'|' -f1,3-
  Traffic       | 1/1     | Traffic test passed

For machines:

  $ vipu-admin init --force && vipu-admin test cluster cl0 --format csv | cut -d, -f1,3-
  init pod (pod64): success.
  test_type,passed,total,summary
  Version,16,16,All component versions are consistent
  Cabling,64,64,All cables connected as expected
  Sync-Link,30,30,Sync Link test passed
  Link-Training,160,160,All Links Passed
  Traffic,1,1,Traffic test passed
  GW-Link,0,0,GW Link test skipped
  $ vipu-admin test cluster cl0 --showjson | sed -n '2,8p' | sed -E 's/[0-9]+(\.[0-9]+)?e-[0-9]+|[0-9]+\.[0-9]+/0.0/'
    {
      "test_type": "Version",
      "duration_s": 0.0,
      "passed": 16,
      "total": 16,
      "summary": "All component versions are consistent"
    },
  $ vipu-admin test cluster cl0 --format yaml 2>&1 | head -1
  vipu-admin: --format 'yaml': must be table, json or csv

Misuse, and what is not there:

  $ vipu-admin test cluster cl1
  test cluster (cl1): failed: there is no cluster of that name; vipu-admin list clusters shows those there are.
  [1]
  $ vipu-admin test cluster
  vipu-admin: test cluster: which one?
  usage: vipu-admin test cluster NAME [--force] [--format FORM]
  [2]
  $ vipu-admin test cluster cl0 --size 4 2>&1 | head -1
  vipu-admin: test cluster takes no --size
  $ vipu-admin test cluster --help | sed -n '1,3p;5,6p'
  usage: vipu-admin test cluster NAME [--force] [--format FORM]
  
  check a cluster's cables, links and traffic
        --force                   test it even if partitions are active in it or a
                                  program uses it
