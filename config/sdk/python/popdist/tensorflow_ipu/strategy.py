"""PopDistStrategy: a model over all replicas of the job.

With a TensorFlow that knows no IPU, a model runs in each instance as it is;
the strategy says how many replicas there are, and brings values together.
"""

import contextlib

import popdist
from tensorflow.python.ipu import operations


class PopDistStrategy:
    """What programs use of TensorFlow's strategies."""

    def __init__(self, ipu_device="/device:IPU:0",
                 add_ipu_cross_replica_reductions=True):
        operations.init()

    @property
    def num_replicas_in_sync(self):
        """The replicas of the whole job."""
        return popdist.getNumTotalReplicas()

    @contextlib.contextmanager
    def scope(self):
        """Where models are made."""
        yield self

    def run(self, fn, args=(), kwargs=None):
        """Call fn in this instance; what it returns."""
        return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op, value, axis=None):
        """The sum or the mean of all instances' values; `reduce_op` is a word,
        or an enum of TensorFlow's with such a name."""
        word = str(getattr(reduce_op, "name", reduce_op)).upper()
        if word not in ("SUM", "MEAN"):
            raise ValueError(f"Unsupported reduce op: {reduce_op}")
        if axis is not None:
            raise NotImplementedError("reduce() does not support an axis; "
                                      "reduce it first, for example with "
                                      "tf.reduce_sum")
        return operations.allreduce(
            value, operations.Sum if word == "SUM" else operations.Average)

    def update_ipu_config(self, config):
        """Tell the configuration which process this is."""
        processes = config.experimental.multi_replica_distribution
        processes.process_count = popdist.getNumInstances()
        processes.process_index = popdist.getInstanceIndex()
        return config
