"""The class gcipuinfo: it reads what the tool gc-inventory says as JSON.

One call of the tool takes a few milliseconds, and shows all devices at one
moment.
"""
import enum
import json
import re
import subprocess
import warnings

from ipubox_sdk.device import DeviceError, find_file

# The names of all attributes; each has a label of its words, as IpuPower.
_ATTRIBUTES = (
    "GCD Id", "Num GCDs", "average board temp", "average die temp",
    "board ipu index", "board serial number", "board type", "board variant",
    "clock", "config domain", "driver version", "firmware major version",
    "firmware minor version", "firmware patch version", "firmware version",
    "gateway software version", "graph streaming",
    "hexoatt active size (bytes)", "hexoatt total size (bytes)",
    "hexopt active size (bytes)", "hexopt total size (bytes)",
    "host link correctable error count", "icu bootloader version", "id",
    "ipu architecture", "ipu error state", "ipu power", "ipu utilisation",
    "ipu utilisation (session)", "ipuof host", "ipuof partition id",
    "ipuof routing id", "ipuof routing type", "ipuof server version",
    "link correctable error count", "link correctable error count (session)",
    "link speed", "link width", "number of replicas",
    "parity error count threshold", "parity error threshold interval",
    "parity initialised", "partition sync type", "pci id",
    "pcie physical slot", "process start time", "reconfigurable partition",
    "remote buffers", "remote buffers supported", "target",
    "total board power", "user executable", "user name", "user process id",
)
_WAIT_SECONDS = 60
_GOOD = "no errors"
# The states of IPUs that no program reaches.
_UNREACHED = ("machine ", "partition ")


def labels():
    """The names of attributes by their labels."""
    return {"".join(word[0].upper() + word[1:]
                    for word in re.findall(r"\w+", name)): name
            for name in _ATTRIBUTES}


class DeviceDiscoveryMode(enum.IntEnum):
    """Which IPUs to look at."""

    DiscoverActivePartitionIPUs = 0
    DiscoverAllPartitionIPUs = 1


DiscoverActivePartitionIPUs = DeviceDiscoveryMode.DiscoverActivePartitionIPUs
DiscoverAllPartitionIPUs = DeviceDiscoveryMode.DiscoverAllPartitionIPUs


def _read(mode):
    """The IPUs, each as a dictionary of texts.  RuntimeError says why not."""
    words = [find_file(), "__ipubox", "gc-inventory", "--json-output"]
    if mode == DiscoverAllPartitionIPUs:
        words.append("--all-partitions")
    try:
        said = subprocess.run(words, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=_WAIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeviceError(f"cannot run {words[0]}: {error}",
                          "unavailable") from None
    if said.returncode != 0:
        text = said.stderr.decode(errors="replace").strip()
        raise DeviceError(text or f"{words[0]} gc-inventory failed", "failed")
    # Groups of IPUs repeat what their IPUs say.
    return [device for device in json.loads(said.stdout)["devices"]
            if device["target"] != "Multi IPU"]


class gcipuinfo:
    """The IPUs of the partition that a program here sees, or of all of them.

    The attributes are those of the moment when the object was made, of the
    last updateData(), or of each call after setUpdateMode(True).
    """

    keyRecordPath = "event record path"
    keyTimestamp = "timestamp"
    keySeverity = "severity"
    keyCommandLine = "command line"
    keyPid = "pid"
    keyAttachedIPUs = "attached ipus"
    keySpecificIPUs = "specific ipus"
    keyAttachedIPUHosts = "attached ipu hosts"
    keySpecificIPUHosts = "specific ipu hosts"
    keyPartition = "partition"
    keyDescription = "description"

    def __init__(self, discoveryMode=DiscoverActivePartitionIPUs):
        self._mode = DeviceDiscoveryMode(discoveryMode)
        self._updates = False
        self._devices = []
        self._update(3)

    def updateData(self):
        """Read all attributes again; False, with a warning, if that fails."""
        return self._update(3)

    def _update(self, level):
        """The warning is about the program, so many calls further up."""
        try:
            self._devices = _read(self._mode)
        except DeviceError as error:
            self._devices = []
            warnings.warn(f"gcipuinfo: {error}", RuntimeWarning,
                          stacklevel=level)
            return False
        return True

    def setUpdateMode(self, autoUpdate):
        """Whether each call reads the attributes again."""
        self._updates = bool(autoUpdate)

    def _present(self):
        if self._updates:
            self._update(4)
        return self._devices

    def getDevices(self):
        """All IPUs, each as a dictionary of texts."""
        return [dict(device) for device in self._present()]

    def getDevicesAsJSON(self):
        """The same as a text."""
        return json.dumps(self._present())

    def getNamedAttributeForAll(self, attributeName):
        """One attribute of each IPU; "N/A" where it has none."""
        return [device.get(attributeName, "N/A")
                for device in self._present()]

    def getNamedAttributeForDevice(self, deviceId, attributeName):
        """One attribute of one IPU; "N/A" where there is none."""
        for device in self._present():
            if device["id"] == str(deviceId):
                return device.get(attributeName, "N/A")
        return "N/A"

    def checkHealthOfDevices(self):
        """The IPUs that do not work, by their machine, as a JSON object."""
        try:
            devices = _read(self._mode)
        except DeviceError as error:
            return json.dumps({"error": str(error)})
        hosts = {}
        for device in devices:
            state = device["ipu error state"]
            if state == _GOOD:
                continue
            hosts.setdefault(device["ipuof host"], []).append({
                "error": "connection" if state.startswith(_UNREACHED) else
                         "device",
                "id": device["id"],
                "partition": device["ipuof partition id"],
                "board ipu index": device["board ipu index"],
            })
        return json.dumps({"hosts": hosts} if hosts else {})

    def getLastAppEventRecord(self, eventRecordPath=""):
        """Empty: programs of ipubox write no records of events."""
        return {}

    def getLastAppEventRecordAsJSON(self, eventRecordPath=""):
        """The same as a text."""
        return json.dumps(self.getLastAppEventRecord(eventRecordPath))
