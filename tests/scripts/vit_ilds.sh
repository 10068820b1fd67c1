# pod: pod512
# job: 8 16 4 4
HOSTS=10.5.1.1,10.5.1.2,10.5.1.3,10.5.1.4
poprun --vv --numa-aware=yes --reset-partition=no --update-partition=yes --remove-partition=false \
    --vipu-server-host=10.5.1.1 --mpi-global-args=" \
        --tag-output \
        --allow-run-as-root \
        --output-filename output_poprun" \
    --mpi-local-args=" \
        -x OPAL_PREFIX \
        -x CPATH \
        -x IPUOF_VIPU_API_TIMEOUT" \
    --vipu-server-timeout=3600 --vipu-partition=vit --executable-cache-path exe_cache \
    --host $HOSTS --ipus-per-replica=4 --num-ilds=8 --num-replicas=16 --num-instances=8 \
python3 pretrain.py --config b16_in1k_pretrain
