# pod: pod128
# job: 4 32 1 4
poprun --export-config training.conf --overwrite-config=yes --vipu-partition=my_partition \
         --vipu-allocation=allocation1 \
         --vipu-server-host=vipu.my_domain --vipu-server-port=34521 \
         --update-partition=yes --remove-partition=yes \
         --num-replicas=32 --num-instances=2 --num-ilds=2 \
         --host pod[1-4] \
         python3 train.py > first
poprun --import-config training.conf --num-instances=4 \
  python3 train.py --hyper-param=1
