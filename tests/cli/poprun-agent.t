#needs ip
#skip-unless unshare -n ip link add veth0 type veth peer name veth1
poprun: hosts that only an agent knows, what it asks them, and what it makes of
what they say.  Nothing is started: the mpirun here tells that it was called.

  $ mkdir bin other
  $ cat > agent <<'X'
  > #!/bin/sh
  > pod=$1; shift
  > echo "$pod" >> asked
  > if [ -e "not-$pod" ]; then cat "not-$pod" >&2; exit 1; fi
  > mkdir -p "tmp/$pod"
  > exec env -i PATH="$FIRST$PATH" HOME=/ TMPDIR="$PWD/tmp/$pod" POD="$pod" sh -c "$*"
  > X
  $ cat > bin/mpirun <<'X'
  > #!/bin/sh
  > [ "$1" != --version ] || { echo "mpirun (Open MPI) 9.9.9"; exit 0; }
  > echo called > called; exit 7
  > X
  $ chmod +x agent bin/mpirun; cp bin/mpirun bin/orted
  $ printf 'job-worker-0 slots=1\njob-worker-1 slots=1\n' > hosts
  $ printf 'ip link set lo up && ip link add v0 type veth peer name v1 && ip addr add 10.78.0.1/16 dev v0 && ip link set v0 up && ip link set v1 up && ip route add 192.0.2.0/24 via 10.78.0.9 && exec "$@"\n' > net
  $ export OMPI_MCA_plm_rsh_agent=$PWD/agent OMPI_MCA_orte_default_hostfile=$PWD/hosts
  $ PATH=$PWD/bin:$PATH; two='--num-replicas 2 --num-instances 2'
  $ alias net='unshare -n sh net poprun --allow-run-as-root yes'
  $ alias run='net --offline-mode=yes'; alias dry='run --dry-run'
  $ alias here='sed "s|$PWD|HERE|g"'

The hosts are those of mpirun's file:

  $ run -v $two true 2>&1 | here | sed -n 's/.*\[I\] \(Hosts\|The hosts\)/\1/p; /^POPRUN/p'
  Hosts picked up from OMPI_MCA_orte_default_hostfile: HERE/hosts
  The hosts that HERE/agent reaches share this one's network: yes, pod: yes
  POPRUN ERROR: mpirun (pid *) exited with status 7 (glob)
  $ dry $two true | grep '^| hosts\|^instance\|MASTER_ADDR'
  | hosts     | job-worker-0 | job-worker-1 |
    MASTER_ADDR=10.78.0.1
  instance 0 on job-worker-0:
  instance 1 on job-worker-1:
  $ dry true | grep '^[0-9]'
  0           | job-worker-0 | 0        | none | any
  $ dry --num-replicas 4 --num-instances 4 true
  POPRUN ERROR: 4 instances are more than the 2 slots of 2 hosts: give them more slots, name more hosts, or use --allow-oversubscribe yes
  [1]

Of more hosts than mpirun starts itself it would let its daemons start the rest,
who need not know the agent's names:

  $ dry $two true | grep -c tree_spawn
  0
  [1]
  $ dry --host 'w[1-128]' --num-replicas 128 --num-instances 128 true | grep tree_spawn
    OMPI_MCA_plm_rsh_no_tree_spawn=1

