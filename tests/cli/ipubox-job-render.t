Which kinds there are:

  $ ipubox-job render --to jobset job.yaml
  error: --to 'jobset': must be mpijob or job
  usage: ipubox-job render --to KIND FILE ...
  [2]

What a worker runs that a launcher reaches, as ipubox-job renders it: here sshd
is played, which runs what ForceCommand says in an environment of its own.

  $ cat > job.yaml <<'END'
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: bert}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "8"
  >   workersPerJobInstance: "2"
  >   launcher: {command: [mpirun, -np, "2", python3, train.py]}
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - {name: worker, image: x}
  > END
  $ ipubox-job render --to mpijob job.yaml 2> /dev/null > mpijob.yaml
  $ sed -n '/mkdir -p .run.sshd/,/ForceCommand/ { s/^ *//; p; }' mpijob.yaml > command
  $ wc -l < command
  3
  $ mkdir run names && ipubox --unpack tree
  $ printf '#!/bin/sh\necho "ssh-keygen $*"\n' > names/ssh-keygen
  $ cat > names/sshd <<'END'
  > #!/bin/sh
  > for word; do case $word in ForceCommand=*) forced=${word#*=};; esac; done
  > env -i PATH=/usr/bin:/bin SSH_CLIENT='10.1.2.3 40000 22' \
  >     SSH_ORIGINAL_COMMAND='env | sort; command -v gc-info; exit 7' \
  >     sh -c "$forced"
  > END
  $ chmod +x names/*
  $ sed -i "s|/run/|$PWD/run/|g; s|/usr/sbin/sshd|$PWD/names/sshd|; s|/opt/ipubox|$PWD/tree|g" command
  $ env -i PATH="$PWD/names:/usr/bin:/bin" TOKEN="it's \"a\" \$b" IPUOF_VIPU_API_PARTITION_ID=p-bert-0 /bin/sh command > got
  [7]
  $ sed "s|$PWD|HERE|g" got | grep 'ssh-keygen\|IPUOF\|VIPU\|TOKEN\|^PATH\|PYTHONPATH\|/gc-info'
  ssh-keygen -A
  IPUOF_VIPU_API_HOST=10.1.2.3
  IPUOF_VIPU_API_PARTITION_ID=p-bert-0
  PATH=HERE/tree/bin:HERE/names:/usr/bin:/bin
  PYTHONPATH=HERE/tree/sdk/python
  TOKEN=it's "a" $b
  VIPU_CLI_API_HOST=10.1.2.3
  HERE/tree/bin/gc-info
  $ ls -l run/ipubox-variables | cut -c 1-10
  -rw-------
