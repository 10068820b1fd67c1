/*
 * ipubox-job: a call with its options, the objects that it applies to, and
 * kubectl's forms of answers for all verbs.  Read struct job_call first, then
 * founds_find().  Four headers are separate:
 *
 *	job_values.h	values of options, and printing in the form of -o
 *	kube_table.h	tables and sheets as kubectl prints them
 *	jsonpath.h	templates of -o jsonpath
 *	job_watch.h	waiting for a change, and the conditions of wait --for
 */
#ifndef APPLETS_IPUBOX_JOB_IPUBOX_JOB_H
#define APPLETS_IPUBOX_JOB_IPUBOX_JOB_H

#include "applets/ipubox-job/job_values.h"
#include "applets/ipubox-job/jsonpath.h"
#include "core/base/options.h"
#include "core/kube/kube.h"

struct job_call;

enum job_verb_flag {
	VERB_COMMAND = 1, /* takes a command after "--" */
	VERB_OPENS = 2,	  /* the store, if it exists, is opened before run();
			     other verbs call job_call_open() */
	VERB_FILES = 4	  /* its operands are manifests, as after -f */
};

struct job_verb {
	const char *name;
	const char *usage; /* after the name */
	const char *help;  /* one line */
	const struct option_row *options;
	int flags; /* of enum job_verb_flag */
	int (*run)(struct job_call *);
	const struct job_values *values; /* or NULL */
};

/* The parsed options.  A missing one is NULL, 0 or false, unless noted. */
struct job_call {
	const struct job_verb *verb;
	struct job_store store;
	bool has_store;	   /* the store exists and is open */
	const char *space; /* of -n, else "default" */
	bool all_spaces;
	struct strvec files;
	const char *output; /* -o */
	enum job_form form;
	const char *template; /* for FORM_JSONPATH */
	struct jsonpath path; /* the same, parsed; the caller frees it */
	const char *selector;
	const char *field_selector;
	const char *container;
	const char *condition; /* --for */
	const char *target;    /* --to */
	int target_index;      /* its index in the words of job_values */
	const char *queue;     /* --kueue */
	const char *scheduler;
	const char *image;
	const char *dry_run; /* NULL also for none */
	const char *validate;
	int validation; /* index in the words of job_values; 0: strict */
	bool recursive;
	bool watch;
	bool no_headers;
	bool show_labels;
	bool follow;
	bool previous;
	bool timestamps;
	bool prefix;
	bool all_containers;
	bool input;    /* -i */
	bool terminal; /* -t */
	bool all;
	bool ignore_not_found;
	bool wait; /* true by default */
	bool strict;
	bool json;
	long long tail;	  /* -1: all; -2: not given */
	int64_t since_ns; /* since the epoch, also for --since */
	/* The next four: -1 if not given. */
	long long limit_bytes;
	int64_t timeout_ms;
	long long replicas;
	long long current_replicas;
	char **operands;
	int count;
	char **command; /* after "--", or NULL */
};

/* All verbs; ends with a NULL name. */
extern const struct job_verb job_verbs[];

/* The options that may also precede a verb, with --version and --help, which
   need no verb. */
extern const struct option_row job_global_rows[];

/* Return what to use instead of a verb of kubectl that is missing here, or
   NULL. */
const char *job_verbs_elsewhere(const char *word);

/* Open the store (`make`: create it if it is missing), and start runners for
   jobs that lost theirs.  Returns EXIT_DONE, or prints the reason and returns
   EXIT_FAILED.  Without `make` a missing store is not a failure: has_store
   stays false, and nothing may use `store`.  The caller closes `store` if
   has_store is set, also after a failure. */
int job_call_open(struct job_call *, bool make);

/* Add the manifests of -f to the manifest, which the caller initialises and
   releases. */
int job_call_read_files(const struct job_call *, struct manifest *,
    struct error *);

