"""Graphcore's library of that name: the IPUs, their programs and their
sensors.

    import gcipuinfo

    info = gcipuinfo.gcipuinfo()
    info.setUpdateMode(True)
    print(info.getNamedAttributeForAll(gcipuinfo.IpuPower))

Where the real package is installed, it takes this one's place.
"""
from ipubox_sdk.handover import hand_over

if not hand_over(__name__):
    from gcipuinfo._info import (
        DeviceDiscoveryMode,
        DiscoverActivePartitionIPUs,
        DiscoverAllPartitionIPUs,
        gcipuinfo,
        labels,
    )

    # IpuPower = "ipu power", and so on.
    globals().update(labels())
    __all__ = ["DeviceDiscoveryMode", "DiscoverActivePartitionIPUs",
               "DiscoverAllPartitionIPUs", "gcipuinfo", *labels()]
