#skip-unless case $TEST in *mpirun*) mpirun --allow-run-as-root --oversubscribe -n 2 true ;; esac
poprun: arguments for mpirun, and the environment of instances, under the
launcher that this test's name says.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LC_ALL=C
  $ case $TEST in *mpirun*) launcher=mpirun ;; *srun*) launcher=srun ;; *) launcher=local ;; esac
  $ alias two='poprun --offline-mode=yes --launcher $launcher --num-replicas 2 --num-instances 2'
  $ run() { two "$@" 2> err | sort; sort err | sed 's/^[0-9:.]* [0-9]* POPRUN/POPRUN/' >&2; }

Variables and directories of the whole job reach instance 0 only, as with mpirun
itself; those of each instance reach all, and those of one instance that one:

  $ printf 'a\nb\n' > input; mkdir w; show() { two "$@" sh -c 'echo "$A,$B,$C in ${PWD##*/}"' 2> err | sort; sed 's/^[0-9:.]* [0-9]* POPRUN/POPRUN/' err; }
  $ here=${PWD##*/}; named() { show "$@" | sed "s/in $here\$/here/"; }
  $ named --mpi-global-args '-x A=1 -x B=2'
  [1,0]<stdout>:1,2, here
  [1,1]<stdout>:,, here
  POPRUN WARNING: '-x A=1' in --mpi-global-args reaches instance 0 only, as with mpirun itself; --mpi-local-args reaches all instances
  $ named --mpi-global-args "--wdir $PWD/w"
  [1,0]<stdout>:,, in w
  [1,1]<stdout>:,, here
  POPRUN WARNING: '--wdir */w' in --mpi-global-args reaches instance 0 only, as with mpirun itself; --mpi-local-args reaches all instances (glob)
  $ named --mpi-local-args "-x A=1 -wd $PWD/w"
  [1,0]<stdout>:1,, in w
  [1,1]<stdout>:1,, in w
  $ named --instance-mpi-local-args "1:-x A=1 --wdir $PWD/w" --mpi-local-args '-x A=2 -x C=3'
  [1,0]<stdout>:2,,3 here
  [1,1]<stdout>:1,,3 in w
  $ A=caller named --mpi-local-args '-x A -x B'
  [1,0]<stdout>:caller,, here
  [1,1]<stdout>:caller,, here
  POPRUN [W] could not find environment variable "B"
  $ poprun --offline-mode=yes --launcher $launcher --mpi-global-args '-x A=1' sh -c 'echo $A'
  [1,0]<stdout>:1

Before poprun's own variables come those of the whole job, after them the others;
the last value counts:

  $ own() { run "$@" sh -c 'echo ${POPDIST_NUM_TOTAL_REPLICAS} $RANK ${PATH##*:} $A' 2> /dev/null; }
  $ PATH=$PATH:/last
  $ own --mpi-global-args '-x POPDIST_NUM_TOTAL_REPLICAS=9 -x RANK=9 -x PATH=/bin:/nine -x A=1 -x A=9'
  [1,0]<stdout>:2 0 /last 9
  [1,1]<stdout>:2 1 /last
  $ own --mpi-local-args '-x POPDIST_NUM_TOTAL_REPLICAS=9 -x RANK=9 -x PATH=/bin:/nine -x A=1 -x A=9'
  [1,0]<stdout>:9 9 /nine 9
  [1,1]<stdout>:9 9 /nine 9

An instance finds the same variables as with the local launcher, and the same
values but for names of the job and its ports.  Those that Open MPI and
Slurm add for their own libraries differ, and PWD, which mpirun sets to the path without symbolic links:

  $ variables() {
  >     poprun --offline-mode=yes --launcher $1 --num-replicas 2 --num-instances 2 --tag-format '%i ' env |
  >         grep '^[01] [A-Z]' | sed 's/ipubox-job-[0-9a-f]*/ipubox-job/; s/MASTER_PORT=.*/MASTER_PORT/' |
  >         grep -v ' PWD=\| HFI_\| IPATH_\| PMIX_\| SLURM\| SRUN_\| OMPI_MCA_\| OMPI_\(ARGV\|COMMAND\|FILE_LOCATION\|FIRST_RANKS\|APP_CTX_NUM_PROCS\|NUM_APP_CTX\)=' | sort
  > }
  $ variables local > wanted; variables $launcher | diff wanted -
  $ grep -c 'POPDIST\|OMPI_COMM\|RANK=\|MASTER' wanted
  34
  $ ln -s w link; run --mpi-local-args '--wdir link' sh -c 'echo ${PWD##*/}; printenv PWD | sed s:.*/::'
  [1,0]<stdout>:w
  [1,0]<stdout>:w
  [1,1]<stdout>:w
  [1,1]<stdout>:w
  $ (umask 27; ulimit -S -n 100; run sh -c 'umask; ulimit -S -n')
  [1,0]<stdout>:0027
  [1,0]<stdout>:100
  [1,1]<stdout>:0027
  [1,1]<stdout>:100

Descriptors above 2 differ, because there is none on another host: mpirun and
srun close them, and the local launcher passes them on.

  $ poprun --offline-mode=yes --launcher $launcher sh -c 'exec <&3' 3< input 2> err; case "$? $launcher" in
  >     '0 local' | [1-9]*' mpirun' | [1-9]*' srun') ;;
  >     *) false ;; esac

