IPUoF configurations: what the files hold and when they are there.

  $ vipu create partition a --size 2 --num-gcds 2 --routing dnc
  create partition (a): success
  $ stat -c '%a %n' ~/.ipuof.conf.d ~/.ipuof.conf.d/* | sed "s|$HOME|~|"
  700 ~/.ipuof.conf.d
  600 ~/.ipuof.conf.d/a_gcd0.conf
  600 ~/.ipuof.conf.d/a_gcd1.conf
  $ grep -v '"ipubox \|"V-IPU Server' ~/.ipuof.conf.d/a_gcd1.conf | sed 's/"false",$/"false"/'
  {
    "attributes": {
      "GCD Id": "1",
      "Num GCDs": "2",
      "IPUoF Partition Id": "a",
      "IPUoF Host": "local",
      "IPUoF Server Version": "1.9.0",
      "IPUoF Routing Type": "DNC",
      "GW Routing Type": "DEFAULT",
      "Partition Sync Type": "c2-compatible",
      "Number Of Replicas": "2",
      "Number Of ILDs": "1",
      "Reconfigurable Partition": "false"
    },
    "devices": [
      {
        "ip": "10.1.5.1",
        "server_port": 50054,
        "rdma_port": 4791,
        "device_id": 1,
        "ipulink_segment_id": 0,
        "routing_id": 1,
        "ipu_arch_id": 2,
        "ipu_id": 2,
        "chip_id": "0024.8203321.2",
        "gwsw_version": "2.4.2",
        "ipum_sw_version": "2.5.0"
      }
    ]
  }

The same through the command; without --gcd a line stands above, which the
users of the original cut off:

  $ vipu get partition a --ipuof-configs --gcd 1 | cmp - ~/.ipuof.conf.d/a_gcd1.conf
  $ vipu get partition a --ipuof-configs | head -2
  IPUoF configuration of partition a:
  [
  $ vipu get partition a --ipuof-configs | tail -n +2 | grep -c 'GCD Id'
  2
  $ vipu get partition a --ipuof-configs --gcd 2
  get partition (a): failed: gcd 2: the partition has 2 GCDs, counted from 0.
  [1]

A second partition's file makes programs ignore the folder; vipu says so:

  $ vipu create partition b --size 1 2>&1 | sed "s|$HOME|~|"
  create partition (b): success
  vipu: warning: ~/.ipuof.conf.d holds 2 other files; programs ignore a directory with several partitions (set IPUOF_VIPU_API_PARTITION_ID)
  $ vipu get partition b --ipuof-configs | tail -n +2 | cmp - ~/.ipuof.conf.d/b.conf

Programs read a file with that line too; in an error its bytes count:

  $ vipu get partition b --ipuof-configs > b.conf; IPUOF_CONFIG_PATH=b.conf gc-info -l
  -+- Id: [0], type:    [Fabric], PCI Domain: [1]
  $ sed -i 2s/{/[/ b.conf; IPUOF_CONFIG_PATH=b.conf gc-info -l
  gc-info: IPUOF_CONFIG_PATH: b.conf: is not valid JSON: * at byte 52 (glob)
  [1]

A folder that cannot be written: nothing is created.

  $ vipu create partition c --size 1 --ipuof-config-location /dev/null
  create partition (c): failed: cannot write /dev/null/c.conf: Not a directory.
  [1]
  $ vipu create partition c --size 1 --ipuof-config-location no/such/place 2>&1 | sed "s|$PWD|.|"
  create partition (c): failed: cannot make directory ./no/such/place: No such file or directory.
  $ env -u HOME vipu create partition c --size 1
  create partition (c): failed: HOME is not set; name the directory of the IPUoF configuration file with --ipuof-config-location.
  [1]
  $ HOME=here vipu create partition c --size 1
  create partition (c): failed: HOME is not an absolute path; name the directory of the IPUoF configuration file with --ipuof-config-location.
  [1]

Nothing else needs HOME where the state has a place:

  $ for c in 'vipu list partitions' 'vipu get partition a' 'vipu list ipu-attrs' 'vipu env a --gcd 0' 'vipu reset partition a' 'vipu create partition c --size 1 --relocatable' 'vipu remove partition c' 'vipu --version -v' 'vipu-admin list agents' 'gc-info --version' 'poprun --version'; do
  >   env -u HOME $c > out 2>&1 || { echo "$c"; cat out; }
  > done
  $ mkdir -p full/c.conf
  $ vipu create partition c --size 1 --ipuof-config-location full 2>&1 | sed "s|$PWD|.|"
  create partition (c): failed: cannot write ./full/c.conf: Is a directory.
  $ ls -A full; vipu list partitions | grep -c ACTIVE
  c.conf
  2

A file that somebody else removed is no hindrance; one that cannot be removed
is, unless forced:

  $ rm ~/.ipuof.conf.d/b.conf; vipu remove partition b
  remove partition (b): success
  $ rm ~/.ipuof.conf.d/a_gcd0.conf; mkdir ~/.ipuof.conf.d/a_gcd0.conf
  $ vipu remove partition a 2>&1 | sed "s|$HOME|~|"
  remove partition (a): failed: cannot remove ~/.ipuof.conf.d/a_gcd0.conf: Is a directory; --force removes the partition without its file.
  $ ls ~/.ipuof.conf.d
  a_gcd0.conf
  a_gcd1.conf
  $ vipu remove partition a --force 2>&1 | sed "s|$HOME|~|"
  vipu: warning: partition a was removed, its IPUoF file stays: cannot remove ~/.ipuof.conf.d/a_gcd0.conf: Is a directory
  remove partition (a): success
  $ ls ~/.ipuof.conf.d
  a_gcd0.conf
