poprun: the command for mpirun, with a stand-in that prints its arguments, and
starts the one program.

  $ mkdir bin
  $ cat > bin/mpirun <<'X'
  > #!/bin/sh
  > printf '%s\n' "$@"
  > while [ $# -gt 0 ] && [ "$2" != __ipubox ]; do shift; done
  > exec "$@"
  > X
  $ printf '#!/bin/sh\n' > bin/python3
  $ chmod +x bin/*
  $ PATH=$PWD/bin:$PATH
  $ unset LD_LIBRARY_PATH PYTHONPATH
  $ poprun --launcher mpirun --vipu-partition p64 --update-partition=yes --allow-run-as-root 1 --num-instances 1 --num-replicas 16 --mpi-global-args="--tag-output" --ipus-per-replica 4 python3 run_pretraining.py --config x
  --noprefix
  --tag-output
  --bind-to
  none
  --tag-output
  --allow-run-as-root
  -np
  1
  -x
  POPDIST_NUM_TOTAL_REPLICAS=16
  -x
  POPDIST_NUM_IPUS_PER_REPLICA=4
  -x
  POPDIST_NUM_LOCAL_REPLICAS=16
  -x
  POPDIST_UNIFORM_REPLICAS_PER_INSTANCE=1
  -x
  POPDIST_REPLICA_INDEX_OFFSET=0
  -x
  POPDIST_LOCAL_INSTANCE_INDEX=0
  -x
  IPUOF_VIPU_API_HOST=local
  -x
  IPUOF_VIPU_API_PORT=8090
  -x
  IPUOF_VIPU_API_PARTITION_ID=p64
  -x
  IPUOF_VIPU_API_TIMEOUT=120
  -x
  IPUOF_VIPU_API_GCD_ID=0
  -x
  IPUOF_LOG_LEVEL=WARN
  -x
  PATH
  -x
  POPLAR_TARGET_OPTIONS={"ipuLinkDomainSize":"64","ipuLinkConfiguration":"slidingWindow","ipuLinkTopology":"torus","gatewayMode":"true","instanceSize":"64"}
  -x
  IPUBOX_LINK
  -x
  IPUBOX_LINK_SECRET
  /.*/ipubox (re)
  __ipubox
  __parent
  0
  python3
  run_pretraining.py
  --config
  x

The log shows the command in quotes, as it would be without poprun:

  $ poprun --offline-mode=yes --launcher mpirun -v python3 "it's" 2>&1 >/dev/null | sed -n "s/.*Running command: //p"
  .*/bin/mpirun '--tag-output' '--bind-to' 'none' '-np' '1' .* '-x' 'PATH' 'python3' 'it'\\''s' (re)

Arguments that only mpirun knows choose it, and it must be there:

  $ OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 poprun --offline-mode=yes --mpi-global-args '--report-uri -' python3 | sed -n '5,6p'
  --report-uri
  -
  $ poprun=$(command -v poprun)
  $ PATH=/nonexistent "$poprun" --launcher mpirun --offline-mode=yes /bin/true
  POPRUN ERROR: mpirun not found in PATH: install Open MPI, or use --launcher local
  [1]

An argument may be any bytes; JSON is UTF-8:

  $ poprun --offline-mode=1 --launcher local --dry-run --format json \
  >     echo "$(printf 'a\377b')" | grep '^ *"a.*b"$'
      "a�b"