Output and input are poprun's work, so mpirun's options about them are as well:

  $ both='cat; echo out; echo err >&2'
  $ for who in 1 all none; do echo "$who:"; run --mpi-global-args "--stdin $who" cat < input; done
  1:
  [1,1]<stdout>:a
  [1,1]<stdout>:b
  all:
  [1,0]<stdout>:a
  [1,0]<stdout>:b
  [1,1]<stdout>:a
  [1,1]<stdout>:b
  none:
  $ run --stdin 0 --mpi-global-args '--stdin 1' cat < input
  [1,0]<stdout>:a
  [1,0]<stdout>:b
  $ run --mpi-local-args --merge-stderr-to-stdout sh -c "$both"
  [1,0]<stdout>:err
  [1,0]<stdout>:out
  [1,1]<stdout>:err
  [1,1]<stdout>:out
  $ TZ=UTC run --mpi-global-args '--timestamp-output' echo out | sed 's/[A-Z][a-z]* [A-Z][a-z]* [ 0-9][0-9] [0-9:]* 2[0-9]*\[/TIME[/'
  TIME[1,0]<stdout>:out
  TIME[1,1]<stdout>:out
  $ run --tag-format '%i ' --mpi-global-args '--timestamp-output' echo out
  0 out
  1 out
  $ run --mpi-global-args '--timeout 1' sleep 60
  POPRUN ERROR: the job ran longer than the 1 s of --timeout, and was stopped

Files lie where mpirun puts them:

  $ for name in d d:nojobid d:nocopy d/e:nojobid,nocopy d:NoCopy,NOJOBID; do
  >     echo "$name:"; two --mpi-global-args "--output-filename $name" sh -c "$both" 2>&1 | sort
  >     find d -type f | sort; sort $(find d -type f) | uniq -c | tr -s ' '; rm -r d
  > done
  d:
  [1,0]<stderr>:err
  [1,0]<stdout>:out
  [1,1]<stderr>:err
  [1,1]<stdout>:out
  d/1/rank.0/stderr
  d/1/rank.0/stdout
  d/1/rank.1/stderr
  d/1/rank.1/stdout
   2 err
   2 out
  d:nojobid:
  [1,0]<stderr>:err
  [1,0]<stdout>:out
  [1,1]<stderr>:err
  [1,1]<stdout>:out
  d/rank.0/stderr
  d/rank.0/stdout
  d/rank.1/stderr
  d/rank.1/stdout
   2 err
   2 out
  d:nocopy:
  d/1/rank.0/stderr
  d/1/rank.0/stdout
  d/1/rank.1/stderr
  d/1/rank.1/stdout
   2 err
   2 out
  d/e:nojobid,nocopy:
  d/e/rank.0/stderr
  d/e/rank.0/stdout
  d/e/rank.1/stderr
  d/e/rank.1/stdout
   2 err
   2 out
  d:NoCopy,NOJOBID:
  d/rank.0/stderr
  d/rank.0/stdout
  d/rank.1/stderr
  d/rank.1/stdout
   2 err
   2 out
  $ run --console-instances 1 --mpi-global-args '--output-filename d:nocopy' echo out
  [1,1]<stdout>:out

Nothing else that concerns them is dropped in silence:

  $ for option in --xml '--xml-file f' '--xterm 0' --index-argv-by-rank '--mca orte_xml_output 1' '--mca orte_timestamp_output 1' '--output-filename d:nojob' '--stdin 2' '--stdin x'; do
  >     two --mpi-global-args "$option" true; echo $?
  > done
  POPRUN ERROR: '--xml' among the arguments for mpirun: poprun does not write XML: --tag-format chooses the form of the lines
  1
  POPRUN ERROR: '--xml-file' among the arguments for mpirun: poprun does not write XML: --log-dir keeps the output in files
  1
  POPRUN ERROR: '--xterm' among the arguments for mpirun: poprun opens no windows: --log-dir keeps the output of each instance in files
  1
  POPRUN ERROR: '--index-argv-by-rank' among the arguments for mpirun: poprun starts each program under its own name: OMPI_COMM_WORLD_RANK is the index
  1
  POPRUN ERROR: '--mca orte_xml_output' among the arguments for mpirun: poprun does not write XML: --tag-format chooses the form of the lines
  1
  POPRUN ERROR: '--mca orte_timestamp_output' among the arguments for mpirun: write --timestamp-output
  1
  POPRUN ERROR: --output-filename d:nojob: 'nojob' is unknown; nojobid and nocopy, separated by commas, may follow the colon
  1
  POPRUN ERROR: --stdin 2 among the arguments for mpirun: the job has 2 instances, counted from 0
  1
  POPRUN ERROR: --stdin 'x': not a whole number (or all, or none)
  1
  $ two --instance-mpi-local-args '1:--output-filename d' true
  POPRUN ERROR: '--output-filename' among the arguments of one instance for mpirun concerns the whole job: write it in --mpi-global-args
  [1]

What mpirun alone can do is the one difference: the others refuse it.

  $ two --mpi-global-args '--report-pid pid' true 2> err; case "$? $launcher" in
  >     '0 mpirun') [ -s pid ] ;;
  >     '1 local') grep -q "^POPRUN ERROR: the local launcher cannot honour '--report-pid'" err ;;
  >     '1 srun') grep -q "^POPRUN ERROR: srun cannot honour '--report-pid'" err ;;
  >     *) false ;; esac
