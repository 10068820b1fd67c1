/*
 * An IPUJob, read from its object (manifest.h), and the names that follow from
 * it.
 */
#ifndef CORE_KUBE_SCHEMA_IPUJOB_H
#define CORE_KUBE_SCHEMA_IPUJOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/kube/yaml/yaml.h"

enum {
	IPUJOB_NAME_MAX = 36,	 /* longer names fail to attach: the operator's,
				    and EIDF's guide */
	IPUJOB_IPUS_MAX = 64,	 /* known limitations of the operator */
	IPUJOB_COUNT_MAX = 1000, /* job instances; workers of each; our own
				    bound */
	IPUJOB_NAME_SIZE = 256	 /* of the names that are made here */
};

enum ipujob_clean { CLEAN_NONE, CLEAN_ALL, CLEAN_WORKERS };
enum ipujob_restart {
	RESTART_ALWAYS,
	RESTART_ON_FAILURE,
	RESTART_NEVER,
	RESTART_EXIT_CODE
};

/* Texts and nodes are the object's. */
struct ipujob {
	const char *name;   /* "" before it is generated */
	const char *space;  /* its namespace */
	int instances;	    /* jobInstances */
	int ipus;	    /* ipusPerJobInstance */
	int workers;	    /* per job instance: see below */
	int model_replicas; /* modelReplicasPerWorker, 0 */
	enum ipujob_clean clean;
	enum ipujob_restart restart;
	int backoff_limit;
	const char *exit_codes;		  /* "1-127,130", or NULL */
	int64_t ttl_seconds;		  /* interactive, -1: it is not */
	const struct yaml_node *launcher; /* runs the command, and the workers
					     wait; or NULL */
	const struct yaml_node *template; /* the workers' pod template */
};

/*
 * Read an object that schema_check() found right, with its defaults.  -1,
 * ERROR_INVALID: a number in a text that is none, a missing pod template, or a
 * rule between fields; "PATH: reason".
 * Workers per job instance: workersPerJobInstance, else workers.replicas.
 */
int ipujob_read(const struct yaml_node *object, const char *space,
    struct ipujob *, struct error *);

/*
 * The two kinds of numbers that the CRD has as texts; -1, ERROR_INVALID, the
 * reason without the path: "must be a power of two from 1 to 64, not 3".
 */
int ipujob_parse_ipus(const char *text, int *ipus, struct error *);
int ipujob_parse_count(const char *text, int *count, struct error *);

/* "JOB-worker-N", N over all job instances; "JOB-launcher", "JOB-launcher-I"
   from the second job instance on. */
void ipujob_worker_name(const struct ipujob *, int instance, int worker,
    char name[IPUJOB_NAME_SIZE]);
void ipujob_launcher_name(const struct ipujob *, int instance,
    char name[IPUJOB_NAME_SIZE]);

/* "p-JOB-NAMESPACE-INSTANCE". */
void ipujob_partition_name(const struct ipujob *, int instance,
    char name[IPUJOB_NAME_SIZE]);

/*
 * Whether an exit status is one that is tried again under ExitCode: one of
 * exit_codes; without these 128 to 255, as the operators of Kubeflow have it.
 */
bool ipujob_is_retried(const struct ipujob *, int status);

/*
 * "1-127,130", as the CRD's pattern has it, each range upwards; -1,
 * ERROR_INVALID, the reason without the path.
 */
int ipujob_check_exit_codes(const char *text, struct error *);

/*
 * A metadata.name or generateName as Kubernetes has it (RFC 1123, lower case
 * letters, digits, '-' and '.'), and short enough; generateName with the five
 * characters that follow.  -1, ERROR_INVALID, the reason without the path.
 */
int ipujob_check_name(const char *name, struct error *);
int ipujob_check_generate_name(const char *begin, struct error *);

/* generateName and five characters, as the API server draws them; `random` are
   five bytes. */
void ipujob_generate_name(const char *begin, const uint8_t random[5],
    char name[IPUJOB_NAME_SIZE]);

#endif
