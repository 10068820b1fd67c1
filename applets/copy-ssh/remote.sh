#!/bin/sh
# What copy-ssh(1) does to the files of one host: read by `sh -s`, here and at
# the other end of ssh alike, behind lines that assign the variables below.
#
# Each result is a line "copy-ssh WORD ..." on standard output; whoever reads
# it passes over all other lines, as those of a login message.  Nothing else
# of ipubox is needed on the host: a POSIX shell, awk, sed and ssh-keygen.
set -u
umask 077
export LC_ALL=C

: "${actions:=}"	# of those named do_... below, in this order
: "${dry:=0}"		# 1: report the changes and make none
: "${identity:=}"	# the key's file; no '/': in ~/.ssh; empty: ssh's usual
: "${make_key:=1}"	# 0: ask for no key
: "${keys:=}"		# public keys, a line each
: "${hostkeys:=}"	# lines HOST NAME TYPE BLOB, NAME as in known_hosts
: "${names:=}"		# such NAMEs to forget, a line each
: "${accept:=}"		# the HOSTs that may change their keys, with blanks
: "${stanzas:=}"	# lines NAMES PORT USER IDENTITY, NAMES a,b; "-": none
: "${mapping:=}"	# lines ADDRESS NAME ... for /etc/hosts
: "${peers:=}"		# lines NAME ADDRESS, or NAME -
: "${timeout:=10}"	# seconds, for peers
: "${home:=}"		# for tests: another home folder than the user's,
: "${hosts_file:=/etc/hosts}"	# and another file

begin='# copy-ssh: begin'
end='# copy-ssh: end'
connection=${SSH_CONNECTION:--}
scratch=
locked=
lock_link=

say() { printf 'copy-ssh %s\n' "$*"; }
fail() { say "fail $*"; exit 1; }

# Nothing is written that was not made whole.
fail_at() { fail "$1 was not changed: awk or sed failed on it"; }

# The text of an error without the names before it.
reason() { sed -n '$s/.*: //p' "$scratch/error"; }

clean() {
	trap '' INT TERM HUP
	[ -z "$scratch" ] || rm -rf "${scratch:?}"
	[ -z "$lock_link" ] || rm -f "$lock_link"
}

