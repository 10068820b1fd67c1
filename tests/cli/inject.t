vipu-admin inject: faults of machines and of IPUs, what follows for
partitions, the list, and what is refused.

  $ state() { vipu list partitions --format csv | sed 's/,.*,/ /'; }
  $ vipu create partition p --size 8
  create partition (p): success
  $ vipu create partition q --size 4 --reconfigurable 2>/dev/null
  create partition (q): success
  $ vipu-admin inject
   Agent       | Cluster | Fault | Value | Since | Until
  -------------------------------------------------------
  -------------------------------------------------------
  $ vipu-admin inject -q

A machine goes down: its partitions are in error until it is up again.

  $ vipu-admin inject ag02 down
  inject agent (ag02): success.
  $ vipu get partition p | grep -e State -e Error
  State                | ERROR
  Provisioning State   | IDLE
  Last Error           | machine ag02 is down
  $ vipu get partition q | grep -e ^State
  State                | ACTIVE
  $ vipu-admin inject ag02 up
  inject agent (ag02): success.
  $ vipu get partition p | grep -e State -e Error
  State                | ACTIVE
  Provisioning State   | IDLE
  Last Error           | machine ag02 is down

A relocatable one moves:

  $ vipu create partition r --size 4 --relocatable
  create partition (r): success
  $ vipu get partition r | grep IPUs.*=
  IPUs                 | 0=ag04:0 1=ag04:1 2=ag04:2 3=ag04:3
  $ vipu-admin inject ag04 down
  inject agent (ag04): success.
  $ vipu get partition r | grep -e IPUs.*= -e ^State
  State                | ACTIVE
  IPUs                 | 0=ag05:0 1=ag05:1 2=ag05:2 3=ag05:3
  $ vipu remove partition r
  remove partition (r): success

A reboot of no time; then of some, which is seen in the list:

  $ vipu-admin inject ag01 reboot --seconds 0
  inject agent (ag01): success.
  $ vipu get partition p | grep -e ^State -e Error
  State                | ACTIVE
  Last Error           | machine ag01 rebooted
  $ vipu-admin inject ag01 reboot
  inject agent (ag01): success.
  $ vipu-admin inject 'cl0:ag[02-03],ag16' fail-config 3
  inject agent (cl0:ag[02-03],ag16): success.
  $ vipu-admin inject ag16 slow 1500
  inject agent (ag16): success.
  $ vipu-admin inject ag16:3 soc-error IPUSOFTERR,NMLINKDN0
  inject IPU (ag16:3): success.
  $ vipu-admin inject list
   Agent       | Cluster | Fault       | Value                 | Since                | Until
  -----------------------------------------------------------------------------------------------------------
   ag01        \| cl0     \| reboot      \|                       \| 20[-0-9]*T[:0-9]*Z \| 20[-0-9]*T[:0-9]*Z (re)
   ag02        | cl0     | fail-config | 3                     |                      |
   ag03        | cl0     | fail-config | 3                     |                      |
   ag04        \| cl0     \| down        \|                       \| 20[-0-9]*T[:0-9]*Z \| (re)
   ag16        | cl0     | fail-config | 3                     |                      |
   ag16        | cl0     | slow        | 1500                  |                      |
   ag16:3      | cl0     | soc-error   | IPUSOFTERR, NMLINKDN0 |                      |
  -----------------------------------------------------------------------------------------------------------
  $ vipu-admin inject -q
  ag01
  ag02
  ag03
  ag04
  ag16
  ag16:3
  $ vipu-admin inject list --format csv | sed 's/20[-0-9]*T[:0-9]*Z/TIME/g'
  agent_id,cluster_id,fault,value,since,until
  ag01,cl0,reboot,,TIME,TIME
  ag02,cl0,fail-config,3,,
  ag03,cl0,fail-config,3,,
  ag04,cl0,down,,TIME,
  ag16,cl0,fail-config,3,,
  ag16,cl0,slow,1500,,
  ag16:3,cl0,soc-error,"IPUSOFTERR, NMLINKDN0",,
  $ vipu-admin inject ag01 up; vipu-admin inject 'ag[02-15]' up
  inject agent (ag01): success.
  inject agent (ag[02-15]): success.
  $ vipu-admin inject --showjson
  [
    {
      "agent_id": "ag16",
      "cluster_id": "cl0",
      "fault": "fail-config",
      "value": 3
    },
    {
      "agent_id": "ag16",
      "cluster_id": "cl0",
      "fault": "slow",
      "value": 1500
    },
    {
      "agent_id": "ag16",
      "cluster_id": "cl0",
      "ipu": 3,
      "fault": "soc-error",
      "value": "IPUSOFTERR, NMLINKDN0"
    }
  ]
  $ vipu-admin inject ag16:3 soc-error clear
  inject IPU (ag16:3): success.
  $ vipu-admin inject -q
  ag16
  $ vipu-admin inject all up
  inject agent (all): success.
  $ vipu-admin inject -q

