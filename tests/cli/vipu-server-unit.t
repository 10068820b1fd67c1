#needs systemd-analyze systemd-sysusers systemd-tmpfiles
#skip-unless test "$(id -u)" = 0 && unshare -m mount -t tmpfs none /run
The service of systemd: the unit is well-formed, and what it installs is enough
for a server that runs as its own user.

  $ units=$TESTDIR/../config/units
  $ sed "s|/usr/local/bin/vipu-server|$IPUBOX|" "$units/vipu-server.service" > vipu-server.service
  $ systemd-analyze verify --man=no ./vipu-server.service
  $ awk -v "directory=$PWD" '/^install:/ { on = 1 } /^[a-z]+:/ && !/^install:/ { on = 0 } on' "$TESTDIR/../Makefile" | grep -o 'config/units/[^ ]*' | sort > installed
  $ (cd "$TESTDIR/.." && ls -d config/units/*) | diff installed -

The user comes by sysusers.d, the directories by tmpfiles.d; all of it in a
namespace of the test's own.

  $ mkdir -p root/etc bin; cp "$IPUBOX" bin/ipubox; bin/ipubox --install bin; chmod 755 . bin "$TMPDIR"
  $ systemd-sysusers --root="$PWD/root" "$units/ipubox.sysusers" 2> /dev/null
  $ cut -d : -f 1,5-7 root/etc/passwd
  ipubox:V-IPU controller:/var/lib/ipubox:/usr/sbin/nologin
  $ cat /etc/passwd >> root/etc/passwd; cat /etc/group >> root/etc/group
  $ cat > try <<'EOF'
  > for place in /var/lib /run /dev/shm; do mount -t tmpfs -o mode=1777 none $place; done
  > for file in passwd group; do mount --bind root/etc/$file /etc/$file; done
  > systemd-tmpfiles --create "$units/ipubox.tmpfiles"
  > stat -c '%A %U %G %n' /var/lib/ipubox /run/ipubox
  > cp -r bin /run/bin; PATH=/run/bin:$PATH
  > unset IPUBOX_STATE_DIR IPUBOX_REGISTRY
  > state=$(sed -n 's/^Environment=//p' "$units/vipu-server.service")
  > mkfifo log
  > setpriv --reuid=ipubox --regid=ipubox --clear-groups env HOME=/var/lib/ipubox $state vipu-server --listen 127.0.0.1:0 2> log & server=$!
  > exec 3< log; for i in 1 2 3; do read -r line <&3; echo "$line"; done
  > vipu create partition root --size 1
  > vipu list partitions | sed -n 3p
  > mkdir /run/user; chown 64011 /run/user
  > as() { setpriv --reuid=64011 --regid=64011 --clear-groups env HOME=/run/user "$@"; }
  > as $state vipu create partition user --size 1
  > ls /run/user/.ipuof.conf.d
  > as $state vipu list partitions | grep -c ACTIVE
  > stat -c '%A %U %n' /var/lib/ipubox/lock /dev/shm/* /run/ipubox/*
  > grep ^NoNewPrivs: /proc/$server/status
  > kill $server; wait $server; echo "ended $?"
  > EOF
  $ units=$units unshare -m sh try 2>&1
  drwx--x--x ipubox ipubox /var/lib/ipubox
  drwxr-xr-x ipubox ipubox /run/ipubox
  *Z vipu-server[*]: listening on 127.0.0.1:* (glob)
  *Z vipu-server[*]: listening on /run/ipubox/vipu.sock (glob)
  *Z vipu-server[*]: confined: no new privileges* (glob)
  create partition (root): success
  cl0 *| root *| ACTIVE (glob)
  create partition (user): success
  user.conf
  2
  -rw------- ipubox /var/lib/ipubox/lock
  * ipubox /dev/shm/ipubox-* (glob)
  * ipubox /dev/shm/ipubox-*.slots (glob)
  srw-rw-rw- ipubox /run/ipubox/vipu.sock
  NoNewPrivs:	1
  ended 0
