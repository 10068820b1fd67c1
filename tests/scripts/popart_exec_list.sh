# pod: pod4
# before: create partition p2 --size 2 --num-gcds 2
# job: 2 2 1 1
poprun --mpi-global-args=--allow-run-as-root '--mpi-local-args=-x LD_LIBRARY_PATH -x PYTHONPATH -x PATH' \
    --num-replicas 2 --num-instances 2 python3 -m pytest distributed_test.py