# ssh takes the home directory from the user data base and not from $HOME.
find_home() {
	user=$(id -un 2> /dev/null) || user=
	case $home/$user in
	/?*/*) ;;
	/ | /-* | /*[!A-Za-z0-9._-]*) ;;
	*) eval "home=~$user" ;;
	esac
	case $home in
	/*) ;;
	*) home=${HOME:-/nowhere} ;;
	esac
	[ -d "$home" ] || fail "the home directory $home does not exist"
	home=${home%/}
	ssh=$home/.ssh
}

# Without flock(1): a symbolic link to nowhere, PID@HOST, which is made with its
# holder's name in one step.  A dead holder's is taken away under a lock of its
# own: whoever has that one, and still sees the dead name, is alone with it.
lock_by_link() {	# FOLDER
	link=$1/.copy-ssh.lock
	me=$$@$(uname -n)
	tries=0
	until ln -s "$me" "$link" 2> "$scratch/error"; do
		[ -w "$1" ] || fail "cannot write in $1: $(reason)"
		holder=$(readlink "$link") || continue
		tries=$((tries + 1))
		[ "$tries" -le 60 ] ||
		    fail "$link is locked by $holder: remove it if that has ended"
		if [ "${holder#*@}" != "${me#*@}" ] ||
		    kill -0 "${holder%%@*}" 2> /dev/null; then
			sleep 1
		elif ln -s "$me" "$link.dead" 2> /dev/null; then
			[ "$(readlink "$link")" != "$holder" ] || rm -f "$link"
			rm -f "$link.dead"
		else
			sleep 1
			breaker=$(readlink "$link.dead") || continue
			kill -0 "${breaker%%@*}" 2> /dev/null ||
			    rm -f "$link.dead"
		fi
	done
	lock_link=$link
}

# Nobody else changes ~/.ssh until we exit.  The lock is on the directory: its
# files are replaced.
lock() {
	[ "$dry" = 0 ] || return 0
	[ -z "$locked" ] || return 0
	if ! command -v flock > /dev/null; then
		lock_by_link "$ssh"
	else
		exec 9< "$ssh"
		flock 9 || fail "cannot lock $ssh"
	fi
	locked=1
	rm -rf "${ssh:?}"/.copy-ssh.??????	# of runs that were killed
}

# A file that is there is read whole, or nothing is done.
must_read() {	# FILE
	[ -e "$1" ] || return 0
	[ -f "$1" ] || fail "$1 is not a regular file"
	[ -r "$1" ] || fail "cannot read $1"
}

# The file's text, its last line completed.
whole() {	# FILE
	[ -s "$1" ] || return 0
	cat "$1"
	[ "$(tail -c 1 "$1" | wc -l)" -eq 1 ] || echo
}

is_mount_point() {	# FILE
	awk -v file="$1" '$5 == file { found = 1 } END { exit !found }' \
	    /proc/self/mountinfo 2> /dev/null
}

cannot_write() {	# PATH
	text=$(reason)
	[ -z "${new:-}" ] || rm -f "$new"
	fail "cannot write $1${text:+: $text}"
}

# Put $scratch/new in place of a file, by a rename; its owner and mode stay,
# a link stays a link.  Status 1: it is that already.
replace() {	# FILE MODE
	file=$1 mode=$2 owner=
	if [ -L "$file" ]; then
		file=$(readlink -f "$file") ||
		    fail "$1 is a dangling link: remove it"
	fi
	if [ -e "$file" ]; then
		[ -f "$file" ] || fail "$1 is not a regular file"
		! cmp -s "$scratch/new" "$file" || return 1
		mode=$(stat -c %a "$file") owner=$(stat -c %u:%g "$file")
	elif [ ! -s "$scratch/new" ]; then
		return 1
	fi
	[ "$dry" = 0 ] || return 0
	if is_mount_point "$file"; then
		# As /etc/hosts in a container: it cannot be renamed over.
		cat "$scratch/new" 2> "$scratch/error" > "$file" ||
		    cannot_write "$file"
		return 0
	fi
	new=
	rm -f "${file%/*}"/.copy-ssh.??????
	new=$(mktemp "${file%/*}/.copy-ssh.XXXXXX" 2> "$scratch/error") ||
	    cannot_write "$file"
	cat "$scratch/new" 2> "$scratch/error" > "$new" || cannot_write "$file"
	if [ -n "$owner" ] && [ "$(stat -c %u:%g "$new")" != "$owner" ]; then
		chown "$owner" "$new" 2> "$scratch/error" ||
		    cannot_write "$file"
	fi
	chmod "$mode" "$new"
	mv -f "$new" "$file" 2> "$scratch/error" || cannot_write "$file"
}

# Take bits that ssh does not suffer, or should not, from a mode.
mend() {	# PATH BITS
	[ -e "$1" ] || return 0
	old=$(stat -L -c %a "$1") || return 0
	less=$(printf '%o' $((0$old & ~$2)))
	[ "$old" != "$less" ] || return 0
	if [ "$dry" = 0 ] && ! chmod "$less" "$1" 2> "$scratch/error"; then
		say "note cannot change the mode $old of $1: $(reason)"
	else
		say "mode $old $less $1"
	fi
}

mend_modes() {
	old=$(stat -L -c %a "$home")
	[ $((0$old & 022)) -eq 0 ] ||
	    say "note others can write to $home (mode $old), so sshd accepts" \
	        "no keys: chmod go-w $home"
	mend "$ssh" 077
	for name in authorized_keys authorized_keys2 known_hosts \
	    known_hosts2 config; do
		mend "$ssh/$name" 022
	done
	for path in "$ssh"/*; do
		[ ! -f "$path" ] || mend_key "$path"
	done
	case $identity in
	"$ssh"/*) ;;
	*) [ ! -f "$identity" ] || mend_key "$identity" ;;
	esac
}

mend_key() {	# FILE
	case $1 in
	*.pub)
		mend "$1" 022
		return ;;
	esac
	[ -r "$1" ] || return 0
	IFS= read -r first < "$1" || :
	case $first in
	*'PRIVATE KEY-----'*) mend "$1" 0177 ;;
	esac
}

choose_identity() {
	case $identity in
	/*) return ;;
	?*)
		identity=$ssh/$identity
		return ;;
	esac
	for name in id_ed25519 id_ecdsa id_rsa; do
		identity=$ssh/$name
		[ ! -e "$identity" ] || return 0
	done
	identity=$ssh/id_ed25519
}

# Made elsewhere and renamed, the private half first: from it the public one
# can be had again.
create_key() {
	[ ! -e "$identity.pub" ] ||
	    fail "$identity.pub exists without $identity: move it away"
	if [ "$dry" = 1 ]; then
		say "made $identity"
		return
	fi
	folder=$(mktemp -d "${identity%/*}/.copy-ssh.XXXXXX" \
	    2> "$scratch/error") || cannot_write "$identity"
	ssh-keygen -q -t ed25519 -N '' -f "$folder/key" \
	    -C "$user@$(uname -n) (ipubox copy-ssh)" \
	    > /dev/null 2> "$scratch/error" || cannot_write "$identity"
	chmod 644 "$folder/key.pub"
	mv "$folder/key" "$identity" || cannot_write "$identity"
	mv "$folder/key.pub" "$identity.pub" || cannot_write "$identity.pub"
	rmdir "$folder"
	say "made $identity"
}

report_key() {
	[ -e "$identity" ] || return 0
	derived=$(ssh-keygen -y -P '' -f "$identity" 2> /dev/null) || derived=
	if [ ! -e "$identity.pub" ]; then
		[ -n "$derived" ] || fail "$identity.pub is missing, and" \
		    "$identity has a passphrase:" \
		    "ssh-keygen -y -f $identity > $identity.pub"
		printf '%s\n' "$derived" > "$scratch/new"
		replace "$identity.pub" 644
		say "made $identity.pub"
		[ "$dry" = 0 ] || return 0
	fi
	read -r type blob comment < "$identity.pub" || :
	if [ -z "$derived" ]; then
		[ "$dry" = 1 ] || say "note $identity has a passphrase:" \
		    "without an agent (ssh-add) programs cannot use it"
	elif [ "${derived#"$type $blob"}" = "$derived" ]; then
		fail "$identity.pub is not the public half of $identity:" \
		    "ssh-keygen -y -f $identity > $identity.pub"
	fi
	say "identity $identity"
	say "key $type $blob $comment"
}

say_who() {
	say "host $(uname -n) $user $(id -u)"
	say "from $connection"
	# By which names we know who calls.
	say "caller $(getent hosts "${connection%% *}" 2> /dev/null |
	    awk '{ for (i = 2; i <= NF; i++) printf "%s ", $i }')"
}

# Who is here, and the key if there is one.
do_identify() {
	choose_identity
	say_who
	if [ -r "$identity.pub" ]; then
		read -r type blob comment < "$identity.pub" || :
		say "key $type $blob $comment"
	fi
}

# ~/.ssh, its modes and a key.
do_prepare() {
	if [ ! -d "$ssh" ]; then
		[ "$dry" = 1 ] || mkdir -p "$ssh" 2> "$scratch/error" ||
		    cannot_write "$ssh"
		say "made $ssh"
	fi
	lock
	choose_identity
	mend_modes
	say_who
	[ "$make_key" = 1 ] || return 0
	[ -e "$identity" ] || create_key
	report_key
}

# Public keys into authorized_keys, each once, whatever stands around it.
do_authorise() {
	list=$ssh/authorized_keys
	[ -d "$ssh" ] || mkdir -p "$ssh" 2> "$scratch/error" ||
	    cannot_write "$ssh"
	lock
	must_read "$list"
	whole "$list" > "$scratch/new"
	printf '%s\n' "$keys" | awk '
	second && NF >= 2 && !(($1, $2) in seen) {
		seen[$1, $2] = 1
		print $0 (/copy-ssh/ ? "" : " (ipubox copy-ssh)")
	}
	!second && !/^[ \t]*#/ {
		for (i = 1; i < NF; i++)
			seen[$i, $(i + 1)] = 1
	}' "$scratch/new" second=1 - > "$scratch/added" || fail_at "$list"
	cat "$scratch/added" >> "$scratch/new" || fail_at "$list"
	added=$(wc -l < "$scratch/added")
	if [ "$added" -gt 0 ]; then
		replace "$list" 600
	fi
	say "authorised $((added))"
}

# What known_hosts says of the names on standard input: lines
# NAME LINE FLAG PATTERNS TYPE BLOB, FLAG "-", "CA" or "REVOKED".
known() {
	while read -r name; do
		ssh-keygen -F "$name" -f "$ssh/known_hosts" \
		    < /dev/null 2> /dev/null
	done | awk '
	/^# Host .* found: line / {
		name = $3; line = $6; flag = $7 == "" ? "-" : $7
		next
	}
	{
		at = $1 ~ /^@/ ? 2 : 1
		print name, line, flag, $at, $(at + 1), $(at + 2), $NF
	}'
}

# Which of the wanted keys are new, and whether a host's may be written: not
# while another key stands there for one of its names.
judge() {
	awk -v accept=" $accept " -v prints="$scratch/prints" \
	    -v fresh="$scratch/fresh" -v gone="$scratch/gone" '
	FILENAME != "-" {
		if ($3 == "CA")
			next
		if ($3 == "REVOKED") {
			revoked[$1, $5, $6] = 1
			next
		}
		has[$1, $5, $6] = 1
		n = ++count[$1]
		line[$1, n] = $2; pattern[$1, n] = $4
		old_type[$1, n] = $5; old_blob[$1, n] = $6
		if (!(($1, $5) in of_type))
			of_type[$1, $5] = n
		next
	}
	NF == 4 && !(($2, $3, $4) in wanted) {
		wanted[$2, $3, $4] = ++total
		host[total] = $1; name[total] = $2
		type[total] = $3; blob[total] = $4
		if (($2, $3, $4) in has)
			agrees[$2] = 1
	}
	END {
		for (i = 1; i <= total; i++) {
			h = host[i]; n = name[i]; old = 0
			if ((n, type[i], blob[i]) in revoked)
				state[i] = "revoked"
			else if ((n, type[i], blob[i]) in has)
				state[i] = "same"
			else if ((n, type[i]) in of_type) {
				state[i] = "changed"
				old = of_type[n, type[i]]
			} else if (count[n] > 0 && !(n in agrees)) {
				state[i] = "changed"
				old = 1
			} else
				state[i] = "new"
			print type[i], blob[i], i > prints
			if (old)
				print old_type[n, old], old_blob[n, old],
				    "old" i > prints
			if (state[i] == "revoked" ||
			    (state[i] == "changed" &&
			    !index(accept, " " h " ")))
				refused[h] = 1
			for (j = 1; state[i] == "changed" && j <= count[n];
			    j++)
				if (pattern[n, j] ~ /[*?!]/)
					refused[h] = 1
		}
		for (i = 1; i <= total; i++) {
			h = host[i]; n = name[i]
			print i, h, n, type[i], (state[i] == "changed" && \
			    !(h in refused) ? "replaced" : state[i])
			if (h in refused || state[i] == "same")
				continue
			print n, type[i], blob[i], "copy-ssh" > fresh
			if (state[i] != "changed")
				continue
			for (j = 1; j <= count[n]; j++)
				if (!((n, old_type[n, j], old_blob[n, j]) in \
				    wanted))
					print line[n, j] "d" > gone
		}
	}' "$scratch/known" -
}

# Host keys into known_hosts, hashed, each once.
do_know() {
	list=$ssh/known_hosts
	lock
	must_read "$list"
	: > "$scratch/known"
	for name in prints fresh gone; do
		: > "$scratch/$name"
	done
	if [ -s "$list" ]; then
		printf '%s\n' "$hostkeys" | awk 'NF == 4 && !seen[$2]++ {
			print $2
		}' | known > "$scratch/known"
		awk '/^[ \t]*(#|$)/ { next }
		{ at = $1 ~ /^@/ ? 2 : 1 }
		$(at + 2) !~ /^[A-Za-z0-9+\/]+=*$/ || $(at + 1) !~ /^[a-z]/ {
			print "copy-ssh damaged " FNR
		}' "$list"
	fi
	printf '%s\n' "$hostkeys" | judge > "$scratch/verdicts" ||
	    fail_at "$list"
	ssh-keygen -lf "$scratch/prints" 2> /dev/null |
	    awk 'FILENAME == "-" { print_of[$3] = $2; next }
	    { print "copy-ssh hostkey", $2, $3, $4, $5, ($1 in print_of ? \
	    print_of[$1] : "unknown"), print_of["old" $1] }' \
	    - "$scratch/verdicts"
	[ -s "$scratch/fresh" ] || return 0
	ssh-keygen -H -f "$scratch/fresh" > /dev/null 2>&1 ||
	    fail "ssh-keygen -H does not hash host names on this host"
	: > "$scratch/kept"
	if [ -s "$list" ]; then
		sed -f "$scratch/gone" "$list" > "$scratch/kept" ||
		    fail_at "$list"
	fi
	{ whole "$scratch/kept" && cat "$scratch/fresh"; } > "$scratch/new" ||
	    fail_at "$list"
	replace "$list" 600 || :
}

# Print a file with the lines between our marks changed: those whose second
# word is on standard input are replaced in place, the
# others stay, the new ones come last.  With `drop` they are taken out.
remark() {	# FILE DROP
	awk -v begin="$begin" -v end="$end" -v drop="$2" '
	function key(	text) {
		text = $2
		sub(/\001.*/, "", text)
		return text
	}
	function finish(	i) {
		for (i = 1; i <= total; i++)
			if (!done[i] && !drop)
				kept[++n] = lines[i]
		if (n > 0)
			print begin
		for (i = 1; i <= n; i++)
			print kept[i]
		if (n > 0)
			print end
		n = 0
		finished = 1
	}
	FILENAME == "-" {
		if (NF >= 2 && !(key() in of)) {
			lines[++total] = $0
			of[key()] = total
		}
		next
	}
	$0 == begin && !finished { inside = 1; next }
	$0 == end && inside { inside = 0; finish(); next }
	!inside { print; next }
	!(key() in of) { kept[++n] = $0; next }
	!done[of[key()]]++ && !drop { kept[++n] = lines[of[key()]] }
	END { if (!finished) finish() }' - "$1"
}

