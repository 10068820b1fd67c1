#needs ip busybox
#skip-unless [ "$(id -u)" = 0 ] && unshare -n true # a network of its own
Something answers that is not a controller; it is busybox's nc, which takes one
connection.

  $ vipu create partition p --size 4
  create partition (p): success
  $ cat > answering.sh <<'END'
  > ip link set lo up && ip address add 10.77.0.1/32 dev lo || exit
  > port=$1 hex=$(printf '%04X' "$1"); shift
  > busybox nc -l -p "$port" < /dev/null > /dev/null & # ends with its connection
  > until grep -q ":$hex .* 0A " /proc/net/tcp /proc/net/tcp6; do :; done
  > "$@"; status=$?; kill $! 2> /dev/null; exit $status
  > END
  $ answering() { unshare -n sh answering.sh "$@" 2>&1; }

  $ answering 8090 vipu -H 10.77.0.1 list partitions
  unable to connect to VIRM/V-IPU Controller at 10.77.0.1:8090: context deadline exceeded
  (10.77.0.1:8090: the connection is lost: the server closed it)
  [1]
  $ answering 9000 vipu -H localhost --api-port 9000 list partitions
  unable to connect to VIRM/V-IPU Controller at localhost:9000: context deadline exceeded
  (localhost:9000: the connection is lost: the server closed it)
  [1]
  $ answering 8090 env IPUOF_VIPU_API_HOST=127.0.0.1 IPUOF_VIPU_API_PARTITION_ID=p gc-info -l
  gc-info: unable to connect to VIRM/V-IPU Controller at 127.0.0.1:8090: context deadline exceeded
  (127.0.0.1:8090: the connection is lost: the server closed it)
  [1]
  $ answering 8090 env IPUOF_VIPU_API_HOST=10.77.0.1 IPUOF_VIPU_API_PARTITION_ID=p vipu doctor | grep api-host
  ok    api-host: programs here use the pod of the server IPUOF_VIPU_API_HOST=10.77.0.1
  $ answering 8090 vipu -H local list partitions -q
  p
  $ IPUBOX_EMULATE_HOSTS=1 answering 8090 vipu -H 10.77.0.1 list partitions -q
  p
