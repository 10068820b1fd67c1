#needs mpirun python3:torch
#skip-unless ! ldd "$IPUBOX" # the SDK is the same from every build
The PopDist guide's listings for PyTorch, as they are printed there.

  $ cat > hvd.py <<'Y'
  > # Copyright (c) 2021 Graphcore Ltd. All rights reserved.
  > 
  > import torch
  > import poptorch
  > import popdist
  > import horovod.torch as hvd
  > 
  > hvd.init()
  > Y
  $ cat > main.py <<'Y'
  > # Copyright (c) 2021 Graphcore Ltd. All rights reserved.
  > 
  > import torch
  > import argparse
  > import poptorch
  > import popdist
  > import popdist.poptorch
  > import horovod.torch as hvd
  > 
  > 
  > def command_line_arguments():
  >     parser = argparse.ArgumentParser(description='PopDist PyTorch example')
  >     parser.add_argument(
  >         '--replicas', type=int, default=1, help='Number of replicas')
  >     return parser.parse_args()
  > 
  > 
  > def init_popdist(args):
  >     hvd.init()
  >     args.use_popdist = True
  >     if popdist.getNumTotalReplicas() != args.replicas:
  >         print(f"The number of replicas is overridden by PopRun. "
  >               f"The new value is {popdist.getNumTotalReplicas()}.")
  >     args.replicas = int(popdist.getNumLocalReplicas())
  > 
  >     args.popdist_rank = popdist.getInstanceIndex()
  >     args.popdist_size = popdist.getNumInstances()
  > 
  > 
  > def create_model(opts):
  >     if opts.use_popdist:
  >         model_opts = popdist.poptorch.Options()
  >     else:
  >         model_opts = poptorch.Options()
  > 
  >     return model_opts
  > 
  > 
  > if __name__ == '__main__':
  > 
  >     opts = command_line_arguments()
  > 
  >     # Initialise PopDist
  >     if popdist.isPopdistEnvSet():
  >         init_popdist(opts)
  >     else:
  >         opts.use_popdist = False
  > 
  >     create_model(opts)
  > Y

  $ mkdir bin
  $ ln -s "$(command -v python3)" bin/python
  $ PATH=$PWD/bin:$PATH
  $ export PYTHONPATH=$TESTDIR/../config/sdk/python PYTHONDONTWRITEBYTECODE=1

By themselves, one after the other, so that PyTorch is imported once:

  $ cat > both.py <<'Y'
  > import runpy
  > runpy.run_path("hvd.py", run_name="__main__")
  > runpy.run_path("main.py", run_name="__main__")
  > Y
  $ python3 both.py

The guide's command, on a pod's IPUs:

  $ vipu create partition MyPartition --size 4
  create partition (MyPartition): success
  $ poprun --vipu-partition=MyPartition --vipu-server-host=127.0.0.1 \
  >     --num-replicas=4 --num-instances=1 -v python main.py 2>&1 | grep stdout
  [1,0]<stdout>:The number of replicas is overridden by PopRun. The new value is 4.

With either launcher, by one instance and by four (a process takes two seconds
to import PyTorch, so only FULL=1 runs all four cases):

  $ export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  $ line='The number of replicas is overridden by PopRun. The new value is 4.'
  $ cases='mpirun:4'
  $ [ -z "$FULL" ] || cases='local:1 local:4 mpirun:1 mpirun:4'
  $ for case in $cases; do
  >     instances=${case#*:}
  >     poprun --vipu-partition=MyPartition --update-partition=yes \
  >         --launcher ${case%:*} --num-replicas=4 \
  >         --num-instances=$instances python both.py > out ||
  >         echo "$case: exit status $?"
  >     seq 0 $((instances - 1)) | sed "s/.*/[1,&]<stdout>:$line/" > wanted
  >     sort out | diff wanted - || echo "is the output of $case"
  > done
