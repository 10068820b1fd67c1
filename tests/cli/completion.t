#uses zsh
#skip-unless command -v bash
Completion of command lines, in a real bash.

  $ cat > ask <<'END'
  > . <(vipu completion bash)
  > COMP_WORDS=("$@")
  > COMP_CWORD=$(($# - 1))
  > _ipubox
  > [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
  > END
  $ alias tab='bash --norc ask'

Before there is a pod there are no names, and none is made for them:

  $ tab vipu get partition ''
  $ test -e "$IPUBOX_STATE_DIR"
  [1]

Verbs, entities, names:

  $ vipu create partition alpha --size 4 --relocatable
  create partition (alpha): success
  $ vipu create partition beta --size 4 --num-gcds 2 --relocatable
  create partition (beta): success
  $ tab vipu cr
  create
  $ tab vipu create ''
  partition
  $ tab vipu list p
  partitions
  $ tab vipu get partition ''
  alpha
  beta
  $ tab vipu remove partition al
  alpha
  $ tab vipu env ''
  alpha
  beta
  $ tab vipu exec be
  beta
  $ tab vipu get allocation ''
  default
  $ tab vipu-admin get cluster ''
  cl0
  $ tab vipu-admin get agent ag0 | head -2
  ag01
  ag02
  $ tab vipu completion ''
  bash
  zsh

What is there no more of is not offered: a second name, a new one's.

  $ tab vipu get partition alpha ''
  $ tab vipu create partition al
  $ tab vipu nonsense ''
  $ tab vipu exec alpha -- --s

Options are those of the command, and of every command; values where they are
known, in a word of their own or behind "=", which bash hands out by itself:

  $ tab vipu create partition p --si
  --size
  $ tab vipu create partition p --w
  --wait
  --wide
  $ tab vipu remove partition alpha --
  --force
  --api-host
  --api-port
  --api-user-id
  --api-access-key
  --color
  --config
  --server-version
  --version
  --help
  $ tab vipu create partition p --routing ''
  dnc
  swnc
  btnc
  ringswnc
  $ tab vipu create partition p --routing = s
  swnc
  $ tab vipu create partition p --sync-type =
  c2-compatible
  pod-native-default
  pod-native-replicated-pipeline
  $ tab vipu create partition p --cluster ''
  cl0
  $ tab vipu --api-host local get partition b
  beta
  $ tab vipu -H local get partition --gcd = 1 b
  beta
  $ tab vipu-admin init --pod pod2
  pod256

None is forgotten: all verbs of the help, all options of a command's.

  $ for tool in vipu vipu-admin; do
  >   $tool --help | sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p' | sort -u > verbs
  >   $tool __complete '' | sort -u | comm -13 - verbs
  >   grep -c 'create\|completion' verbs
  > done
  2
  2
  $ vipu create partition --help | sed -nE 's/^  (-.,|   ) (--[a-z-]+).*/\2/p' | sort -u > options
  $ vipu __complete create partition -- | sort -u | cmp - options

The other applets' options come from their tables:

  $ tab gc-info --list-d
  --list-devices
  $ tab poprun --num-rep
  --num-replicas
  $ tab poprun --ta
  --tag-format
  $ tab poprun --tag-format x
  $ tab ipubox gc-in
  gc-info
  gc-inventory
  $ tab ipubox gc-monitor --no-c
  --no-card-info
  $ tab ipubox vipu get partition a
  alpha

So do the values of their options, and what they are for; the words of another
program are its own:

  $ tab poprun --vipu-partition ''
  alpha
  beta
  $ tab poprun --vipu-allocation = d
  default
  $ tab poprun --launcher ''
  local
  mpirun
  srun
  $ tab poprun --num-replicas 2 --pty ''
  auto
  yes
  no
  $ tab poprun --color a
  auto
  always
  $ tab poprun prog --launcher ''
  $ tab gc-info --style o
  old
  $ IPUOF_VIPU_API_PARTITION_ID=alpha tab gc-info -d ''
  0
  1
  2
  3
  4
  $ tab gc-info -d 7
  $ tab mnist-pipeline --strategy ''
  pipelined
  interleaved
  sharded
  one-ipu
  $ tab mnist-pipeline --dataset g
  generated
  $ tab ipubox-train m
  mlp
  mnist
  $ tab ipubox-train mnist m
  $ tab ipubox-train --print l
  lenet5
  $ tab ipubox sdk-env --shell c
  csh
  $ tab vipu --color = ne
  never
  $ tab vipu list partitions --style ''
  new
  mid
  old
  $ vipu-admin create user mia > key
  $ tab vipu-admin get user ''
  mia
  $ tab vipu --api-user-id m
  mia

Where none of the words that are known begins so, files are not offered either;
where a file may stand, they are:

  $ cat > real <<'END'
  > . <(vipu completion bash)
  > compopt() { echo "no files"; }
  > COMP_WORDS=("$@")
  > COMP_CWORD=$(($# - 1))
  > _ipubox || :
  > END
  $ bash --norc real poprun --launcher x
  no files
  $ bash --norc real poprun --vipu-partition x
  no files
  $ bash --norc real vipu get partition x
  no files
  $ bash --norc real gc-info --style x
  no files
  $ bash --norc real poprun --hostfile x
  $ bash --norc real poprun ./x
  $ bash --norc real ipubox-train x
  $ bash --norc real vipu-admin init --pod x

A word that is offered is one that is taken, and a refusal names them all:

  $ mkdir stub; printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' > stub/mpirun; cp stub/mpirun stub/srun; chmod 755 stub/*
  $ for word in $(ipubox __complete poprun --launcher ''); do SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n1 PATH=$PATH:$PWD/stub poprun --emulate-hosts yes --launcher $word --dry-run --offline-mode yes true > /dev/null || echo "refused: $word"; done
  $ for word in $(ipubox __complete poprun --process-placement ''); do poprun --process-placement $word --dry-run --offline-mode yes true > /dev/null || echo "refused: $word"; done
  $ for word in $(vipu __complete list partitions --style ''); do vipu list partitions --style $word > /dev/null || echo "refused: $word"; done
  $ for word in $(vipu __complete --color ''); do vipu --color $word list partitions > /dev/null || echo "refused: $word"; done
  $ vipu --color sometimes list partitions
  vipu: --color 'sometimes': must be auto, always or never
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ poprun --color sometimes true 2>&1 | head -1
  POPRUN ERROR: --color 'sometimes': must be auto, always or never

In zsh the same, where it is:

  $ cat > ask.zsh <<'END'
  > compdef() { :; }
  > compadd() { shift; print -rl -- "$@"; }
  > _files() { print files; }
  > . <(vipu completion zsh)
  > words=("$@")
  > CURRENT=$#
  > _ipubox
  > END
  $ tabz() { command -v zsh > /dev/null || { cat; return; }; zsh -f ask.zsh "$@"; }
  $ echo create | tabz vipu cr
  create
  $ printf 'alpha\nbeta\n' | tabz vipu get partition ''
  alpha
  beta
  $ echo --routing=swnc | tabz vipu create partition p --routing=s
  --routing=swnc
  $ echo --num-replicas | tabz poprun --num-rep
  --num-replicas
  $ echo files | tabz poprun ./prog
  files

Each script completes ipubox and all applets; for zsh it says so twice, to
compinit and to the shell that sources it.

  $ { echo ipubox; ipubox __complete '' | grep -vx help; } > names
  $ registered() { sed -n "s/^$1 //p" | tr ' ' '\n' | diff names -; }
  $ vipu completion bash | registered 'complete.*-F _ipubox'
  $ vipu-admin completion zsh > script; head -1 script | registered '#compdef'
  $ registered '	compdef _ipubox' < script
  $ vipu completion fish
  vipu: completion 'fish': must be bash or zsh
  usage: vipu completion bash | zsh
  [2]
  $ vipu completion
  vipu: completion: an argument is missing
  usage: vipu completion bash | zsh
  [2]
  $ ipubox __complete no-such-applet ''
  [127]
