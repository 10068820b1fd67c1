"""PopDist's functions by their published names, for the package popdist.

Source: PopDist guide and user guide, "Python API".
"""
from ipubox_sdk import context, device


def isPopdistEnvSet():
    """Whether the program was started by poprun."""
    return context.is_env_set()


def getNumTotalReplicas():
    """The number of replicas of the whole job; 1 without poprun."""
    return context.read().num_total_replicas


def getNumLocalReplicas():
    """The number of replicas of this instance; 1 without poprun."""
    return context.read().num_local_replicas


def getReplicaIndexOffset():
    """The index of this instance's first replica; 0 without poprun."""
    return context.read().replica_index_offset


def getNumIpusPerReplica():
    """The number of IPUs of each replica; 1 without poprun."""
    return context.read().num_ipus_per_replica


def checkNumIpusPerReplica(numIpusPerReplica):
    """Whether each replica has so many IPUs."""
    return context.read().num_ipus_per_replica == numIpusPerReplica


def getNumInstances():
    """The number of instances of the job; 1 without poprun.

    An error where the replicas are not spread evenly over the instances.
    """
    return context.read_uniform().num_instances


def getInstanceIndex():
    """The index of this instance; 0 without poprun.

    An error where the replicas are not spread evenly over the instances.
    """
    return context.read_uniform().instance_index


def getLocalInstanceIndex():
    """The index of this instance among those of its host."""
    return context.read().local_instance_index


def getDeviceId(ipusPerReplica=0):
    """The id of the device of this instance.

    It has local replicas x ipusPerReplica IPUs; 0: as many as poprun says.
    Outside poprun that is the first free device of this size, which the
    program then holds until it ends.
    """
    return device.device_id(ipusPerReplica)


def setEngineOptions(options):
    """Set what `poprun --autoreport-dir` asks Poplar's engine for.

    `options` is a dict, or an object with a method set(name, value).  It is
    returned.  Without that option of poprun nothing is set, nor where
    POPLAR_ENGINE_OPTIONS speaks of profiles.
    """
    given = context.engine_options()
    if hasattr(options, "set"):
        for name, value in given.items():
            options.set(name, value)
    else:
        options.update(given)
    return options
