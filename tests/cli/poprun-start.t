poprun: many instances are started one after the other, without waiting.

  $ alias run='poprun --offline-mode=yes --launcher local --num-replicas 128 --num-instances 128'

Each has outputs, an environment and a process group of its own:

  $ run sh -c 'echo $OMPI_COMM_WORLD_RANK; echo $OMPI_COMM_WORLD_RANK >&2; read -r pid rest < /proc/self/stat; set -- $rest; [ $pid = $4 ] || echo group' > out 2>&1
  $ wc -l < out
  256
  $ sort -u out | wc -l
  256
  $ tr '[],<>:' '      ' < out | awk '$2 != $4 || NF != 4'

And none holds what is another's, or the supervisor's:

  $ files() { sed 's,/proc/[0-9]*/,,g; s/.*://' | sort -u; }
  $ sh -c 'echo /proc/$$/fd/*' | files > own
  $ run sh -c 'echo /proc/$$/fd/*' | files | diff - own

Where none can be executed, the first reason is the message:

  $ echo nonsense > odd; chmod +x odd; run ./odd 2>&1 | sed 's/instance [0-9]*/instance N/'
  POPRUN ERROR: cannot execute ./odd for instance N: Exec format error
