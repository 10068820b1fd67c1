poprun: where the instances run, --process-placement.

A machine of two sockets, a NUMA node each, with two cores of two threads, as
its /sys shows it to a dry run:

  $ list() { mkdir -p "sys/devices/system/${1%/*}" && echo "$2" > "sys/devices/system/$1"; }
  $ list cpu/online 0-7; list node/online 0-1; list node/has_memory 0-1
  $ list node/node0/cpulist 0-1,4-5; list node/node1/cpulist 2-3,6-7
  $ for n in 0 1 4 5; do list cpu/cpu$n/topology/package_cpus_list 0-1,4-5; done
  $ for n in 2 3 6 7; do list cpu/cpu$n/topology/package_cpus_list 2-3,6-7; done
  $ for n in 0 1 2 3; do list cpu/cpu$n/topology/core_cpus_list $n,$((n + 4)); list cpu/cpu$((n + 4))/topology/core_cpus_list $n,$((n + 4)); done
  $ export IPUBOX_SYS=$PWD/sys
  $ alias run='poprun --offline-mode=yes --launcher local --num-replicas 4 --num-instances 4'
  $ cores() { run --dry-run "$@" true | sed -n '/^[0-9]/s/.*| \([0-9].*)\)$/\1/p'; }
  $ cores
  0-1,4-5 (NUMA node 0)
  0-1,4-5 (NUMA node 0)
  2-3,6-7 (NUMA node 1)
  2-3,6-7 (NUMA node 1)
  $ cores --process-placement scattersocket
  0,4 (NUMA node 0)
  2,6 (NUMA node 1)
  1,5 (NUMA node 0)
  3,7 (NUMA node 1)
  $ cores --process-placement scattersocket > sockets; cores --process-placement scatternuma | diff sockets -
  $ cores --process-placement close
  0,4 (NUMA node 0)
  1,5 (NUMA node 0)
  2,6 (NUMA node 1)
  3,7 (NUMA node 1)
  $ cores --numa-aware=no; cores --process-placement=disabled

One instance may use all there is, so nothing is bound; an emulated host is a
machine of its own:

  $ poprun --offline-mode=yes --dry-run true | grep '^0'
  0           | localhost | 0        | none | any
  $ cores --emulate-hosts 1 --host a,b
  0-1,4-5 (NUMA node 0)
  2-3,6-7 (NUMA node 1)
  0-1,4-5 (NUMA node 0)
  2-3,6-7 (NUMA node 1)

As JSON, null where nothing is bound; and in the log:

  $ poprun --offline-mode=yes --launcher local --num-replicas 2 --num-instances 2 --dry-run --format json true | grep -E '"(cores|numa_nodes)"'
        "cores": "0-1,4-5",
        "numa_nodes": "0",
        "cores": "2-3,6-7",
        "numa_nodes": "1",
  $ poprun --offline-mode=yes --dry-run --format json true | grep -E '"(cores|numa_nodes)"'
        "cores": null,
        "numa_nodes": null,
  $ run --process-placement close --dry-run -vv true 2>&1 > /dev/null | sed -n 's/.*POPRUN \(.*cores\)/\1/p'
  [D] Instance 0: cores 0,4 (NUMA node 0)
  [D] Instance 1: cores 1,5 (NUMA node 0)
  [D] Instance 2: cores 2,6 (NUMA node 1)
  [D] Instance 3: cores 3,7 (NUMA node 1)

What the arguments for mpirun say counts there, and here before the default; what
binds nothing here is named:

  $ run --mpi-global-args '--bind-to core' --dry-run true | grep -E 'cores|no effect'
  no effect here: --bind-to core, because the instances are started without mpirun, on this machine
  $ cores --mpi-local-args '--map-by socket' --process-placement close | head -1
  0,4 (NUMA node 0)
  $ mkdir bin; printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' > bin/mpirun; chmod +x bin/mpirun
  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ alias under='PATH=$PWD/bin:$PATH poprun --launcher mpirun --offline-mode=yes --num-replicas 2 --num-instances 2 --dry-run'
  $ under --process-placement close --mpi-local-args '-x HOME --mca hwloc_base_binding_policy core' true | grep -E 'cores|no effect'
  no effect here: --process-placement, because the arguments for mpirun say where the instances run
  $ under --process-placement close --mpi-local-args '-x HOME' true | grep -E '^[0-9]|no effect'
  0           | localhost | 0        | none | 0,4 (NUMA node 0)
  1           | localhost | 1        | none | 1,5 (NUMA node 0)
  $ under --process-placement disabled --mpi-global-args '--bind-to core' -v true 2> /dev/null | sed -n 's/^command: [^ ]* \(.*\) -np 1 .* -np 1 .*/\1/p'
  --tag-output --oversubscribe --bind-to core

A directory that is no copy of /sys is refused, where it would be read:

  $ IPUBOX_SYS=$PWD/bin run --dry-run true
  POPRUN ERROR: IPUBOX_SYS does not name a copy of /sys: cannot read *bin/devices/system/cpu/online: No such file or directory (glob)
  [1]
  $ IPUBOX_SYS=$PWD/bin run true

This machine, whatever it is: instances run where the dry run says, and where it
says nothing they run where poprun may.

  $ unset IPUBOX_SYS
  $ allowed() { sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status; }
  $ planned() { run --dry-run "$@" true | awk -v all="$(allowed)" '/^[0-9]/ { print $1, $9 == "any" ? all : $9 }'; }
  $ found() { run "$@" sh -c 'echo $POPDIST_LOCAL_INSTANCE_INDEX $(sed -n "s/^Cpus_allowed_list://p" /proc/self/status)' | sed 's/^.*>://' | sort; }
  $ for policy in spreadnuma scattersocket scatternuma close disabled; do planned --process-placement $policy > planned; found --process-placement $policy > found; [ "$(wc -l < found)" = 4 ] && diff planned found || echo "not $policy"; done
  $ found --process-placement close | head -1 | cut -d' ' -f2 | grep -c '^[0-9,]*$'
  1

Nobody gets a processor that poprun may not use:

  $ last=$(allowed | sed 's/.*[-,]//')
  $ for policy in spreadnuma scattersocket scatternuma close disabled; do taskset -c "$last" poprun --offline-mode=yes --launcher local --num-replicas 4 --num-instances 4 --process-placement $policy sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status; done | cut -d: -f2 | grep -cx "$last"
  20
