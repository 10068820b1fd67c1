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
	const struct applet *applet;   /* named in messages */
	const struct command *command; /* NULL: missing */
	const char *name;	       /* the first operand, or NULL */
	const char *values[KEY_END];   /* by key; flags: ""; or NULL */
	char **operands;	       /* after verb and entity */
	int operand_count;
	char access_key[CONFIG_VALUE_SIZE + 1]; /* wiped from argv */
	char **words;				/* all words but the options */
	int word_count;
	bool dashes;		     /* "--" before or after the last words */
	struct config config;	     /* options, variables, files */
	struct caller caller;	     /* identity for the controller */
	struct versions versions;    /* which release is emulated */
	enum terminal_colour colour; /* --color */
};

/* Print "NAME: REASON" on stderr, safe for a terminal.  Return EXIT_FAILED. */
int call_error(const struct call *, const struct error *);

/* Print "NAME: TEXT" and the command's usage on stderr.  Return EXIT_USAGE. */
int call_misuse(const struct call *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Take the controller's address and the user from the call's options. */
void call_config_options(const struct call *, struct config_options *);

/* Print "create partition (mypt): success" on stdout, or the refusal "create
   partition (mypt): failed: REASON." on stderr.  Return the status.  As in the
   guides, a full stop follows "success" for all entities but partitions. */
int call_success(const struct call *);
int call_failed(const struct call *, const struct error *);

/* Copy the option's value, the name of an existing object, into NAME_SIZE
   bytes, if it was given.  Names are not cut to fit.  Returns 0, or -1 after
   printing the refusal on stderr. */
int call_name(const struct call *, int key, const char *what, char *name);

/* Parse the option's number, from min to max, if it was given.  Returns 0, or
   -1 after printing the reason on stderr. */
int call_number(const struct call *, int key, long long min, long long max,
    int *value);

/* Open the controller named by the options, the environment or the files, for
   the caller's identity.  NULL: the reason, for call_failed(). */
struct controller *call_open(const struct call *, struct error *);

/* Close the controller (NULL is fine), and warn of anything left over from a
   partition that it removed. */
void call_close(const struct call *, struct controller *);

/* Read the state that the caller may see into a snapshot that the caller
   releases.  Returns the exit status; the reason of a failure is on stderr. */
int call_read_state(const struct call *, struct snapshot *);

/* Do the same with a registry, which shows more; the caller closes it. */
int call_read_registry(const struct call *, struct registry *);

/* Wait until the creation or reset of the call's partition ends.  Then print
   the command's success, or why the partition is not ready and what to try.  *p
   is the partition as last seen, and is updated.  Returns the exit status. */
int call_wait(const struct call *, struct controller *, struct partition *p);

/* Hidden first word; the line to complete follows it. */
#define COMPLETE_WORD "__complete"

/* Print the candidates, one per line: verbs, entities, options, their values
   and existing names.  words[count - 1] is the incomplete word; the call has no
   words yet and supplies the identity. */
int complete(const struct command_line *,
    const struct option_row *global_options, const struct call *, char **words,
    int count);

/* Print the completion script for a shell: vipu completion SHELL. */
int complete_script(const struct call *);

#endif
