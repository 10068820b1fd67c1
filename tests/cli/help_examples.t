The examples at the end of each --help are lines that work: each one is typed
here, in a pod of its own.  What needs other hosts only shows what it would do,
a server only checks its configuration, and a training has fewer samples.

  $ examples() { "$@" --help | sed '1,/^Examples:$/d; /^$/d; s/^  //'; }
  $ mkdir bin && for tool in python3 srun ssh ssh-keygen ssh-keyscan; do printf '#!/bin/sh\nexit 0\n' > bin/$tool; done; chmod +x bin/*
  $ PATH=$PWD/bin:$PATH
  $ : > train.py
  $ printf '[pod]\nname = lab\n[cluster lab]\nagents = lab[1-4]\n' > lab.ini
  $ cat > mnist.yaml <<END
  > apiVersion: graphcore.ai/v1alpha1
  > kind: IPUJob
  > metadata: {name: mnist-training}
  > spec:
  >   jobInstances: 1
  >   ipusPerJobInstance: "1"
  >   workers:
  >     template:
  >       spec:
  >         containers:
  >         - {name: main, image: x, command: [sh, -c], args: ["echo done"]}
  >         restartPolicy: Never
  > END
  $ ipubox --install-sdk ~/ipubox-sdk > out

What a line needs before it can be typed: a pod, and what it speaks of.

  $ prepare() {
  >     export IPUBOX_STATE_DIR="$TEST_SHM/$1" IPUBOX_REGISTRY="$TEST_SHM/$1.r"
  >     case $2 in
  >     *"create partition"*) ;;
  >     *--secure*) ;;
  >     vipu-server*) vipu-admin init --secure ;;
  >     vipu-admin*) vipu-admin export pod.ini ;;
  >     *" ipujob/"*) ipubox-job create -f mnist.yaml ;;
  >     *) vipu create partition p --size 4 --reconfigurable ;;
  >     esac > prepared 2>&1 || cat prepared
  > }
  $ harmless() {
  >     case $1 in
  >     "gc-monitor --watch") echo "$1 | sed 1q" ;;
  >     copy-ssh*) echo "$1 --dry-run" ;;
  >     poprun*" -H "*) echo "IPUBOX_EMULATE_HOSTS=1 $1" ;;
  >     vipu-server*--listen*) echo "$1 -n" ;;
  >     *" /etc/slurm/"*) echo "$1" | sed "s|/etc/slurm/|$PWD/|" ;;
  >     *" --dataset generated"*) echo "$1 --samples 6000" ;;
  >     *) echo "$1" ;;
  >     esac
  > }
  $ number=0
  $ type_line() {
  >     prepare "$number" "$1"
  >     sh -c "$(harmless "$1")" > out 2>&1 < /dev/null ||
  >         { echo "$1: status $?"; cat out; }
  > }
  $ type_all() {
  >     examples "$@" > lines
  >     test "$(wc -l < lines)" -gt "$least" || echo "$*: too few examples"
  >     while read -r line; do
  >         number=$((number + 1))
  >         type_line "$line"
  >     done < lines
  > }

Two at least of each applet, and one of each command that has many options.

  $ least=1
  $ type_all ipubox
  $ for name in $(ipubox __complete '' | grep -vx help); do type_all $name; done
  $ least=0
  $ type_all vipu create partition
  $ type_all vipu env
  $ type_all vipu exec
  $ type_all vipu-admin create agent
  $ test "$number" -gt 30

They end the help, and no other section follows them:

  $ for name in ipubox $(ipubox __complete '' | grep -vx help); do $name --help | sed '1,/^Examples:$/d' | grep -n '^[^ ]'; done
  [1]
