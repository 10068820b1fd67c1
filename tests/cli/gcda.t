GCDA_OPTIONS and its variables, as the tools and programs take them.

What is malformed is said once, and does not stop who only reads.

  $ vipu create partition p --size 2 --reconfigurable
  create partition (p): success
  $ GCDA_MONITOR=on GCDA_OPTIONS=none gc-info --ipu-count
  gc-info: GCDA_OPTIONS must be a JSON object such as {"enableMonitoring":"true"}
  gc-info: GCDA_MONITOR 'on': must be 0 or 1
  2
  $ GCDA_OPTIONS='{"enableMonitoring":"true","forceHSPPosted":1}' gc-monitor -c -s --no-headers | cut -d, -f7,16-19
  gc-monitor: GCDA_OPTIONS: forceHSPPosted: must be true or false
  0,1330MHz,39.2 C,29.6 C,112.0 W
  1,1330MHz,39.2 C,29.6 C,112.0 W
  $ GCDA_CONFIG_FILE=none gc-monitor -c -s --no-headers | cut -d, -f7,16-19
  gc-monitor: GCDA_CONFIG_FILE: cannot open none: No such file or directory
  0,1330MHz,N/A,N/A,N/A
  1,1330MHz,N/A,N/A,N/A

The sensors can be turned on for good; the environment comes before the file.

  $ printf '[monitor]\nsensors = yes\n' > on.conf; export IPUBOX_CONFIG=$PWD/on.conf
  $ gc-info -d 0 -i | grep -E 'temp|power'
    average board temp: 29.6 C
    average die temp: 39.2 C
    ipu power: 41.0 W
    total board power: 112.0 W
  $ GCDA_MONITOR=0 gc-info -d 0 -i | grep -E 'temp|power'
    average board temp: N/A
    average die temp: N/A
    ipu power: N/A
    total board power: N/A
  $ printf '[monitor]\nsensors = cold\n' > on.conf
  $ gc-info -l
  gc-info: */on.conf:2: * (glob)
  [1]
  $ export IPUBOX_CONFIG=/dev/null

A program says what is passed over, and does not begin with the rest.

  $ GCDA_OPTIONS='{"simulateSOCError.triggerCount":"x"}' mnist-pipeline --dataset generated
  mnist-pipeline: GCDA_OPTIONS: simulateSOCError.triggerCount: must be a number from 0 to 4294967295
  [1]
  $ GCDA_OPTIONS='{"monitorUtilization":"false"}' mnist-pipeline --dataset generated --samples 4000 --strategy one-ipu --epochs 1 2>&1 | grep GCDA
  mnist-pipeline: warning: GCDA_OPTIONS: monitorUtilization: unknown (did you mean monitorUtilisation?)
