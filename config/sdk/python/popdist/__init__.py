"""PopDist: what a program knows of its share of a job under poprun.

Without poprun a program is the only instance, with one replica.  A real
popdist that is installed is used in place of this one.  See ipubox-sdk(7).
"""
from ipubox_sdk.handover import hand_over

if not hand_over(__name__):
    from popdist import collectives, standins
    from ipubox_sdk.error import PopdistError
    from ipubox_sdk.names import (
        checkNumIpusPerReplica,
        defaultCommunicatorId,
        execute_on_instances,
        finalizeBackend,
        getDeviceId,
        getInstanceIndex,
        getLocalInstanceIndex,
        getNumInstances,
        getNumIpusPerReplica,
        getNumLocalReplicas,
        getNumTotalReplicas,
        getReplicaIndexOffset,
        init,
        initializeBackend,
        isBackendInitialized,
        isPopdistEnvSet,
        registerCommunicator,
        registerDefaultBackend,
        setEngineOptions,
        setTimeout,
        synchronize,
    )

    popdist_error = PopdistError
    standins.install()

    __all__ = [
        "PopdistError", "collectives", "checkNumIpusPerReplica",
        "defaultCommunicatorId", "execute_on_instances", "finalizeBackend",
        "getDeviceId", "getInstanceIndex", "getLocalInstanceIndex",
        "getNumInstances", "getNumIpusPerReplica", "getNumLocalReplicas",
        "getNumTotalReplicas", "getReplicaIndexOffset", "init",
        "initializeBackend", "isBackendInitialized", "isPopdistEnvSet",
        "registerCommunicator", "registerDefaultBackend", "setEngineOptions",
        "setTimeout", "synchronize", "popdist_error",
    ]
