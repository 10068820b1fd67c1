#skip-unless prlimit --nproc=9 setpriv --reuid=64021 --regid=64021 --clear-groups test -x "$IPUBOX"
poprun: a process that cannot be started is told as that, and the job ends.

A sanitizer's search for leaks is a process as well.

  $ run() {	# PROCESSES
  >     ASAN_OPTIONS=detect_leaks=0 prlimit --nproc=$1 setpriv --reuid=64021 --regid=64021 --clear-groups "$IPUBOX" poprun --offline-mode=yes --launcher local --num-replicas 4 --num-instances 4 sleep 60 > out 2>&1
  >     echo $?
  >     sed 's/start instance [0-3]/start ONE/; s/start a thread/start ONE/; s/start the keeper/start ONE/' out
  > }
  $ for processes in 1 2 3 4 5 6 7; do run $processes; done
  1
  POPRUN ERROR: cannot start ONE: Resource temporarily unavailable; raise ulimit -u (1 processes and threads of this user) or use fewer instances
  1
  POPRUN ERROR: cannot start ONE: Resource temporarily unavailable; raise ulimit -u (2 processes and threads of this user) or use fewer instances
  1
  POPRUN ERROR: cannot start ONE: Resource temporarily unavailable; raise ulimit -u (3 processes and threads of this user) or use fewer instances
  1
  POPRUN ERROR: cannot start ONE: Resource temporarily unavailable; raise ulimit -u (4 processes and threads of this user) or use fewer instances
  1
  POPRUN ERROR: cannot start ONE: Resource temporarily unavailable; raise ulimit -u (5 processes and threads of this user) or use fewer instances
  1
  POPRUN ERROR: cannot start ONE: Resource temporarily unavailable; raise ulimit -u (6 processes and threads of this user) or use fewer instances
  1
  POPRUN ERROR: cannot start ONE: Resource temporarily unavailable; raise ulimit -u (7 processes and threads of this user) or use fewer instances
