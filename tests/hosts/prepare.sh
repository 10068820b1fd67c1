# shellcheck shell=sh disable=SC2154
# What poprun does on other hosts before a job, for tests/hosts/run: the ssh
# key, ipubox itself, the virtual environment and the SDK.
#
# Sourced.  The keys are there, all to all.

# poprun as the user of pod1, with ipubox of its own on each host.
verbose=-v
prepared() {
	askpass=
	pod_run pod1 env VIRTUAL_ENV="/home/$user/venv" poprun $verbose \
	    --offline-mode yes --num-instances 2 --num-replicas 2 "$@" \
	    > "$work/out" 2>&1 < /dev/null
}
both() { # both hosts have printed their names
	says '^\[1,0\]<stdout>:pod1$' && says '^\[1,1\]<stdout>:pod2$'
}
nothing_brought() { # in /tmp of the two hosts
	for host in pod1 pod2; do
		[ -z "$(pod_root "$host" find /tmp -name 'ipubox-job-*')" ] ||
		    return 1
	done
}
as_before() {
	for host in pod1 pod2; do
		pod_root "$host" cmp "$ipubox" /usr/local/bin/ipubox ||
		    return 1
	done
}

bring() {
	ok '--bring-ipubox where all have it' exits 0 prepared --bring-ipubox yes \
	    --host pod1,pod2 hostname
	ok 'runs' both
	ok 'and brings nothing' says 'All hosts have this ipubox'
	pod_root pod2 mv /usr/local/bin/ipubox /usr/local/bin/kept
	verbose=
	ok 'a host without it' not prepared --host pod1,pod2 hostname
	ok 'is told of' says 'ipubox is missing on pod2.*--bring-ipubox yes'
	verbose=-v
	for other in none another damaged; do
		case $other in
		another)
			pod_root pod2 cp /bin/true /usr/local/bin/ipubox ;;
		damaged)
			pod_root pod2 sh -c 'head -c 100000 \
			    /usr/local/bin/kept > /usr/local/bin/ipubox' ;;
		esac
		ok "--bring-ipubox where it has $other" exits 0 prepared \
		    --bring-ipubox yes --host pod1,pod2 hostname
		ok 'runs' both
		ok 'from the copy' says 'pod2: copied ipubox to /tmp/'
		ok 'which is gone' nothing_brought
	done
	ok 'started again' exits 3 prepared --bring-ipubox yes --max-restarts 1 \
	    --host pod1,pod2 sh -c 'exit 3'
	ok 'it is brought again' test "$(grep -c 'pod2: copied ipubox' \
	    "$work/out")" -eq 2
	ok 'and gone' nothing_brought
	pod_root pod2 mount -t tmpfs -o size=1m,mode=1777 tmpfs /tmp
	ok 'no room there' exits 1 prepared --bring-ipubox yes --host pod1,pod2 \
	    hostname
	ok 'is said so' says 'cannot copy ipubox to pod2: .*No space left'
	ok 'and nothing stays' nothing_brought
	pod_root pod2 umount /tmp
	pod_root pod2 mount -o remount,noexec /tmp
	ok 'no programs there' exits 1 prepared --bring-ipubox yes \
	    --host pod1,pod2 hostname
	ok 'is said so' says 'pod2: .*noexec'
	pod_root pod2 mount -o remount,exec /tmp
	pod_root pod2 mv -f /usr/local/bin/kept /usr/local/bin/ipubox
	pod_sshd_stop pod2
	ok 'a host that is down' exits 1 prepared --bring-ipubox yes \
	    --host pod1,pod2 hostname
	ok 'is named' says 'cannot check pod2: nothing listens'
	pod_sshd pod2
	ok 'nothing stays' nothing_brought
	ok 'and no file was changed' as_before
}

synchronise() {
	venv=/home/$user/venv
	pod_run pod1 sh -c "mkdir -p venv/bin && echo one > 'venv/a b' &&
	    chmod 500 venv/bin"
	ok '--synchronise-python-venv' exits 0 prepared \
	    --synchronise-python-venv yes --host pod1,pod2 cat "$venv/a b"
	ok 'copies it' says '^\[1,1\]<stdout>:one$'
	pod_run pod1 sh -c "mv 'venv/a b' venv/c"
	ok 'and once more' exits 0 prepared --synchronise-python-venv yes \
	    --host pod1,pod2 cat "$venv/c"
	ok 'what is gone here goes there' test ! -e "$work/pod2/home/venv/a b"
	ok 'with nothing beside it' test -z "$(find "$work/pod2/home" \
	    -name '*ipubox-*' ! -path '*/.local/*')"
	pod_root pod2 mount -o remount,bind,ro "/home/$user"
	ok 'a home that cannot be written' exits 1 prepared \
	    --synchronise-python-venv yes --host pod1,pod2 true
	ok 'is named' says 'cannot copy to pod2: .*[Rr]ead-only'
	pod_root pod2 mount -o remount,bind,rw "/home/$user"
	pod_run pod1 ipubox --install-sdk "/home/$user/sdk" > /dev/null
	ok '--synchronise-poplar-sdk' exits 0 prepared \
	    --synchronise-poplar-sdk yes --sdk "/home/$user/sdk" \
	    --host pod1,pod2 test -d "/home/$user/sdk/python"
}

distribute() {
	mv "$(file pod2 authorized_keys)" "$work/kept"
	ok '--distribute-ssh-key without a password' exits 1 prepared \
	    --distribute-ssh-key yes --host pod1,pod2 hostname
	ok 'says how' says 'pod2: Permission denied: run copy-ssh pod2'
	askpass=$work/askpass
	pod_run pod1 poprun --offline-mode yes --num-instances 2 \
	    --num-replicas 2 --distribute-ssh-key yes --host pod1,pod2 \
	    hostname > "$work/out" 2>&1 < /dev/null
	ok '--distribute-ssh-key' both
	mv "$work/kept" "$(file pod2 authorized_keys)"
}
