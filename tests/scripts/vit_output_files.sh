# pod: pod256
# job: 16 64 4 16
HOSTS='lr17-1-poplar-[1-16]'
poprun --vv --host $HOSTS --vipu-partition=vit256 --update-partition=yes --ipus-per-replica=4 \
    --num-ilds=4 --num-replicas=64 --num-instances=16 --mpi-global-args="--output-filename output_poprun --mca oob_tcp_if_include 10.5.17.0/24" \
    python3 finetune.py
