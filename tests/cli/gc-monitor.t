gc-monitor: the tables and the JSON of a pod that nobody uses.  What it shows
of programs is tested beside a real one (tests/unit/gc_live_test.c).

No partition: empty tables, and no failure.

  $ gc-monitor
  +---------------+--------------------------------------------------------------------------------+
  |  gc-monitor   |                              No active partition                               |
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  |    IPU-M    |       Serial       |IPU-M SW|Server version|  ICU FW  | Type | ID | IPU# |Routing|
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  +--------------------------------------------------------------------------------------------------+
  |                                      No attached processes                                       |
  +--------------------------------------------------------------------------------------------------+
  $ gc-monitor -j
  {
    "cards": []
  }
  $ gc-monitor -c
  partition,active,ipu-m,serial,ipu-m sw,type,id,ipu#,routing,gcd,server version,icu fw,pid,user,command
  $ gc-monitor -c --no-headers

  $ vipu create partition p1 --size 8 --reconfigurable
  create partition (p1): success
  $ gc-monitor | sed -E 's/[0-9]{4}(\.000.\.)[0-9]{7}/SSSS\1SSSSSSS/'
  +---------------+--------------------------------------------------------------------------------+
  |  gc-monitor   |            Partition: p1 (gcd:0) [active] has 8 reconfigurable IPUs            |
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  |    IPU-M    |       Serial       |IPU-M SW|Server version|  ICU FW  | Type | ID | IPU# |Routing|
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  |  10.1.5.1   | SSSS.0002.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 0  |  3   |  DNC  |
  |  10.1.5.1   | SSSS.0002.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 1  |  2   |  DNC  |
  |  10.1.5.1   | SSSS.0001.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 2  |  1   |  DNC  |
  |  10.1.5.1   | SSSS.0001.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 3  |  0   |  DNC  |
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  |  10.1.5.2   | SSSS.0002.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 4  |  3   |  DNC  |
  |  10.1.5.2   | SSSS.0002.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 5  |  2   |  DNC  |
  |  10.1.5.2   | SSSS.0001.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 6  |  1   |  DNC  |
  |  10.1.5.2   | SSSS.0001.SSSSSSS  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 7  |  0   |  DNC  |
  +-------------+--------------------+--------+--------------+----------+------+----+------+-------+
  +--------------------------------------------------------------------------------------------------+
  |                              No attached processes in partition p1                               |
  +--------------------------------------------------------------------------------------------------+
  $ gc-monitor --no-card-info
  +--------------------------------------------------------------------------------------------------+
  |                              No attached processes in partition p1                               |
  +--------------------------------------------------------------------------------------------------+

CSV: a line for each IPU, the sensors behind the rest.

  $ gc-monitor --csv-output | sed -n '1p;6,7p' | sed -E 's/[0-9]{7}/SSSSSSS/g'
  partition,active,ipu-m,serial,ipu-m sw,type,id,ipu#,routing,gcd,server version,icu fw,pid,user,command
  p1,true,10.1.5.2,0024.xxxx.SSSSSSS,2.5.0,M2000,4,3,DNC,0,1.9.0,2.4.4,,,
  p1,true,10.1.5.2,0024.xxxx.SSSSSSS,2.5.0,M2000,5,2,DNC,0,1.9.0,2.4.4,,,
  $ gc-monitor -c -s | cut -d, -f16- | sed -E 's/[0-9]{7}/SSSSSSS/g' | head -2
  clock,ipu temp,board temp,board power,host,time,board serial,error state,ipu utilisation,ipu utilisation session,ipu power,partition state,machine state,condition,attached from,command line,ipu utilisation minute,said by client
  1330MHz,N/A,N/A,N/A,,,0024.0002.SSSSSSS,no errors,0.00%,0.00%,N/A,ACTIVE,up,available,,,0.00%,
  $ gc-monitor -j -c 2>&1 | head -1
  gc-monitor: --json and --csv-output exclude each other
  $ gc-monitor --no-headers
  gc-monitor: --sensors and --no-headers need --csv-output
  usage: gc-monitor [option ...] (--help lists them)
  [2]

