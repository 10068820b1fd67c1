#skip-unless test "$(id -u)" = 0
#skip-unless unshare -m mount -t tmpfs none /etc
#skip-unless setpriv --reuid=65534 --regid=65534 --clear-groups true
IPUs that root shares by a file in /etc/ipuof.conf.d, in a mount namespace with
an /etc, a /run and a /var/lib/ipubox of its own.

  $ unset IPUBOX_CONFIG IPUBOX_STATE_DIR IPUBOX_REGISTRY
  $ cat > setup.sh <<'END'
  > set -e
  > cp "$IPUBOX" ipubox
  > for at in /mnt /var/lib /etc /run; do mount -t tmpfs -o mode=755 none $at; done
  > mount -t tmpfs -o mode=1777 none /dev/shm
  > cp ipubox /mnt/ipubox; /mnt/ipubox --install -s /mnt
  > cd /mnt
  > root() { env -i HOME=/mnt/root PATH="/mnt:$PATH" "$@" 2>&1; }
  > nobody() { env -i HOME=/mnt/nobody PATH="/mnt:$PATH" setpriv --reuid=65534 --regid=65534 --clear-groups "$@" 2>&1; }
  > share() { root vipu create partition mypt --size 4 --ipuof-config-location /etc/ipuof.conf.d/; }
  > install -d -m 700 -o 65534 -g 65534 /mnt/nobody
  > install -d -m 700 /mnt/root
  > mkfifo /mnt/told
  > serve() {
  >   env -i HOME=/mnt/root /mnt/vipu-server --listen 127.0.0.1:0 2> told & server=$!
  >   exec 3< told; until read -r line <&3; case $line in *vipu.sock) ;; *) false;; esac; do :; done
  > }
  > set +e
  > END
  $ inside() { { cat setup.sh; cat; } > script; timeout 100 unshare -m sh script; }

Without a server the note says what its owner can do:

  $ inside <<'END'
  > umask 022; share; stat -c '%a %n' /etc/ipuof.conf.d /etc/ipuof.conf.d/mypt.conf
  > nobody gc-info -l
  > nobody env IPUOF_CONFIG_PATH=/etc/ipuof.conf.d/mypt.conf gc-info -l
  > nobody vipu doctor | grep ipuof-files
  > END
  create partition (mypt): success
  755 /etc/ipuof.conf.d
  644 /etc/ipuof.conf.d/mypt.conf
  gc-info: /etc/ipuof.conf.d/mypt.conf: ignored, partition mypt is of another pod; this user cannot open /var/lib/ipubox; its owner can run vipu-server for all users, or share the directory with a group, see ipubox.conf(5)
  gc-info: no partition is active: `vipu create partition NAME --size N` makes one; IPUOF_VIPU_API_PARTITION_ID selects one
  (state directory: /mnt/nobody/.local/state/ipubox, default)
  gc-info: IPUOF_CONFIG_PATH: /etc/ipuof.conf.d/mypt.conf: partition mypt is of another pod; this user cannot open /var/lib/ipubox; its owner can run vipu-server for all users, or share the directory with a group, see ipubox.conf(5)
  warn  ipuof-files: /etc/ipuof.conf.d/mypt.conf is of partition mypt of another pod, in *:/var/lib/ipubox; programs of this pod ignore it; this user cannot open /var/lib/ipubox; its owner can run vipu-server for all users, or share the directory with a group, see ipubox.conf(5) (glob)

With root's server programs of all users find and attach to the IPUs:

  $ inside <<'END'
  > umask 022; share; serve
  > nobody gc-info --ipu-count
  > nobody env IPUOF_CONFIG_PATH=/etc/ipuof.conf.d/mypt.conf gc-info --ipu-count
  > nobody env IPUBOX_EMULATE_HOSTS=1 gc-info --ipu-count
  > nobody gc-monitor | sed -n 2p
  > nobody vipu doctor | grep ipuof-files
  > mkfifo in out; exec 4<> in
  > (exec 4>&-; nobody ipubox __device) < in > out & exec 5< out
  > read -r line <&5; echo attach 4 4 >&4; read -r line <&5; echo "$line"
  > root gc-monitor | grep -o 'Attached processes.*mypt'
  > exec 4>&- 5<&-; wait $!
  > pop() { nobody poprun --num-replicas 1 --num-instances 1 --ipus-per-replica 4 "$@"; }
  > pop gc-info --ipu-count
  > root vipu create partition other --size 1 --ipuof-config-location /mnt/root
  > pop gc-info --ipu-count
  > pop --vipu-partition mypt gc-info --ipu-count
  > pop --vipu-partition mine gc-info --ipu-count
  > nobody vipu create partition mypt --size 1 --ipuof-config-location /mnt/nobody/own
  > nobody poprun --vipu-partition mypt --num-replicas 1 --num-instances 1 gc-info --ipu-count
  > kill $server; wait $server
  > END
  create partition (mypt): success
  4
  4
  4
  |  gc-monitor   |                  Partition: mypt (gcd:0) [active] has 4 IPUs                   |
  ok    ipuof-files: nothing is wrong
  ok 4 4 0
  Attached processes in partition mypt
  [1,0]<stdout>:4
  create partition (other): success
  [1,0]<stdout>:4
  [1,0]<stdout>:4
  POPRUN ERROR: partition mine does not exist: --update-partition=yes lets poprun create it (vipu list partitions shows the existing ones)
  (state directory: /mnt/nobody/.local/state/ipubox, default)
  create partition (mypt): success
  [1,0]<stdout>:1

The file of a user's own pod comes first.  A server that has ended is no longer
used, and a program of its pod needs none:

  $ inside <<'END'
  > umask 022; share; serve
  > nobody vipu create partition own --size 1 --ipuof-config-location /mnt/nobody
  > cp /mnt/nobody/own.conf /etc/ipuof.conf.d/own.conf
  > nobody gc-info --ipu-count
  > rm /etc/ipuof.conf.d/own.conf
  > nobody gc-info --ipu-count
  > kill $server; wait $server
  > nobody gc-info --ipu-count | cut -d ';' -f 1
  > root gc-info --ipu-count
  > END
  create partition (mypt): success
  create partition (own): success
  1
  4
  gc-info: /etc/ipuof.conf.d/mypt.conf: ignored, partition mypt is of another pod
  0
  4
