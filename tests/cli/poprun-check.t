poprun --check: all that a job needs is looked at, and nothing is started.

  $ check() { poprun --check "$@" | sed 's/[0-9]* MiB free/N MiB free/; s/[0-9]* KiB/N KiB/'; }
  $ check --offline-mode=yes --emulate-hosts yes --host a,b --num-replicas 2 --num-instances 2 sh -c 'echo runs > it' > out
  $ awk 'NR > 1 && /^[a-z]/ { print $1 }' out | tr '\n' ' '
  program launcher script paths directories partition memlock shared-memory temporary state open-files processes cores port terminal  (no-eol)
  $ grep -v '^memlock\|^cores\|^terminal\|^processes\|^open-files\|^ ' out | sed 's/^check .*/check HOST/; s/  */ /g'
  check HOST
  program ok */sh (glob)
  launcher ok local: poprun starts the instances itself
  script ok the program needs none
  paths ok the arguments name none
  directories ok no option names a directory
  partition ok an offline job needs none
  shared-memory ok shared memory: /dev/shm, N MiB free
  temporary ok temporary files: *, N MiB free (glob)
  state ok state directory: *, N MiB free (glob)
  port ok poprun takes a free one
  $ ls
  out

What is not there:

  $ row() { name=$1; shift; poprun --check --offline-mode=yes "$@" > out; echo $?; awk -v name=$name '/^[a-z]/ { on = $1 == name } on' out | sed "s/^$name *//; s/  */ /g" | tr -d '\n' | sed 's/ localhost//'; echo; }
  $ row program ./none
  1
  FAIL *none*; name the file, or add its directory to PATH (glob)
  $ printf '#!/no/such/shell -x\n' > broken; chmod +x broken
  $ row program ./broken
  1
  FAIL ./broken names the interpreter /no/such/shell: No such file or directory; install it, or change the first line of the file
  $ printf '#!/bin/sh\r\n' > cr.sh; printf '#!/usr/bin/env python3\r\n' > cr.py; chmod +x cr.*
  $ row program ./cr.sh
  1
  FAIL ./cr.sh names the interpreter /bin/sh\x0d: No such file or directory; its lines end with carriage returns: sed -i 's/\r$//' ./cr.sh removes them
  $ row program ./cr.py
  1
  FAIL ./cr.py names the interpreter python3\x0d: No such file or directory; its lines end with carriage returns: sed -i 's/\r$//' ./cr.py removes them
  $ poprun --offline-mode=yes ./cr.py
  POPRUN ERROR: ./cr.py names the interpreter python3\x0d: No such file or directory; its lines end with carriage returns: sed -i 's/\r$//' ./cr.py removes them
  [127]
  $ row script python3 -u train.py --epochs 2
  1
  FAIL train.py: No such file or directory; give its full path, or its path from this directory
  $ touch train.py; row script python3 -u train.py | tail -1
  ok train.py
  $ row script python3 -m train.py | tail -1
  ok the program needs none
  $ row script sh -c train | tail -1
  ok the program needs none
  $ row paths sh train.py --data=/no/data ./train.py http://a/b x 
  0
  warn /no/data: No such file or directory; if the program reads it, give its full path, or its path from this directory
  $ mkdir w; row script --launcher local --mpi-global-args "--wdir $PWD/w" sh train.py | tail -1
  FAIL train.py: No such file or directory; give its full path, or its path from * (glob)

Directories that are written:

  $ row directories --log-dir logs/new --executable-cache-path train.py true
  1
  FAIL --log-dir: logs/new can be created, * MiB free *--executable-cache-path: train.py is not a directory; name another one (glob)
  $ ls -d logs
  ls: cannot access 'logs': No such file or directory
  [2]

