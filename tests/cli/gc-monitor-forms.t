gc-monitor: how wide its tables are and which layout they have, and what it
says where something is wrong.

  $ vipu create partition p --size 8 2> /dev/null
  create partition (p): success
  $ vipu create partition q --size 4 --reconfigurable 2> /dev/null
  create partition (q): success
  $ export IPUOF_VIPU_API_PARTITION_ID=p
  $ widths() { awk '{ print length }' | sort -nu | tr '\n' ' '; echo; }

A pipe gets the whole widths, whatever COLUMNS says of the terminal; what shows
a pipe's output on a screen, as watch(1), says LINES as well:

  $ gc-monitor | widths
  98 100 
  $ COLUMNS=80 gc-monitor | widths
  98 100 
  $ COLUMNS=80 LINES=24 gc-monitor | tee narrow | widths
  80 
  $ sed -n '2,6p' narrow
  |  gc-monitor   |           Partition: p (gcd:0) [active] has 8 IPUs           |
  +-------------+-----------------+--------------+------+------+----+----+-------+
  |    IPU-M    |     Serial      |Server version|ICU FW| Type | ID |IPU#|Routing|
  +-------------+-----------------+--------------+------+------+----+----+-------+
  |  10.1.5.1   |0024.0002.8203321|    1.9.0     |2.4.4 |M2000 | 0  | 3  |  DNC  |
  $ COLUMNS=60 LINES=24 gc-monitor | widths
  60 
  $ COLUMNS=60 LINES=24 gc-monitor | sed -n 4p
  |    IPU-M    |     Serial      | Type | ID | IPU# |Routing|
  $ COLUMNS=80 LINES=24 gc-monitor --wide | widths
  98 100 
  $ for style in mid new latest; do
  >   gc-monitor --style $style | sed 3q | widths
  >   COLUMNS=80 LINES=24 gc-monitor --style $style --all-partitions | widths
  > done
  103 
  80 
  98 
  80 
  99 
  80 

Layouts: of the release, of the variable, of the option.

  $ IPUBOX_EMULATE_SDK=2.3 gc-monitor --all-partitions | grep Partition:
  |  gc-monitor   |                              Partition: 'p' has 8 IPUs                              |
  |  gc-monitor   |                      Partition: 'q' has 4 reconfigurable IPUs                       |
  $ IPUBOX_EMULATE_SDK=2.3 gc-monitor --style new | sed 3q | widths
  98 
  $ IPUBOX_GC_MONITOR_STYLE=mid gc-monitor | sed 3q | widths
  103 
  $ IPUBOX_GC_MONITOR_STYLE=mid gc-monitor --style latest | sed 3q | widths
  99 
  $ IPUBOX_GC_MONITOR_STYLE= gc-monitor | sed 3q | widths
  98 
  $ gc-monitor --style old
  gc-monitor: --style 'old': must be mid, new or latest
  usage: gc-monitor [option ...] (--help lists them)
  [2]
  $ IPUBOX_GC_MONITOR_STYLE=lates gc-monitor
  gc-monitor: IPUBOX_GC_MONITOR_STYLE 'lates': must be mid, new or latest (did you mean latest?)
  usage: gc-monitor [option ...] (--help lists them)
  [2]
  $ gc-monitor --color sometimes 2>&1 | head -1
  gc-monitor: --color 'sometimes': must be auto, always or never

Nothing is wrong: nothing is coloured.

  $ gc-monitor > plain; gc-monitor --color always | cmp - plain
  $ gc-monitor -v --color auto | cmp - plain

