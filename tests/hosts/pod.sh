# shellcheck shell=sh disable=SC2154
# Hosts on one machine, for tests/hosts/run and tests/hosts/many: each is a set
# of namespaces (network, mounts, names, processes) with an address on one
# bridge, an sshd, a /tmp and a /dev/shm of its own, and a user `pod` with a
# home of its own.
#
# Sourced.  The caller sets `ipubox` (the program) and `work` (an empty
# directory), and calls pods_end when it ends.  Everything a host changes is below
# $work/NAME or in a tmpfs that goes with it.
#
#	$work/NAME/home		/home/pod there
#	$work/NAME/ssh		host keys and configuration of its sshd
#	$work/NAME/hosts	its /etc/hosts
#	$work/NAME/pid		the first process in its namespaces

bridge='ipubox-br'
subnet=10.77
user=pod
password=correct-horse

# What is missing to make hosts here, or nothing.
pods_missing() {
	[ "$(id -u)" -eq 0 ] || echo 'root'
	for tool in ip nsenter unshare ssh ssh-keygen ssh-keyscan openssl; do
		command -v "$tool" > /dev/null || echo "$tool"
	done
	[ -x /usr/sbin/sshd ] || echo 'sshd'
	[ -f /etc/hosts ] || echo '/etc/hosts'
	ip link add "$bridge" type bridge 2> /dev/null &&
	    ip link del "$bridge" 2> /dev/null ||
	    echo 'a network to make hosts in'
}

address() { # NUMBER
	echo "$subnet.$(($1 / 200)).$(($1 % 200 + 1))"
}

# The users of all hosts: those of this machine, and pod with its password.
pods_users() {
	mkdir "$work/etc" || return 1
	grep -v "^$user:" /etc/passwd > "$work/etc/passwd"
	echo "$user:x:64001:64001::/home/$user:/bin/sh" >> "$work/etc/passwd"
	grep -v "^$user:" /etc/group > "$work/etc/group"
	echo "$user:x:64001:" >> "$work/etc/group"
	grep -v "^$user:" /etc/shadow > "$work/etc/shadow"
	echo "$user:$(openssl passwd -6 "$password"):19000:0:99999:7:::" \
	    >> "$work/etc/shadow"
	chmod 644 "$work/etc/passwd" "$work/etc/group"
	chmod 600 "$work/etc/shadow"
	printf '#!/bin/sh\necho %s\n' "$password" > "$work/askpass"
	chmod 755 "$work/askpass"
}

# COUNT hosts pod1, pod2 ... that know one another by name.
pods_begin() { # COUNT
	pods_users || return 1
	# Where the hosts see it: they have a /tmp of their own.
	cp "$ipubox" "$work/ipubox" || return 1
	ipubox=$work/ipubox
	ip link add "$bridge" type bridge && ip link set "$bridge" up ||
	    return 1
	ip addr add "$subnet.255.254/16" dev "$bridge" || return 1
	echo '127.0.0.1 localhost' > "$work/hosts"
	pods_add 1 "$1"
}

# The hosts from FIRST to LAST; those that are there learn their names.
pods_add() { # FIRST LAST
	for n in $(seq "$1" "$2"); do
		echo "$(address "$n") pod$n"
	done > "$work/names"
	for file in "$work/hosts" "$work"/pod*/hosts; do
		[ ! -f "$file" ] || cat "$work/names" >> "$file"
	done
	for n in $(seq "$1" "$2"); do
		pod_begin "$n" || return 1
	done
	for n in $(seq "$1" "$2"); do
		pod_await "pod$n" || return 1
	done
}

# pod1's user gets into all hosts without a question: one new key, and no other
# files of ssh are left in any home.
pods_trust() {
	for home in "$work"/pod*/home; do
		rm -rf "$home/.ssh"
		mkdir -m 700 "$home/.ssh" || return 1
	done
	first=$work/pod1/home/.ssh
	ssh-keygen -q -t ed25519 -N '' -C pod1 -f "$first/id_ed25519" ||
	    return 1
	sed -n 's/.* pod/pod/p' "$work/hosts" | while read -r name; do
		echo "$name $(cat "$work/$name/ssh/ed25519.pub")"
	done > "$first/known_hosts"
	for home in "$work"/pod*/home; do
		cp "$first/id_ed25519.pub" "$home/.ssh/authorized_keys"
		chown -R 64001:64001 "$home/.ssh"
	done
}

