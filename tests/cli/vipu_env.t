#uses zsh ksh csh tcsh fish
vipu env and vipu exec: from a partition to a program.

  $ vipu create partition p --size 4
  create partition (p): success
  $ vipu create partition q --size 32 --num-gcds 2 --ipuof-config-location q
  create partition (q): success

  $ vipu env p
  export IPUOF_VIPU_API_HOST='local';
  export IPUOF_VIPU_API_PARTITION_ID='p';
  unset IPUOF_VIPU_API_GCD_ID;
  unset IPUOF_CONFIG_PATH;
  export POPLAR_TARGET_OPTIONS='{"ipuLinkDomainSize":"4","ipuLinkConfiguration":"default","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"4"}';
  $ vipu env q --gcd 1 --shell csh
  setenv IPUOF_VIPU_API_HOST 'local';
  setenv IPUOF_VIPU_API_PARTITION_ID 'q';
  setenv IPUOF_VIPU_API_GCD_ID '1';
  unsetenv IPUOF_CONFIG_PATH;
  setenv POPLAR_TARGET_OPTIONS '{"ipuLinkDomainSize":"32","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"16"}';
  $ vipu env q --gcd 0 --shell=fish
  set -gx IPUOF_VIPU_API_HOST 'local';
  set -gx IPUOF_VIPU_API_PARTITION_ID 'q';
  set -gx IPUOF_VIPU_API_GCD_ID '0';
  set -e IPUOF_CONFIG_PATH;
  set -gx POPLAR_TARGET_OPTIONS '{"ipuLinkDomainSize":"32","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"16"}';
  $ vipu env --unset
  unset IPUOF_VIPU_API_HOST;
  unset IPUOF_VIPU_API_PARTITION_ID;
  unset IPUOF_VIPU_API_GCD_ID;
  unset IPUOF_CONFIG_PATH;
  unset POPLAR_TARGET_OPTIONS;
  $ vipu env --unset --shell tcsh | head -1; vipu env --unset --shell fish | head -1
  unsetenv IPUOF_VIPU_API_HOST;
  set -e IPUOF_VIPU_API_HOST;

It does what it says in each shell that is here: the variables are those that
exec gives, and --unset leaves none.

  $ vipu exec q --gcd 1 -- env | grep 'IPUOF_\|POPLAR_' | sort > wanted
  $ cat wanted
  IPUOF_VIPU_API_GCD_ID=1
  IPUOF_VIPU_API_HOST=local
  IPUOF_VIPU_API_PARTITION_ID=q
  POPLAR_TARGET_OPTIONS={"ipuLinkDomainSize":"32","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"mesh","gatewayMode":"true","instanceSize":"16"}
  $ export IPUOF_CONFIG_PATH=elsewhere
  $ show="env | grep 'IPUOF_\|POPLAR_' | sort"
  $ for shell in sh dash bash zsh ksh; do
  >   command -v $shell > /dev/null || continue
  >   $shell -c "eval \"\$(vipu env q --gcd 1)\"; $show > got; eval \"\$(vipu env --unset)\"; $show"
  >   cmp wanted got
  > done
  $ for shell in csh tcsh; do
  >   command -v $shell > /dev/null || continue
  >   $shell -f -c "eval \"\`vipu env q --gcd 1 --shell csh\`\"; $show > got; eval \"\`vipu env --unset --shell csh\`\"; $show"
  >   cmp wanted got
  > done
  $ ! command -v fish > /dev/null || {
  >   fish -c "vipu env q --gcd 1 --shell fish | source; $show > got; vipu env --unset --shell fish | source; $show"
  >   cmp wanted got
  > }
  $ unset IPUOF_CONFIG_PATH
  $ sh -c 'eval "$(vipu env p)"; gc-info -l' | grep -c Fabric
  4

What cannot be used gives the shell nothing.

  $ vipu env nowhere 2> reason; echo "$?"; cat reason
  1
  env (nowhere): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  $ vipu env q 2> reason; echo "$?"; cat reason
  1
  env (q): failed: the partition has 2 GCDs, and a program uses one: choose it with --gcd, 0 to 1.
  $ vipu env p --gcd 1
  env (p): failed: gcd 1: the partition has 1 GCD, counted from 0.
  [1]
  $ vipu env p --gcd 0 | grep GCD
  export IPUOF_VIPU_API_GCD_ID='0';
  $ vipu env p --gcd x
  vipu: --gcd 'x': not a whole number
  usage: vipu env NAME [--gcd G] [--shell SHELL] | --unset
  [2]
  $ vipu env
  vipu: env: the name of the partition is missing
  usage: vipu env NAME [--gcd G] [--shell SHELL] | --unset
  [2]
  $ vipu env p --shell rc
  vipu: --shell 'rc': must be sh, csh or fish
  usage: vipu env NAME [--gcd G] [--shell SHELL] | --unset
  [2]
  $ vipu-admin env p
  vipu-admin: unknown command 'env' (--help lists the commands)
  usage: vipu-admin VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ vipu-admin inject ag01 down
  inject agent (ag01): success.
  $ vipu env p
  env \(p\): failed: the partition is in state ERROR, not ACTIVE.*\. (re)
  [1]
  $ vipu exec p -- echo never
  exec \(p\): failed: the partition is in state ERROR, not ACTIVE.*\. (re)
  [1]
  $ vipu-admin inject ag01 up && vipu reset partition p
  inject agent (ag01): success.
  reset partition (p): success

exec becomes the program: its words, its options, its status, its signals.

  $ vipu exec p -- sh -c 'echo "$IPUOF_VIPU_API_PARTITION_ID: $1"; exit 3' sh 'a  b'
  p: a  b
  [3]
  $ vipu exec -H local p -- sh -c 'echo "$# $*"' sh --gcd 7 -- --help
  4 --gcd 7 -- --help
  $ sh -c 'echo $$; exec vipu exec p -- sh -c "echo \$\$"' | uniq | wc -l
  1
  $ vipu exec p -- sh -c 'kill -TERM $$' 2> /dev/null
  [143]
  $ vipu exec p -- no-such-program
  vipu: program 'no-such-program' not found in PATH
  [127]
  $ touch plain; vipu exec p -- ./plain
  vipu: cannot execute ./plain: Permission denied
  [126]
  $ vipu exec p -- ./none
  vipu: program './none' not found
  [127]
  $ vipu exec q -- echo never
  exec (q): failed: the partition has 2 GCDs, and a program uses one: choose it with --gcd, 0 to 1.
  [1]
  $ vipu exec nowhere -- echo never
  exec (nowhere): failed: the partition does not exist; vipu list partitions shows the existing ones.
  (state directory: *, IPUBOX_STATE_DIR) (glob)
  [1]

Without -- nobody could tell whose an option is:

  $ vipu exec p ls -l
  vipu: unrecognised option '-l'; put -- before the program so that its options reach it
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
  $ vipu exec p ls
  vipu: exec: put -- before the program
  usage: vipu exec NAME [--gcd G] -- PROGRAM [ARGUMENT ...]
  [2]
  $ vipu exec p --
  vipu: exec: the program is missing; name it after --
  usage: vipu exec NAME [--gcd G] -- PROGRAM [ARGUMENT ...]
  [2]
  $ vipu exec p --gdc 1 -- ls
  vipu: unrecognised option '--gdc' (did you mean --gcd?)
  usage: vipu VERB ENTITY [NAME] [option ...] (--help lists the commands)
  [2]
