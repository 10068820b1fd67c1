# shellcheck shell=sh disable=SC2154
# A Slurm of four nodes on one machine, for tests/slurm/run: each node is a set
# of namespaces (network, mounts, names) with an address on one bridge and a
# /tmp of its own.  The caller runs in a namespace of mounts, networks, names
# and processes, so all ends with it.
#
# Sourced.  The caller sets `ipubox` (the program) and `work` (an empty
# directory, which all nodes see).

subnet=10.78.0

# What is missing to make a Slurm here, or nothing.
cluster_missing() {
	[ "$(id -u)" -eq 0 ] || echo 'root'
	for tool in slurmctld slurmd srun munged ip unshare runuser pgrep make gcc \
	    mandoc; do
		command -v "$tool" > /dev/null || echo "$tool"
	done
	[ -f /usr/include/slurm/spank.h ] || echo 'libslurm-dev'
}

# A copy of /etc with two users, the hosts' names and an empty /etc/slurm.
cluster_etc() {
	mkdir -p "$work/etc" "$work/home" || return 1
	for user in 64001:anna 64002:ben; do
		name=${user#*:} id=${user%:*}
		mkdir -p "$work/home/$name"
		chown "$id:$id" "$work/home/$name"
		echo "$name:x:$id:$id::$work/home/$name:/bin/sh" >> "$work/users"
		echo "$name:x:$id:" >> "$work/groups"
	done
	cat /etc/passwd "$work/users" > "$work/etc/passwd"
	{
		cat /etc/group "$work/groups"
		echo 'ipu:x:64100:anna,ben'
	} > "$work/etc/group"
	{
		echo '127.0.0.1 localhost'
		echo "$subnet.254 head"
		for n in 1 2 3 4; do
			echo "$subnet.$n n$n"
		done
	} > "$work/etc/hosts"
	for file in passwd group hosts; do
		mount --bind "$work/etc/$file" "/etc/$file" || return 1
	done
	mkdir -p "$work/slurm" "$work/munge" "$work/spool" "$work/log"
	mount --bind "$work/slurm" /etc/slurm &&
	    mount -t tmpfs -o mode=755 run /run && mkdir -m 755 /run/munge &&
	    mount -t tmpfs munge /etc/munge && mount -t tmpfs log /var/log/munge
}

cluster_munge() {
	head -c 1024 /dev/urandom > /etc/munge/munge.key
	chown munge:munge /etc/munge /etc/munge/munge.key /run/munge \
	    /var/log/munge
	chmod 400 /etc/munge/munge.key
	chmod 700 /etc/munge /var/log/munge
	runuser -u munge -- /usr/sbin/munged 2> "$work/log/munged"
}

# The network: the head's bridge, and a pair of interfaces for each node.
cluster_network() {
	hostname head && ip link set lo up &&
	    ip link add switch type bridge &&
	    ip addr add "$subnet.254/24" dev switch && ip link set switch up || return 1
	mkdir -p /run/netns
	for n in 1 2 3 4; do
		ip netns add "n$n" &&
		    ip link add "v$n" type veth peer name eth0 netns "n$n" &&
		    ip link set "v$n" master switch up &&
		    ip -n "n$n" link set lo up &&
		    ip -n "n$n" addr add "$subnet.$n/24" dev eth0 &&
		    ip -n "n$n" link set eth0 up || return 1
	done
}

# A bare slurm.conf: what a site has before ipubox.
cluster_conf() {
	cat > /etc/slurm/slurm.conf <<-END
	ClusterName=test
	SlurmctldHost=head($subnet.254)
	SlurmUser=root
	SlurmdUser=root
	AuthType=auth/munge
	CredType=cred/munge
	ProctrackType=proctrack/pgid
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	SlurmdParameters=config_overrides
	ReturnToService=2
	SlurmctldPidFile=$work/spool/slurmctld.pid
	SlurmdPidFile=$work/spool/slurmd-%n.pid
	SlurmctldLogFile=$work/log/slurmctld
	SlurmdLogFile=$work/log/slurmd-%n
	StateSaveLocation=$work/spool/state
	SlurmdSpoolDir=$work/spool/%n
	SchedulerParameters=bf_interval=1,sched_min_interval=10000
	KillWait=2
	MessageTimeout=30
	TCPTimeout=30
	BatchStartTimeout=120
	MinJobAge=300
	NodeName=n[1-4] CPUs=8 RealMemory=1000 State=UNKNOWN
	PartitionName=ipu Nodes=ALL Default=YES State=UP
	END
	echo 'CgroupPlugin=cgroup/v1' > /etc/slurm/cgroup.conf
}

cluster_start_slurmd() { # NUMBER
	ip netns exec "n$1" unshare --uts --mount sh -c "hostname n$1 &&
	    mount -t tmpfs tmp /tmp && chmod 1777 /tmp &&
	    exec slurmd -N n$1 $2"
}

# Start all daemons, and wait until all nodes are idle.
cluster_start() {
	slurmctld -c || return 1
	for n in 1 2 3 4; do
		cluster_start_slurmd "$n" -c || return 1
	done
	cluster_await_idle
}

cluster_is_idle() { [ "$(sinfo -h -t idle -o %D 2> /dev/null)" = 4 ]; }
cluster_await_idle() { soon cluster_is_idle || { sinfo; return 1; }; }
