poprun: what mpirun itself says becomes what helps.  The mpirun here starts
nothing: it prints what the real one prints, and ends as it does.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ mkdir bin
  $ cat > bin/mpirun <<'X'
  > #!/bin/sh
  > cat noise >&2
  > exec sh ends
  > X
  $ chmod +x bin/mpirun
  $ PATH=$PWD/bin:$PATH
  $ dashes=$(printf '%074d' 0 | tr 0 -)
  $ block() { echo $dashes; cat; echo $dashes; }
  $ block > unreliable <<'X'
  > ORTE was unable to reliably start one or more daemons.
  > This usually is caused by:
  > 
  > * not finding the required libraries and/or binaries on
  >   one or more nodes. Please check your PATH and LD_LIBRARY_PATH
  > X
  $ run() {	# STATUS, options; what mpirun prints is the input
  >     cat > noise; echo "exit $1" > ends; shift
  >     poprun --offline-mode=yes --launcher mpirun --emulate-hosts 1 --host n1,n2 --num-replicas 2 --num-instances 2 "$@" true 2>&1
  >     echo $?
  > }
  $ name() { sed 's/pid [0-9]*/pid N/'; }

ssh:

  $ { printf 'Host key verification failed.\r\n'; cat unreliable; } | run 255 | name
  POPRUN ERROR: one of n1, n2: Host key verification failed: its key is not in known_hosts: copy-ssh n1,n2
  POPRUN ERROR: mpirun (pid N) exited with status 255
  255
  $ printf '#!/bin/sh\n' > bin/ssh; chmod +x bin/ssh
  $ printf 'Host key verification failed.\n' > noise; (unset IPUBOX_EMULATE_HOSTS; poprun --offline-mode=yes --num-replicas 2 --num-instances 2 --host localhost,192.0.2.9 true 2>&1) | head -1
  POPRUN ERROR: 192.0.2.9: Host key verification failed: its key is not in known_hosts: copy-ssh 192.0.2.9
  $ { printf 'root@n2: Permission denied (publickey,password).\r\n'; cat unreliable; } | run 255 | head -1
  POPRUN ERROR: n2: Permission denied: it does not accept this host's key: copy-ssh n2
  $ { cat unreliable; echo 'bash: line 1: orted: command not found'; } | run 127 | head -1
  POPRUN ERROR: one of n1, n2: Open MPI's orted is not on the PATH there: apt-get install openmpi-bin
  $ cat unreliable | run 255 | head -1
  POPRUN ERROR: mpirun could not start its daemon, orted, on another host, or lost it: copy-ssh --verify tells why

Hosts that are other machines may be emulated, whatever such a job ends in
before its first instance:

  $ far() { poprun --launcher mpirun --host '203.0.113.[1-2]' --num-replicas 2 --num-instances 2 "$@" true > out 2>&1 || tail -n 2 out; }
  $ echo 'ssh: Could not resolve hostname 203.0.113.1: Name or service not known' > noise
  $ echo 'exit 255' > ends
  $ far --offline-mode yes
  (to try the job on this machine alone, emulate the hosts:
  --emulate-hosts yes, or IPUBOX_EMULATE_HOSTS=1)
  $ far
  (to try the job on this machine alone, emulate the hosts:
  --emulate-hosts yes, or IPUBOX_EMULATE_HOSTS=1)
  $ far --emulate-hosts yes
  POPRUN ERROR: no partition exists: --vipu-partition NAME --update-partition=yes creates one for this job, --offline-mode=yes needs none
  (state directory: *, IPUBOX_STATE_DIR) (glob)

Its own refusals:

  $ echo 'mpirun: Error: unknown option "--fnord"' | run 1 | name
  POPRUN ERROR: mpirun does not know the option "--fnord": see --mpi-global-args and --mpi-local-args
  POPRUN ERROR: mpirun (pid N) exited with status 1
  1

What is not known comes as it is, and with -v all of it:

  $ printf 'Who\nknows?\n' | block | run 9 | name
  --------------------------------------------------------------------------
  Who
  knows?
  --------------------------------------------------------------------------
  POPRUN ERROR: mpirun (pid N) exited with status 9
  9
  $ cat unreliable | run 255 -v | grep -c 'unable to reliably\|This usually is\|^----'
  4

An mpirun that says nothing:

  $ run 0 < /dev/null | name
  POPRUN ERROR: mpirun (pid N) ended when 0 of 2 instances had been started and 0 had ended
  1
  $ run '$(kill -KILL $$)' < /dev/null | name
  POPRUN ERROR: mpirun (pid N) was killed by signal 9 (Killed); the job was stopped
  137
  $ run '$(exec sleep 600)' --start-timeout 1 --grace 1 < /dev/null
  POPRUN ERROR: only 0 of 2 instances had started after the 1 s of --start-timeout; the job was stopped
  110
