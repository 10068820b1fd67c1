#needs ssh-keygen
#skip-unless id -un # ssh-keygen wants a name
copy-ssh without a network: a world of folders, where ssh runs the command in
the folder that is a host's home, and lets in whom sshd would let in.

No command here may touch the files of who runs the tests: the script asks
id(1) whose home folder to take, and this one's user has none but $HOME.  A
shell that has an id(1) of its own ends this test before it begins.

  $ mkdir -m 755 bin hosts
  $ cat > bin/id <<'END'
  > #!/bin/sh
  > case $1 in -un) echo nobody-at-all ;; -u) echo 1000 ;; *) exit 1 ;; esac
  > END
  $ cat > bin/uname <<'END'
  > #!/bin/sh
  > echo "${NODE:-parent}"
  > END
  $ cat > bin/getent <<'END'
  > #!/bin/sh
  > [ "$1" = ahosts ] && cat "$WORLD/$2/addresses"
  > END
  $ cat > bin/ssh-keyscan <<'END'
  > #!/bin/sh
  > for host; do
  > 	[ -e "$WORLD/$host/down" ] && echo "connect (\`$host'): Connection refused" >&2 ||
  > 	sed "s/^/$host /" "$WORLD/$host/keys" 2> /dev/null
  > done
  > END
  $ cat > bin/ssh <<'END'
  > #!/bin/sh
  > refuse() { echo "$*" >&2; exit 255; }
  > batch=
  > while case $1 in -o) shift ;; -*) ;; *) false ;; esac; do
  > 	case $1 in *BatchMode=yes) batch=1 ;; esac
  > 	shift
  > done
  > there=$WORLD/$1
  > [ -d "$there" ] || refuse "ssh: Could not resolve hostname $1: Name or service not known"
  > [ ! -e "$there/down" ] || refuse "ssh: connect to host $1 port 22: Connection refused"
  > known=$(ssh-keygen -F "$1" -f "$HOME/.ssh/known_hosts" 2> /dev/null)
  > read -r _ key < "$there/keys"
  > case $known in
  > *"$key"*) ;;
  > *)
  > 	[ -z "$known" ] || echo '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @' >&2
  > 	refuse 'Host key verification failed.' ;;
  > esac
  > read -r _ own _ < "$HOME"/.ssh/id_ed25519.pub
  > if ! grep -q "$own" "$there/home/.ssh/authorized_keys" 2> /dev/null; then
  > 	[ -z "$batch" ] && [ -e "$there/password" ] ||
  > 	    refuse "tester@$1: Permission denied (publickey,password)."
  > fi
  > NODE=$(cat "$there/calls-itself" 2> /dev/null || echo "$1") HOME=$there/home PATH=${PATH_THERE:-$PATH} SSH_CONNECTION='127.0.0.9 1 127.0.0.1 22' exec sh -c "$2"
  > END
  $ printf '#!/bin/sh\n' > bin/orted
  $ chmod +x bin/*
  $ export WORLD=$PWD/hosts PATH=$PWD/bin:$PATH
  $ [ "$(sh -c 'id -u; id -un; eval "echo ~$(id -un)"' | tr '\n' ' ')" = '1000 nobody-at-all ~nobody-at-all ' ] || exit 1

Three hosts, and this one:

  $ key() { echo "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA$(printf '%042d' 0 | tr 0 "$1")"; }
  $ host() { mkdir -p "hosts/$1/home"; key "$2" > "hosts/$1/keys"; echo "$3 STREAM $1" > "hosts/$1/addresses"; ln -sfn "$1" "hosts/$3"; }
  $ host pod1 B 10.0.0.1; host pod2 C 10.0.0.2; host pod3 D 10.0.0.3
  $ host parent E 127.0.0.9; rmdir hosts/parent/home; ln -s "$HOME" hosts/parent/home
  $ alias all='copy-ssh --jobs 1'

The command line:

  $ copy-ssh --help | head -3
  usage: copy-ssh [option ...] HOST ...
  
  let the hosts of a Pod trust each other, and prove it
  $ copy-ssh
  copy-ssh: HOST is missing
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh ''
  copy-ssh: the list of hosts is empty
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh 'h[3-1]'
  copy-ssh: host 'h[3-1]': a range must begin with the smaller number
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh 'h[1-99999999]'
  copy-ssh: host 'h[1-99999999]': more than 4096 hosts
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh -- -oProxyCommand=x
  copy-ssh: host '-oProxyCommand=x': a name must begin with a letter or a digit
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh "a'b"
  copy-ssh: host 'a'b': a name may have only letters, digits and . _ - :
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh "a
  > b"
  copy-ssh: host 'a\x0ab': a name may have only letters, digits and . _ - :
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh 'a;b' 2>&1 | head -1
  copy-ssh: host 'a;b': a name may have only letters, digits and . _ - :
  $ copy-ssh pod1 pod1
  copy-ssh: host 'pod1': it is there twice
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ printf 'pod1 slots=4\n\n# two more\npod[2-\n' > list
  $ copy-ssh --hostfile list
  copy-ssh: list:4: host 'pod[2-': a '[' has no ']'
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --hostfile missing pod1
  copy-ssh: cannot open missing: No such file or directory
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --jobs 0 pod1
  copy-ssh: --jobs '0': too small, must be 1 to 256
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --port 70000 pod1
  copy-ssh: --port '70000': too large, must be 1 to 65535
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --user 'a b' pod1
  copy-ssh: --user 'a b': may contain only letters, digits and . _ - @+\
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --user -x pod1
  copy-ssh: --user '-x': may contain only letters, digits and . _ - @+\
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --identity "id'" pod1
  copy-ssh: --identity 'id'': may contain only letters, digits and . _ - /+@~
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --skip clock,clocks pod1
  copy-ssh: --skip: unknown check 'clocks' (the checks are resolves, port, host-key, key, user, clock, ipubox, orted and back; did you mean clock?)
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --all-to-all --parent-only pod1
  copy-ssh: --all-to-all and --parent-only cannot be used at the same time
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --apply pod1
  copy-ssh: --apply needs --etc-hosts
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --verify --remove pod1
  copy-ssh: --verify, --remove and --etc-hosts cannot be combined
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ copy-ssh --verify --no-verify pod1
  copy-ssh: --verify and --no-verify cannot be used at the same time
  usage: copy-ssh [option ...] HOST ...
  [2]
  $ ls -A "$HOME" | grep ssh
  [1]

Without OpenSSH:

  $ mkdir none; PATH=none "$IPUBOX" copy-ssh pod1
  copy-ssh: program 'ssh' not found in PATH (install it: the OpenSSH client of your distribution)
  [1]
  $ ln -s /bin/true none/apt-get; PATH=none "$IPUBOX" copy-ssh pod1
  copy-ssh: program 'ssh' not found in PATH (install it: apt-get install openssh-client)
  [1]

A dry run starts nothing and changes nothing:

  $ all --dry-run 'pod[1-2]' | sed "s|$PWD|.|g"
  this host: would make ./.ssh
  this host: would make ./.ssh/id_ed25519
  pod1: would run: ./bin/getent 'ahosts' 'pod1'
  pod2: would run: ./bin/getent 'ahosts' 'pod2'
  pod1: would run: ./bin/ssh-keyscan '-T10' '-p22' '-ted25519,ecdsa,rsa' 'pod1'
  pod2: would run: ./bin/ssh-keyscan '-T10' '-p22' '-ted25519,ecdsa,rsa' 'pod2'
  this host: would add missing host keys to known_hosts, hashed
  pod1: would make ~/.ssh and a key, correct its modes, and add to authorized_keys: the public key
  pod2: would make ~/.ssh and a key, correct its modes, and add to authorized_keys: the public key
  pod1: would run: ./bin/ssh '-Tax' '-oStrictHostKeyChecking=yes' '-oUpdateHostKeys=no' '-oControlPath=none' '-oLogLevel=ERROR' '-oConnectTimeout=10' '-oBatchMode=yes' 'pod1' 'sh -s'
  pod2: would run: ./bin/ssh '-Tax' '-oStrictHostKeyChecking=yes' '-oUpdateHostKeys=no' '-oControlPath=none' '-oLogLevel=ERROR' '-oConnectTimeout=10' '-oBatchMode=yes' 'pod2' 'sh -s'
  pod1: would add to known_hosts the host keys of this host
  pod2: would add to known_hosts the host keys of this host
  pod1: would run: ./bin/ssh '-Tax' '-oStrictHostKeyChecking=yes' '-oUpdateHostKeys=no' '-oControlPath=none' '-oLogLevel=ERROR' '-oConnectTimeout=10' '-oBatchMode=yes' 'pod1' 'sh -s'
  pod2: would run: ./bin/ssh '-Tax' '-oStrictHostKeyChecking=yes' '-oUpdateHostKeys=no' '-oControlPath=none' '-oLogLevel=ERROR' '-oConnectTimeout=10' '-oBatchMode=yes' 'pod2' 'sh -s'
  pod1: would run: ./bin/ssh '-Tax' '-oStrictHostKeyChecking=yes' '-oUpdateHostKeys=no' '-oControlPath=none' '-oLogLevel=ERROR' '-oConnectTimeout=10' '-oBatchMode=yes' 'pod1' 'sh -s'
  pod2: would run: ./bin/ssh '-Tax' '-oStrictHostKeyChecking=yes' '-oUpdateHostKeys=no' '-oControlPath=none' '-oLogLevel=ERROR' '-oConnectTimeout=10' '-oBatchMode=yes' 'pod2' 'sh -s'
  $ ls -A "$HOME" | grep ssh
  [1]

Nobody can be asked for a password here:

  $ setsid -w copy-ssh --jobs 1 'pod[1-2]' 2>&1 | sed "s|$PWD|.|g"
  this host: made ./.ssh
  this host: made ./.ssh/id_ed25519
  pod1: new ED25519 host key SHA256:dTqpshWnndSEOlub1O/OTaqTeXRCekOfK4CMpkwO9Qg (pod1, 10.0.0.1)
  pod2: new ED25519 host key SHA256:6rFn6jOsPuxLW3+fqdb1wRUYv6H5NsllJxHUMqJczC4 (pod2, 10.0.0.2)
  copy-ssh: pod1: Permission denied: run copy-ssh pod1 on a terminal, where ssh can ask for the password
  copy-ssh: pod2: Permission denied: run copy-ssh pod2 on a terminal, where ssh can ask for the password
  Host        | resolves | port | host-key | key  | user | clock | ipubox | orted | back
  ----------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | FAIL | -    | -     | -      | -     | -
  pod2        | ok       | ok   | ok       | FAIL | -    | -     | -      | -     | -
  copy-ssh: checks failed on: pod1 pod2

But here (the password of pod3 is not known):

  $ touch hosts/pod1/password hosts/pod2/password
  $ export SSH_ASKPASS=ask
  $ all 'pod[1-3]' 2>&1 | sed "s|$PWD|.|g"
  pod3: new ED25519 host key SHA256:BpQNzX+vpyKorBhRU5EdHrtJf+sviQcCXBLA/KGbEl4 (pod3, 10.0.0.3)
  tester@pod3: Permission denied (publickey,password).
  pod1: made ./hosts/pod1/home/.ssh
  pod1: made ./hosts/pod1/home/.ssh/id_ed25519
  pod1: authorised the key
  pod2: made ./hosts/pod2/home/.ssh
  pod2: made ./hosts/pod2/home/.ssh/id_ed25519
  pod2: authorised the key
  copy-ssh: pod3: Permission denied: no password was accepted; run copy-ssh pod3 to try again
  this host: authorised the hosts' keys
  pod1: learnt 1 host key
  pod2: learnt 1 host key
  Host        | resolves | port | host-key | key  | user | clock | ipubox | orted | back
  ----------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok   | ok   | ok    | ok     | ok    | ok
  pod2        | ok       | ok   | ok       | ok   | ok   | ok    | ok     | ok    | ok
  pod3        | ok       | ok   | ok       | FAIL | -    | -     | -      | -     | -
  copy-ssh: checks failed on: pod3
  $ touch hosts/pod3/password
  $ all pod3 2>&1 | sed "s|$PWD|.|g"
  pod3: made ./hosts/pod3/home/.ssh
  pod3: made ./hosts/pod3/home/.ssh/id_ed25519
  pod3: authorised the key
  this host: authorised the hosts' keys
  pod3: learnt 1 host key
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted | back
  ---------------------------------------------------------------------------------------
  pod3        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok

Once more, nothing is changed:

  $ sums() { find . -path '*/.ssh*' -exec ls -ild --time-style=full-iso {} +; find . -path '*/.ssh/*' -exec cksum {} +; }
  $ sums > before; all 'pod[1-3]'; sums > after; cmp before after
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted | back
  ---------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  pod2        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  pod3        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  $ all --verify 'pod[1-3]' > /dev/null; sums > after; cmp before after

What was written, each line once:

  $ wc -l < .ssh/known_hosts; grep -c '^|1|.* copy-ssh$' .ssh/known_hosts
  6
  6
  $ sed 's/ AAAA[^ ]*//' .ssh/authorized_keys hosts/pod1/home/.ssh/authorized_keys
  ssh-ed25519 nobody-at-all@pod1 (ipubox copy-ssh)
  ssh-ed25519 nobody-at-all@pod2 (ipubox copy-ssh)
  ssh-ed25519 nobody-at-all@pod3 (ipubox copy-ssh)
  ssh-ed25519 nobody-at-all@parent (ipubox copy-ssh)
  $ stat -c '%a %n' .ssh .ssh/*
  700 .ssh
  600 .ssh/authorized_keys
  600 .ssh/id_ed25519
  644 .ssh/id_ed25519.pub
  600 .ssh/known_hosts

Each host with a fault of its own, and the others are well:

  $ mv hosts/pod1/home/.ssh/authorized_keys hosts/pod1/kept
  $ key X > hosts/pod2/keys
  $ touch hosts/pod3/down
  $ all --verify 'pod[1-3],nowhere'
  copy-ssh: pod1: Permission denied: it does not accept this host's key: copy-ssh pod1
  copy-ssh: pod2: Host key verification failed: its key is not the one in known_hosts; if the host was reinstalled: copy-ssh --accept-changed pod2 pod2
  copy-ssh: pod3: nothing listens on port 22: on that host, apt-get install openssh-server and service ssh start
  copy-ssh: nowhere: the name has no address: put it into /etc/hosts or the DNS
  Host        | resolves | port | host-key | key  | user | clock | ipubox | orted | back
  ----------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | FAIL | -    | -     | -      | -     | -
  pod2        | ok       | ok   | FAIL     | -    | -    | -     | -      | -     | -
  pod3        | ok       | FAIL | -        | -    | -    | -     | -      | -     | -
  nowhere     | FAIL     | -    | -        | -    | -    | -     | -      | -     | -
  copy-ssh: checks failed on: pod1 pod2 pod3 nowhere
  [1]
  $ mv hosts/pod1/kept hosts/pod1/home/.ssh/authorized_keys; rm hosts/pod3/down

A changed host key is replaced when a person says so, here and on the hosts:

  $ cp .ssh/known_hosts before
  $ setsid -w copy-ssh --no-verify 'pod[1-2]'
  copy-ssh: pod2: its ED25519 host key (pod2, 10.0.0.2) has CHANGED: it was SHA256:6rFn6jOsPuxLW3+fqdb1wRUYv6H5NsllJxHUMqJczC4 and is now SHA256:8dEU9w1NtEp6bZ86wUbcokCSzjR7DLbrXH+0TpptFTM; if the host was installed anew: copy-ssh --accept-changed pod2 pod2
  copy-ssh: checks failed on: pod2
  [1]
  $ setsid -w copy-ssh --no-verify --accept-changed pod2 'pod[1-2]'
  copy-ssh: pod2: its ED25519 host key (pod2, 10.0.0.2) has CHANGED: it was SHA256:6rFn6jOsPuxLW3+fqdb1wRUYv6H5NsllJxHUMqJczC4 and is now SHA256:8dEU9w1NtEp6bZ86wUbcokCSzjR7DLbrXH+0TpptFTM; the answer was not yes (without a terminal, add --yes): copy-ssh --accept-changed pod2 pod2
  copy-ssh: checks failed on: pod2
  [1]
  $ setsid -w copy-ssh --no-verify --accept-changed pod1 --yes 'pod[1-2]' 2>&1 | head -1
  copy-ssh: pod2: its ED25519 host key (pod2, 10.0.0.2) has CHANGED: it was SHA256:6rFn6jOsPuxLW3+fqdb1wRUYv6H5NsllJxHUMqJczC4 and is now SHA256:8dEU9w1NtEp6bZ86wUbcokCSzjR7DLbrXH+0TpptFTM; if the host was installed anew: copy-ssh --accept-changed pod2 pod2
  $ cmp before .ssh/known_hosts
  $ all --no-verify --accept-changed pod2 --yes 'pod[1-2]'
  pod2: changed ED25519 host key SHA256:8dEU9w1NtEp6bZ86wUbcokCSzjR7DLbrXH+0TpptFTM, was SHA256:6rFn6jOsPuxLW3+fqdb1wRUYv6H5NsllJxHUMqJczC4 (pod2, 10.0.0.2)
  $ ssh-keygen -F pod2 -f .ssh/known_hosts | tail -1 | cut -d ' ' -f 3 | cmp - hosts/pod2/keys | wc -l
  1
  $ wc -l < .ssh/known_hosts
  6
  $ key Y > hosts/parent/keys
  $ all pod1
  copy-ssh: pod1: its known_hosts has another ED25519 key of parent, SHA256:BkzkkYH+kFcKcfuNji+yg1kHm6+YDRlCTfBZEBw2SD0; if that host was installed anew: copy-ssh --accept-changed parent pod1
  copy-ssh: pod1: from there to parent: Host key verification failed.: the key of parent is not in its known_hosts: copy-ssh pod1
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted | back
  ---------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | FAIL
  copy-ssh: checks failed on: pod1
  [1]
  $ all --accept-changed pod9 pod1
  copy-ssh: --accept-changed pod9: must be one of the hosts
  [1]
  $ all --no-verify --accept-changed parent --yes 'pod[1-3]'; all --verify 'pod[1-3]' | tail -1
  pod1: learnt 1 host key
  pod2: learnt 1 host key
  pod3: learnt 1 host key
  pod3        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok

Another type of key of a known host, and none of those that are known:

  $ echo 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBEmKSENjQEezOmxkZMy7opKgwFB9nkt5YRrYMjNuG5N87uRgg6CLrbo5wAdT/y6v0mKV0U2w0WZ2YB/++Tpockg=' >> hosts/pod1/keys
  $ all --no-verify pod1
  pod1: new ECDSA host key SHA256:p2QAMXNIC1TJYWeIOttrVc98/R1BUFWu3/LiyKgUfQM (pod1, 10.0.0.1)
  $ sed -i 1d hosts/pod2/keys; tail -1 hosts/pod1/keys >> hosts/pod2/keys
  $ all --no-verify pod2
  copy-ssh: pod2: its ECDSA host key (pod2, 10.0.0.2) has CHANGED: it was SHA256:8dEU9w1NtEp6bZ86wUbcokCSzjR7DLbrXH+0TpptFTM and is now SHA256:p2QAMXNIC1TJYWeIOttrVc98/R1BUFWu3/LiyKgUfQM; if the host was installed anew: copy-ssh --accept-changed pod2 pod2
  copy-ssh: checks failed on: pod2
  [1]
  $ sed -i '$d' hosts/pod1/keys; key X > hosts/pod2/keys

Revoked keys, patterns, and lines that are no lines:

  $ cp .ssh/known_hosts kept
  $ { printf 'rubbish\n|1|half\n'; echo "@revoked pod3 $(cat hosts/pod3/keys)"; key Z | sed 's/^/pod?,10.0.0.* /'; printf '# last'; } > .ssh/known_hosts
  $ all --no-verify pod3
  copy-ssh: this host: line 1 of known_hosts is damaged and was left as it is
  copy-ssh: this host: line 2 of known_hosts is damaged and was left as it is
  copy-ssh: pod3: known_hosts marks its ED25519 host key SHA256:BpQNzX+vpyKorBhRU5EdHrtJf+sviQcCXBLA/KGbEl4 as @revoked: give the host a new one
  copy-ssh: checks failed on: pod3
  [1]
  $ all --no-verify --accept-changed pod1 --yes pod1
  copy-ssh: this host: line 1 of known_hosts is damaged and was left as it is
  copy-ssh: this host: line 2 of known_hosts is damaged and was left as it is
  copy-ssh: pod1: its host key has changed (pod1, 10.0.0.1), but a pattern in known_hosts covers it: edit that line by hand
  copy-ssh: checks failed on: pod1
  [1]
  $ sed -i '/@revoked/d; /^pod/d' .ssh/known_hosts
  $ all --no-verify pod1
  copy-ssh: this host: line 1 of known_hosts is damaged and was left as it is
  copy-ssh: this host: line 2 of known_hosts is damaged and was left as it is
  pod1: new ED25519 host key SHA256:dTqpshWnndSEOlub1O/OTaqTeXRCekOfK4CMpkwO9Qg (pod1, 10.0.0.1)
  $ sed 's/^|1|[^ ]*=.*/hashed/' .ssh/known_hosts
  rubbish
  |1|half
  # last
  hashed
  hashed
  $ cp kept .ssh/known_hosts