Configurations that fail: ten retries are made by themselves.

  $ vipu-admin inject all fail-config 10
  inject agent (all): success.
  $ vipu create partition f --size 4 2>/dev/null
  create partition (f): success
  $ vipu get partition f | grep -e ^State
  State                | ACTIVE
  $ vipu-admin inject ag04 fail-config 1000
  inject agent (ag04): success.
  $ vipu reset partition f
  reset partition (f): failed: configuration failed on machine ag04; the partition is in state ERROR: vipu reset partition f tries again, vipu remove partition f gives its IPUs back.
  [1]
  $ vipu get partition f | grep -e ^State -e Prov -e Error
  State                | ERROR
  Provisioning State   | FAILED
  Last Error           | configuration failed on machine ag04
  $ vipu-admin inject ag04 up
  inject agent (ag04): success.
  $ vipu reset partition f
  reset partition (f): success
  $ vipu get partition f | grep -e ^State
  State                | ACTIVE
  $ vipu-admin inject all up > /dev/null

What an IPU's error does to one who would attach, and what takes it away:

  $ export IPUOF_VIPU_API_PARTITION_ID=q
  $ vipu get partition q | grep IPUs.*=
  IPUs                 | 0=ag03:0 1=ag03:1 2=ag03:2 3=ag03:3
  $ vipu-admin inject ag03:1 soc-error NMLINKDN0,IPUSOFTERR
  inject IPU (ag03:1): success.
  $ gc-info -i -d 1 | grep 'error state'
    ipu error state: IPUSOFTERR, NMLINKDN0
  $ gc-info -i -d 6 | grep 'error state'
    ipu error state: IPUSOFTERR, NMLINKDN0
  $ gc-info -i -d 0 | grep 'error state'
    ipu error state: no errors
  $ mnist-pipeline --dataset generated
  mnist-pipeline: Failed to acquire 4 IPU(s)
  IPU 1 of partition q (ag03:1) has the error NMLINKDN0. The partition must be reset: vipu reset partition q
  [1]
  $ vipu reset partition q
  reset partition (q): success
  $ gc-info -i -d 1 | grep 'error state'
    ipu error state: no errors
  $ vipu-admin inject ag03:1 soc-error MCUSOFTERR > /dev/null; vipu reset partition q > /dev/null
  $ mnist-pipeline --dataset generated
  mnist-pipeline: Failed to acquire 4 IPU(s)
  IPU 1 of partition q (ag03:1) has the error MCUSOFTERR. The machine must be power cycled: vipu-admin inject ag03 reboot
  [1]
  $ vipu-admin inject ag03 reboot --seconds 0
  inject agent (ag03): success.
  $ gc-info -i -d 1 | grep 'error state'
    ipu error state: no errors

