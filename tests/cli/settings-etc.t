#skip-unless test "$(id -u)" = 0
#skip-unless unshare -m mount -t tmpfs none /etc
#skip-unless setpriv --reuid=64011 --regid=64011 --groups=64001 true
/etc/ipubox.conf, in a mount namespace with an /etc of its own: a pod that a
group shares is found without any variable, by root and by its members.

  $ unset IPUBOX_CONFIG IPUBOX_STATE_DIR IPUBOX_REGISTRY
  $ cat > setup.sh <<'END'
  > set -e
  > cp "$IPUBOX" ipubox
  > for at in /mnt /var/lib /etc; do mount -t tmpfs -o mode=755 none $at; done
  > mount -t tmpfs -o mode=1777 none /dev/shm
  > cp ipubox /mnt/ipubox; /mnt/ipubox --install -s /mnt
  > cd /mnt
  > conf=/etc/ipubox.conf
  > printf '[state]\ndirectory = /mnt/pod\n' > $conf
  > root() { env -i HOME=/mnt/root PATH="/mnt:$PATH" "$@" 2>&1; }
  > ann() { env -i HOME=/mnt/ann PATH="/mnt:$PATH" setpriv --reuid=64011 --regid=64011 --groups=64001 "$@" 2>&1; }
  > nobody() { env -i HOME=/mnt/nobody PATH="/mnt:$PATH" setpriv --reuid=65534 --regid=65534 --clear-groups "$@" 2>&1; }
  > install -d -m 700 -o 64011 -g 64011 /mnt/ann
  > install -d -m 700 -o 65534 -g 65534 /mnt/nobody
  > install -d -m 700 /mnt/root
  > install -d -m 2770 -g 64001 /mnt/pod
  > set +e
  > END
  $ inside() { { cat setup.sh; cat; } > script; unshare -m sh script; }

  $ inside <<'END'
  > root vipu create partition p --size 4
  > ann vipu --version -v | sed -n 2p
  > ann vipu list partitions -q
  > ann gc-info -l --all-partitions | grep -c 'Id: '
  > ann poprun --num-replicas 1 --num-instances 1 --ipus-per-replica 4 gc-info --ipu-count
  > END
  create partition (p): success
  state directory: /mnt/pod, /etc/ipubox.conf:2
  p
  4
  [1,0]<stdout>:4

The user's own file comes before it, key by key, and so does the variable; but
a mistake in either file is refused:

  $ inside <<'END'
  > where() { "$@" vipu --version -v | grep -v ^ipubox | sed q; }
  > mkdir -p root/.config/ipubox
  > echo '[emulate]' > root/.config/ipubox/ipubox.conf
  > where root
  > printf '\n[state]\ndirectory = /mnt/mine\n' > root/.config/ipubox/ipubox.conf
  > where root
  > where root env IPUBOX_STATE_DIR=/mnt/his
  > where root env XDG_CONFIG_HOME=/mnt/none
  > where ann
  > where nobody env HOME=/mnt/root
  > echo '[poprun]' >> $conf
  > where root
  > END
  state directory: /mnt/pod, /etc/ipubox.conf:2
  state directory: /mnt/mine, /mnt/root/.config/ipubox/ipubox.conf:3
  state directory: /mnt/his, IPUBOX_STATE_DIR
  state directory: /mnt/pod, /etc/ipubox.conf:2
  state directory: /mnt/pod, /etc/ipubox.conf:2
  state directory: /mnt/pod, /etc/ipubox.conf:2
  vipu: /etc/ipubox.conf:3: unknown section [poprun]

Whose the file may be.  Nobody may read root's; root trusts root alone.

  $ inside <<'END'
  > for user in root nobody; do
  >   for owner in 0 65534 64011; do chown $owner $conf; $user vipu doctor | sed -n '1p'; done
  > done
  > chown 0 $conf
  > for mode in 0664 0646 0600; do chmod $mode $conf; nobody vipu doctor | sed -n 1p; done
  > nobody gc-info -l; echo $?
  > chmod 644 $conf; mv $conf /mnt/there; ln -s /mnt/there $conf; root vipu --version -v | sed -n 2p
  > rm $conf; ln -s /mnt/nowhere $conf; root vipu --version -v | sed -n 2p
  > END
  ok    settings: nothing is wrong
  FAIL  settings: /etc/ipubox.conf belongs to uid 65534, not to root; give it to root, or name another file in IPUBOX_CONFIG
  FAIL  settings: /etc/ipubox.conf belongs to uid 64011, not to root; give it to root, or name another file in IPUBOX_CONFIG
  ok    settings: nothing is wrong
  ok    settings: nothing is wrong
  FAIL  settings: /etc/ipubox.conf belongs to uid 64011, not to you or root; give it to root, or name another file in IPUBOX_CONFIG
  FAIL  settings: /etc/ipubox.conf: only its owner may have write access; run chmod go-w /etc/ipubox.conf
  FAIL  settings: /etc/ipubox.conf: only its owner may have write access; run chmod go-w /etc/ipubox.conf
  FAIL  settings: cannot open /etc/ipubox.conf: Permission denied; correct the file, or name another in IPUBOX_CONFIG; until then, all commands that use the pod fail
  gc-info: cannot open /etc/ipubox.conf: Permission denied
  1
  state directory: /mnt/pod, /etc/ipubox.conf:2
  state directory: /var/lib/ipubox, default

A member of no group of the pod is told so by every command, and by the doctor:

  $ inside <<'END'
  > root vipu create partition p --size 4
  > nobody vipu list partitions; echo $?
  > nobody vipu doctor | grep -v ^ok
  > nobody vipu doctor > /dev/null; echo $?
  > rm $conf
  > nobody env HOME=/nonexistent vipu doctor | grep -v '^ok'
  > nobody vipu doctor | grep -v '^ok'
  > END
  create partition (p): success
  list partitions: failed: cannot open registry /dev/shm/ipubox-[0-9a-f]*: Permission denied. (re)
  1
  FAIL  state-folder: /mnt/pod (/etc/ipubox.conf:2) belongs to uid 0, and uid 65534 may not read it; ask its owner to share it with a group, or set IPUBOX_STATE_DIR to a directory of your own
  FAIL  state-files: cannot open /mnt/pod/pod.ini: Permission denied; ask uid 0 to share the directory, or set IPUBOX_STATE_DIR to one of your own
  FAIL  registry: cannot open registry /dev/shm/ipubox-[0-9a-f]*: Permission denied; ask its owner to share it, or set IPUBOX_STATE_DIR to a directory of your own (re)
  warn  machines: unknown, because the pod cannot be read; correct the faults above
  warn  ipus: unknown, because the pod cannot be read; correct the faults above
  warn  partitions: unknown, because the pod cannot be read; correct the faults above
  1
  FAIL  state-folder: /nonexistent/.local/state/ipubox (default) does not exist, and uid 65534 cannot create it: Permission denied; set HOME or IPUBOX_STATE_DIR to a directory of that user
  warn  machines: unknown, because the pod cannot be read; correct the faults above
  warn  ipus: unknown, because the pod cannot be read; correct the faults above
  warn  partitions: unknown, because the pod cannot be read; correct the faults above
  FAIL  partitions: no partition exists in /mnt/nobody/.local/state/ipubox (default); vipu create partition NAME --size N creates one
