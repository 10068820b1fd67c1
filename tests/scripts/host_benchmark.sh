# pod: pod4
# job: 8 8 1 1
poprun --offline-mode=yes --num-instances 8 --num-replicas 8 python host_benchmark.py --iterations 10
