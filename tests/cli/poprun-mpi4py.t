#needs mpirun python3:mpi4py
MPI programs under poprun, as poprun(1) has them: each instance is a rank.

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ page=$TESTDIR/../man/poprun.1
  $ sed -n '/^\$ cat sum.py/,/^\$ poprun/p' "$page" | sed '/^\$/d' > sum.py
  $ sed -n '/^\$ poprun.*mpirun/,/sum.py$/p' "$page" | sed 's/^\$ //; s/\\e$/\\/' > job
  $ cat job
  poprun --offline-mode=yes --launcher mpirun --num-replicas 4 \
      --num-instances 2 /usr/bin/python3 sum.py
  $ sh job | sort > out
  $ sed -n '/sum.py$/,/^\.Ed/p' "$page" | grep stdout | cmp - out

Under the local launcher each is alone (Open MPI's processes that are alone do
not bear that another one makes their directory at the same time):

  $ cat > alone.sh <<'X'
  > export TMPDIR=$PWD/tmp.$RANK
  > mkdir "$TMPDIR"
  > exec /usr/bin/python3 sum.py
  > X
  $ poprun --offline-mode=yes --launcher local --num-replicas 4 --num-instances 2 sh alone.sh | sort
  [1,0]<stdout>:0 1 0
  [1,1]<stdout>:0 1 2

MPI_Abort's status is the job's, and a rank that dies takes the others with it:

  $ alias run='poprun --offline-mode=yes --launcher mpirun --num-replicas 2 --num-instances 2'
  $ cat > abort.py <<'Y'
  > import os, sys
  > from mpi4py import MPI
  > world = MPI.COMM_WORLD
  > world.allreduce(1)
  > if world.rank == 1:
  >     sys.argv[1] == "abort" and world.Abort(7)
  >     os.kill(os.getpid(), 9)
  > world.allreduce(1)
  > Y
  $ run /usr/bin/python3 abort.py abort > out 2>&1
  [7]

mpirun ends them all, and may be quicker than the rank, which then had no end
of its own:

  $ grep ' exited with status ' out
  POPRUN ERROR: (instance 1 \(pid [0-9]+\) exited with status 7; the others were stopped|mpirun \(pid [0-9]+\) exited with status 7) (re)
  $ run /usr/bin/python3 abort.py die 2>&1 | grep '^POPRUN ERROR: inst'
  POPRUN ERROR: instance 1 \(pid [0-9]+\) was killed by signal 9 \(Killed\); the others were stopped (re)