# Settings that plain ssh must find: a line a host between our marks, as
# "Host NAME ..." with its settings behind it.
do_config() {
	lock
	write_config ''
}

# The stanzas are folded into a line each for remark(), and unfolded.
write_config() {	# DROP
	list=$ssh/config
	must_read "$list"
	whole "$list" | awk -v begin="$begin" -v end="$end" '
	$0 == begin { inside = 1; print; next }
	inside && ($0 == end || $1 == "Host") {
		if (text != "") print text
		text = ""
	}
	$0 == end { inside = 0 }
	inside { text = text (text == "" ? "" : "\001") $0; next }
	{ print }
	END { if (text != "") print text }' > "$scratch/folded" ||
	    fail_at "$list"
	printf '%s\n' "$stanzas" | awk 'NF >= 4 {
		gsub(/,/, " ", $1)
		text = "Host " $1
		if ($2 != "-") text = text "\001\tPort " $2
		if ($3 != "-") text = text "\001\tUser " $3
		if ($4 != "-") text = text "\001\tIdentityFile " $4
		print text
	}' | remark "$scratch/folded" "$1" > "$scratch/marked" ||
	    fail_at "$list"
	tr '\001' '\n' < "$scratch/marked" > "$scratch/new" || fail_at "$list"
	if [ -n "$1" ]; then
		take_out "$list"
	else
		! replace "$list" 600 || say "config $list"
	fi
}

