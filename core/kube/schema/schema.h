/*
 * The contents of a Kubernetes manifest.  config/kube/fields.txt lists the
 * fields of each kind of object: the checks, what a field does here, and the
 * list of fields in ipubox-job(5) come from there.  Read schema_find() and
 * schema_check() first.  Two headers are large and stand apart:
 *
 *	manifest.h	the objects of the files that a user names
 *	remarks.h	errors, warnings and notes, each with its place
 */
#ifndef CORE_KUBE_SCHEMA_SCHEMA_H
#define CORE_KUBE_SCHEMA_SCHEMA_H

#include "core/kube/schema/manifest.h"
#include "core/kube/schema/remarks.h"
#include "core/kube/yaml/yaml.h"

/*
 * An IPUJob, read from its object (manifest.h), and the names derived from it.
 */

enum {
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

/* Read an object that passed schema_check().  Missing fields get the defaults
   of manifest_set_defaults().  -1, ERROR_INVALID: a text that is not a number,
   a missing pod template, or a broken rule between fields; "PATH: reason".
   Workers per job instance: workersPerJobInstance, else workers.replicas. */
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

/* Whether a job with RESTART_EXIT_CODE, which is not checked, retries that exit
   status: one of exit_codes; without these 128 to 255, like the operators of
   Kubeflow. */
bool ipujob_is_retried(const struct ipujob *, int status);

/* Check the CRD's pattern, "1-127,130", with ascending ranges from 0 to 255;
   -1, ERROR_INVALID, the reason without the path. */
int ipujob_check_exit_codes(const char *text, struct error *);

/* Check a metadata.name or generateName by the rules of Kubernetes (RFC 1123,
   lower case letters, digits, '-' and '.') and for at most 36 characters,
   including five that are added to a generateName.  -1, ERROR_INVALID, the
   reason without the path. */
int ipujob_check_name(const char *name, struct error *);
int ipujob_check_generate_name(const char *begin, struct error *);

/* Append five characters to a generateName, like the API server. */
void ipujob_generate_name(const char *begin, const uint8_t random[5],
    char name[IPUJOB_NAME_SIZE]);

enum schema_type {
	SCHEMA_TEXT,
	SCHEMA_INTEGER, /* of 32 bits */
	SCHEMA_LONG,	/* an integer of 64 bits */
	SCHEMA_BOOL,
	SCHEMA_QUANTITY,   /* "200Gi", 32 */
	SCHEMA_PORT,	   /* a number or a name: an int-or-string */
	SCHEMA_TEXTS,	   /* a map of texts, whatever their keys */
	SCHEMA_QUANTITIES, /* a map of quantities */
	SCHEMA_OBJECT	   /* with `fields`; NULL: any contents */
};

/* Effect of a field in a manifest. */
enum schema_effect {
	SCHEMA_HONOURED,
	SCHEMA_NOTED,  /* accepted, without effect here */
	SCHEMA_REFUSED /* unsupported here, and essential */
};

struct schema_field {
	const char *name;
	enum schema_type type;
	bool is_list; /* a list of these */
	bool is_required;
	enum schema_effect effect;
	const struct schema_field *fields; /* sorted; ends with a NULL name */
	const char *words;		   /* allowed: "None, All or Workers" */
	/* HONOURED: its effect here; NOTED: why it has none; REFUSED: why, or
	   an alternative.  Part of a sentence.  NULL: the same as the parent
	   field. */
	const char *note;
};

/* Return the fields of a kind of object, such as "IPUJob", or of another struct
   of the API, or NULL.  They stay valid until the program ends. */
const struct schema_field *schema_find(const char *kind);

/* Return the field of that name in the table itself, or NULL. */
const struct schema_field *schema_field_named(const struct schema_field *,
    const char *name);

/* Find the field at a path such as
   "spec.workers.template.spec.containers.image" ("[]" and "[0]" may follow a
   list's name).  NULL: it does not exist, and *e names the unknown part
   (ERROR_NOT_FOUND). */
const struct schema_field *schema_field_find(const struct schema_field *,
    const char *path, struct error *);

/* Append the nearest field to the error or, without one, all fields if they are
   few. */
void schema_suggest(const struct schema_field *, const char *name,
    struct error *);

/* Return "honoured", "noted" or "refused". */
const char *schema_effect_name(enum schema_effect);

/* Write the type like `kubectl explain`: "string", "[]Object",
   "map[string]string". */
void schema_type_text(const struct schema_field *, char *, size_t);

/* Check a whole object against a table.  Errors: unknown fields (with a
   suggestion, or the right place), wrong types, missing fields, unknown words,
   and refused fields, which are marked as local.  A duplicate key gets a
   warning.  A field without effect gets a note; the fields below it get
   none. */
void schema_check(const struct schema_field *, const char *file,
    const struct yaml_node *object, struct remarks *);

/* Remove fields that the table lacks, with a warning each, like a lenient API
   server.  Such a field that is null is removed without a warning. */
void schema_check_prune(const struct schema_field *, const char *file,
    struct yaml_node *object, struct remarks *);

/* Parse a quantity, "200Gi", "500m", "1e3" or "32": a decimal number and a
   suffix, n u m k M G T P E (powers of 1000), Ki Mi Gi Ti Pi Ei (powers of
   1024), or an exponent.  The result is in thousandths, rounded up: "500m" is
   500, "1Ki" is 1,024,000.  -1, ERROR_INVALID: it is not a quantity, is
   negative, has more than 18 digits, or exceeds an int64_t.  Source: the API
   reference, resource.Quantity. */
int quantity_parse(const char *text, int64_t *thousandths, struct error *);

/* Parse a quantity in whole units, rounded up: bytes, processors. */
int quantity_parse_whole(const char *text, int64_t *value, struct error *);

enum {
	DNS_LABEL_MAX = 63,	/* of a container, volume, namespace */
	DNS_SUBDOMAIN_MAX = 253 /* of most objects: labels joined by dots */
};

/* Check that a name is a label, or a subdomain, of at most `max` characters.
   -1, ERROR_INVALID: "'Bert_1': must consist of ... (did you mean bert-1?)".
   Source: Kubernetes, Object Names and IDs (RFC 1123). */
int dns_name_check_label(const char *name, size_t max, struct error *);
int dns_name_check_subdomain(const char *name, size_t max, struct error *);

/* Whether a text can be the name of a variable (letters, digits, '_', '-' and
   '.', not starting with a digit); a key of a ConfigMap or Secret, which
   becomes a file name (letters, digits, '-', '_' and '.'); the value of a label
   or the name in its key (1 to 63 of these, with a letter or digit at both
   ends).  Variables and keys have at most 253 characters, are not "." and do
   not begin with "..".  Source: k8s.io/apimachinery, IsEnvVarName,
   IsConfigMapKey, IsValidLabelValue. */
bool dns_name_is_variable(const char *name);
bool dns_name_is_key(const char *key);
bool dns_name_is_label_text(const char *text);

/* Access to the parts of a pod.  A field that is null or has the wrong type
   counts as missing.  A key is not a path, so it may have any characters.
   Return the node under a key; the text of a node, which must not be NULL; the
   text under a key; and the list or map under a key; NULL: missing.  Numbers
   and booleans have their text as written.  `map` may be NULL. */
const struct yaml_node *pod_node_get(const struct yaml_node *map,
    const char *key);
const char *pod_node_scalar(const struct yaml_node *);
const char *pod_node_text(const struct yaml_node *map, const char *key);
const struct yaml_node *pod_node_list(const struct yaml_node *map,
    const char *key);
const struct yaml_node *pod_node_map(const struct yaml_node *map,
    const char *key);

/* Return the number of items of the list under a key, 0 if it is missing;
   return an item, which must exist; keep only the first `most` items. */
size_t pod_node_count(const struct yaml_node *map, const char *key);
const struct yaml_node *pod_node_item(const struct yaml_node *map,
    const char *key, size_t);
void pod_node_cut(struct yaml_node *map, const char *key, size_t most);

/* Return the container of that name, or init container, of a spec, or NULL. */
const struct yaml_node *pod_node_container(const struct yaml_node *spec,
    const char *name);

/* Append " (did you mean KEY?)" if a map has a similar key; the maps may be
   NULL.  Returns -1. */
int pod_node_suggest(const char *typed, const struct yaml_node *,
    const struct yaml_node *, struct error *);

/* Append to the error why a text is not YAML, with a remedy, if it shows one of
   these traces: a template of Helm, lost indentation, conflict markers, a
   Markdown fence, no-break spaces, a shell's prompt, line numbers.  The code
   stays. */
void manifest_text_explain(const char *text, size_t size, struct error *);

/* Return a hint to append to an error about a value that still contains a
   template's variable, "<...>" or typographic quotation marks: "; replace <...>
   with a value"; else "". */
const char *manifest_text_unfilled(const char *value);

#endif
