# pod: pod128
# job: 2 64 2 2
poprun --host=localhost,host2 --num-instances=2 --num-replicas=64 --ipus-per-replica=2 \
    --print-topology=yes --vipu-partition=pod128_bert --vipu-server-host=10.1.1.1 --update-partition=yes \
    python3.7 -u run_pretrain.py
