poprun: stored command lines.

  $ alias run='poprun --offline-mode=yes --launcher local'
  $ poprun --export-config training.conf --vipu-partition=my_partition \
  >     --vipu-server-host=vipu.my_domain --vipu-server-port=34521 \
  >     --update-partition=yes --remove-partition=no --num-replicas=32 \
  >     --num-instances=2 --host 'pod[1-4]' --emulate-hosts yes \
  >     --offline-mode 1 --only-output-from-instance 1 \
  >     --mpi-local-args '-x A=1' --mpi-local-args " -x 'B=2 3'" \
  >     sh -c 'echo "$1 $A $B $POPDIST_REPLICA_INDEX_OFFSET"' x 'first '
  [1,1]<stdout>:first  1 2 3 16
  $ cat training.conf
  # poprun options; poprun --import-config FILE runs the job again.
  num-replicas = 32
  num-instances = 2
  host = pod[1-4]
  emulate-hosts = yes
  vipu-partition = my_partition
  update-partition = yes
  remove-partition = no
  offline-mode = 1
  vipu-server-host = vipu.my_domain
  vipu-server-port = 34521
  only-output-from-instance = 1
  mpi-local-args = -x A=1
  mpi-local-args = " -x 'B=2 3'"
  
  [program]
  sh
  -c
  echo "$1 $A $B $POPDIST_REPLICA_INDEX_OFFSET"
  x
  "first "
  $ poprun --import-config training.conf
  [1,1]<stdout>:first  1 2 3 16

The command line counts before the file; a program on it is the program, with
its arguments alone:

  $ poprun --import-config training.conf --num-instances=4 --only-output-from-instance 3
  [1,3]<stdout>:first  1 2 3 24
  $ poprun --import-config training.conf --mpi-local-args '-x A=7' sh -c 'echo "$A $B."'
  [1,1]<stdout>:7 .
  $ grep num-instances training.conf
  num-instances = 2

A file that is there keeps what it has, unless it may be overwritten:

  $ run --export-config training.conf true
  $ head -2 training.conf | tail -1; ls | sed 's/[0-9]/N/g'
  num-replicas = 32
  training.conf
  training.conf.NNNNNNNN-NNNNNN
  $ grep -v '^#' training.conf.2*
  offline-mode = yes
  launcher = local
  
  [program]
  true
  $ mkdir more; for i in 1 2 3 4 5 6; do run --export-config more/conf true; done; ls more | wc -l
  6
  $ run --export-config training.conf --overwrite-config=yes true
  $ cmp training.conf training.conf.2*
  $ ln -s training.conf link && run --export-config link --num-replicas 2 --overwrite-config 1 true
  $ sed -n 2p training.conf; ls -l link | sed 's/.* link/link/'
  num-replicas = 2
  link -> training.conf

Any bytes come back, and one command has one text:

  $ run --export-config odd printf '%s|' 'a b ' '' '"q"' '#' '[x]' "$(printf 'new\nline\ttab\\ \303\251 \377')" > first
  $ poprun --import-config odd > second; cmp first second
  $ sed -n '/program/,$p' odd
  [program]
  printf
  %s|
  "a b "
  ""
  "\"q\""
  "#"
  "[x]"
  "new\nline\ttab\\ \xc3\xa9 \xff"

What cannot be used:

  $ poprun --import-config odd --export-config x 2>&1 | head -1
  POPRUN ERROR: --import-config and --export-config cannot be used at the same time
  $ printf 'num-replicas = 2\nnum_instances = 2\n' > bad
  $ poprun --import-config bad true 2>&1 | head -1
  POPRUN ERROR: bad:2: unrecognised option 'num_instances' (did you mean num-instances?)
  $ printf '# one\nnum-replicas = two\n' > bad
  $ poprun --import-config bad true 2>&1 | head -1
  POPRUN ERROR: bad:2: --num-replicas 'two': not a whole number
  $ printf 'dry-run = yes\n' > bad
  $ poprun --import-config bad true 2>&1 | head -1
  POPRUN ERROR: bad:1: option 'dry-run' cannot be stored in a file
  $ printf 'num-replicas = 2\nnum-replicas = 4\n' > bad
  $ poprun --import-config bad true 2>&1 | head -1
  POPRUN ERROR: bad: option '--num-replicas' cannot be specified more than once
  $ poprun --import-config none true 2>&1 | head -1
  POPRUN ERROR: --import-config none: *: No such file or directory (glob)
  $ poprun --import-config training.conf --offline-mode=maybe 2>&1 | head -1
  POPRUN ERROR: --offline-mode 'maybe': must be yes or no (on/off, true/false and 1/0 mean the same)
  $ run --export-config none/there true
  POPRUN ERROR: --export-config: cannot write none/there: No such file or directory
  [1]
