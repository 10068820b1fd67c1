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
  $ tab vipu remove partition alpha --
  --force
  --api-host
  --api-port
  --api-user-id
  --api-access-key
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
  $ tab ipubox gc-
  gc-info
  gc-monitor
  $ tab ipubox gc-monitor --no-c
  --no-card-info
  $ tab ipubox vipu get partition a
  alpha

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

Each user gets the script that is installed.

  $ vipu completion bash | cmp - "$TESTDIR"/../config/completions/ipubox.bash
  $ vipu-admin completion zsh | cmp - "$TESTDIR"/../config/completions/_ipubox
  $ vipu completion fish
  vipu: completion 'fish': must be bash or zsh
  usage: vipu completion bash | zsh
  [2]
  $ vipu completion
  vipu: completion: which one?
  usage: vipu completion bash | zsh
  [2]
  $ ipubox __complete no-such-applet ''
  [127]