/* Print "error: TEXT" on stderr like kubectl.  Return EXIT_FAILED. */
int job_call_failed(const struct error *);
int job_call_refuse(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Print "Error from server (REASON): TEXT" on stderr.  Return EXIT_FAILED. */
int job_call_server_error(const char *reason, const char *, ...)
    __attribute__((format(printf, 2, 3)));
/* Print "error: TEXT" and the verb's usage on stderr.  Return EXIT_USAGE. */
int job_call_misuse(const struct job_call *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

enum { /* a short option's key is its letter */
	KEY_ALL = OPTIONS_LONG,
	KEY_ALL_CONTAINERS,
	KEY_CURRENT_REPLICAS,
	KEY_DRY_RUN,
	KEY_FIELD_SELECTOR,
	KEY_FOR,
	KEY_GRACE_PERIOD,
	KEY_IGNORE_NOT_FOUND,
	KEY_IMAGE,
	KEY_JSON,
	KEY_KUEUE,
	KEY_LIMIT_BYTES,
	KEY_NO_HEADERS,
	KEY_PREFIX,
	KEY_REPLICAS,
	KEY_SCHEDULER,
	KEY_SHOW_LABELS,
	KEY_SINCE,
	KEY_SINCE_TIME,
	KEY_SORT_BY,
	KEY_STRICT,
	KEY_TAIL,
	KEY_TIMEOUT,
	KEY_TIMESTAMPS,
	KEY_TO,
	KEY_UNUSED, /* accepted, without effect here */
	KEY_VALIDATE,
	KEY_VERSION,
	KEY_WAIT
};

/* Fill the call, zero except `verb`, from argv, which starts with the verb.
   Returns 1: print the verb's help; -1: a mistake.  The caller releases `files`
   in any case. */
int job_options_read(struct job_call *, int argc, char **argv, struct error *);

/* Run a verb with its parsed options; each returns an exit status. */
int verb_create(struct job_call *);
int verb_apply(struct job_call *);
int verb_get(struct job_call *);
int verb_describe(struct job_call *);
int verb_logs(struct job_call *);
int verb_exec(struct job_call *);
int verb_cp(struct job_call *);
int verb_delete(struct job_call *);
int verb_wait(struct job_call *);
int verb_scale(struct job_call *);
int verb_lint(struct job_call *);
int verb_render(struct job_call *);
int verb_explain(struct job_call *);

enum resource_type {
	RESOURCE_IPUJOB,
	RESOURCE_POD,
	RESOURCE_CONFIG_MAP,
	RESOURCE_SECRET,
	RESOURCE_CLAIM,
	RESOURCE_EVENT,
	RESOURCE_TYPES
};

struct resource {
	enum resource_type type;
	const char *name;  /* NULL: all; "": not generated yet */
	const char *space; /* NULL: the call's namespace */
};

struct resources {
	struct resource *items; /* names point to words or the manifest */
	size_t count;
	struct manifest manifest; /* the manifests of -f */
};

/* The names of a type. */
struct resource_words {
	const char *word;     /* in messages: "ipujob.graphcore.ai" */
	const char *plural;   /* in refusals */
	int kind;	      /* enum job_kind; -1: not stored in files */
	const char *words[6]; /* accepted names, ended by NULL */
};
extern const struct resource_words resource_types[RESOURCE_TYPES];

/* Find the type that a word names: "po", "pods", "ipujobs.graphcore.ai",
   ignoring case.  -1: unknown type, in kubectl's words. */
int resource_type_find(const char *word, size_t length, enum resource_type *,
    struct error *);

/* Read the types and names that a command applies to: from the manifests of -f,
   or the operands TYPE[,TYPE], TYPE NAME ..., TYPE/NAME ....  The caller frees
   them in any case.  Kinds that are never stored, such as a Service, are
   skipped; -1, ERROR_UNSUPPORTED: the manifests have only such kinds. */
int resources_read(struct job_call *, struct resources *, struct error *);
void resources_free(struct resources *);

/* Do resources_read(), then run(), and free the resources.  A call that names
   nothing is misuse, with the text `nothing_named`.  Returns an exit status. */
int resources_run(struct job_call *, const char *nothing_named,
    int run(struct job_call *, const struct resources *));

/* Return EXIT_DONE if the objects are named, or --all or a selector is given;
   else print a refusal and return EXIT_FAILED. */
int resources_check_named(const struct job_call *, const struct resources *);

/* Return the namespace that all of them share; NULL: several, or all by -A. */
const char *resources_space(const struct job_call *, const struct resources *);

/* A found object and its location, valid until founds_release(). */
struct resource_found {
	enum resource_type type;
	struct yaml_node *object; /* includes its status */
	struct job_entry *entry;  /* of an IPUJob, its pods and events */
	const char *name;
	const char *space;
};

struct founds {
	struct yaml_arena *arena;
	struct resource_found *items;
	size_t count;
	size_t room;
	struct job_entry *entries;
	long entry_count;
	int missing; /* names that do not exist, already reported */
};

/* Find all named objects that the call's selectors accept; without a store,
   none exists.  The order is that of the resources; within one, by namespace
   and name; events by job and time.  The keys of all maps are sorted, and the
   values of Secrets are hidden.  Without --ignore-not-found a missing name is
   reported on stderr and counted.  -1: a name with -A or with a selector, a
   field that the type lacks, or a failure of the store.  The caller releases
   *out in any case. */
int founds_find(const struct job_call *, const struct resources *,
    struct founds *, struct error *);
void founds_release(struct founds *);

/* Report on stderr that nothing was found, like kubectl. */
void founds_report_none(const struct job_call *);
/* Report on stderr why founds_find() failed.  Returns EXIT_FAILED. */
int founds_failed(const struct error *);

/* Find the one pod of a word: "POD", "pod/POD", or "ipujob/NAME" for its
   launcher, or without one its first worker.  The caller releases the founds
   in any case.  Returns EXIT_DONE, or prints the reason and returns
   EXIT_FAILED. */
int founds_find_pod(const struct job_call *, const char *word, struct founds *);

/* Check that both selectors, which may be NULL, are well-formed. */
int selector_check(const char *labels, const char *fields, struct error *);

/* Check that the type can be selected by these fields (or NULL).  -1: "field
   label not supported: x", ERROR_INVALID. */
int selector_check_type(const char *fields, enum resource_type, struct error *);

/* Whether the call's selectors, if any, accept the object. */
bool selector_matches(const struct job_call *, const struct yaml_node *object);

#endif
