gc-info looks into IPUs that no program uses: tiles, memory, and what is around
them.

  $ few='--dataset generated --samples 1200 --batch-size 10 --gradient-accumulation 7 --device-iterations 2 --test-batch-size 20 --test-device-iterations 5'
  $ vipu create partition pt --size 4 --reconfigurable > out

At rest.

  $ gc-info -d 0 --tile-overview > map; wc -l < map; sed -n '1,2p;$p' map
  24
        0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15
    0 xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx:: xx::
   22 :::: :::: :::: :::: :::: :::: :::: :::: :::: :::: :::: :::: :::: :::: :::: ::::
  $ gc-info --tile-overview | cmp - map
  $ gc-info -d 4 --tile-overview | sed '/^IPU/d; /^$/d' | head -24 | cmp - map
  $ gc-info -d 4 --tile-overview | grep -n -e IPU -e '^$'
  1:IPU 0:
  26:
  27:IPU 1:
  $ gc-info --device-id 0 --tile-status - -c SU -r PC > all; wc -l < all; sed -n '1p;$p' all
  1472
  tile 0 SU PC: 0x0004c000
  tile 1471 SU PC: 0x0004c000
  $ gc-info --tile-status 3 -c 2
  tile 3 W2 PC: 0x0004c000
  tile 3 W2 STATUS: 0x00000000
  tile 3 W2 ID: 0x00000002
  $ gc-info --dump-mem 1471 0x4c000 20
  0x0004c000: 00000000 00000000 00000000 00000000
  0x0004c010: 00000000
  $ gc-info -d 3 --xb-status
  XB Status:
    CIUERRVR: 0x00000000
    errors: none
    exchange bytes: 0
    IPU-Links to ag01:2: 2 up
    IPU-Links to ag01:1: 2 up
    IPU-Links to ag02:1: 1 up
  $ gc-info -d 3 --nlc-status
  NLC Status:
    CIUERRVR: 0x00000000
    errors: none
    IPU-Links to ag01:2: 2 up
    IPU-Links to ag01:1: 2 up
    IPU-Links to ag02:1: 1 up
  $ gc-info -d 3 --gsp-status
  GSP Status:
    CIUERRVR: 0x00000000
    errors: none
    tiles: at rest
    partition sync type: c2-compatible
    GS1 group: 0
    GS1 IPUs: 0-3
    GS2: UNDEFINED
    GCD: 0 of 1
  $ gc-info -d 3 --pci-status
  PCI Status:
    CIUERRVR: 0x00000000
    errors: none
    pci id: 0
    IPU-M host: 10.1.5.1
    link speed: 16 GT/s
    link width: 8
    correctable errors: 0
    host bytes: 0

A device in use is refused, and says who uses it; what may be asked at any time
is answered.

  $ mkfifo pipe
  $ ipubox train mlp $few --epochs 1000000 > pipe & job=$!
  $ exec 8< pipe
  $ until read -r line <&8; case $line in *Loss*) ;; *) false ;; esac; do :; done
  $ for action in --tile-overview '--tile-status 0' '--dump-mem 0 0x4c000 4' --xb-status --nlc-status --gsp-status --pci-status; do gc-info -d 4 $action; echo $?; done 2>&1 | sort | uniq -c | sed "s/^ *//; s/pid $job/PID/"
  7 1
  7 gc-info: device 4 is in use: IPU 0 of partition pt is held by *PID* (glob)
  $ for action in -i --chip-id --ipu-arch --tile-clock-speed --ipu-count; do gc-info -d 4 $action > out; echo $?; done
  0
  0
  0
  0
  0
  $ gc-info -d 4 -i | grep -c 'user process id: '
  1
  $ gc-info -l 2> err | sed 's/, type.*//'; sed "s/pid $job/PID/; s/user [^,]*,/USER,/; s/ on .*;/ on HOST);/" err
  -+- Id: [2]
  -+- Id: [3]
  -+- Id: [5]
   |--- PCIe Id: [2], DNC Id: [2], PCI Domain: [1]
   |--- PCIe Id: [3], DNC Id: [3], PCI Domain: [0]
  gc-info: 4 of 7 devices of partition pt are not available: IPU 0 is in use by USER, PID (ipubox-train on HOST); --all lists them too
  $ gc-info -l --all | grep -c 'in use'
  8

Killed, it leaves its tiles in a sync, as often as one looks, until the next
program resets them.

  $ { kill -9 $job; cat <&8 > rest; exec 8<&-; wait $job; } 2> /dev/null
  [137]
  $ gc-info -d 0 --tile-overview | sed -n 2p
    0 ssss ssss ssss ssss ssss ssss ssss ssss ssss ssss ssss ssss ssss ssss ssss ssss
  $ gc-info -d 0 --gsp-status | grep tiles
    tiles: waiting in a sync for a program that has ended
  $ gc-info --tile-status 0 -c SU > one; gc-info --tile-status 0 -c SU | cmp - one; sed -n 2p one
  tile 0 SU STATUS: 0x00000001
  $ gc-info -d 0 --dump-mem 7 0x4c000 4
  gc-info: the memory of tile 7 is lost because the last program did not end properly; the next program that attaches resets it
  [1]
  $ gc-info -d 0 --xb-status | sed -n 's/^  exchange bytes: [1-9][0-9]*$/some/p'
  some
  $ gc-info -l | wc -l
  15
  $ ipubox train mlp $few --epochs 1 > out
  $ gc-info -d 0 --tile-overview | cmp - map

An IPU with an error.

  $ vipu-admin inject ag01:0 soc-error SOC0PGMERR,IPUSOFTERR > out
  $ gc-info --tile-overview | sed -n 2p
    0 EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE EEEE
  $ gc-info --pci-status | sed -n 2,3p
    CIUERRVR: 0x00000202
    errors: SOC0PGMERR, IPUSOFTERR
  $ gc-info --dump-mem 0 0x4c000 4 2> err
  [1]

Misuse: one sentence that names the range, status 2.

  $ for words in '--tile-status 1472' '--tile-status x' '--tile-status 0 -c W6' '--tile-status 0 -r SP' '--tile-status 0 -c W0 -r COUNT_L' '--dump-mem 0 0 4' '--dump-mem 0 0x4c002 4' '--dump-mem 0 0x4c000 638980' '--dump-mem 0 0x4c000' '--dump-mem 0 0x4c000 4 4' '--tile-overview -c SU' '--xb-status -r PC' '--xb-status --pci-status'; do gc-info $words > out 2>&1; echo "$?"; sed -n 1p out; done
  2
  gc-info: --tile-status '1472': too large, must be 0 to 1471
  2
  gc-info: --tile-status 'x': not a whole number
  2
  gc-info: --context 'W6': must be SU, W0 to W5 or 0 to 5
  2
  gc-info: --register 'SP': must be PC, STATUS, ID, COUNT_L or COUNT_U
  2
  gc-info: --register 'COUNT_L': workers have only PC, STATUS and ID
  2
  gc-info: address '0': must be a multiple of 4 from 0x4c000 to 0xe7ffc
  2
  gc-info: address '0x4c002': must be a multiple of 4 from 0x4c000 to 0xe7ffc
  2
  gc-info: length '638980': must be a multiple of 4 from 0x4 to 0x9c000
  2
  gc-info: --dump-mem: ADDRESS and LENGTH are missing
  2
  gc-info: unexpected argument '4'
  2
  gc-info: --context needs --tile-status
  2
  gc-info: --register needs --tile-status
  2
  gc-info: only one action can be chosen at a time
  $ gc-info -d 99 --tile-overview
  gc-info: no device 99: partition pt has devices 0-6
  [1]
