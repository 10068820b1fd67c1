"""popdist.poptorch: PopTorch's options, as poprun has decided them."""

import os

import poptorch

import popdist

__all__ = ["Options"]


def _refuse(name):
    """A method that leaves to poprun what PopTorch would let one say."""
    def method(self, *args, **kwargs):
        raise RuntimeError(f"Cannot call `{name}` with "
                           "popdist.poptorch.Options: PopDist sets it "
                           "for this instance")
    method.__name__ = name.rpartition(".")[2]
    method.__doc__ = "Do not call it: poprun sets it."
    return method


class _Distributed(poptorch.options._DistributedOptions):
    disable = _refuse("Distributed.disable")
    setEnvVarNames = _refuse("Distributed.setEnvVarNames")
    configureProcessId = _refuse("Distributed.configureProcessId")


class Options(poptorch.Options):
    """poptorch.Options with the device, the number of local replicas and the
    process of this instance.

    Without poprun it is that of one process.  The device is asked for when a
    model takes the options: until then, no IPU is needed.
    """

    def __init__(self, ipus_per_replica=1):
        if not isinstance(ipus_per_replica, int) or ipus_per_replica < 1:
            raise ValueError("ipus_per_replica must be a number, 1 or more, "
                             f"not {ipus_per_replica!r}")
        # PopTorch's own class takes attributes only before its __init__.
        self._ipus_per_replica = ipus_per_replica
        super().__init__()
        super().replicationFactor(popdist.getNumLocalReplicas())
        self.Distributed.set(
            distributed_process_id=popdist.getInstanceIndex(),
            num_distributed_processes=popdist.getNumInstances())
        # The object stays the one that PopTorch has made.
        self.Distributed.__class__ = _Distributed

    useIpuId = _refuse("useIpuId")
    replicationFactor = _refuse("replicationFactor")

    def _is_on_model(self):
        """Whether the model of an IPU is used, as in an offline job."""
        if self.exists("use_model"):
            return self.use_model
        return os.environ.get("POPTORCH_IPU_MODEL", "") not in ("", "0")

    def _needs_device(self):
        never = poptorch.ConnectionType.Never.value
        return self.connection_type != never and not self._is_on_model() \
            and not self.exists("ipu_id")

    def toDict(self):
        """Return all options as one dictionary, including the device."""
        if self._needs_device():
            device = popdist.getDeviceId(self._ipus_per_replica)
            frozen = self._is_frozen
            self._unfreeze()
            try:
                super().useIpuId(device)
            finally:
                if frozen:
                    self._freeze()
        return super().toDict()