The partition:

  $ part() { poprun --check "$@" true | sed -n '/^partition/s/  */ /gp' | cut -d' ' -f2-; }
  $ part
  FAIL no partition exists: *--offline-mode=yes needs none* (glob)
  $ part --vipu-partition p --update-partition=yes
  ok p would be created
  $ vipu list partitions -q
  $ vipu create partition p --size 4
  create partition (p): success
  $ part --ipus-per-replica 4
  ok p fits and is in state PS_ACTIVE
  $ part --ipus-per-replica 2
  FAIL partition p has 4 IPUs, but 1 replicas of 2 IPUs need a partition of 2* (glob)
  $ mkfifo told; exec 9<> told
  $ poprun --launcher local --ipus-per-replica 4 mnist-pipeline --dataset generated --samples 8000 --epochs 1000 --device-iterations 1 > told & job=$!
  $ until case $line in *Epoch*) true ;; *) false ;; esac; do read -r line <&9; done
  $ part --ipus-per-replica 4
  warn partition p *mnist-pipeline*wait until it has ended, or use another partition (glob)
  $ kill -TERM $job; exec 9<&-; wait $job
  [143]
  $ vipu-admin inject ag01 down > /dev/null
  $ part --ipus-per-replica 4 --reset-partition no
  FAIL partition p is in state PS_ERROR, not PS_ACTIVE (machine ag01 is down); --update-partition=yes lets poprun replace it

Limits, the port, the cores:

  $ (ulimit -n 100; row open-files --launcher local --num-replicas 64 --num-instances 64 true)
  1
  FAIL 100 files may be open, 64 instances need 152; raise ulimit -Hn, or use fewer instances
  $ (ulimit -l 64; row memlock true)
  0
  warn 64 KiB may be locked; set ulimit -l unlimited if IPUs are reached by RDMA
  $ row cores --launcher local --num-replicas 4096 --num-instances 4096 true | tail -1
  warn * for 4096 instances; instances that share a core wait for each other; use fewer, or more hosts (glob)
  $ MASTER_PORT=x row port true
  1
  FAIL MASTER_PORT 'x': not a whole number; unset it
  $ (TMPDIR=$PWD/train.py; export TMPDIR; row temporary true)
  1
  FAIL temporary files: */train.py is not a directory; name another one (glob)

The launcher:

  $ mkdir bin; printf '#!/bin/sh\necho "mpirun (Open MPI) 9.9.9"\necho more\n' > bin/mpirun; chmod +x bin/mpirun
  $ (PATH=$PWD/bin:$PATH; row launcher --launcher mpirun --allow-run-as-root yes true)
  0
  ok */bin/mpirun, mpirun (Open MPI) 9.9.9 (glob)
  $ printf '#!/bin/sh\nexit 1\n' > bin/mpirun
  $ (PATH=$PWD/bin:$PATH; row launcher --launcher mpirun --allow-run-as-root yes true)
  1
  FAIL */bin/mpirun does not report its version; install Open MPI again, or use --launcher local (glob)

