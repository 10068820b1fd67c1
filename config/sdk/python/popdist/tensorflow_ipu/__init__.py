"""tensorflow.python.ipu, as far as PopDist needs it: horovod, distributed."""