Two machines are two cards.

  $ gc-monitor --json | grep -c '"IPU-M"'
  2
  $ gc-monitor --json | sed -n '3,33p' | sed -E 's/[0-9]{4}(\.....\.)[0-9]{7}/SSSS\1SSSSSSS/'
      {
        "Partition": "p1",
        "Active": "true",
        "Partition state": "ACTIVE",
        "Machine state": "up",
        "IPU-M": "10.1.5.1",
        "Serial": "SSSS.xxxx.SSSSSSS",
        "Type": "M2000",
        "Model": "M2000",
        "IPU-M SW": "2.5.0",
        "Server version": "1.9.0",
        "ICU FW": "2.4.4",
        "Board temp": "N/A",
        "Board power": "N/A",
        "ipus": [
          {
            "ID": "0",
            "IPU#": "3",
            "Serial": "SSSS.0002.SSSSSSS",
            "Routing": "DNC",
            "GCD": "0",
            "Clock": "1330MHz",
            "IPU temp": "N/A",
            "IPU power": "N/A",
            "Board temp": "N/A",
            "Board power": "N/A",
            "IPU utilisation": "0.00%",
            "IPU utilisation session": "0.00%",
            "IPU utilisation minute": "0.00%",
            "Error state": "no errors",
            "Condition": "available"

Another partition: only the active one, unless all are asked for.

  $ vipu create partition p2 --size 4 --num-gcds 2 --ipuof-config-location elsewhere > out
  $ gc-monitor | grep 'Partition:'
  |  gc-monitor   |            Partition: p1 (gcd:0) [active] has 8 reconfigurable IPUs            |
  $ gc-monitor --all-partitions | grep -E 'artition|M2000 \| 8 '
  |  gc-monitor   |            Partition: p1 (gcd:0) [active] has 8 reconfigurable IPUs            |
  |  gc-monitor   |                            Partition: p2 has 4 IPUs                            |
  |  10.1.5.3   | ????.0002.*  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 8  |  3   |  DNC  | (glob)
  |                              No attached processes in partition p1                               |
  |                              No attached processes in partition p2                               |
  $ IPUOF_VIPU_API_PARTITION_ID=p2 IPUOF_VIPU_API_GCD_ID=1 gc-monitor | grep -E 'Partition|M2000'
  |  gc-monitor   |                   Partition: p2 (gcd:1) [active] has 2 IPUs                    |
  |  10.1.5.3   | ????.0001.*  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 0  |  1   |  DNC  | (glob)
  |  10.1.5.3   | ????.0001.*  | 2.5.0  |    1.9.0     |  2.4.4   |M2000 | 1  |  0   |  DNC  | (glob)
  $ IPUOF_VIPU_API_PARTITION_ID=p3 gc-monitor
  gc-monitor: partition p3 (from IPUOF_VIPU_API_PARTITION_ID) does not exist; `vipu list partitions` shows those that exist, `vipu create partition p3 --size N` creates it
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]

  $ gc-monitor --version
  Poplar version: 3.1.0
  $ gc-monitor version
  Poplar version: 3.1.0
  $ gc-monitor --help | head -7
  usage: gc-monitor [-j | -c [-s] [--no-headers] | --query FIELDS
                    [--format FORMAT] [-i IDS]] [-l [SECONDS] | --loop[=SECONDS]]
                    [--record FILE] [--replay FILE[@SECONDS]] [--all-partitions]
                    [--no-card-info] [-v] [--wide] [--style mid|new|latest]
                    [--color auto|always|never] | --list-fields | version
  
  show the processes attached to IPUs
  $ gc-monitor all 2>&1 | head -1
  gc-monitor: unexpected argument 'all'
  $ gc-monitor --all > out 2>&1; echo $?
  0
  $ gc-monitor --card > out 2>&1
  [2]
