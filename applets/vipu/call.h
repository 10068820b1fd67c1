/*
 * A parsed command line of vipu or vipu-admin, and how a command answers it.
 */
#ifndef APPLETS_VIPU_CALL_H
#define APPLETS_VIPU_CALL_H

#include <stdbool.h>

#include "applets/vipu/command.h"
#include "core/base/error.h"
#include "core/base/terminal.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/* A parsed command line. */
struct call {
	const struct applet *applet;   /* in whose name it speaks */
	const struct command *command; /* NULL: none was given */
	const char *name;	       /* the first operand, or NULL */
	const char *values[KEY_END];   /* by key; "" for a flag, NULL: not
					  given */
	char **operands;	       /* behind verb and entity */
	int operand_count;
	char **words; /* all that are not options */
	int word_count;
	bool dashes;		     /* "--" stood before the last words, or
					behind them */
	struct config config;	     /* options, variables, files */
	struct caller caller;	     /* in whose name a controller is opened */
	struct versions versions;    /* which release is emulated */
	enum terminal_colour colour; /* --color */
};

/* "NAME: REASON", made fit for a terminal, on stderr. Returns EXIT_FAILED. */
int call_error(const struct call *, const struct error *);

/* "NAME: TEXT" and this command's usage on stderr. Returns EXIT_USAGE. */
int call_misuse(const struct call *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* What the call's options say of the controller and of who asks it. */
void call_config_options(const struct call *, struct config_options *);

/*
 * "create partition (mypt): success" on stdout, and the refusal
 * "create partition (mypt): failed: REASON." on stderr.  Return the status.
 * As in the guides, other entities than partitions have a full stop behind
 * "success".
 */
int call_success(const struct call *);
int call_failed(const struct call *, const struct error *);

/*
 * The option's name of something that must exist, into NAME_SIZE bytes, if it
 * was given.  -1 when that is not a name, which is not cut to fit; the refusal
 * stands on stderr.
 */
int call_name(const struct call *, int key, const char *what, char *name);

/*
 * The option's number, from min to max, if it was given.  -1 when it is none;
 * the reason stands on stderr.
 */
int call_number(const struct call *, int key, long long min, long long max,
    int *value);

/*
 * The controller that the options, the environment and the files name, asked in
 * the caller's name.  NULL: the reason, for call_failed().
 */
struct controller *call_open(const struct call *, struct error *);

/*
 * Close the controller (NULL is fine), and warn of what stayed behind a
 * partition that it removed.
 */
void call_close(const struct call *, struct controller *);

/*
 * What the caller may see now, into a snapshot that is to be released.  Returns
 * the exit status; where that is not EXIT_DONE the reason stands on stderr.
 */
int call_read_state(const struct call *, struct snapshot *);

/* The same as a registry, which is to be closed, for who shows more. */
int call_read_registry(const struct call *, struct registry *);

/*
 * Wait until the creation or reset of the call's partition ends, and say how
 * it did: the command's success, or why the partition is not ready and what
 * to try.  *p is the partition as it was last seen, and as it is then.
 * Returns the exit status.
 */
int call_wait(const struct call *, struct controller *, struct partition *p);

/* A hidden first word, behind which the line to complete stands. */
#define COMPLETE_WORD "__complete"

/*
 * Print the candidates, one per line: verbs, entities, options, their values
 * and the names of what there is.  words[count - 1] is the begun word; the
 * call has no words and is asked in its caller's name.
 */
int complete(const struct command_line *,
    const struct option_row *global_options, const struct call *, char **words,
    int count);

/* vipu completion SHELL: the script that asks. */
int complete_script(const struct call *);

#endif
