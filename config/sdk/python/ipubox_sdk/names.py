"""PopDist's functions by their published names, for the package popdist.

Source: PopDist guide and user guide, "Python API".
"""
from ipubox_sdk import backend, context, device
from ipubox_sdk.group import DEFAULT
from ipubox_sdk.operations import barrier


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


def init():
    """Join the job: register the default backend and initialise it.

    Once per process, as with PopDist.  A second call does nothing, because
    frameworks call it for programs that have not: who comes second need
    not know.  The program leaves when it ends.
    """
    registerDefaultBackend()
    initializeBackend()


def registerDefaultBackend():
    """Whether a job can be joined from here, else an error.

    There is one backend, poprun's, so this need not be called.
    """
    backend.register()


def initializeBackend():
    """Join the job; does not wait for the others.

    Calling it again does nothing.
    """
    backend.initialize()


def isBackendInitialized():
    """Whether this process takes part in the job's collectives."""
    return backend.is_initialized()


def finalizeBackend():
    """Leave the job's collectives for good.

    Whoever waits for this instance, now or later, gets an error.  Nothing
    where the backend is not initialised.  A program that ends without it
    leaves too, but another process of its instance may come after it.
    """
    backend.finalize()


def defaultCommunicatorId():
    """The name of the communicator where none is given."""
    return DEFAULT


def registerCommunicator(participants, communicator_id=DEFAULT):
    """Give a set of instances, by their indices, a name.

    Every instance of the job calls this, also those that are not in the
    set, and waits for the others.  A name that is in use gets the new set.
    """
    backend.register_communicator(participants, communicator_id)


def synchronize(communicator_id=DEFAULT, id=None):
    """Wait until all instances have called it."""
    barrier(communicator_id, id)


def setTimeout(seconds):
    """Limit how long a collective waits for the others.

    0: as long as it takes.  At first that is what POPDIST_TIMEOUT says,
    else 0.
    """
    backend.set_timeout(seconds)


def execute_on_instances(instances, func, *args, **kwargs):
    """Run func(*args, **kwargs) on the instances of that set only.

    Returns there what func returns, and None elsewhere.  Every instance of
    the job calls this with the same set; those that are not in it go on at
    once.  Collectives that func calls are limited to the set.  It may call
    this function itself, for a part of the set.

    An exception in func goes on to the caller, and others of the set that
    wait for this instance in collectives of func get an error.
    """
    return backend.execute_on_instances(instances, func, *args, **kwargs)
