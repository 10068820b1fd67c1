A controller on a server: what is said of the server, and what stands on the
caller's host.

  $ . "$TESTDIR/serve.sh"
  $ vipu --server-version | sed "s/$VIPU_CLI_API_PORT/PORT/"
  version: 0.1.0
  host: 127.0.0.1:PORT
  $ vipu get partition none 2>&1 | sed "s/$VIPU_CLI_API_PORT/PORT/"
  get partition (none): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (server: 127.0.0.1:PORT)
  $ for what in get reset remove; do vipu $what partition default 2>&1 | grep -c 'default is an allocation: '; done
  1
  1
  1

The IPUoF files are the caller's.

  $ vipu create partition p --size 4 --gcds 2
  create partition (p): success
  $ ls ~/.ipuof.conf.d
  p_gcd0.conf
  p_gcd1.conf
  $ vipu env p | sed "s/$VIPU_CLI_API_PORT/PORT/" | head -2
  env (p): failed: the partition has 2 GCDs, and a program uses one: choose it with --gcd, 0 to 1.
  $ vipu env p --gcd 1 | sed "s/$VIPU_CLI_API_PORT/PORT/" | head -2
  export IPUOF_VIPU_API_HOST='127.0.0.1';
  export IPUOF_VIPU_API_PORT='PORT';
  $ IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PORT=$VIPU_CLI_API_PORT IPUOF_VIPU_API_PARTITION_ID=p gc-info --ipu-count
  4
  $ vipu remove partition p && ls ~/.ipuof.conf.d
  remove partition (p): success

Also those that the caller had put elsewhere, and those of a partition whose
time has ended; files of others stay.

  $ vipu create partition p --size 4 --ipuof-config-location there && ls there && vipu remove partition p && ls there
  create partition (p): success
  p.conf
  remove partition (p): success
  $ vipu create partition brief --size 4 --ttl 1 && cp ~/.ipuof.conf.d/brief.conf ~/.ipuof.conf.d/copy.conf
  create partition (brief): success
  $ vipu get partition brief --format json | grep -c '"ipuof_config_location": "/.*/.ipuof.conf.d"'
  1
  $ while vipu list partitions -q > left && [ -s left ]; do :; done; ls ~/.ipuof.conf.d; rm ~/.ipuof.conf.d/copy.conf
  copy.conf

A file is enough to be led to the server, and an IPU is reset there:

  $ vipu create partition p --size 2 && vipu-admin inject ag01:1 soc-error IPUSOFTERR
  create partition (p): success
  inject IPU (ag01:1): success.
  $ alone='env -u VIPU_CLI_API_HOST -u VIPU_CLI_API_PORT IPUBOX_STATE_DIR=none IPUBOX_REGISTRY=none'
  $ $alone gc-info -d 1 -i | grep 'error state'
    ipu error state: IPUSOFTERR
  $ $alone gc-reset; $alone gc-info -d 1 -i | grep 'error state'
  Resetting device 0... done
  Resetting device 1... done
    ipu error state: no errors

One that a program has is refused:

  $ mkfifo to from; ipubox __device < to > from & exec 3> to 4< from; read -r line <&4
  $ echo attach 2 -1 >&3; read -r line <&4; gc-reset 2> err | grep -c failed; grep -c 'is held by user' err
  2
  2
  $ exec 3>&- 4<&-; wait; rm to from; vipu remove partition p
  remove partition (p): success

A partition of a job goes with it, also where poprun is killed.

  $ poprun --vipu-partition job --update-partition=yes --remove-partition=yes --num-instances=1 --num-replicas=1 --ipus-per-replica=1 vipu list partitions -q
  [1,0]<stdout>:job
  $ vipu list partitions -q
  $ mkfifo hold; poprun --vipu-partition job --update-partition=yes --remove-partition=yes --num-instances=1 --num-replicas=1 --ipus-per-replica=1 sh -c 'echo > up; read x < hold' > out 2>&1 &
  $ poprun=$!; until [ -e up ]; do :; done; vipu list partitions -q
  job
  $ kill -KILL $poprun; until vipu list partitions -q > left && ! [ -s left ]; do :; done; cat left

What is for the pod of this host only, and a server that is gone:

  $ PATH=${PATH#*:} vipu-admin -H 127.0.0.1 init --pod pod16 2>&1 | sed "s/$VIPU_CLI_API_PORT/PORT/"
  vipu-admin: --api-host: a server answers at 127.0.0.1:PORT, but this program uses only the pod of this host; leave the address out, or set it to local
  $ stop_serving
  $ vipu list partitions 2>&1 | sed "s/$VIPU_CLI_API_PORT/PORT/"
  unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
  (VIPU_CLI_API_HOST: Connection refused; local means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every address does)
  $ gc-monitor 2>&1 | sed "s/$VIPU_CLI_API_PORT/PORT/" | head -1
  gc-monitor: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:PORT: context deadline exceeded
