/*
 * The fields of an IPUJob.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	interactive[] = {
	NEEDED_FIELD("ttl", INTEGER, HONOURED,
	    "how many seconds the job lives"),
	END_OF_FIELDS
};

static const struct schema_field	launcher[] = {
	NEEDED_LIST("command", TEXT, HONOURED,
	    "what is run, as poprun or mpirun with a program"),
	PARTS("env", schema_env_fields, HONOURED,
	    "the environment of the command"),
	END_OF_FIELDS
};

static const struct schema_field	restart_policy[] = {
	FIELD("backOffLimit", INTEGER, HONOURED,
	    "how many times the job is started again; 3 without it"),
	FIELD("exitCodes", TEXT, HONOURED,
	    "after which exit codes it is started again, with type ExitCode: "
	    "\"1-127,130\"; without it after 128 to 255"),
	NEEDED_WORD("type", "Always, OnFailure, Never or ExitCode", HONOURED,
	    "when the job is started again"),
	END_OF_FIELDS
};

static const struct schema_field	rolling_update[] = {
	DETAIL("maxSurge", PORT),
	DETAIL("maxUnavailable", PORT),
	END_OF_FIELDS
};

static const struct schema_field	strategy[] = {
	DETAIL_PART("rollingUpdate", rolling_update),
	DETAIL("type", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	template[] = {
	PART("metadata", schema_meta_template, HONOURED,
	    "what the pods have beside their names"),
	PART("spec", schema_pod_fields, HONOURED, "what a pod is"),
	END_OF_FIELDS
};

static const struct schema_field	workers[] = {
	FIELD("replicas", INTEGER, HONOURED,
	    "how many pods each job instance has; 1 without it"),
	PART("strategy", strategy, NOTED,
	    "pods are not replaced while they run"),
	PART("template", template, HONOURED, "from which each pod is made"),
	END_OF_FIELDS
};

static const struct schema_field	job_spec[] = {
	WORD("cleanPodPolicy", "None, All or Workers", HONOURED,
	    "which pods go when the job has ended; None without it"),
	PART("interactive", interactive, HONOURED,
	    "the job waits for commands, and ends when its time is over"),
	NEEDED_FIELD("ipusPerJobInstance", TEXT, HONOURED,
	    "the size of each job instance's partition: a power of two from "
	    "\"1\" to \"64\""),
	NEEDED_FIELD("jobInstances", INTEGER, HONOURED,
	    "how many times the whole runs, each with its own partition"),
	PART("launcher", launcher, HONOURED,
	    "a pod of its own runs a command over the workers, which wait"),
	FIELD("modelReplicasPerWorker", TEXT, HONOURED,
	    "how many replicas of the model each worker has"),
	PART("restartPolicy", restart_policy, HONOURED,
	    "whether the job is started again"),
	NEEDED_PART("workers", workers, HONOURED,
	    "the pods in which the programs run"),
	FIELD("workersPerJobInstance", TEXT, HONOURED,
	    "counts in the place of workers.replicas"),
	END_OF_FIELDS
};

static const struct schema_field	condition[] = {
	DETAIL("lastTransitionTime", TEXT),
	DETAIL("lastUpdateTime", TEXT),
	DETAIL("message", TEXT),
	DETAIL("reason", TEXT),
	NEEDED_DETAIL("status", TEXT),
	NEEDED_DETAIL("type", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	workers_status[] = {
	DETAIL("active", INTEGER),
	DETAIL("failed", INTEGER),
	DETAIL("succeeded", INTEGER),
	END_OF_FIELDS
};

static const struct schema_field	job_status[] = {
	DETAIL("completionTime", TEXT),
	DETAIL_PARTS("conditions", condition),
	DETAIL("currentReplicas", INTEGER),
	NEEDED_DETAIL("desiredReplicas", INTEGER),
	DETAIL("iPUPartitionCreated", BOOL),
	NEEDED_DETAIL("lastMessage", TEXT),
	DETAIL("lastReconcileTime", TEXT),
	DETAIL("launcherStatus", TEXT),
	DETAIL("restartCount", INTEGER),
	DETAIL("startTime", TEXT),
	DETAIL_PART("workersStatus", workers_status),
	END_OF_FIELDS
};

const struct schema_field	schema_ipujob_fields[] = {
	FIELD("apiVersion", TEXT, HONOURED, "graphcore.ai/v1alpha1"),
	FIELD("kind", TEXT, HONOURED, "IPUJob"),
	PART("metadata", schema_meta_fields, HONOURED,
	    "the job's name and namespace"),
	PART("spec", job_spec, HONOURED, "what is to run, on how many IPUs"),
	PART("status", job_status, NOTED,
	    "how a job was doing elsewhere; it begins anew here"),
	END_OF_FIELDS
};
