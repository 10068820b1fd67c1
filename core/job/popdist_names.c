/*
 * The one table of PopDist's names.
 */
#include "core/job/popdist.h"

#include <string.h>

#include "core/base/alloc.h"

enum {
	PROGRAMS = POPDIST_IN_PROGRAMS,
	EVERYWHERE = POPDIST_IN_PROGRAMS | POPDIST_IN_SHELL
};

const struct popdist_name popdist_names[] = {
	{ "isPopdistEnvSet", "popdist_is_env_set", POPDIST_BOOLEAN, EVERYWHERE,
	    "false", "whether poprun started this program" },
	{ "getNumTotalReplicas", "popdist_num_total_replicas", POPDIST_NUMBER,
	    EVERYWHERE, "1", "replicas of the whole job" },
	{ "getNumLocalReplicas", "popdist_num_local_replicas", POPDIST_NUMBER,
	    EVERYWHERE, "1", "replicas of this instance" },
	{ "getReplicaIndexOffset", "popdist_replica_index_offset",
	    POPDIST_NUMBER, EVERYWHERE, "0", "index of its first replica" },
	{ "getNumIpusPerReplica", "popdist_num_ipus_per_replica",
	    POPDIST_NUMBER, EVERYWHERE, "1", "IPUs of a replica" },
	{ "getNumInstances", "popdist_num_instances", POPDIST_NUMBER,
	    EVERYWHERE, "1", "instances of the job" },
	{ "getInstanceIndex", "popdist_instance_index", POPDIST_NUMBER,
	    EVERYWHERE, "0", "index of this instance" },
	{ "getLocalInstanceIndex", "popdist_local_instance_index",
	    POPDIST_NUMBER, EVERYWHERE, "0",
	    "its index among the instances of this host" },
	{ "getDeviceId", "popdist_device_id", POPDIST_NUMBER, EVERYWHERE, NULL,
	    "id of the device with the IPUs of its replicas" },
	{ "checkNumIpusPerReplica", "popdist_check_num_ipus_per_replica",
	    POPDIST_BOOLEAN, EVERYWHERE, NULL, "whether a replica has N IPUs" },
	{ "setEngineOptions", "popdist_engine_options", POPDIST_CALL, PROGRAMS,
	    NULL, "options of Poplar's engine for reports" },
	{ "init", NULL, POPDIST_CALL, POPDIST_IN_PYTHON, NULL,
	    "join the job, and leave it at the end" },
	{ "registerDefaultBackend", "popdist_register_default_backend",
	    POPDIST_CALL, PROGRAMS, NULL,
	    "say that the job is joined by ipubox" },
	{ "registerBackend", NULL, POPDIST_CALL, POPDIST_IN_CPP, NULL,
	    "name another library that joins the job" },
	{ "initializeBackend", "popdist_initialize_backend", POPDIST_CALL,
	    PROGRAMS, NULL, "join the job" },
	{ "isBackendInitialized", "popdist_is_backend_initialized",
	    POPDIST_CALL, PROGRAMS, "false", "whether it is joined" },
	{ "finalizeBackend", "popdist_finalize_backend", POPDIST_CALL, PROGRAMS,
	    NULL, "leave the job for good" },
	{ "defaultCommunicatorId", NULL, POPDIST_CALL,
	    POPDIST_IN_CPP | POPDIST_IN_PYTHON, "default",
	    "the communicator that is used if none is named" },
	{ "registerCommunicator", "popdist_register_communicator", POPDIST_CALL,
	    PROGRAMS, NULL, "name a set of instances" },
	{ "synchronize", "popdist_synchronize", POPDIST_CALL, PROGRAMS, NULL,
	    "wait for all instances" },
	{ "run", NULL, POPDIST_CALL, POPDIST_IN_CPP, NULL,
	    "run a program of an engine, synchronised" },
	{ "execute_on_instances", NULL, POPDIST_CALL, POPDIST_IN_PYTHON, NULL,
	    "call a function on some instances only" },
	{ "setTimeout", "popdist_set_timeout", POPDIST_CALL, PROGRAMS, NULL,
	    "how long a collective waits for the others" },
	{ "collectives.allReduceSum", "popdist_all_reduce_sum", POPDIST_CALL,
	    PROGRAMS, NULL, "replace a vector by the sum over all instances" },
	{ "collectives.allGather", "popdist_all_gather", POPDIST_CALL, PROGRAMS,
	    NULL, "get the vectors of all instances" },
	{ "collectives.broadcast", "popdist_broadcast", POPDIST_CALL, PROGRAMS,
	    NULL, "get the vector of one instance" },
	{ "collectives.barrier", NULL, POPDIST_CALL, POPDIST_IN_PYTHON, NULL,
	    "wait for all instances with the same id" },
	{ NULL, "popdist_is_communicator", POPDIST_CALL, POPDIST_IN_C, NULL,
	    "whether a set of that name exists" },
	{ NULL, "popdist_error_text", POPDIST_CALL, POPDIST_IN_C, NULL,
	    "why the last call failed" },
	{ NULL, "popdist_error_code", POPDIST_CALL, POPDIST_IN_C, NULL,
	    "the kind of that failure" },
};

const size_t popdist_names_count = ARRAY_SIZE(popdist_names);

int
popdist_names_find_getter(const char *name)
{
	int i;

	for (i = 0; i < POPDIST_GETTERS; i++)
		if (strcmp(popdist_names[i].name, name) == 0)
			return i;
	return -1;
}