What poprun is told itself counts before, and so do mpirun's arguments before
the environment:

  $ dry $two --host other-0,other-1 true | grep '^instance'
  instance 0 on other-0:
  instance 1 on other-1:
  $ echo job-worker-7 > seven
  $ dry --mpi-global-args "--mca orte_default_hostfile $PWD/seven" true | grep '^[0-9]'
  0           | job-worker-7 | 0        | none | any
  $ dry --launcher local true | grep '^[0-9]'
  0           | localhost | 0        | none | any
  $ OMPI_MCA_orte_default_hostfile=none dry true | grep '^[0-9]'
  0           | localhost | 0        | none | any
  $ echo '# a launcher without workers' > nobody
  $ OMPI_MCA_orte_default_hostfile=nobody dry true | grep '^[0-9]'
  0           | localhost | 0        | none | any
  $ echo 'job-worker-7 slots=abc' > bad; OMPI_MCA_orte_default_hostfile=bad dry true
  POPRUN ERROR: OMPI_MCA_orte_default_hostfile: bad:1: slots 'abc': not a whole number
  [1]
  $ dry --hostfile nobody true
  POPRUN ERROR: --hostfile: *nobody: no host is in it (glob)
  usage: poprun [option ...] program [argument ...]
  [2]
  $ dry --emulate-hosts yes $two true | grep '^instance\|^hosts\|MASTER_ADDR'
  hosts: emulated, all of them are this machine
    MASTER_ADDR=127.0.0.1
  instance 0 on job-worker-0:
  instance 1 on job-worker-1:
  $ OMPI_MCA_orte_default_hostfile=nowhere run true
  POPRUN ERROR: OMPI_MCA_orte_default_hostfile: *nowhere: No such file or directory (glob)
  [1]
  $ run ./nowhere
  POPRUN ERROR: program './nowhere' not found
  [127]

Where they see this machine's pod they are told where it is, and need no server:

  $ pod='--vipu-partition p --update-partition=yes --dry-run'
  $ net $pod $two true | grep '^ .*\(STATE_DIR\|REGISTRY\|API_HOST\)' | sort -u
    IPUBOX_REGISTRY=* (glob)
    IPUBOX_STATE_DIR=* (glob)
    IPUOF_VIPU_API_HOST=local
  $ net $pod --vipu-server-host 10.78.0.1 $two true 2> note | grep -c '^ .*API_HOST=local$'; sed "s|^.* POPRUN|POPRUN|" note
  1
  POPRUN [W] no server listens at 10.78.0.1:8090; using the embedded pod of this host

