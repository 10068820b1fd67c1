/*
 * One command of ipubox-job: its verb, its options, what it is about; and the
 * ways in which all verbs answer, which are kubectl's.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_CALL_H
#define APPLETS_IPUBOX_JOB_JOB_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/options.h"
#include "core/base/strvec.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/schema/schema.h"

struct job_call;

struct job_verb {
	const char	*name;
	const char	*usage;		/* behind the name */
	const char	*help;		/* one line */
	const struct option_row *options;
	bool		 takes_command;	/* whose words stand behind "--" */
	int		(*run)(struct job_call *);
};

/* What the options said; NULL, 0, -1 or false where they did not. */
struct job_call {
	const struct job_verb *verb;
	struct job_store store;
	bool		 has_store;
	const char	*space;		/* of -n, else "default" */
	bool		 all_spaces;
	struct strvec	 files;
	const char	*output;	/* -o */
	const char	*selector;
	const char	*field_selector;
	const char	*container;
	const char	*condition;	/* --for */
	const char	*target;	/* --to */
	const char	*queue;
	const char	*scheduler;
	const char	*image;
	const char	*dry_run;
	const char	*validate;
	bool		 recursive;
	bool		 watch;
	bool		 no_headers;
	bool		 show_labels;
	bool		 follow;
	bool		 previous;
	bool		 timestamps;
	bool		 prefix;
	bool		 all_containers;
	bool		 input;		/* -i */
	bool		 terminal;	/* -t */
	bool		 all;
	bool		 ignore_not_found;
	bool		 wait;		/* true by default */
	bool		 strict;
	bool		 json;
	long long	 tail;		/* -1: all; -2: none was given */
	int64_t		 since_ns;
	long long	 limit_bytes;
	int64_t		 timeout_ms;	/* -1: none was given */
	long long	 replicas;
	long long	 current_replicas;
	char		**operands;
	int		 count;
	char		**command;	/* behind "--", or NULL */
};

/* All verbs; a NULL name at the end. */
extern const struct job_verb	job_verbs[];

/* The options that may also stand before a verb, and those instead of one. */
extern const struct option_row	job_global_rows[];

/* What takes the place of a verb that kubectl has and this has not; NULL: there
   is no such verb. */
const char	*job_verbs_elsewhere(const char *word);

/*
 * Open the store, and take up the jobs whose runners are gone.  EXIT_DONE, or
 * the reason was printed.  `make`: it is made where there is none.
 */
int	job_call_open(struct job_call *, bool make);

/* Read the manifests that -f names. */
int	job_call_read_files(const struct job_call *, struct manifest *,
	    struct error *);

/* "error: TEXT" on stderr, as kubectl has it.  EXIT_FAILED. */
int	job_call_failed(const struct error *);
int	job_call_refuse(const char *, ...)
	    __attribute__((format(printf, 1, 2)));
/* "Error from server (REASON): TEXT" on stderr.  EXIT_FAILED. */
int	job_call_server_error(const char *reason, const char *, ...)
	    __attribute__((format(printf, 2, 3)));
/* "error: TEXT", and how the verb is called.  EXIT_USAGE. */
int	job_call_misuse(const struct job_call *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

#endif
