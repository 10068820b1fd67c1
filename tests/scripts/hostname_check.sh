# pod: pod64
# before: create partition lr67_64ipu_reconfig --size 64 --reconfigurable
# job: 1 4 1 1
poprun -vv --host 10.1.67.150 --num-instances=1 --num-replicas=4 --vipu-server-host=10.1.67.150 \
    --vipu-partition=lr67_64ipu_reconfig --num-ilds=1 python3
