#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
poprun --tag-format: what stands before each line.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias run='poprun --offline-mode=yes --launcher $launcher'
  $ alias four='run --num-replicas 4 --num-instances 4 --host "pod[1-2]" --emulate-hosts yes'

Without it, and with the same in words, the tag is as mpirun makes it:

  $ run echo hi
  [1,0]<stdout>:hi
  $ run --tag-format '[1,%i]<%s>:' sh -c 'echo out; echo err >&2' 2> err; cat err
  [1,0]<stdout>:out
  [1,0]<stderr>:err

The host, the local index, the stream, a percent sign, and what is no word (srun
has a job, which names its hosts):

  $ own=; [ $launcher != srun ] || own=$(hostname)
  $ four --tag-format '[1,%i@%h]<%s>:' echo hi | sort
  [1,0@pod1]<stdout>:hi
  [1,1@pod1]<stdout>:hi
  [1,2@pod2]<stdout>:hi
  [1,3@pod2]<stdout>:hi
  $ four --tag-format='%l of %h, 100%% %s | ' sh -c 'echo $OMPI_COMM_WORLD_RANK >&2' 2>&1 | sort -t '|' -k 2
  0 of pod1, 100% stderr | 0
  1 of pod1, 100% stderr | 1
  0 of pod2, 100% stderr | 2
  1 of pod2, 100% stderr | 3
  $ run --tag-format '%h %i ' echo hi | sed "s/^$own /localhost /"
  localhost 0 hi
  $ SLURM_JOB_ID=${SLURM_JOB_ID:-1} SLURMD_NODENAME=node7 run --tag-format '%h ' echo hi | sed "s/^$own /node7 /"
  node7 hi
  $ run --tag-format "$(printf '\303\251\342\206\222')" echo hi | od -An -tx1
   c3 a9 e2 86 92 68 69 0a

No tag at all: the bytes are the program's, but for a newline at the end:

  $ run --tag-format '' printf 'a\n\nb\rc\nlast' | od -An -c | tr -s ' \n' ' '; echo
   a \n \n b \r c \n l a s t \n 
  $ run --tag-format='' seq 100000 > log; seq 100000 | cmp - log

Redraws, and no newline at the end, with another tag:

  $ run --tag-format '%i ' printf 'a\n\nb\rc\r\nlast' | od -An -c | tr -s ' \n' ' '; echo
   0 a \n 0 \n 0 b \r 0 c \r \n 0 l a s t \n 

Long tags, many lines of several instances, each whole and none lost:

  $ long=$(printf '%0400d' 0)
  $ run --num-replicas 2 --num-instances 2 --tag-format "$long%i:" seq 20000 > log
  $ for i in 0 1; do sed -n "s/^$long$i://p" log > got; seq 20000 | cmp - got; done
  $ wc -l < log
  40000

A long line has one tag:

  $ run --tag-format "$long%i:" sh -c 'head -c 3000000 /dev/zero | tr "\0" x; echo' | wc -lc | tr -s ' '
   1 3000403

A host that is named:

  $ run --num-replicas 2 --num-instances 2 --host "$(hostname)" --tag-format '%h %l|' echo hi | sort | sed "s/^$(hostname) /NAME /"
  NAME 0|hi
  NAME 1|hi

How often the job was started again:

  $ run --max-restarts 2 --tag-format '%i, run %r: ' sh -c 'echo hi; exit $((2 - POPRUN_RESTART_COUNT))' 2> /dev/null
  0, run 0: hi
  0, run 1: hi
  0, run 2: hi