# The mapping of names to addresses.
do_hosts() { write_hosts ''; }

write_hosts() {	# DROP
	list=$hosts_file
	[ "$dry" = 1 ] || [ "$list" != /etc/hosts ] || [ "$(id -u)" -eq 0 ] ||
	    fail "only root may change $list"
	if [ "$dry" = 0 ] && command -v flock > /dev/null; then
		exec 8< "${list%/*}"
		flock 8
	fi
	must_read "$list"
	whole "$list" > "$scratch/old"
	# What a line outside of our marks says already is not said again; what
	# it says otherwise comes first, whatever we write.
	: > "$scratch/others"
	printf '%s\n' "$mapping" | awk -v begin="$begin" -v end="$end" \
	    -v others="$scratch/others" '
	FILENAME == "-" { if (NF >= 2) { lines[++total] = $0 } next }
	$0 == begin { inside = 1 }
	$0 == end { inside = 0 }
	{ sub(/#.*/, "") }
	!inside {
		for (i = 2; i <= NF; i++) {
			if (!($i in first))
				first[$i] = $1
			says[$1, $i] = 1
		}
	}
	END {
		for (i = 1; i <= total; i++) {
			split(lines[i], word)
			if (!((word[1], word[2]) in says))
				print lines[i]
			if (word[2] in first && first[word[2]] != word[1])
				print word[2], first[word[2]] > others
		}
	}' - "$scratch/old" > "$scratch/mapping" || fail_at "$list"
	if [ -z "$1" ]; then
		sed 's/\(.*\) \(.*\)/copy-ssh note \/etc\/hosts says that \1 is \2, in a line above ours: change it/' \
		    "$scratch/others"
	else
		printf '%s\n' "$mapping" > "$scratch/mapping"
	fi
	remark "$scratch/old" "$1" < "$scratch/mapping" > "$scratch/new" ||
	    fail_at "$list"
	! replace "$list" 644 || say "hosts $list"
}

# Who and what is here.
do_probe() {
	say "time $(date +%s)"
	say "host $(uname -n) $user $(id -u)"
	version=$(ipubox --version 2> /dev/null | head -n 1) || version=
	say "ipubox ${version:--}"
	say "orted $(command -v orted || command -v prted || echo -)"
}

# As a program would: plain ssh, and nobody there to answer.
connect() {	# NAME
	ssh -o BatchMode=yes -o StrictHostKeyChecking=yes \
	    -o UpdateHostKeys=no -o ControlPath=none -o LogLevel=ERROR \
	    -o "ConnectTimeout=$timeout" -T -x -a "$1" true \
	    < /dev/null > /dev/null 2> "$scratch/error"
}

# All hosts may be at it: sshd drops some of many connections (MaxStartups).
try_peer() {	# NAME
	for wait in 1 2 3 0; do
		! connect "$1" || return 0
		grep -qE 'onnection (closed|reset) by' "$scratch/error" ||
		    return 1
		sleep "$wait"
	done
	return 1
}

# An address is tried where the name is not known here.
do_peers() {
	printf '%s\n' "$peers" > "$scratch/peers"
	while read -r name address; do
		[ -n "$name" ] || continue
		[ "$address" != @ ] || address=${connection%% *}
		# Containers may all have one host name: then it is ours.
		if [ "$name" = "$(uname -n)" ] && [ "$address" != - ]; then
			via=$address
		else
			via=$name
		fi
		good=1
		try_peer "$via" || good=0
		if [ "$good" = 0 ] && [ "$via" != "$address" ] &&
		    [ "$address" != - ] &&
		    grep -q 'resolve hostname' "$scratch/error"; then
			via=$address good=1
			try_peer "$via" || good=0
		fi
		if [ "$good" = 1 ]; then
			say "peer $name ok $via"
		else
			say "peer $name fail $(sed -n '$p' "$scratch/error" |
			    tr -d '\r')"
		fi
	done < "$scratch/peers"
}

# What the other actions wrote, and only that.
do_remove() {
	[ -d "$ssh" ] || return 0
	lock
	must_read "$ssh/authorized_keys"
	must_read "$ssh/known_hosts"
	if [ -s "$ssh/authorized_keys" ]; then
		printf '%s\n' "$keys" | awk '
		FILENAME == "-" { if (NF >= 2) ours[$1, $2] = 1; next }
		($1, $2) in ours && /copy-ssh/ { next }
		{ print }' - "$ssh/authorized_keys" > "$scratch/new" ||
		    fail_at "$ssh/authorized_keys"
		take_out "$ssh/authorized_keys"
	fi
	if [ -s "$ssh/known_hosts" ]; then
		printf '%s\n' "$names" | known |
		    awk '$NF == "copy-ssh" { print $2 "d" }' > "$scratch/gone"
		sed -f "$scratch/gone" "$ssh/known_hosts" > "$scratch/new" ||
		    fail_at "$ssh/known_hosts"
		take_out "$ssh/known_hosts"
	fi
	if grep -qxF "$begin" "$ssh/config" 2> /dev/null; then
		write_config drop
	fi
	if [ -n "$mapping" ] && grep -qxF "$begin" "$hosts_file" &&
	    { [ "$hosts_file" != /etc/hosts ] || [ "$(id -u)" -eq 0 ]; }; then
		write_hosts drop
	fi
}

# As replace(), but what is empty then is removed.
take_out() {	# FILE
	replace "$1" 600 || return 0
	if [ "$dry" = 0 ] && [ ! -s "$1" ] && [ ! -L "$1" ]; then
		rm -f "$1"
	fi
	say "removed $1"
}

main() {
	find_home
	scratch=$(mktemp -d 2> /dev/null) ||
	    fail "cannot write in ${TMPDIR:-/tmp}"
	trap clean EXIT
	trap 'exit 1' INT TERM HUP
	for action in $actions; do
		"do_$action"
	done
	say end
}

main < /dev/null