pod_files() { # NAME ADDRESS
	mkdir -p "$work/$1/home" "$work/$1/ssh" || return 1
	chown 64001:64001 "$work/$1/home"
	chmod 755 "$work/$1/home"
	cp "$work/hosts" "$work/$1/hosts"
	ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/$1/ssh/ed25519" ||
	    return 1
	cat > "$work/$1/ssh/config" <<-END
		ListenAddress $2
		HostKey $work/$1/ssh/ed25519
		PidFile none
		AuthorizedKeysFile .ssh/authorized_keys
		UsePAM no
		PrintMotd no
		MaxStartups 200
	END
}

# In the host's own namespaces, before its sshd: mounts, name, loopback.
pod_inside() { # NAME
	mount --make-rprivate / &&
	mount -t tmpfs tmpfs /home && mkdir "/home/$user" &&
	mount -t tmpfs -o mode=1777 tmpfs /tmp &&
	mount -t tmpfs -o mode=1777 tmpfs /dev/shm &&
	mount --bind "$work/$1/home" "/home/$user" &&
	mount --bind "$work/$1/hosts" /etc/hosts &&
	for file in passwd group shadow; do
		mount --bind "$work/etc/$file" "/etc/$file" || return 1
	done &&
	mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd &&
	mount -t tmpfs tmpfs /usr/local/bin &&
	cp "$ipubox" /usr/local/bin/ipubox &&
	/usr/local/bin/ipubox --install -sf /usr/local/bin &&
	hostname "$1" && ip link set lo up
}

pod_begin() { # NUMBER
	name=pod$1
	at=$(address "$1")
	pod_files "$name" "$at" || return 1
	ip netns add "ipubox-$name" &&
	ip link add "ib$1" type veth peer name eth0 netns "ipubox-$name" &&
	ip link set "ib$1" master "$bridge" up &&
	ip -n "ipubox-$name" addr add "$at/16" dev eth0 &&
	ip -n "ipubox-$name" link set eth0 up || return 1
	mkfifo "$work/$name/ready" || return 1
	export work ipubox user
	ip netns exec "ipubox-$name" unshare --mount --uts --pid --fork \
	    --kill-child --mount-proc sh -c "
		. '$pods_source'
		pod_inside $name || exit 1
		echo ready > '$work/$name/ready'
		exec sleep infinity" > "$work/$name/log" 2>&1 &
	echo $! > "$work/$name/outer"
}

# Until the host is there; then its sshd.
pod_await() { # NAME
	timeout 30 grep -q ready "$work/$1/ready" || return 1
	# The first process in the namespace of processes.
	pgrep -P "$(cat "$work/$1/outer")" > "$work/$1/pid"
	pod_sshd "$1"
}

# Start the host's sshd, and wait until it answers.
pod_sshd() { # NAME
	pod_root "$1" /usr/sbin/sshd -D -e -f "$work/$1/ssh/config" \
	    >> "$work/$1/log" 2>&1 &
	echo $! > "$work/$1/sshd"
	tries=0
	until ssh-keyscan -T 1 "$(sed -n 's/^ListenAddress //p' \
	    "$work/$1/ssh/config")" 2> /dev/null | grep -q .; do
		tries=$((tries + 1))
		[ "$tries" -lt 2000 ] || return 1
	done
}

pod_sshd_stop() { # NAME
	pod_root "$1" pkill -x sshd
	wait "$(cat "$work/$1/sshd")" 2> /dev/null
	return 0
}

# Run a command on the host, as its root or as its user at home.
pod_root() { # NAME COMMAND ...
	pod=$(cat "$work/$1/pid")
	shift
	nsenter -t "$pod" --mount --uts --net --pid --wdns=/ env -i LC_ALL=C \
	    HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
pod_run() { # NAME COMMAND ...
	pod=$(cat "$work/$1/pid")
	shift
	nsenter -t "$pod" --mount --uts --net --pid --setuid 64001 \
	    --setgid 64001 --wdns="/home/$user" env -i LC_ALL=C \
	    HOME="/home/$user" USER="$user" LOGNAME="$user" \
	    PATH=/usr/local/bin:/usr/bin:/bin ${askpass:+SSH_ASKPASS="$askpass" \
	    SSH_ASKPASS_REQUIRE=force DISPLAY=none} "$@"
}

# All hosts end, and their network goes.
pods_end() {
	for file in "$work"/pod*/outer; do
		[ -s "$file" ] && kill -KILL "$(cat "$file")"
	done
	wait 2> /dev/null
	ip netns list 2> /dev/null | sed -n 's/^\(ipubox-pod[0-9]*\).*/\1/p' |
	while read -r space; do
		ip netns del "$space"
	done
	ip link del "$bridge" 2> /dev/null
	return 0
}