Modes, and a list of keys that is a link and whose last line is not complete:

  $ chmod 755 hosts/pod1/home/.ssh; chmod 644 hosts/pod1/home/.ssh/id_ed25519
  $ cd hosts/pod2/home/.ssh; mkdir ../etc; mv authorized_keys ../etc/keys; ln -s ../etc/keys authorized_keys; printf 'from="10.0.0.0/8" %s' "$(key Q)" > ../etc/keys; chmod 640 ../etc/keys; cd "$HOME"
  $ all --no-verify --parent-only 'pod[1-2]' 2>&1 | sed "s|$PWD|.|g"
  pod1: changed the mode of ./hosts/pod1/home/.ssh from 755 to 700
  pod1: changed the mode of ./hosts/pod1/home/.ssh/id_ed25519 from 644 to 600
  pod2: authorised the key
  $ stat -c '%a %F' hosts/pod2/home/.ssh/authorized_keys hosts/pod2/home/etc/keys
  777 symbolic link
  640 regular file
  $ sed 's/ AAAA[^ ]*//' hosts/pod2/home/etc/keys
  from="10.0.0.0/8" ssh-ed25519
  ssh-ed25519 nobody-at-all@parent (ipubox copy-ssh)

A key that is there already, behind options, is not put there again:

  $ sed -i 's/^ssh-ed25519/restrict,pty &/' hosts/pod1/home/.ssh/authorized_keys
  $ all --no-verify pod1; grep -c . hosts/pod1/home/.ssh/authorized_keys
  1

