"""IPUs of a model: taken, held and given back."""
import gc
import os
import sys
import time

from ipubox_sdk import device as _device

from . import _impl, enums, poptorch_core
from ._logging import compiler_log

_WAIT_S = 15


def is_on_model(options):
    """Whether the model of an IPU is used instead of IPUs."""
    if options.exists("use_model"):
        return options.use_model
    return any(os.environ.get(name, "0") not in ("", "0") for name in
               ("POPTORCH_IPU_MODEL", "POPTORCH_SMALL_IPU_MODEL"))


def check_target(options):
    """Raise PopTorch's error for what only IPUs can do, or only none."""
    offline = options.connection_type == enums.ConnectionType.Never
    if options.exists("use_model"):
        compiler_log("info", "From the user configuration: Ipu model: "
                     f"{'Enabled' if options.use_model else 'Disabled'}")
        if options.use_model and offline:
            raise _impl.create_compiler_error(
                "ConnectionType.Never / poptorch.Options.useOfflineIpuTarget "
                "not supported for the IPU model")
    if offline and options.exists("ipu_id"):
        raise _impl.create_compiler_error(
            "Offline compilation targeting a specific id not supported")
    if (offline or is_on_model(options)) and \
            options._Popart.options.get("instrumentWithHardwareCycleCounter"):
        raise _impl.create_compiler_error(
            "Cycle count logging is only supported on actual IPU hardware.")


def hardware_version(ipus=1):
    """2, or 21 of a Bow; 0 where there is no device of that size, and where
    the model of an IPU takes its place."""
    if any(os.environ.get(name, "0") not in ("", "0") for name in
           ("POPTORCH_IPU_MODEL", "POPTORCH_SMALL_IPU_MODEL")):
        return 0
    try:
        found = [number for number, size in _device.listed() if size == ipus]
        told = _device.information(found[0]) if found else {}
    except _device.DeviceError:
        return 0
    digits = told.get("ipu architecture", "ipu0")[len("ipu"):]
    return int(digits) if digits.isdigit() else 0


class Attachment:
    """The IPUs of a model, from now on until release()."""

    def __init__(self, options, plan):
        self._device = None
        if is_on_model(options):
            compiler_log("debug", "Instantiated device, running on IPU model "
                                  "with 1472 tiles.")
            return
        number = options.ipu_id if options.exists("ipu_id") else -1
        self._device = _attach(plan.ipus if number < 0 else 0, number)
        if number >= 0:
            self._check_size(plan)

    def _check_size(self, plan):
        """The device of an id has the IPUs that are wanted."""
        got = self._device.ipus
        wanted = f"{plan.ipus_used} * {plan.replicas} = {plan.ipus}"
        if got < plan.ipus:
            self.release()
            raise _impl.create_compiler_error(
                "Expected at least replication factor * used IPUs = "
                f"{wanted} device Ids but the user provided {got}")
        if got > plan.ipus:
            compiler_log("warning", (
                f"Expected replication factor * used IPUs = {wanted} device "
                f"Ids but the device selected has {got} IPUs which means "
                "some of them will not be used."))

    def in_words(self):
        """What it is, for a person who looks at a profile."""
        if self._device is None:
            return "an IPU model"
        told = self._device.attributes()
        ipus = self._device.ipus
        return (f"device Id {self._device.id}, {ipus} "
                f"IPU{'' if ipus == 1 else 's'} of partition "
                f"{told['ipuof partition id']}")

    def work(self, begins=True):
        """The IPUs compute from now on, until check(); or not any more."""
        if self._device is not None:
            self._device.work(begins)

    def check(self):
        """Raise an error where an IPU has failed meanwhile."""
        if self._device is None:
            return
        try:
            self._device.check()
        except _device.DeviceError as error:
            raise poptorch_core.make_error(
                "poplar_unrecoverable_runtime_error", str(error),
                ("execute",), poptorch_core.UnrecoverableError) from None

    def release(self):
        """Give the IPUs back."""
        if self._device is None:
            return
        number = self._device.id
        try:
            self._device.detach()
        except _device.DeviceError as error:
            raise _impl.create_compiler_error(str(error)) from None
        finally:
            self._device = None
        compiler_log("debug", f"Detached from device {number}")

    def __del__(self, is_ending=sys.is_finalizing):
        # When Python ends, modules may be empty already, and the child that
        # has the IPUs ends as well.
        device, self._device = self.__dict__.get("_device"), None
        if device is not None and not is_ending():
            device.drop()


def _attach(ipus, number):
    """A device of that many IPUs; with POPTORCH_WAIT_FOR_IPU, when one is
    free.  What this program has and nobody uses any more is free."""
    waits = os.environ.get("POPTORCH_WAIT_FOR_IPU", "0") not in ("", "0")
    is_collected = False
    while True:
        try:
            device = _device.attach(ipus, number)
            break
        except _device.DeviceError as error:
            if error.code == "busy" and not is_collected:
                is_collected = True
                gc.collect()
                continue
            if not waits or error.code != "busy":
                text = str(error)
                if number >= 0 and not text.startswith("Failed"):
                    text = f"Failed to acquire device Id {number}\n{text}"
                raise _impl.create_compiler_error(
                    text, ("Compiler::initSession",
                           "LowerToPopart::compile",
                           "compileWithManualTracing")) from None
        compiler_log("trace", "No IPU available, sleeping for 15 seconds")
        time.sleep(_WAIT_S)
    if number >= 0:
        compiler_log("debug", f"Acquired IPU device with id {number}, "
                              "running on device.")
    else:
        compiler_log("debug", f"Acquired {ipus} IPU(s): running on device Id "
                              f"{device.id}.")
    return device