Programs that stand before the host's own let it say that it is another one,
without the pod, and then on another network, with an address or without:

  $ export FIRST=$PWD/other:
  $ printf '#!/bin/sh\necho 1:$POD\n' > other/stat; chmod +x other/stat
  $ net $pod $two true
  POPRUN ERROR: the instances on job-worker-0 cannot reach the V-IPU controller of this machine: let vipu-server listen at 10.78.0.1:8090 (--listen), or use --offline-mode yes
  [1]
  $ printf '#!/bin/sh\necho net:[1]\n' > other/readlink; chmod +x other/readlink
  $ printf '#!/bin/sh\necho 127.0.1.1 192.0.2.8 10.78.0.7${POD#job-worker-} x\n' > other/hostname; chmod +x other/hostname
  $ dry -v $two true 2>&1 | grep -o 'network: no, pod: no\|MASTER_ADDR=.*'
  network: no, pod: no
  MASTER_ADDR=10.78.0.70
  $ dry -v $two true 2> /dev/null | grep '^command' | grep -o '.._tcp_if_include [^ ]*'
  ob_tcp_if_include 10.78.0.0/16
  tl_tcp_if_include 10.78.0.0/16
  $ printf '#!/bin/sh\n' > other/hostname
  $ dry -v $two true 2> /dev/null | grep -c "MASTER_ADDR=job-worker-0\|tcp_if_include"
  1
  $ printf '#!/bin/sh\necho 1:1\n' > other/stat
  $ dry $two true 2>&1 > /dev/null
  POPRUN WARNING: hosts job-worker-0 and job-worker-1 have the same hostname and the same temporary directory, in which mpirun's daemons sometimes collide: give each host its own hostname or TMPDIR
  $ rm other/*

A network that the user names for mpirun is poprun's too:

  $ printf 'ip link add w0 type veth peer name w1 && ip addr add 10.79.0.1/16 dev w0 && ip link set w0 up && ip link set w1 up && . ./net\n' > nets
  $ alias nets='unshare -n sh nets poprun --allow-run-as-root yes --offline-mode yes --dry-run --num-replicas 2 --num-instances 2'
  $ nets true | grep MASTER_ADDR
    MASTER_ADDR=10.78.0.1
  $ OMPI_MCA_btl_tcp_if_include=ib0,w0 nets -v true 2> /dev/null | grep -o "MASTER_ADDR=.*\|..._tcp_if_include [^ ]*"
  oob_tcp_if_include 10.79.0.0/16
  MASTER_ADDR=10.79.0.1
  $ OMPI_MCA_btl_tcp_if_include=w0 nets --host-subnet v0 true | grep MASTER_ADDR
    MASTER_ADDR=10.78.0.1

One host that the agent does not reach is named before anything is started, in
the agent's last words; a trace of its shell is none:

  $ printf '+ POD=x\nfirst\nError from server (NotFound): pods "job-worker-1" not found\n+ exit 1\ncommand terminated with exit code 1\n' > not-job-worker-1; rm asked called
  $ run $two true > out 2>&1
  [1]
  $ here < out; test ! -e called; sort -u asked
  POPRUN ERROR: cannot reach host job-worker-1 by HERE/agent: Error from server (NotFound): pods "job-worker-1" not found
  job-worker-0
  job-worker-1
  $ cp not-job-worker-1 not-job-worker-0; run $two true 2>&1 | here; rm not-job-worker-0
  POPRUN ERROR: cannot reach host job-worker-0 by HERE/agent: Error from server (NotFound): pods "job-worker-1" not found (and 1 more)
  $ run --check $two true > out
  [1]
  $ here < out | sed -n '/^check\|^reachable\|^network/s/  */ /gp'
  check * job-worker-0 job-worker-1 (glob)
  reachable ok ok FAIL
  network ok ok -
  reachable FAIL job-worker-1: HERE/agent does not reach the host (Error from server (NotFound): pods "job-worker-1" not found); try HERE/agent job-worker-1 true
  $ : > not-job-worker-1; run $two true 2>&1 | here; rm not-job-worker-1
  POPRUN ERROR: cannot reach host job-worker-1 by HERE/agent: HERE/agent ended with status 1 and without a message
  $ run --check $two true > out; grep FAIL out
  [1]
  $ OMPI_MCA_plm_rsh_agent='nonesuch : /none/agent' run $two true
  POPRUN ERROR: OMPI_MCA_plm_rsh_agent: the agent 'nonesuch : /none/agent' is missing or cannot be executed
  [1]
  $ OMPI_MCA_plm_rsh_agent=/none/agent run --check --host 10.78.0.2,10.78.0.3 $two true | sed -n '/^$/,$s/  */ /gp'
  reachable FAIL 10.78.0.2, 10.78.0.3: OMPI_MCA_plm_rsh_agent: the agent '/none/agent' is missing or cannot be executed
  launcher FAIL *: OMPI_MCA_plm_rsh_agent: the agent '/none/agent' is missing or cannot be executed (glob)

What is prepared on the hosts goes through the agent, where that hands standard
input on:

  $ run -v --bring-ipubox $two true 2>&1 | grep -c 'All hosts have this ipubox'
  1
  $ mkdir venv; VIRTUAL_ENV=$PWD/venv run -v --synchronise-python-venv yes $two true 2>&1 | here | sed -n 's/.*\(job-worker.*shares\)/\1/p' | sort
  job-worker-0: shares HERE/venv with this host
  job-worker-1: shares HERE/venv with this host
  $ dry --distribute-ssh-key yes $two true | grep effect
  no effect here: --distribute-ssh-key, because the hosts are not reached by ssh
  $ sed -i 's/^exec.*/& < \/dev\/null/' agent
  $ run --bring-ipubox $two true 2>&1 | here
  POPRUN ERROR: --bring-ipubox: HERE/agent does not pass standard input to the hosts: kubectl exec needs -i
  $ run --check $two true > out; grep FAIL out
  [1]
