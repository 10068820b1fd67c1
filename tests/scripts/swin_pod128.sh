# pod: pod128
# job: 2 8 8 2
your_host=10.5.1.1,10.5.1.2
poprun -vv --host $your_host \
      --vipu-partition=pod128       \
      --num-instances=2 \
      --num-replicas=8 \
      --num-ilds=2 \
      --ipus-per-replica=8  \
      --update-partition=yes  \
      --mpi-global-args="--mca oob_tcp_if_include 10.5.0.0/16 --mca btl_tcp_if_include 10.5.0.0/16"   \
      --vipu-server-timeout=3600 \
python train_swin.py --cfg SWIN_LARGE
