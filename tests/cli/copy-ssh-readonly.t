#needs ssh-keygen
#skip-unless unshare -m mount --bind "$HOME" "$HOME"
copy-ssh where the home folder cannot be written.

  $ mkdir bin home home/.ssh; chmod 755 home/.ssh
  $ printf '#!/bin/sh\ncase $1 in -un) echo nobody-at-all ;; *) echo 1000 ;; esac\n' > bin/id
  $ for p in ssh ssh-keyscan getent; do printf '#!/bin/sh\nexit 255\n' > bin/$p; done
  $ chmod +x bin/*; export PATH=$PWD/bin:$PATH
  $ [ "$(sh -c 'id -u; id -un; eval "echo ~$(id -un)"' | tr '\n' ' ')" = '1000 nobody-at-all ~nobody-at-all ' ] || exit 1
  $ unshare -m sh -c 'mount --bind home home && mount -o remount,bind,ro home && HOME=$PWD/home copy-ssh 10.0.0.1' 2>&1 | sed "s|$PWD|.|g"
  copy-ssh: this host: cannot change the mode 755 of ./home/.ssh: Read-only file system
  copy-ssh: cannot write ./home/.ssh/id_ed25519: Read-only file system
  $ ls -A home/.ssh