An IPU with an error, and a machine that is down:

  $ vipu-admin inject ag01:3 soc-error IPUSOFTERR
  inject IPU (ag01:3): success.
  $ gc-monitor | sed -n '2p;16,19p'
  |  gc-monitor   |                    Partition: p (gcd:0) [active] has 8 IPUs                    |
  ...
  +--------------------------------------------------------------------------------------------------+
  | IPU 3: SoC error IPUSOFTERR; * clears it * | (glob)
  +--------------------------------------------------------------------------------------------------+
  +--------------------------------------------------------------------------------------------------+
  $ vipu-admin inject ag02 down
  inject agent (ag02): success.
  $ gc-monitor > said; sed -n 2p said; sed -n '/^| [^ ]/p' said
  |  gc-monitor   |         Partition: p (gcd:0) [active, ERROR, machine down] has 8 IPUs          |
  | partition p is in state ERROR                                                                    |
  | IPU 3: SoC error IPUSOFTERR                                                                      |
  | IPUs 4 to 7: IPU-Machine ag02 (10.1.5.2) is down                                                 |
  $ IPUBOX_EMULATE_SDK=2.3 gc-monitor | sed -n 2p
  |  gc-monitor   |                   Partition: 'p' [ERROR, machine down] has 8 IPUs                   |
  $ COLUMNS=40 LINES=24 gc-monitor --no-card-info
  +--------------------------------------+
  | partition p is in state ERROR        |
  | IPU 3: SoC error IPUSOFTERR          |
  | IPUs 4 to 7: IPU-Machine ag02        |
  | (10.1.5.2) is down                   |
  +--------------------------------------+
  +--------------------------------------+
  | No attached processes in partition p |
  +--------------------------------------+
  $ esc=$(printf '\033'); gc-monitor --color always | sed "s/$esc/E/g" | grep -o 'E.*E.0m' | sed 's/^ *//'
  E[31mPartition: p (gcd:0) [active, ERROR, machine down] has 8 IPUsE[0m
  E[31mpartition p is in state ERRORE[0m
  E[31mIPU 3: SoC error IPUSOFTERRE[0m
  E[31mIPUs 4 to 7: IPU-Machine ag02 (10.1.5.2) is downE[0m
  $ gc-monitor --all-partitions | grep Partition:
  |  gc-monitor   |         Partition: p (gcd:0) [active, ERROR, machine down] has 8 IPUs          |
  |  gc-monitor   |                 Partition: q (gcd:0) has 4 reconfigurable IPUs                 |
  $ gc-monitor -j | grep -E '(Partition|Machine) state|Error state|Condition|Trouble' | sed -n '1,2p;9,11p;15,19p'
        "Partition state": "ERROR",
        "Machine state": "up",
            "Error state": "partition ERROR",
            "Condition": "ERROR",
            "Trouble": "partition p is in state ERROR: machine ag02 is down"
        "Partition state": "ERROR",
        "Machine state": "down",
            "Error state": "machine down",
            "Condition": "machine down",
            "Trouble": "IPU-Machine ag02 (10.1.5.2) is down"
  $ gc-monitor -c -s --no-headers | cut -d, -f7,23,27-29 | sed -n '1p;4,5p'
  0,partition ERROR,ERROR,up,ERROR
  3,IPUSOFTERR,ERROR,up,ERROR
  4,machine down,ERROR,down,machine down

A large pod: adjacent machines without a program and without a problem share a
line.

  $ export IPUBOX_STATE_DIR=$PWD/large IPUBOX_REGISTRY=$PWD/large.registry; vipu-admin init --pod pod512
  init pod (pod512): success.
  $ vipu create partition all --size 512 --num-gcds 8 --relocatable; export IPUOF_VIPU_API_PARTITION_ID=all
  create partition (all): success
  $ gc-monitor | sed -n '5,$p'
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  |                          IPUs 0 to 511: idle, 10.1.5.1 to 10.1.5.128                           |
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  +--------------------------------------------------------------------------------------------------+
  |                              No attached processes in partition all                              |
  +--------------------------------------------------------------------------------------------------+
  $ gc-monitor --wide | wc -l; gc-monitor -c | wc -l; IPUOF_VIPU_API_GCD_ID=7 gc-monitor | grep -c M2000
  648
  513
  64
  $ vipu-admin inject ag003:1 soc-error IPUSOFTERR && vipu-admin inject ag005 down
  inject IPU (ag003:1): success.
  inject agent (ag005): success.
  $ gc-monitor | sed -n '5,$p' | grep -v ^+ | sed 's/|  10.1.*M2000 |/machine, IPU/;s/  *|/ |/g'
  |                            IPUs 0 to 7: idle, 10.1.5.1 to 10.1.5.2 |
  machine, IPU 8 |  3 |...SWNC|
  machine, IPU 9 |  2 |...SWNC|
  machine, IPU 10 |  1 |...SWNC|
  machine, IPU 11 |  0 |...SWNC|
  machine, IPU 12 |  3 |...SWNC|
  machine, IPU 13 |  2 |...SWNC|
  machine, IPU 14 |  1 |...SWNC|
  machine, IPU 15 |  0 |...SWNC|
  machine, IPU 16 |  3 |...SWNC|
  machine, IPU 17 |  2 |...SWNC|
  machine, IPU 18 |  1 |...SWNC|
  machine, IPU 19 |  0 |...SWNC|
  |                          IPUs 20 to 511: idle, 10.1.5.6 to 10.1.5.128 |
  | partition all is in state ERROR |
  | IPU 9: SoC error IPUSOFTERR |
  | IPUs 16 to 19: IPU-Machine ag005 (10.1.5.5) is down |
  |                              No attached processes in partition all |
