/*
 * An IPUJob, read from its object (manifest.h), and the names derived from it.
 */
#ifndef CORE_KUBE_SCHEMA_IPUJOB_H
#define CORE_KUBE_SCHEMA_IPUJOB_H

#include "core/kube/yaml/yaml.h"

enum {
	IPUJOB_NAME_MAX = 36,	 /* limit of the operator and of EIDF's guide:
				    longer names fail to attach */
	IPUJOB_IPUS_MAX = 64,	 /* known limitations of the operator */
	IPUJOB_COUNT_MAX = 1000, /* job instances; workers of each */
	IPUJOB_NAME_SIZE = 256	 /* for the names made here */
};

enum ipujob_clean { CLEAN_NONE, CLEAN_ALL, CLEAN_WORKERS };
enum ipujob_restart {
	RESTART_ALWAYS,
	RESTART_ON_FAILURE,
	RESTART_NEVER,
	RESTART_EXIT_CODE
};

/* Texts and nodes belong to the object that was read, `space` to the caller. */
struct ipujob {
	const char *name;   /* "" before it is generated */
	const char *space;  /* its namespace */
	int instances;	    /* jobInstances */
	int ipus;	    /* ipusPerJobInstance */
	int workers;	    /* per job instance: see ipujob_read() */
	int model_replicas; /* modelReplicasPerWorker, or 0 */
	enum ipujob_clean clean;
	enum ipujob_restart restart;
	int backoff_limit;
	const char *exit_codes;		  /* "1-127,130", or NULL */
	int64_t ttl_seconds;		  /* of interactive, or -1 */
	const struct yaml_node *launcher; /* or NULL; the workers wait for it */
	const struct yaml_node *template; /* the workers' pod template */
};

/* Read an object that passed schema_check(), with its defaults.  -1,
   ERROR_INVALID: a text that is not a number, a missing pod template, or a
   broken rule between fields; "PATH: reason".  Workers per job instance:
   workersPerJobInstance, else workers.replicas. */
int ipujob_read(const struct yaml_node *object, const char *space,
    struct ipujob *, struct error *);

/* Parse the two kinds of numbers that the CRD stores as texts: IPUs are a power
   of two.  -1, ERROR_INVALID, the reason without the path: "must be a number
   from 1 to 1000, not 'x'". */
int ipujob_parse_ipus(const char *text, int *ipus, struct error *);
int ipujob_parse_count(const char *text, int *count, struct error *);

/* Write "JOB-worker-N", N counted over all job instances; or "JOB-launcher",
   with "-I" from the second job instance on. */
void ipujob_worker_name(const struct ipujob *, int instance, int worker,
    char name[IPUJOB_NAME_SIZE]);
void ipujob_launcher_name(const struct ipujob *, int instance,
    char name[IPUJOB_NAME_SIZE]);

/* Write "p-JOB-NAMESPACE-INSTANCE". */
void ipujob_partition_name(const struct ipujob *, int instance,
    char name[IPUJOB_NAME_SIZE]);

/* Whether an exit status is retried under ExitCode: one of exit_codes; without
   these 128 to 255, like the operators of Kubeflow. */
bool ipujob_is_retried(const struct ipujob *, int status);

/* Check the CRD's pattern, "1-127,130", with ascending ranges from 0 to 255;
   -1, ERROR_INVALID, the reason without the path. */
int ipujob_check_exit_codes(const char *text, struct error *);

/* Check a metadata.name or generateName by the rules of Kubernetes (RFC
   1123, lower case letters, digits, '-' and '.') and for its length; five
   characters are added to a generateName.  -1, ERROR_INVALID, the reason
   without the path. */
int ipujob_check_name(const char *name, struct error *);
int ipujob_check_generate_name(const char *begin, struct error *);

/* Append five characters to a generateName, like the API server. */
void ipujob_generate_name(const char *begin, const uint8_t random[5],
    char name[IPUJOB_NAME_SIZE]);

#endif
