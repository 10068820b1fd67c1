/*
 * A parsed command line of vipu or vipu-admin, and how a command answers it.
 */
#ifndef APPLETS_VIPU_CALL_H
#define APPLETS_VIPU_CALL_H

#include "applets/vipu/command.h"
#include "core/base/terminal.h"
#include "core/control/control.h"

/* A parsed command line.  For a command with COMMAND_NEEDS_NO_CONFIG, `config`,
   `caller` and `versions` are zero. */
struct call {
	const struct applet *applet;   /* named in messages */
	const struct command *command; /* NULL: missing */
	const char *name;	       /* the first operand, or NULL */
	const char *values[KEY_END];   /* by option key; "" for a flag; or
					  NULL */
	char **operands;	       /* after verb and entity */
	int operand_count;
	char access_key[CONFIG_VALUE_SIZE + 1]; /* wiped from argv */
	char **words;				/* all words but the options */
	int word_count;
	bool dashes;		     /* "--" ended the options */
	struct config config;	     /* options, variables, files */
	struct caller caller;	     /* identity for the controller */
	struct versions versions;    /* which release is emulated */
	enum terminal_colour colour; /* --color */
};

/* Print "NAME: REASON" on stderr, or "unable to connect to ..." without NAME.
   A hint, after a line break, has its own line.  Return EXIT_FAILED. */
int call_error(const struct call *, const struct error *);

/* Print "NAME: TEXT" and the command's usage on stderr.  Return EXIT_USAGE. */
int call_misuse(const struct call *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Point the config_options to the texts of the call's options. */
void call_config_options(const struct call *, struct config_options *);

/* Print "create partition (mypt): success" on stdout, or the refusal "create
   partition (mypt): failed: REASON." on stderr.  For an error "unable to
   connect to ..." call_failed() does the same as call_error(). call_success()
   returns EXIT_DONE, call_failed() EXIT_FAILED.  As in the guides, a full stop
   follows "success" except for partitions. */
int call_success(const struct call *);
int call_failed(const struct call *, const struct error *);

/* Copy option `key`, an object's name, into NAME_SIZE bytes; if it was not
   given, `name` stays.  `what` is its kind, for the error.  Returns 0, or -1
   after call_failed(): the name is malformed. */
int call_name(const struct call *, int key, const char *what, char *name);

/* Parse the number of option `key`, from min to max; if the option was not
   given, *value stays.  Returns 0, or -1 after call_misuse(). */
int call_number(const struct call *, int key, long long min, long long max,
    int *value);

/* Open the controller that call->config names, for call->caller.  NULL: failed;
   pass the error to call_failed().  End with call_close(). */
struct controller *call_open(const struct call *, struct error *);

/* Warn if the snapshot lacks a partition, because its file is damaged. */
void call_warn_damage(const struct call *, const struct snapshot *);

/* Close the controller (NULL is fine), and warn of anything left over from a
   partition that it removed. */
void call_close(const struct call *, struct controller *);

/* Read the state that the user may see into a snapshot.  Returns EXIT_DONE, and
   the caller must release it; or EXIT_FAILED, with the reason on stderr and
   nothing to release. */
int call_read_state(const struct call *, struct snapshot *);

/* Do the same with a registry, which shows more; the caller must close it. */
int call_read_registry(const struct call *, struct registry *);

/* Wait, without a time limit, until the creation or reset of the partition *p
   ends; *p is as last seen, and is updated.  Then print the command's success,
   or why the partition is not ready and what to try.  Returns EXIT_DONE if it
   is ready, else EXIT_FAILED. */
int call_wait(const struct call *, struct controller *, struct partition *p);

/* Print the candidates, one per line: verbs, entities, options, their values
   and existing names.  `words` is the line to complete, and words[count - 1]
   its incomplete last word.  The call only supplies the user.  Returns
   EXIT_DONE or CANDIDATES_CLOSED. */
int complete(const struct command_line *,
    const struct option_row *global_options, const struct call *, char **words,
    int count);

/* Print the completion script for a shell: vipu completion SHELL. */
int complete_script(const struct call *);

#endif
