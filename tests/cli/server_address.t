#needs ip
#skip-unless [ "$(id -u)" = 0 ] && unshare -n true # a network of its own
Which controller an address means, in a network where this host is 10.77.0.1
and nobody else is there.

  $ vipu create partition p --size 4
  create partition (p): success
  $ alone() { unshare -n sh -c 'ip link set lo up && ip address add 10.77.0.1/32 dev lo && "$@"' sh "$@"; }

This host's own, where no server listens on the default port: the embedded pod,
and a note says so.

  $ for host in localhost 127.0.0.1 127.0.0.2 ::1 '[::1]' 10.77.0.1 "$(uname -n)"; do alone vipu -H "$host" list partitions -q; done
  vipu: no server listens at localhost:8090; using the embedded pod of this host
  p
  vipu: no server listens at 127.0.0.1:8090; using the embedded pod of this host
  p
  vipu: no server listens at 127.0.0.2:8090; using the embedded pod of this host
  p
  vipu: no server listens at [::1]:8090; using the embedded pod of this host
  p
  vipu: no server listens at [::1]:8090; using the embedded pod of this host
  p
  vipu: no server listens at 10.77.0.1:8090; using the embedded pod of this host
  p
  vipu: no server listens at *:8090; using the embedded pod of this host (glob)
  p
  $ alone env IPUOF_VIPU_API_HOST=10.77.0.1 IPUOF_VIPU_API_PARTITION_ID=p gc-info --ipu-count
  gc-info: no server listens at 10.77.0.1:8090; using the embedded pod of this host
  4
  $ alone env VIPU_CLI_API_HOST=localhost vipu-admin list agents -q | head -1
  vipu-admin: no server listens at localhost:8090; using the embedded pod of this host
  ag01
  $ unshare -n vipu -H 127.0.0.1 list partitions -q
  vipu: no server listens at 127.0.0.1:8090; using the embedded pod of this host
  p
  $ alone vipu -H 127.0.0.1 --server-version | tail -1
  host: localhost:8090 (embedded)
  $ alone env IPUOF_VIPU_API_HOST=127.0.0.1 poprun --launcher local --vipu-partition p --num-instances 1 --num-replicas 1 --ipus-per-replica 4 true 2>&1 | sed 's/.*POPRUN/POPRUN/'
  POPRUN [W] no server listens at 127.0.0.1:8090; using the embedded pod of this host
  $ alone env IPUOF_VIPU_API_HOST=10.77.0.1 vipu doctor | grep ' api-host:'
  ok    api-host: no server listens at IPUOF_VIPU_API_HOST=10.77.0.1, so it means the embedded pod

Without a name, by the name local, and by a file there is no note:

  $ echo 'api-host = "127.0.0.1"' > file.hcl; for place in '' '-H local' '--config file.hcl'; do alone vipu $place list partitions -q; done
  p
  p
  p

A strict emulation refuses such an address, as a Pod does:

  $ printf '[emulate]\nstrict = yes\n' > strict.conf; export IPUBOX_CONFIG=$PWD/strict.conf
  $ alone vipu -H localhost list partitions
  unable to connect to VIRM/V-IPU Controller at localhost:8090: context deadline exceeded
  (--api-host: Connection refused; local means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every address does)
  [1]
  $ alone env IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PARTITION_ID=p gc-info --ipu-count 2>&1 | head -1
  gc-info: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:8090: context deadline exceeded
  $ vipu list partitions -q; vipu -H local list partitions -q; vipu doctor | sed -n "s|($PWD|(HOME|; /settings:/p"
  p
  p
  ok    settings: what a Pod refuses is an error (HOME/strict.conf:2)
  $ unset IPUBOX_CONFIG

Another host, or another port:

  $ alone vipu -H 192.0.2.1 list partitions
  unable to connect to VIRM/V-IPU Controller at 192.0.2.1:8090: context deadline exceeded
  (--api-host: Network *unreachable; local means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every address does) (glob)
  [1]
  $ alone env VIPU_CLI_API_HOST=10.77.0.1 VIPU_CLI_API_PORT=8091 vipu-admin list partitions 2>&1 | sed 2d
  unable to connect to VIRM/V-IPU Controller at 10.77.0.1:8091: context deadline exceeded
  $ alone env IPUOF_VIPU_API_HOST=2001:db8::1 IPUOF_VIPU_API_PARTITION_ID=p gc-monitor 2>&1 | sed 2d
  gc-monitor: unable to connect to VIRM/V-IPU Controller at [2001:db8::1]:8090: context deadline exceeded

With emulated hosts nothing is looked up or dialled:

  $ export IPUBOX_EMULATE_HOSTS=1
  $ for host in 192.0.2.1 pod3.invalid 10.77.0.1; do alone vipu -H "$host" list partitions -q; done
  p
  p
  p
  $ unshare -n env IPUOF_VIPU_API_HOST=10.1.3.101 IPUOF_VIPU_API_PARTITION_ID=p gc-info --ipu-count
  4
  $ vipu -H 'a b' list partitions
  vipu: --api-host: 'a b' is not a valid host name or address
  [1]
  $ IPUBOX_EMULATE_HOSTS=maybe vipu list partitions
  vipu: IPUBOX_EMULATE_HOSTS 'maybe': must be yes or no (on/off, true/false and 1/0 mean the same)
  [1]
  $ IPUBOX_EMULATE_HOSTS=maybe vipu -H pod3 list partitions
  vipu: IPUBOX_EMULATE_HOSTS 'maybe': must be yes or no (on/off, true/false and 1/0 mean the same)
  [1]
