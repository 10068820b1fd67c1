"""PopDist: what a program knows of its share of a job under poprun.

Without poprun a program is the only instance, with one replica.  A real
popdist that is installed is used in place of this one.  See ipubox-sdk(7).
"""
from ipubox_sdk.handover import hand_over

if not hand_over(__name__):
    from ipubox_sdk.error import PopdistError
    from ipubox_sdk.names import (
        checkNumIpusPerReplica,
        getDeviceId,
        getInstanceIndex,
        getLocalInstanceIndex,
        getNumInstances,
        getNumIpusPerReplica,
        getNumLocalReplicas,
        getNumTotalReplicas,
        getReplicaIndexOffset,
        isPopdistEnvSet,
        setEngineOptions,
    )

    popdist_error = PopdistError

    __all__ = [
        "PopdistError", "checkNumIpusPerReplica", "getDeviceId",
        "getInstanceIndex", "getLocalInstanceIndex", "getNumInstances",
        "getNumIpusPerReplica", "getNumLocalReplicas",
        "getNumTotalReplicas", "getReplicaIndexOffset", "isPopdistEnvSet",
        "popdist_error", "setEngineOptions",
    ]
