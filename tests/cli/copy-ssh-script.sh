# shellcheck shell=sh
# For copy-ssh-script.t and copy-ssh-killed.t: a host with an id(1) of its own,
# files as others left them, and what is asked of the script.

mkdir bin
script=$TESTDIR/../applets/copy-ssh/remote.sh
cat > bin/id <<'X'
#!/bin/sh
case $1 in
-un) echo nobody-at-all ;;
*) echo 1000 ;;
esac
X
printf '#!/bin/sh\necho pod1\n' > bin/uname
printf '#!/bin/sh\n' > bin/getent
chmod +x bin/*
PATH=$PWD/bin:$PATH
# shellcheck disable=SC2034 # the transcripts use it
plain=$PATH

key() {	# LETTER
	echo "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA$(printf '%042d' 0 |
	    tr 0 "$1")"
}

# The files of the home that is the current directory.
state() {
	cut -d ' ' -f 1-2,4- .ssh/authorized_keys
	sed 's/^|1|[^ ]* /HASHED /; s/ AAAA[^ ]*/ KEY/' .ssh/known_hosts
	cat .ssh/config
	stat -c '%a %n' .ssh .ssh/*
}

# Run the script in $shell with these lines before it.
act() {
	{ echo 'MAIN=$$; export MAIN'
	  echo "home='$HOME'; hosts_file='$HOME/hosts'"
	  printf '%s\n' "$@"
	  cat "$script"; } | ${shell:-sh} -s
}

mkdir -m 755 before before/.ssh
chmod 755 before/.ssh
printf '# mine\n%s one' "$(key B)" > before/.ssh/authorized_keys
{ printf 'rubbish\n'
  key C | sed 's/^/old,10.0.0.9 /'
  printf '%s' "other $(key D)"; } > before/.ssh/known_hosts
printf 'Host other\n\tPort 9\n# copy-ssh: begin\nHost kept\n\tPort 7\nHost pod2\n\tPort 1\n# copy-ssh: end\n# last' \
    > before/.ssh/config

ask() {
	act "actions='prepare authorise know config'" "keys='$(key B) two
$(key E) three'" "hostkeys='pod2 pod2 $(key F)
pod2 10.0.0.2 $(key F)
old old $(key G)'" 'accept=" old "' "stanzas='pod2,10.0.0.2 22 - ~/.ssh/id_pod
pod3 - me -'"
}
