"""popdist.tensorflow: a configuration of TensorFlow for IPUs, as poprun has
decided it.  TensorFlow itself is not needed: any object with the attributes
of its IPUConfig does."""

import popdist

__all__ = ["set_ipu_config"]


def _attribute(config, path):
    """config.a.b of "a.b", or an error that names it."""
    found = config
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise TypeError(
                f"set_ipu_config: {type(config).__name__} has no attribute "
                f"{path}; use tensorflow.python.ipu.config.IPUConfig, or an "
                "object with its attributes") from None
    return found


def set_ipu_config(config, ipus_per_replica=None, configure_device=True):
    """Set the device and the process of this instance, and return the
    configuration.

    The device has ipus_per_replica IPUs for each local replica; without a
    number, as many as poprun was told.  Without configure_device the
    program chooses its device by itself.
    """
    processes = _attribute(config, "experimental.multi_replica_distribution")
    processes.process_count = popdist.getNumInstances()
    processes.process_index = popdist.getInstanceIndex()
    if configure_device:
        _attribute(config, "select_ipus")
        config.select_ipus = [popdist.getDeviceId(ipus_per_replica or 0)]
    return config
