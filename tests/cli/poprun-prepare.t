#needs ip
#skip-unless unshare -n ip link add veth0 type veth peer name veth1
poprun: what is done on other hosts before a job.

  $ mkdir bin venv home; export HOME=$PWD/home
  $ printf '#!/bin/sh\nhost=; while [ -z "$host" ]; do case $1 in -*) ;; *) host=$1;; esac; shift; done\n[ "$host" != 10.78.0.9 ] || { echo "ssh: connect to host $host port 22: Connection refused" >&2; exit 255; }\necho "$host" >> asked; exec sh -c "$*"\n' > bin/ssh
  $ printf '#!/bin/sh\nfor word; do echo "$word"; done > ran; exit 7\n' > bin/mpirun
  $ chmod 755 bin/ssh bin/mpirun; export PATH=$PWD/bin:$PATH
  $ printf 'ip link add v0 type veth peer name v1 && ip addr add 10.78.0.1/16 dev v0 && ip link set v0 up && ip link set v1 up && exec "$@"\n' > net
  $ alias net='unshare -n sh net poprun --offline-mode yes --allow-run-as-root yes'; alias run='net --host 10.78.0.2'

On this machine alone there is nothing to prepare:

  $ poprun --offline-mode yes --dry-run --bring-ipubox --synchronise-poplar-sdk --distribute-ssh-key yes true | grep effect
  no effect here: --synchronise-poplar-sdk, because all instances run on this machine
  no effect here: --distribute-ssh-key, because all instances run on this machine
  no effect here: --bring-ipubox, because all instances run on this machine
  $ poprun --bring-ipubox=maybe true 2>&1 | head -1
  POPRUN ERROR: --bring-ipubox 'maybe': must be yes or no (on/off, true/false and 1/0 mean the same)

A dry run tells, and does nothing:

  $ VIRTUAL_ENV=$PWD/venv POPLAR_ROOT=$PWD/venv/ run --dry-run --bring-ipubox yes --synchronise-poplar-sdk yes --distribute-ssh-key yes --synchronise-python-venv yes true | sed -n "s|$PWD|HERE|;/would/p"
  would run copy-ssh for 10.78.0.2
  would copy HERE/venv to 10.78.0.2
  would copy HERE/venv to 10.78.0.2
  would copy ipubox to all hosts for this job, unless 10.78.0.2 has it already
  $ run --dry-run --bring-ipubox no true | grep -c would
  0
  [1]
  $ test ! -e asked

What cannot be copied:

  $ run --synchronise-python-venv yes true
  POPRUN ERROR: --synchronise-python-venv: VIRTUAL_ENV is not set: activate a virtual environment first
  [1]
  $ VIRTUAL_ENV=venv run --synchronise-python-venv yes true
  POPRUN ERROR: --synchronise-python-venv: VIRTUAL_ENV venv: must be an absolute path
  [1]
  $ VIRTUAL_ENV=/none run --synchronise-python-venv yes true
  POPRUN ERROR: --synchronise-python-venv: VIRTUAL_ENV /none: No such file or directory
  [1]
  $ VIRTUAL_ENV=/etc/passwd run --dry-run --synchronise-python-venv yes true
  POPRUN ERROR: --synchronise-python-venv: VIRTUAL_ENV /etc/passwd: not a directory
  [1]
  $ VIRTUAL_ENV=/./ run --synchronise-python-venv yes true
  POPRUN ERROR: --synchronise-python-venv: VIRTUAL_ENV /./: is the whole file system, which is not copied
  [1]
  $ VIRTUAL_ENV=$HOME/../home/ run --synchronise-python-venv yes true 2>&1 | sed "s|$PWD|HERE|g"
  POPRUN ERROR: --synchronise-python-venv: VIRTUAL_ENV HERE/home/../home/: contains the home directory, which is not copied
  $ run --synchronise-poplar-sdk yes true
  POPRUN ERROR: --synchronise-poplar-sdk: no SDK is named: name that of ipubox --install-sdk by --sdk DIR, or set POPLAR_SDK_ENABLED or POPLAR_ROOT to the directory of an SDK
  [1]
  $ POPLAR_SDK_ENABLED=1 POPLAR_ROOT=/ run --synchronise-poplar-sdk yes true
  POPRUN ERROR: --synchronise-poplar-sdk: POPLAR_ROOT /: is the whole file system, which is not copied
  [1]
  $ test ! -e asked

A directory that both hosts have is not copied to itself, and the job goes on:

  $ VIRTUAL_ENV=$PWD/venv run -v --synchronise-python-venv yes true 2>&1 | sed -n "s|$PWD|HERE|;s/.*\(10.78.*shares\)/\1/p"; ls -A venv
  10.78.0.2: shares HERE/venv with this host
  $ cat asked; rm asked
  10.78.0.2

Hosts that have the same file keep theirs; else mpirun is given another, which is gone when no instance takes it over:

  $ run -v --bring-ipubox yes true 2>&1 | grep -c 'All hosts have this ipubox'
  1
  $ grep -c 'ipubox-job-[0-9a-f]*/ipubox$' ran
  0
  [1]
  $ sed -i 's|^echo|case $* in *mkdir*) ;; *__digest*) echo other; exit 0;; esac; echo|' bin/ssh
  $ run -v --bring-ipubox yes popdist-env 2>&1 | sed -n 's/[0-9a-f]\{32\}/HEX/; s/.*\(10.78.*copied ipubox\)/\1/p; /^POPRUN/p'; cat asked
  10.78.0.2: copied ipubox to /tmp/ipubox-job-HEX/ipubox
  POPRUN ERROR: mpirun (pid *) exited with status 7 (glob)
  10.78.0.2
  10.78.0.2
  10.78.0.2
  $ grep -A3 'ipubox-job-[0-9a-f]*/ipubox$' ran | sed 's/[0-9a-f]\{32\}/HEX/'; grep -c 'IPUBOX_FILE$' ran
  /tmp/ipubox-job-HEX/ipubox
  __ipubox
  __parent
  0
  /tmp/ipubox-job-HEX/ipubox
  popdist-env
  1
  $ test ! -e "$(sed -n 's|/ipubox$||p' ran | grep -m 1 ipubox-job-)"; rm asked ran

A host that ssh does not reach:

  $ net --bring-ipubox yes --host 10.78.0.9 true
  POPRUN ERROR: --bring-ipubox: cannot check 10.78.0.9: nothing listens on the port of ssh: on that host, apt-get install openssh-server and service ssh start
  (to try the job on this machine alone, emulate the hosts:
  --emulate-hosts yes, or IPUBOX_EMULATE_HOSTS=1)
  [1]
  $ test ! -e ran; test ! -e asked
