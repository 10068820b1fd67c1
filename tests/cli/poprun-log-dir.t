#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
poprun: what the instances print in files, and whose output is shown.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias run='poprun --offline-mode=yes --launcher $launcher'
  $ cat > both.sh <<'END'
  > echo "out $OMPI_COMM_WORLD_RANK"
  > echo "err $OMPI_COMM_WORLD_RANK" >&2
  > END

Into files, without tags, and nothing is shown:

  $ run --num-replicas 2 --num-instances 2 --log-dir a/logs sh both.sh
  $ ls a/logs; cat a/logs/instance.*
  instance.0.err
  instance.0.out
  instance.1.err
  instance.1.out
  poprun.log
  err 0
  out 0
  err 1
  out 1

The bytes as they came:

  $ awk 'BEGIN { for (i = 1; i < 256; i++) printf "%c", i }' > bytes
  $ run --log-dir a/logs cat bytes; cmp bytes a/logs/instance.0.out

What poprun itself says, of every level, and on the console as it is asked to.
The command differs, and what poprun waits for, because it starts mpirun or srun,
and that the instances; and a job of Slurm names hosts:

  $ cut -d ' ' -f 3- a/logs/poprun.log | sed 's/PID [0-9]*/PID N/' > said
  $ case $launcher in
  > srun) hosts="POPRUN [I] Hosts picked up from Slurm: $(hostname)" ;;
  > *)    hosts='POPRUN [D] No hosts specified; ignoring host-subnet setting' ;;
  > esac
  $ grep -cxF "$hosts" said; sed '/PID\|command/d' said | grep -vxF "$hosts"
  1
  POPRUN [D] Target options from environment: {}
  POPRUN [D] Default network/RNIC for host communication: None
  $ case $launcher in local) what='instance 0' command=cat ;; *) what=$launcher command=.*/$launcher ;; esac
  $ grep -c "POPRUN \[I\] Running command: $command .*'bytes'\$" said
  1
  $ sed -n "s/POPRUN \[I\] \(.*\)$what (PID N)/\1WHAT/p; s/POPRUN \[[DT]\] Started instance 0 (PID N)/started/p" said | sort
  WHAT terminated with exit code 0
  Waiting for WHAT
  started
  $ run --log-dir b sh -c 'echo said >&2; exit 3'; sed -n 's/(pid.*)/(pid)/; s/^POPRUN/&/p' b/poprun.log
  POPRUN ERROR: instance 0 (pid *) exited with status 3 (glob)
    its last lines (all of them: b/instance.0.*):
    | said
  POPRUN ERROR: instance 0 (pid) exited with status 3
  $ run --log-dir c no-such-program; sed '/Hosts picked up/d' c/poprun.log
  POPRUN ERROR: program 'no-such-program' not found in PATH
  POPRUN ERROR: program 'no-such-program' not found in PATH

A job that is started again adds to its files:

  $ run --log-dir marks --num-replicas 2 --num-instances 2 --max-restarts 1 sh -c 'printf out; echo words >&2; [ $POPRUN_RESTART_COUNT = 1 ] || while [ $RANK = 1 ]; do exit 3; done' 2> err
  $ sed 's/pid [0-9]*/pid N/; s/it ran [0-9.]* s.*/it ran N s/' err
  POPRUN WARNING: instance 1 (pid N) exited with status 3; starting the job again (restart 1 of 1)
    it ran N s
    its last lines (all of them: marks/instance.1.*):
    | words
  $ cat marks/instance.1.out; cat marks/instance.1.err
  out
  --- restart 1 of 1 ---
  outwords
  
  --- restart 1 of 1 ---
  words
  $ run --log-dir again --max-restarts 1 sh -c 'echo $$; [ -e second ] || { : > second; exit 3; }'
  ...
  $ grep -c '^[0-9]' again/instance.0.out; grep -c 'exited with status 3' again/poprun.log
  2
  1

Shown as well, or those that are named:

  $ run --num-replicas 2 --num-instances 2 --log-dir b --tee sh both.sh 2> err | sort; sort err; cat b/instance.1.out
  [1,0]<stdout>:out 0
  [1,1]<stdout>:out 1
  [1,0]<stderr>:err 0
  [1,1]<stderr>:err 1
  out 1
  $ run --num-replicas 2 --num-instances 2 --log-dir b --console-instances 1 sh both.sh 2>&1 | sort
  [1,1]<stderr>:err 1
  [1,1]<stdout>:out 1
  $ run --num-replicas 4 --num-instances 4 --console-instances 0,2-3 sh both.sh 2> err | sort; sort err
  [1,0]<stdout>:out 0
  [1,2]<stdout>:out 2
  [1,3]<stdout>:out 3
  [1,0]<stderr>:err 0
  [1,2]<stderr>:err 2
  [1,3]<stderr>:err 3
  $ run --console-instances none sh both.sh
  $ run --console-instances all sh both.sh 2> err; cat err
  [1,0]<stdout>:out 0
  [1,0]<stderr>:err 0

Lists that cannot be:

  $ run --console-instances 0,1 true 2>&1 | head -1
  POPRUN ERROR: --console-instances 1: the job has 1 instance, counted from 0
  $ run --console-instances 0-x true 2>&1 | head -1
  POPRUN ERROR: --console-instances: '0-x' must be an instance or a range, as in 0,2-3; all and none must stand alone
  $ run --console-instances 0 --only-output-from-instance 0 true
  POPRUN ERROR: --only-output-from-instance and --console-instances cannot be used at the same time
  usage: poprun [option ...] program [argument ...]
  [2]

What cannot be written is said before anything runs:

  $ run --log-dir both.sh touch ran
  POPRUN ERROR: --log-dir both.sh: Not a directory
  [1]
  $ mkdir links; ln -s "$PWD/victim" links/instance.0.err
  $ run --log-dir links touch ran
  POPRUN ERROR: --log-dir links: instance.0.err is a symbolic link; remove it
  [1]
  $ mkdir fifos; mkfifo fifos/instance.0.out
  $ run --log-dir fifos touch ran
  POPRUN ERROR: --log-dir fifos: instance.0.out is not a regular file
  [1]
  $ ls ran victim 2> /dev/null
  [2]

A dry run makes nothing:

  $ poprun --offline-mode=yes --dry-run --log-dir none true > /dev/null; ls none 2> /dev/null
  [2]

A copy that has no room any more ends, and the job goes on; that is said once:

  $ (trap '' XFSZ; ulimit -f 100; run --num-replicas 2 --num-instances 2 --log-dir small --tee seq 100000 2> err | sed 's/.*://' | awk '{ sum += $0 } END { printf "%d %.0f\n", NR, sum }')
  200000 10000100000
  $ cat err
  POPRUN WARNING: cannot write small/instance.?.out: File too large; the file is incomplete, and the job goes on (glob)
  $ seq 100000 | head -c 51200 | cmp - small/instance.0.out && seq 100000 | head -c 51200 | cmp - small/instance.1.out
  $ (trap '' XFSZ; ulimit -f 100; run --mpi-local-args '--output-filename copies' seq 100000 2>&1 | grep ^POPRUN)
  POPRUN WARNING: cannot write copies/1/rank.0/stdout: File too large; the file is incomplete, and the job goes on
