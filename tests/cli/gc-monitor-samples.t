gc-monitor: published samples from a pod that is declared with their machines,
with the release that they are of; what they show of programs is tested beside
real ones (tests/unit/applets/gc-monitor/samples_test.c, gc_live_test.c).

  $ golden=$TESTDIR/golden/gc-monitor
  $ pod() { { printf "[pod]\nname = sample\n"; cat; } > pod.ini && vipu-admin init --force --pod pod.ini > said || cat said; }
  $ partition() { vipu create partition "$@" > said 2>&1 || cat said; export IPUOF_VIPU_API_PARTITION_ID=$1; }

The documents, with the GCD in the title:

  $ pod << end
  > [cluster cl0]
  > agents = ag1, ag2
  > [agent ag1]
  > address = 10.1.5.10
  > serial = 8203321
  > [agent ag2]
  > address = 10.1.5.11
  > lot = 13
  > serial = 8204921
  > end
  $ partition p1 --size 8 --reconfigurable
  $ gc-monitor | head -15 | cmp - "$golden/documents.txt"

The command line tools 1.0.55, of SDK 2.3:

  $ pod << end
  > [cluster cl0]
  > agents = ag1
  > address = 10.1.5.12
  > end
  $ partition pa12 --size 4 --reconfigurable
  $ IPUBOX_EMULATE_SDK=2.3.1 gc-monitor | head -11 | cmp - "$golden/tools-1.0.55.txt"

A framework's guide for SDK 2.5, whole:

  $ pod << end
  > [cluster cl0]
  > agents = ag1
  > address = 172.31.100.130
  > lot = 134
  > serial = 8210321
  > end
  $ partition ipuof --size 4 --reconfigurable
  $ IPUBOX_EMULATE_SDK=2.5.0 gc-monitor | cmp - "$golden/framework-guide.txt"

A tutorial for SDK 2.6; the same by the layout and the numbers alone:

  $ pod << end
  > [cluster cl0]
  > agents = ag1
  > address = 10.1.5.9
  > lot = 29
  > serial = 8211021
  > end
  $ partition pt-trainee01-4-ipus --size 4 --reconfigurable
  $ head -10 "$golden/tutorial-two-ipus.txt" > wanted
  $ IPUBOX_EMULATE_SDK=2.6.0 gc-monitor | head -10 | cmp - wanted
  $ printf '[emulate]\nmachine-software = none\n' > conf
  $ IPUBOX_CONFIG=conf gc-monitor --style latest | head -10 | cmp - wanted
  $ IPUBOX_CONFIG=conf IPUBOX_GC_MONITOR_STYLE=latest gc-monitor | head -10 | cmp - wanted

A Bow Pod16, whose machines do not count up:

  $ pod << end
  > [cluster cl0]
  > agents = ag[1-4]
  > model = BOW-2000
  > [agent ag1]
  > address = 10.44.44.162
  > serial = 8222721
  > lot = 11
  > [agent ag2]
  > address = 10.44.44.130
  > serial = 8222721
  > lot = 22
  > [agent ag3]
  > address = 10.44.44.226
  > serial = 8222721
  > lot = 29
  > [agent ag4]
  > address = 10.44.44.194
  > serial = 8222721
  > lot = 3
  > end
  $ partition p --size 16 --reconfigurable
  $ head -25 "$golden/bow-pod16.txt" > wanted
  $ IPUBOX_EMULATE_SDK=3.1.0 gc-monitor | head -25 | cmp - wanted
  $ gc-monitor -j | grep -c '"Model": "BOW-2000"'
  4

A GCD that the environment names stands in the title of every release:

  $ IPUBOX_EMULATE_SDK=3.1.0 IPUOF_VIPU_API_GCD_ID=0 gc-monitor | sed -n 2p
  |  gc-monitor   |            Partition: p (gcd:0) [active] has 16 reconfigurable IPUs             |
