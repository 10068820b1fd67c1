"""popdist.popart: PopART's options and device, as poprun has decided them.

PopART itself is not needed: the options may be any object, and without
PopART the device is one of ipubox's own, with the same attributes.
"""

import importlib

import popdist
from ipubox_sdk import device as _device

__all__ = ["configureSessionOptions", "getDevice"]


def configureSessionOptions(opts):
    """Set which replicas of the job belong to this instance."""
    local = popdist.getNumLocalReplicas()
    total = popdist.getNumTotalReplicas()
    opts.enableReplicatedGraphs = local > 1
    opts.replicatedGraphCount = local
    opts.enableDistributedReplicatedGraphs = total > local
    opts.globalReplicaOffset = popdist.getReplicaIndexOffset()
    opts.globalReplicationFactor = total


class DeviceInfo:
    """A device with the attributes of PopART's class of this name."""

    def __init__(self, ipus, connection_type):
        self.numIpus = ipus
        self.connectionType = connection_type
        self._id = None
        self._held = None

    @property
    def id(self):
        """The device's number, as in gc-info."""
        if self._id is None:
            self._id = popdist.getDeviceId(
                self.numIpus // popdist.getNumLocalReplicas())
        return self._id

    @property
    def isAttached(self):
        """Return whether this program holds the IPUs."""
        return self._held is not None

    def attach(self):
        """Attach to the IPUs until detach() or the end of the program."""
        if self._held is None:
            self._held = _device.attach(self.numIpus, self.id)
        return True

    def detach(self):
        """Release the IPUs."""
        if self._held is not None:
            self._held.detach()
            self._held = None


def _word(connection_type):
    """The name of a connection type: a word, or an enum of PopART's."""
    return str(getattr(connection_type, "name", connection_type))


def _real_popart():
    """PopART, or None: the package of its name that ipubox has knows no
    devices."""
    try:
        popart = importlib.import_module("popart")
    except ImportError:
        return None
    return popart if hasattr(popart, "DeviceManager") else None


def getDevice(ipus_per_replica=None, connectionType="Always"):
    """Return the device of this instance, with ipus_per_replica IPUs for each
    local replica; without a number, as many as poprun was told.

    It is attached to at once where the type is Always, and by attach() where
    it is OnDemand.
    """
    word = _word(connectionType)
    if word not in ("Always", "OnDemand", "Never"):
        raise ValueError(f"connectionType {word}: must be Always, OnDemand or "
                         "Never")
    if ipus_per_replica is None:
        ipus_per_replica = popdist.getNumIpusPerReplica()
    popart = _real_popart()
    if popart is None:
        info = DeviceInfo(ipus_per_replica * popdist.getNumLocalReplicas(),
                          connectionType)
        if word == "Always":
            info.attach()
        return info
    return popart.DeviceManager().acquireDeviceById(
        popdist.getDeviceId(ipus_per_replica),
        connectionType=getattr(popart.DeviceConnectionType, word))