And a lost machine:

  $ vipu-admin inject ag03 down > /dev/null
  $ mnist-pipeline --dataset generated
  mnist-pipeline: Failed to acquire 4 IPU(s)
  partition q is in state ERROR: machine ag03 is down
  [1]
  $ vipu-admin inject ag03 up > /dev/null

Refused, and nothing is changed:

  $ vipu-admin inject ag01,ag99 down
  inject agent (ag01,ag99): failed: ag99: the agent does not exist; vipu-admin list agents shows the existing ones.
  [1]
  $ vipu-admin inject cl9:ag01 down
  inject agent (cl9:ag01): failed: cl9:ag01: the agent does not exist; vipu-admin list agents shows the existing ones.
  [1]
  $ vipu-admin inject 'ag[1' down
  inject agent (ag[1): failed: agents: 'ag[1': '[' and ']' do not match.
  [1]
  $ vipu-admin inject ag01 soc-error IPUSOFTERR
  inject IPU (ag01): failed: an IPU is named by its machine and a number from 0 to 3, such as ag01:3.
  [1]
  $ vipu-admin inject ag01:4 soc-error IPUSOFTERR
  inject IPU (ag01:4): failed: an IPU is named by its machine and a number from 0 to 3, such as ag01:3.
  [1]
  $ vipu-admin inject -q

Misuse:

  $ inject() { vipu-admin inject "$@" 2>&1 | head -1; }
  $ vipu-admin inject ag01
  vipu-admin: ag01: the fault is missing: down, up, reboot, fail-config N, slow MS or soc-error NAME
  usage: vipu-admin inject [AGENT FAULT [N] | IPU soc-error NAME|clear]
  [2]
  $ inject ag01 explode
  vipu-admin: unknown fault 'explode': must be down, up, reboot, fail-config N, slow MS or soc-error NAME
  $ inject ag01 fail-config
  vipu-admin: fail-config: N is missing
  $ inject ag01 fail-config 0
  vipu-admin: fail-config '0': too small, must be 1 to 1000000
  $ inject ag01 fail-config -- -1
  vipu-admin: fail-config '-1': too small, must be 1 to 1000000
  $ inject ag01 fail-config -1
  vipu-admin: unrecognised option '-1'
  $ inject ag01 fail-config 9999999999999999999
  vipu-admin: fail-config '9999999999999999999': too large, must be 1 to 1000000
  $ inject ag01 fail-config three
  vipu-admin: fail-config 'three': not a whole number
  $ inject ag01 slow
  vipu-admin: slow: MS is missing
  $ inject ag01 slow 3600001
  vipu-admin: slow '3600001': too large, must be 1 to 3600000
  $ inject ag01 reboot --seconds 86401
  vipu-admin: --seconds '86401': too large, must be 0 to 86400
  $ inject ag01 reboot --seconds -1
  vipu-admin: --seconds '-1': too small, must be 0 to 86400
  $ inject ag01 down --seconds 3
  vipu-admin: down takes no --seconds
  $ inject ag01 down 3
  vipu-admin: down: unexpected argument '3'
  $ inject ag01 down -q
  vipu-admin: --format, --showjson and --quiet are for the list only
  $ inject ag01:0 soc-error
  vipu-admin: soc-error: NAME is missing
  $ inject ag01:0 soc-error IPUHARDERR
  vipu-admin: soc-error: 'IPUHARDERR' is not a SoC error; use SOC0PGMERR, SOC1PGMERR, ELINKPGMERR, HEXOVERFLOWERR, MCUPGMERR, SOC0SOFTERR, SOC1SOFTERR, ELINKSOFTERR, IPUSOFTERR, NMLINKDN0, NMLINKDN1, MCUSOFTERR, or clear
  $ inject list --seconds 3
  vipu-admin: the list takes no --seconds
  $ inject ag01 slow 5 6
  vipu-admin: inject: unexpected argument '6'
  $ inject --format yaml
  vipu-admin: --format 'yaml': must be table, json or csv
  $ vipu-admin inject -q