The time at which a line comes out, at the place of the world that TZ names:

  $ from=$(date +%s); TZ=XYZ-5:30 run --tag-format '%t [%i]: ' echo hi > line; to=$(date +%s)
  $ cat line
  [0-2][0-9]:[0-5][0-9]:[0-5][0-9] \[0\]: hi (re)
  $ while [ $from -le $to ]; do TZ=XYZ-5:30 date -d @$from '+%H:%M:%S [0]: hi'; from=$((from + 1)); done | grep -cxFf line
  1
  $ TZ=XYZ-5:30 run --tag-format '%T ' echo hi
  20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}\+05:30 hi (re)
  $ TZ=UTC0 run --num-replicas 4 --num-instances 4 --tag-format '%T %i ' seq 50000 > log
  $ grep -Ec '^[0-9-]{10}T[0-9:]{8}\.[0-9]{3}\+00:00 [0-3] [0-9]+$' log
  200000
  $ for i in 0 1 2 3; do sed -n "s/^[^ ]* $i //p" log > got; seq 50000 | cmp - got; done

Files have none, and with --tee the console has it:

  $ run --log-dir logs --tee --tag-format '%i@%h ' echo hi | sed "s/@$own /@localhost /"; cat logs/instance.0.out
  0@localhost hi
  hi

A dry run shows the format where there is one, and a stored command line has it:

  $ run --dry-run true | grep -c 'tag format'
  0
  [1]
  $ run --dry-run --tag-format "it's %i " true | grep 'tag format'
  tag format: 'it'\''s %i '
  $ run --dry-run --tag-format= true | grep 'tag format'
  tag format: ''
  $ run --dry-run -v true > usual 2> log; run --dry-run -v --tag-format '%i' true 2> log | grep -v '^tag format' | cmp - usual
  $ run --dry-run --format json true | grep -c tag_format
  0
  [1]
  $ run --dry-run --format json --tag-format '[1,%i@%h]<%s>:' true | grep tag_format
    "tag_format": "[1,%i@%h]<%s>:",
  $ for format in '[1,%i@%h]<%s>:' '' '%i: ' '"%i' '#%i%%' "$(printf '\303\251')"; do
  >   run --export-config conf --overwrite-config yes --tag-format "$format" echo hi > first
  >   poprun --import-config conf > second; cmp first second; grep tag-format conf
  > done
  tag-format = "[1,%i@%h]<%s>:"
  tag-format = ""
  tag-format = "%i: "
  tag-format = "\"%i"
  tag-format = "#%i%%"
  tag-format = "\xc3\xa9"
  $ poprun --import-config conf --tag-format '%i>' echo hi
  0>hi

What is refused, before anything runs:

  $ run --tag-format '[1,%d]: ' touch ran
  POPRUN ERROR: --tag-format '[1,%d]: ': '%d' at character 4 stands for nothing; use %i, %l, %h, %s, %t, %T, %c or %r, or write %% for a percent sign
  usage: poprun [option ...] program [argument ...]
  [2]
  $ run --tag-format '100%' touch ran
  POPRUN ERROR: --tag-format '100%': character 4, a percent sign, has nothing after it; write %% for a percent sign
  usage: poprun [option ...] program [argument ...]
  [2]
  $ run --tag-format "$(printf '%%i\033[31m')" touch ran
  POPRUN ERROR: --tag-format '%i\x1b[31m': character 3 is a control character or not UTF-8, which a terminal may take for a command; leave it out
  usage: poprun [option ...] program [argument ...]
  [2]
  $ run --tag-format '%h %h %h' touch ran
  POPRUN ERROR: --tag-format: from character 7 on, a tag could be longer than 512 bytes, because a host name has up to 253; write a shorter format
  usage: poprun [option ...] program [argument ...]
  [2]
  $ run --tag-format %i --tag-format %l touch ran
  POPRUN ERROR: option '--tag-format' cannot be specified more than once
  usage: poprun [option ...] program [argument ...]
  [2]
  $ run --tag-format
  POPRUN ERROR: --tag-format needs a value: --tag-format=FORMAT
  usage: poprun [option ...] program [argument ...]
  [2]
  $ printf 'tag-format = %%d\n' > conf; poprun --import-config conf touch ran 2>&1 | head -1
  POPRUN ERROR: conf:1: --tag-format '%d': '%d' at character 1 stands for nothing; use %i, %l, %h, %s, %t, %T, %c or %r, or write %% for a percent sign
  $ ls ran
  ls: *ran*: No such file or directory (glob)
  [2]