A damaged key, and one that belongs to another:

  $ cp .ssh/id_ed25519.pub kept; key P > .ssh/id_ed25519.pub
  $ all pod1 2>&1 | sed "s|$PWD|.|g"
  copy-ssh: ./.ssh/id_ed25519.pub is not the public half of ./.ssh/id_ed25519: ssh-keygen -y -f ./.ssh/id_ed25519 > ./.ssh/id_ed25519.pub
  $ rm .ssh/id_ed25519.pub; all --no-verify pod1 | sed "s|$PWD|.|g"; cmp .ssh/id_ed25519.pub kept
  this host: made ./.ssh/id_ed25519.pub

The other topologies:

  $ all --parent-only 'pod[1-3]'
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted
  --------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok
  pod2        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok
  pod3        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok
  $ all --all-to-all 'pod[1-3]'
  pod1: authorised the key
  pod1: learnt 3 host keys
  pod2: authorised the key
  pod2: learnt 3 host keys
  pod3: authorised the key
  pod3: learnt 3 host keys
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted | back
  ---------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  pod2        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  pod3        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  $ all --all-to-all 'pod[1-3]'
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted | back
  ---------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  pod2        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  pod3        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  $ HOME=$PWD/hosts/pod1/home NODE=pod1 ssh -oBatchMode=yes pod3 'uname -n'
  pod3
  $ mv hosts/pod2/home/.ssh/authorized_keys kept; all --all-to-all --verify 'pod[1,3]'; all --all-to-all --verify 'pod[1-3]'; mv kept hosts/pod2/home/.ssh/authorized_keys
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted | back
  ---------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  pod3        | ok       | ok   | ok       | ok  | ok   | ok    | ok     | ok    | ok
  copy-ssh: pod2: Permission denied: it does not accept this host's key: copy-ssh pod2
  Host        | resolves | port | host-key | key  | user | clock | ipubox | orted | back
  ----------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok   | ok   | ok    | ok     | ok    | ok
  pod2        | ok       | ok   | ok       | FAIL | -    | -     | -      | -     | -
  pod3        | ok       | ok   | ok       | ok   | ok   | ok    | ok     | ok    | ok
  copy-ssh: checks failed on: pod2

