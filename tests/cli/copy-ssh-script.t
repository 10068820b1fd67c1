#uses busybox
#needs ssh-keygen
#skip-unless id -un # ssh-keygen wants a name
The script that copy-ssh runs on a host, by itself: in each shell that is here,
and without flock(1).  The home folder and the file of hosts are always given: a
shell may have an id(1) of its own.

  $ . "$TESTDIR/cli/copy-ssh-script.sh"

In every shell:

  $ report() { sed 's/\(key ssh-ed25519\) [^ ]*/\1 KEY/'; }
  $ ours() { sed -i "s/ [^ ]*@[^ ]* (ipubox/ USER@HOST (ipubox/; s/^\(copy-ssh host\) .*/\1 WHO/" "$1"; }
  $ for shell in sh dash bash 'busybox sh'; do
  >     command -v ${shell% *} > /dev/null || continue
  >     rm -rf home; cp -a before home; cd home
  >     HOME=$PWD ask > ../said; HOME=$PWD ask > ../again; state > ../state; cd ..
  >     sed "s|$PWD|.|g" said | report > said."${shell% *}"; sed "s|$PWD|.|g" again | report > again."${shell% *}"
  >     ours said."${shell% *}"; ours again."${shell% *}"
  >     cp state state."${shell% *}"
  > done; shell=
  $ for one in said.* ; do cmp said.sh $one; cmp again.sh again.${one#*.}; cmp state.sh state.${one#*.}; done
  $ cat said.sh
  copy-ssh mode 755 700 ./home/.ssh
  copy-ssh host WHO
  copy-ssh from -
  copy-ssh caller 
  copy-ssh made ./home/.ssh/id_ed25519
  copy-ssh identity ./home/.ssh/id_ed25519
  copy-ssh key ssh-ed25519 KEY USER@HOST (ipubox copy-ssh)
  copy-ssh authorised 1
  copy-ssh damaged 1
  copy-ssh hostkey pod2 pod2 ssh-ed25519 new SHA256:TYa9uYZCLUqfWRdYydlaeF0B5CnP3vufF4cSIiQkLMk 
  copy-ssh hostkey pod2 10.0.0.2 ssh-ed25519 new SHA256:TYa9uYZCLUqfWRdYydlaeF0B5CnP3vufF4cSIiQkLMk 
  copy-ssh hostkey old old ssh-ed25519 replaced SHA256:R/XCIV2iT/6ASBTED4Kj8deZAZMcnBaGLt5FBmB3QqI SHA256:6rFn6jOsPuxLW3+fqdb1wRUYv6H5NsllJxHUMqJczC4
  copy-ssh config ./home/.ssh/config
  copy-ssh end
  $ cat again.sh
  copy-ssh host WHO
  copy-ssh from -
  copy-ssh caller 
  copy-ssh identity ./home/.ssh/id_ed25519
  copy-ssh key ssh-ed25519 KEY USER@HOST (ipubox copy-ssh)
  copy-ssh authorised 0
  copy-ssh damaged 1
  copy-ssh hostkey pod2 pod2 ssh-ed25519 same SHA256:TYa9uYZCLUqfWRdYydlaeF0B5CnP3vufF4cSIiQkLMk 
  copy-ssh hostkey pod2 10.0.0.2 ssh-ed25519 same SHA256:TYa9uYZCLUqfWRdYydlaeF0B5CnP3vufF4cSIiQkLMk 
  copy-ssh hostkey old old ssh-ed25519 same SHA256:R/XCIV2iT/6ASBTED4Kj8deZAZMcnBaGLt5FBmB3QqI 
  copy-ssh end
  $ cat state.sh
  # mine
  ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIABBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB
  ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE (ipubox copy-ssh)
  rubbish
  other ssh-ed25519 KEY
  HASHED ssh-ed25519 KEY copy-ssh
  HASHED ssh-ed25519 KEY copy-ssh
  HASHED ssh-ed25519 KEY copy-ssh
  Host other
  	Port 9
  # copy-ssh: begin
  Host kept
  	Port 7
  Host pod2 10.0.0.2
  	Port 22
  	IdentityFile ~/.ssh/id_pod
  Host pod3
  	User me
  # copy-ssh: end
  # last
  700 .ssh
  644 .ssh/authorized_keys
  644 .ssh/config
  600 .ssh/id_ed25519
  644 .ssh/id_ed25519.pub
  644 .ssh/known_hosts

Without flock(1) a link is the lock; who was killed with it does not hold it.

  $ mkdir few; ln -sf /usr/bin/* /bin/* few; rm few/flock
  $ rm -rf home; mkdir home; PATH=$PWD/bin:$PWD/few
  $ command -v flock
  [127]
  $ for k in B C D E F G; do HOME=$PWD/home act "actions='authorise'" "keys='$(key $k) $k'" > out$k & done; wait
  $ cut -d ' ' -f 3 home/.ssh/authorized_keys | sort | tr '\n' ' '
  B C D E F G  (no-eol)
  $ dead=$(sh -c 'echo $$')@pod1; ln -s $dead home/.ssh/.copy-ssh.lock; ln -s $dead home/.ssh/.copy-ssh.lock.dead
  $ HOME=$PWD/home act "actions='authorise'" "keys='$(key H) H'"
  copy-ssh authorised 1
  copy-ssh end
  $ ls -A home/.ssh
  authorized_keys
  $ PATH=$plain

The names of hosts, between our marks:

  $ rm -rf home; mkdir home; printf '127.0.0.1 localhost\n10.0.0.2 pod2\n10.9.9.9 pod3 # elsewhere' > home/hosts
  $ map() { HOME=$PWD/home act 'actions=hosts' "mapping='$*'" | sed "s|$PWD|.|g"; }
  $ map '10.0.0.1 pod1
  > 10.0.0.2 pod2
  > 10.0.0.3 pod3'; cat home/hosts
  copy-ssh note /etc/hosts says that pod3 is 10.9.9.9, in a line above ours: change it
  copy-ssh hosts ./home/hosts
  copy-ssh end
  127.0.0.1 localhost
  10.0.0.2 pod2
  10.9.9.9 pod3 # elsewhere
  # copy-ssh: begin
  10.0.0.1 pod1
  10.0.0.3 pod3
  # copy-ssh: end
  $ cksum < home/hosts > sum; ls -i home/hosts > inode
  $ map '10.0.0.1 pod1'; cksum < home/hosts | cmp - sum; ls -i home/hosts | cmp - inode
  copy-ssh end
  $ map '10.0.0.7 pod1
  > 10.0.0.8 pod8'; cat home/hosts
  copy-ssh hosts ./home/hosts
  copy-ssh end
  127.0.0.1 localhost
  10.0.0.2 pod2
  10.9.9.9 pod3 # elsewhere
  # copy-ssh: begin
  10.0.0.7 pod1
  10.0.0.3 pod3
  10.0.0.8 pod8
  # copy-ssh: end
  $ mkdir home/.ssh; HOME=$PWD/home act 'actions=remove' "mapping='x pod1
  > x pod3
  > x pod8'" | sed "s|$PWD|.|g"; cat home/hosts
  copy-ssh hosts ./home/hosts
  copy-ssh end
  127.0.0.1 localhost
  10.0.0.2 pod2
  10.9.9.9 pod3 # elsewhere

What cannot be:

  $ rm -rf home; mkdir home; touch home/.ssh; HOME=$PWD/home act 'actions=prepare' | sed "s|$PWD|.|g"
  copy-ssh fail cannot write ./home/.ssh: File exists
  $ rm home/.ssh; mkdir -p home/.ssh/authorized_keys; HOME=$PWD/home act 'actions=authorise' "keys='$(key B)'" | sed "s|$PWD|.|g"
  copy-ssh fail ./home/.ssh/authorized_keys is not a regular file
  $ rmdir home/.ssh/authorized_keys; ln -s /nonexistent/a/b home/.ssh/authorized_keys; HOME=$PWD/home act 'actions=authorise' "keys='$(key B)'" | sed "s|$PWD|.|g"
  copy-ssh fail ./home/.ssh/authorized_keys is a dangling link: remove it
  $ HOME=/nonexistent act 'actions=prepare' 'keys=$home'
  copy-ssh fail the home directory /nonexistent does not exist
  [1]
  $ mkdir home/hosts; HOME=$PWD/home act 'actions=hosts' 'mapping="10.0.0.1 pod1"' | sed "s|$PWD|.|g"; rmdir home/hosts
  copy-ssh fail ./home/hosts is not a regular file
  $ rm home/.ssh/authorized_keys; touch home/.ssh/id_ed25519.pub; HOME=$PWD/home act 'actions=prepare' | sed "s|$PWD|.|g"
  copy-ssh mode 755 700 ./home/.ssh
  copy-ssh host pod1 nobody-at-all 1000
  copy-ssh from -
  copy-ssh caller 
  copy-ssh fail ./home/.ssh/id_ed25519.pub exists without ./home/.ssh/id_ed25519: move it away
  $ rm home/.ssh/id_ed25519.pub; ssh-keygen -q -t ed25519 -N secret -f home/.ssh/id_ed25519; rm home/.ssh/id_ed25519.pub; HOME=$PWD/home act 'actions=prepare' | sed "s|$PWD|.|g" | tail -1
  copy-ssh fail ./home/.ssh/id_ed25519.pub is missing, and ./home/.ssh/id_ed25519 has a passphrase: ssh-keygen -y -f ./home/.ssh/id_ed25519 > ./home/.ssh/id_ed25519.pub
  $ chmod 775 home; ssh-keygen -q -t ed25519 -N secret -C own -f home/.ssh/id_pod; HOME=$PWD/home act 'actions=prepare' 'identity=id_pod' | sed "s|$PWD|.|g" | report
  copy-ssh note others can write to ./home (mode 775), so sshd accepts no keys: chmod go-w ./home
  copy-ssh host pod1 nobody-at-all 1000
  copy-ssh from -
  copy-ssh caller 
  copy-ssh note ./home/.ssh/id_pod has a passphrase: without an agent (ssh-add) programs cannot use it
  copy-ssh identity ./home/.ssh/id_pod
  copy-ssh key ssh-ed25519 KEY own
  copy-ssh end
