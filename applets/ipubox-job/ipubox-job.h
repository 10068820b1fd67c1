/*
 * ipubox-job: one command of it, its options, what it is about, and the ways in
 * which all verbs answer, which are kubectl's.  Read struct job_call first,
 * then founds_take().  Three headers stand apart:
 *
 *	kube_table.h	tables and sheets as kubectl prints them
 *	jsonpath.h	templates of -o jsonpath
 *	job_watch.h	waiting for a change, and for what wait --for names
 */
#ifndef APPLETS_IPUBOX_JOB_IPUBOX_JOB_H
#define APPLETS_IPUBOX_JOB_IPUBOX_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/options.h"
#include "core/base/strvec.h"
#include "core/kube/kube.h"

struct job_call;

enum job_verb_flag {
	VERB_COMMAND = 1, /* takes one, whose words follow "--" */
	VERB_OPENS = 2,	  /* needs the store: job_call_open() */
	VERB_FILES = 4	  /* its operands are manifests, as after -f */
};

struct job_verb {
	const char *name;
	const char *usage; /* behind the name */
	const char *help;  /* one line */
	const struct option_row *options;
	int flags; /* of enum job_verb_flag */
	int (*run)(struct job_call *);
};

/* What the options said; NULL, 0, -1 or false where they did not. */
struct job_call {
	const struct job_verb *verb;
	struct job_store store;
	bool has_store;
	const char *space; /* of -n, else "default" */
	bool all_spaces;
	struct strvec files;
	const char *output; /* -o */
	const char *selector;
	const char *field_selector;
	const char *container;
	const char *condition; /* --for */
	const char *target;    /* --to */
	const char *queue;
	const char *scheduler;
	const char *image;
	const char *dry_run;
	const char *validate;
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
	long long tail; /* -1: all; -2: none was given */
	int64_t since_ns;
	long long limit_bytes;
	int64_t timeout_ms; /* -1: none was given */
	long long replicas;
	long long current_replicas;
	char **operands;
	int count;
	char **command; /* behind "--", or NULL */
};

/* All verbs; a NULL name at the end. */
extern const struct job_verb job_verbs[];

/* The options that may also stand before a verb, and those instead of one. */
extern const struct option_row job_global_rows[];

/* What takes the place of a verb of kubectl that is missing here, or NULL. */
const char *job_verbs_elsewhere(const char *word);

/* Opens the store, made if missing and `make`, and takes up the jobs whose
   runners are gone.  EXIT_DONE, or the reason was printed. */
int job_call_open(struct job_call *, bool make);

/* Reads the manifests that -f names. */
int job_call_read_files(const struct job_call *, struct manifest *,
    struct error *);

/* "error: TEXT" on stderr, as kubectl has it.  EXIT_FAILED. */
int job_call_failed(const struct error *);
int job_call_refuse(const char *, ...) __attribute__((format(printf, 1, 2)));
/* "Error from server (REASON): TEXT" on stderr.  EXIT_FAILED. */
int job_call_server_error(const char *reason, const char *, ...)
    __attribute__((format(printf, 2, 3)));
/* "error: TEXT", and how the verb is called.  EXIT_USAGE. */
int job_call_misuse(const struct job_call *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Letters are keys as well: the short options. */
enum {
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
	KEY_UNUSED, /* accepted: it needs a cluster */
	KEY_VALIDATE,
	KEY_VERSION,
	KEY_WAIT
};

/* Fills the call, whose verb is set, from argv, which begins with the verb.  1:
   the verb's help is asked for; -1: a mistake.  The caller releases the
   files. */
int job_options_read(struct job_call *, int argc, char **argv, struct error *);

/* The verbs, with a call whose options were read: an exit status. */
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
	const char *name;  /* NULL: all of the type; "": it has none yet, and is
			      not found */
	const char *space; /* NULL: the call's */
};

struct resources {
	struct resource *items; /* names are the caller's words */
	size_t count;
	struct manifest manifest; /* of what -f names */
};

/* A type with its words. */
struct resource_words {
	const char *word;     /* of messages: "ipujob.graphcore.ai" */
	const char *plural;   /* of refusals */
	int kind;	      /* enum job_kind; -1: not a file */
	const char *words[6]; /* that stand for it */
};
extern const struct resource_words resource_types[RESOURCE_TYPES];

/* The type that a word names: "po", "pods", "ipujobs.graphcore.ai", in any
   case.  -1, with kubectl's words: it names none. */
int resource_type_find(const char *word, size_t length, enum resource_type *,
    struct error *);

/*
 * Reads what a command is about: the objects of the manifests that -f names, or
 * its operands, TYPE[,TYPE], TYPE NAME ..., TYPE/NAME ...; to be freed in any
 * case.  Objects that are left out here (lint_find_kind()) do not count; -1,
 * ERROR_UNSUPPORTED: only such ones.
 */
int resources_read(struct job_call *, struct resources *, struct error *);
void resources_free(struct resources *);

/* Runs a verb on what a command is about; the text refuses a call that names
   nothing.  An exit status. */
int resources_run(struct job_call *, const char *nothing_named,
    int run(struct job_call *, const struct resources *));

/* Refuses all of a type, unless --all or a selector says so: an exit status. */
int resources_check_named(const struct job_call *, const struct resources *);

/* The namespace in which all of them are; NULL: there are several. */
const char *resources_space(const struct job_call *, const struct resources *);

/* An object that was found, with where it lies; all in one arena. */
struct resource_found {
	enum resource_type type;
	struct yaml_node *object; /* with its status */
	struct job_entry *entry;  /* of an IPUJob, its pods and events; or
				     NULL */
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
	int missing; /* names that do not exist: told */
};

/*
 * All that the resources name in their namespaces and that its selectors
 * take, in the order of kubectl: by type, namespace and name; events by their
 * job, and as they happened.  The keys of all maps are sorted, and the values
 * of Secrets hidden.  A name that does not exist is told on stderr and counted,
 * unless it may be missing.  -1: the reason, for
 * founds_failed(); to be released as well.
 */
int founds_take(const struct job_call *, const struct resources *,
    struct founds *, struct error *);
void founds_release(struct founds *);

/* Says on stderr that nothing was found; and why the search failed, as kubectl
   does: EXIT_FAILED. */
void founds_tell_none(const struct job_call *);
int founds_failed(const struct error *);

/* Finds the one pod that a word names: "POD", "pod/POD", or of "ipujob/NAME"
   its launcher or its first worker; to be released in any case.  EXIT_DONE, or
   the reason was printed. */
int founds_take_pod(const struct job_call *, const char *word, struct founds *);

/* Checks that both, which may be NULL, can be read. */
int selector_check(const char *labels, const char *fields, struct error *);

/* Checks that objects of the type can be selected by these fields, or NULL; -1:
   "field label not supported: x", as the API server has it. */
int selector_check_type(const char *fields, enum resource_type, struct error *);

/* Whether the call's selectors, if any, take the object. */
bool selector_takes(const struct job_call *, const struct yaml_node *object);

#endif