Names for /etc/hosts, printed:

  $ all --no-verify --etc-hosts pod1
  this host: /etc/hosts needs these lines:
  10.0.0.1 pod1

A host given by its address has the name that leads to it, and cannot choose
another one:

  $ echo pod1 > hosts/pod1/calls-itself; all --no-verify --etc-hosts 10.0.0.1
  10.0.0.1: its name is pod1, which leads to it
  this host: /etc/hosts needs these lines:
  10.0.0.1 pod1
  $ mkdir hosts/example.org; echo '192.0.2.1 STREAM example.org' > hosts/example.org/addresses
  $ echo example.org > hosts/pod1/calls-itself; all --no-verify --etc-hosts 10.0.0.1
  copy-ssh: 10.0.0.1: it calls itself example.org, which does not lead to it from here, so this name is not used; if it is right, put the line '10.0.0.1 example.org' into /etc/hosts here, and run copy-ssh again
  $ ssh-keygen -F example.org -f .ssh/known_hosts
  [1]
  $ rm -r hosts/example.org; all --no-verify --etc-hosts 10.0.0.1 2>&1 | grep -c 'calls itself'
  1
  $ rm hosts/pod1/calls-itself

Another clock, another version; neither ipubox nor Open MPI:

  $ mkdir other few
  $ printf '#!/bin/sh\necho ipubox 0.0\n' > other/ipubox; printf '#!/bin/sh\necho 1000000000\n' > other/date; chmod +x other/*
  $ PATH_THERE=$PWD/other:$PATH all --verify pod1 2>&1 | sed 's/is [0-9]* s/is N s/'
  copy-ssh: pod1: its clock is N s slow: set it, and synchronise it by NTP (timedatectl set-ntp true)
  copy-ssh: pod1: the host has another version of ipubox: copy this ipubox into a directory of its PATH: scp "$(command -v ipubox)" pod1:/usr/local/bin/
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted | back
  ---------------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | FAIL  | FAIL   | ok    | ok
  copy-ssh: checks failed on: pod1
  $ for p in sh id uname date mktemp rm head awk; do ln -s "$(command -v $p)" few; done
  $ PATH_THERE=$PWD/few all --verify --skip back pod1
  copy-ssh: pod1: ipubox is not on the PATH there: copy this ipubox into a directory of its PATH: scp "$(command -v ipubox)" pod1:/usr/local/bin/
  copy-ssh: pod1: Open MPI's orted is not on the PATH there: apt-get install openmpi-bin
  Host        | resolves | port | host-key | key | user | clock | ipubox | orted
  --------------------------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok    | FAIL   | FAIL
  copy-ssh: checks failed on: pod1
  [1]
  $ PATH_THERE=$PWD/few all --verify --skip back,orted,ipubox pod1
  Host        | resolves | port | host-key | key | user | clock
  ---------------------------------------------------------------
  pod1        | ok       | ok   | ok       | ok  | ok   | ok

JSON:

  $ touch hosts/pod3/down
  $ all --json --skip orted 'pod[2-3]' 2> /dev/null
  {
    "ok": false,
    "hosts": [
      {
        "name": "pod2",
        "addresses": [
          "10.0.0.2"
        ],
        "ok": true,
        "checks": {
          "resolves": {
            "result": "ok"
          },
          "port": {
            "result": "ok"
          },
          "host-key": {
            "result": "ok"
          },
          "key": {
            "result": "ok"
          },
          "user": {
            "result": "ok",
            "text": "nobody-at-all"
          },
          "clock": {
            "result": "ok",
            "text": "+0 s"
          },
          "ipubox": {
            "result": "ok",
            "text": "ipubox 0.1.0"
          },
          "orted": {
            "result": "skipped"
          },
          "back": {
            "result": "ok",
            "text": "1 of 1"
          }
        }
      },
      {
        "name": "pod3",
        "addresses": [
          "10.0.0.3"
        ],
        "ok": false,
        "checks": {
          "resolves": {
            "result": "ok"
          },
          "port": {
            "result": "failed",
            "text": "nothing listens on port 22: on that host, apt-get install openssh-server and service ssh start"
          },
          "host-key": {
            "result": "not tried"
          },
          "key": {
            "result": "not tried"
          },
          "user": {
            "result": "not tried"
          },
          "clock": {
            "result": "not tried"
          },
          "ipubox": {
            "result": "not tried"
          },
          "orted": {
            "result": "skipped"
          },
          "back": {
            "result": "not tried"
          }
        }
      }
    ],
    "steps": [
      {
        "host": "pod3",
        "ok": false,
        "text": "nothing listens on port 22: on that host, apt-get install openssh-server and service ssh start"
      }
    ]
  }
  [1]
  $ rm hosts/pod3/down

Two at the same time do not lose each other's lines:

  $ rm -r .ssh hosts/pod1/home/.ssh
  $ for h in 1 2 3; do copy-ssh --no-verify pod$h > out$h 2>&1 & done; wait
  $ grep -c 'copy-ssh' .ssh/known_hosts .ssh/authorized_keys
  .ssh/known_hosts:6
  .ssh/authorized_keys:3

All of it away again:

  $ echo '# mine' >> .ssh/known_hosts; echo '# mine' >> hosts/pod1/home/.ssh/authorized_keys
  $ all --remove --dry-run pod1 | sed "s|$PWD|.|g" | grep -v run:
  pod1: would remove the lines of copy-ssh from authorized_keys, known_hosts, config and /etc/hosts
  this host: would remove the lines of copy-ssh from authorized_keys, known_hosts, config and /etc/hosts
  this host: would remove the lines of copy-ssh from ./.ssh/known_hosts
  $ all --remove 'pod[1-3]' | sed "s|$PWD|.|g"
  pod1: removed the lines of copy-ssh from ./hosts/pod1/home/.ssh/authorized_keys
  pod1: removed the lines of copy-ssh from ./hosts/pod1/home/.ssh/known_hosts
  pod2: removed the lines of copy-ssh from ./hosts/pod2/home/.ssh/authorized_keys
  pod2: removed the lines of copy-ssh from ./hosts/pod2/home/.ssh/known_hosts
  pod3: removed the lines of copy-ssh from ./hosts/pod3/home/.ssh/authorized_keys
  pod3: removed the lines of copy-ssh from ./hosts/pod3/home/.ssh/known_hosts
  this host: removed the lines of copy-ssh from ./.ssh/authorized_keys
  this host: removed the lines of copy-ssh from ./.ssh/known_hosts
  $ find .ssh hosts/pod*/home/.ssh -type f | sort
  .ssh/id_ed25519
  .ssh/id_ed25519.pub
  .ssh/known_hosts
  hosts/pod1/home/.ssh/authorized_keys
  hosts/pod1/home/.ssh/id_ed25519
  hosts/pod1/home/.ssh/id_ed25519.pub
  hosts/pod2/home/.ssh/id_ed25519
  hosts/pod2/home/.ssh/id_ed25519.pub
  hosts/pod3/home/.ssh/authorized_keys
  hosts/pod3/home/.ssh/id_ed25519
  hosts/pod3/home/.ssh/id_ed25519.pub
  $ cat .ssh/known_hosts hosts/pod1/home/.ssh/authorized_keys
  # mine
  # mine
