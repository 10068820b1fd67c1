# pod: pod64
# job: 4 16 4 4
cat > hosts <<END
# the four of rack 17
n1 slots=4
n2
n[3-4]
END
poprun --hostfile hosts --num-instances 4 --num-replicas 16 --ipus-per-replica 4 --host-subnet 10.5.0.0/16 \
    --vipu-partition-attempts 3 --vipu-partition hf --update-partition 1 ./train.py
