# pod: pod128
# job: 2 32 1 1
poprun --vipu-partition=my_partition --vipu-allocation=allocation1 \
         --vipu-server-host=vipu.my_domain --vipu-server-port=34521 \
         --update-partition=yes --remove-partition=no \
         --num-replicas=32 --num-instances=2 --num-ilds=2 python3 train.py
