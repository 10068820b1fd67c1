# pod: pod64
# before: create partition p_1-16 --size 64 --num-gcds 16
# job: 16 16 4 4
poprun -vv --host 10.3.7.151,10.3.7.152,10.3.7.153,10.3.7.154 --num-instances 16 --num-replicas 16 \
    --ipus-per-replica 4 --numa-aware=yes --vipu-server-host=10.3.7.151 --vipu-partition=p_1-16 \
    --mpi-global-args="--tag-output --mca btl_tcp_if_include 10.3.7.0/24" \
    --mpi-local-args="-x LD_LIBRARY_PATH -x PATH -x PYTHONPATH -x OPAL_PREFIX -x IPUOF_VIPU_API_TIMEOUT=300 -x TF_POPLAR_FLAGS=--executable_cache_path=/localdata/$USER/exec_cache" \
    python run_pretraining.py --train-file '/data/*.tfrecord'