As JSON:

  $ poprun --check --format json --offline-mode=yes ./none > json
  [1]
  $ sed -n '1,3p; /"program"/,/}/p' json
  {
    "failures": 1,
    "hosts": [
            "check": "program",
            "verdict": "FAIL",
            "what": "program './none' not found",
            "mend": "name the file, or add its directory to PATH"
          },

Another host has a column of its own.  An ssh that stays here stands for the way
there, and programs beside mpirun for Open MPI.

  $ printf '#!/bin/sh\nfor command; do :; done\nsh -c "$command"\n' > bin/ssh
  $ printf '#!/bin/sh\necho "mpirun (Open MPI) 9.9.9"\n' > bin/mpirun; cp bin/mpirun bin/orted; chmod +x bin/*
  $ far() { (PATH=$PWD/bin:$PATH; poprun --check --offline-mode yes --allow-run-as-root yes --host localhost,192.0.2.77 --num-instances 2 --num-replicas 2 "$@") > out; }
  $ below() { sed -n '/^$/,$p' out | grep -v '^$\|^memlock\|^network\|^processes'; }
  $ far true; sed 's/ *$//' out | sed -n '/^network\|^memlock\|^processes\|^$/!p;/^$/q'
  check          localhost  192.0.2.77
  reachable      ok         ok
  ipubox         ok         ok
  clock          ok         ok
  mpi            ok         ok
  program        ok         ok
  launcher       ok         -
  script         ok         ok
  paths          ok         ok
  directories    ok         ok
  partition      ok         -
  shared-memory  ok         ok
  temporary      ok         ok
  state          ok         -
  open-files     ok         ok
  cores          ok         ok
  port           ok         -
  terminal       ok         ok
  $ far --mpi-local-args "--wdir $PWD/nowhere" ./none /no/data
  [1]
  $ below | grep -v 'localhost\|^paths'
  program        FAIL  192.0.2.77: program './none' not found; copy it there, or keep it on a file system that all hosts share
  directories    FAIL  192.0.2.77: --wdir: */nowhere: No such file or directory; create it there, or name a directory that all hosts have (glob)
  $ below | grep paths
  paths          warn  localhost: /no/data: *; if the program reads it, give its full path, or its path from */nowhere (glob)
  paths          warn  192.0.2.77: /no/data: *; if the program reads it, give its full path, or its path from this directory (glob)
  $ rm bin/orted; far true
  [1]
  $ below
  mpi            FAIL  192.0.2.77: cannot execute */bin/orted, which mpirun needs there: No such file or directory; install the same Open MPI there (apt-get install openmpi-bin) (glob)

What is not to be reached is not looked at, and an answer that is not one is
not believed.

  $ printf '#!/bin/sh\necho "ssh: connect to host x port 22: Connection refused" >&2\nexit 255\n' > bin/ssh
  $ far true
  [1]
  $ awk '$1 != "network" && $3 ~ /FAIL|-/ { print $1, $3 }' out | tr '\n' ' '
  reachable FAIL ipubox - clock - mpi - program - launcher - script - paths - directories - partition - memlock - shared-memory - temporary - state - open-files - processes - cores - port - terminal -  (no-eol)
  $ below
  reachable      FAIL  192.0.2.77: nothing listens on the port of ssh; on that host, apt-get install openssh-server and service ssh start
  $ printf '#!/bin/sh\necho "x: not found" >&2\nexit 127\n' > bin/ssh
  $ far true
  [1]
  $ below
  ipubox         FAIL  192.0.2.77: /*/ipubox is missing or cannot be executed (x: not found); copy the file of this host there: scp * 192.0.2.77:* (glob)
  $ printf '#!/bin/sh\necho "{\\"ipubox_check_answer\\":1,\\"began_ms\\":1,\\"ended_ms\\":2,\\"findings\\":[{\\"check\\":\\"x\\"}]}"\n' > bin/ssh
  $ far true
  [1]
  $ below
  ipubox         FAIL  192.0.2.77: /*/ipubox: its answer is not valid for this version of ipubox; copy the file of this host there: scp * 192.0.2.77:* (glob)
  $ sed -i 's/\[.*\]/[]/' bin/ssh; far true
  [1]
  $ below
  clock          FAIL  192.0.2.77: it is * s earlier than this host's; set it, and synchronise it by NTP: timedatectl set-ntp true (glob)
  $ ipubox __check < /dev/null
  ipubox: standard input is not a request of poprun --check
  [1]

What cannot be a job is refused.

  $ poprun --check --num-replicas 3 --num-instances 2 true
  POPRUN ERROR: * (glob)
  [1]

Where it is a screen, lines are as wide as that:

  $ poprun --pty yes --launcher local --offline-mode=yes poprun --check --offline-mode=yes ./no/such/program/of/a/rather/long/name 2> /dev/null |
  >     sed 's/^\[1,0\]<stdout>://' | awk '{ sub("\r", "") } length > 80 { print length }'
