gc-info prints what real ones printed, by the release of the SDK, character for
character: $TESTDIR/golden/gc-info.  Two numbers cannot be the same, an address
in the real driver and a count of errors of a real link.

  $ golden=$TESTDIR/golden/gc-info
  $ pod() { vipu-admin init --force --pod "$golden/$1.ini" > out; }
  $ part() { name=$1; shift; vipu create partition "$name" "$@" > out; export IPUOF_VIPU_API_PARTITION_ID=$name; }
  $ sdk() { IPUBOX_EMULATE_SDK=$1; export IPUBOX_EMULATE_SDK; }
  $ mask() { sed 's/^\(  config domain: \)[0-9]\{14\}$/\1N/; s/^\(  host link .*: \)[0-9]*$/\1N/' "$@"; }

SDK 2.4 and 2.5: the command line tools' guide, one partition and two.

  $ pod two; part p1 --size 4 --reconfigurable; part p2 --size 4 2> warning; IPUOF_VIPU_API_PARTITION_ID=p1
  $ sdk 2.5; gc-info -l | diff "$golden/list-2.5.txt" -
  $ gc-info --list-devices | diff "$golden/list-2.5.txt" -
  $ gc-info -l --all-partitions | diff "$golden/all-partitions-2.5.txt" -
  $ sdk 3.3; gc-info -l | diff "$golden/list-2.5.txt" -
  $ gc-info -d 0 --tile-overview | head -5 | diff "$golden/tile-overview.txt" -

Paddle's installation guide.

  $ vipu remove partition p1 > out; vipu remove partition p2 > out
  $ pod ipuof; part ipuof --size 4 --reconfigurable
  $ sdk 2.5; gc-info -l | diff "$golden/list-ipuof-2.5.txt" -
  $ vipu remove partition ipuof > out

SDK 2.1: two IPUs, two GCDs, in TensorFlow's tests.

  $ pod two; part part --size 2 --num-gcds 2
  $ sdk 2.1; gc-info --list-devices | diff "$golden/list-2.1.txt" -
  $ vipu remove partition part > out

The attributes, with driver 1.0.56.

  $ pod tutorial; part pt-jiwoongc-16-ipus --size 16 --reconfigurable
  $ printf '[emulate]\nsdk = 2.6\ndriver = 1.0.56\n' > settings.ini
  $ unset IPUBOX_EMULATE_SDK; export IPUBOX_CONFIG=$PWD/settings.ini
  $ mask "$golden/device-info-2.6.txt" > wanted
  $ gc-info --device-info -d 0 | mask | diff wanted -
  $ vipu remove partition pt-jiwoongc-16-ipus > out

A Pod64 of Bow machines: ids and hosts are right-aligned.

  $ unset IPUBOX_CONFIG; vipu-admin init --force --pod bow-pod64 > out; part p64 --size 64
  $ sdk 3.3; gc-info -l | sed -n '3p;66p;67,68p;131p'
  -+- Id:  [0], target: [Fabric], IPU-M host:  [10.1.5.1], IPU#: [3]
  -+- Id: [63], target: [Fabric], IPU-M host: [10.1.5.16], IPU#: [0]
  -+- Id: [64], target: [Multi IPU]
   |--- Id:  [0], DNC Id:  [0], IPU-M host:  [10.1.5.1], IPU#: [3]
   |--- Id: [63], DNC Id: [63], IPU-M host: [10.1.5.16], IPU#: [0]
  $ gc-info -i -d 0 | grep -E 'board|clock|speed|parity|icu|session'
    average board temp: N/A
    board ipu index: 3
    board serial number: 0024.0002.8203321
    board type: M2000
    board variant: B2000
    clock: 1850MHz
    icu bootloader version: 2.6.2
    ipu utilisation (session): 0.00%
    link correctable error count (session): 0
    link speed: 16.0 GT/s
    parity error count threshold: 4
    parity error threshold interval: 7776000 seconds
    parity initialised: 1
    total board power: N/A

The number of a domain is that of the partition, for each of its IPUs, and stays
the same.

  $ domain() { gc-info -i -d "$1" | sed -n 's/^  config domain: //p'; }
  $ test "$(domain 0)" = "$(domain 63)" && test "$(domain 0)" = "$(domain 64)"
  $ domain 0
  9[34][0-9]{12} (re)
