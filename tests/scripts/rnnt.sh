# pod: pod16
# job: 4 16 1 1
set -- --batch-size 1
poprun --vv --num-instance 4 --num-replicas 16 --vipu-partition rnnt --update-partition=on \
    --synchronise-python-venv yes --distribute-ssh-key no \
    --mpi-global-args --tag-output --process-placement scattersocket python3 transducer_train.py "$@"
