/*
 * The command lines of vipu and vipu-admin: VERB ENTITY [OPERAND ...] with
 * options anywhere.  Tables of commands drive the parsing, the dispatch, the
 * usage and the help; vipu-admin has the partition commands of vipu too.
 */
#ifndef APPLETS_VIPU_CLI_H
#define APPLETS_VIPU_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "applets/applet.h"
#include "applets/vipu/keys.h"
#include "core/base/error.h"
#include "core/control/config.h"

struct command;

/* A parsed command line. */
struct call {
	const struct applet	*applet;	/* in whose name it speaks */
	const struct command	*command;	/* NULL: none was given */
	const char		*name;		/* the first operand, or NULL */
	const char		*values[KEY_END]; /* by key; "" for a flag,
						   NULL: not given */
	char			**operands;	/* behind verb and entity */
	int			 operand_count;
	char			**words;	/* all that is no option */
	int			 word_count;
	bool			 dashes;	/* "--" stood before the last
						   words, or behind them */
	struct config		 config;	/* options, variables, files */
	struct caller		 caller;	/* in whose name a controller
						   is opened */
};

/* What sets a command apart from others. */
enum {
	COMMAND_ALIAS = 1,		/* another name of the row before */
	COMMAND_NEEDS_NO_CONFIG = 2,	/* runs also where files or variables
					   hold mistakes */
	COMMAND_RUNS_PROGRAM = 4,	/* whose words stand behind "--" */
	/* What the first operand names, where there is no entity. */
	COMMAND_TAKES_PARTITION = 8,
	COMMAND_TAKES_AGENT = 16,
	COMMAND_TAKES_SHELL = 32
};

/*
 * A command; a table of them ends with a row of zeroes.  Commands may share
 * options, but one name means the same, with or without an argument, in all.
 */
struct command {
	const char	*verb;
	const char	*entity;	/* singular, the plural does as well;
					   NULL: the verb stands alone */
	int		 operands_min;
	int		 operands_max;	/* -1: any number */
	const char	*usage;		/* behind verb and entity */
	const char	*help;		/* one line, NULL: the alias has none */
	const struct option_row *options;
	int		(*run)(const struct call *);
	unsigned	flags;		/* of those above */
};

/* What an applet answers to. */
struct command_line {
	const struct applet	*applet;
	const struct command	*own;
	const struct command	*shared;	/* another applet's, whose
						   help has their options; or
						   NULL */
	void			(*print_more)(void); /* behind the help, or
						   NULL */
	const struct command	*further;	/* own ones behind the shared,
						   or NULL */
	bool			 admin;		/* it acts as the
						   administrator */
};

/* The n-th command of all tables; NULL behind the last. */
const struct command	*cli_command_at(const struct command_line *, int n);

/* Run argv; the exit status. */
int	cli_run(const struct command_line *, int argc, char **argv);

/* ---- for the commands ---- */

/* "NAME: TEXT" and this command's usage on stderr. Returns EXIT_USAGE. */
int	cli_misuse(const struct call *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

/* What the call's options say of the controller and of who asks it. */
void	call_config_options(const struct call *, struct config_options *);

/*
 * "create partition (mypt): success" on stdout, and the refusal
 * "create partition (mypt): failed: REASON." on stderr.  Return the status.
 * As in the guides, other entities than partitions have a full stop behind
 * "success".
 */
int	cli_success(const struct call *);
int	cli_failed(const struct call *, const struct error *);

/*
 * The option's name of something that must exist, into NAME_SIZE bytes, if it
 * was given.  -1 when that is not a name, which is not cut to fit; the refusal
 * stands on stderr.
 */
int	call_name(const struct call *, int key, const char *what, char *name);

/*
 * The option's number, from min to max, if it was given.  -1 when it is none;
 * the reason stands on stderr.
 */
int	cli_number(const struct call *, int key, long long min,
	    long long max, int *value);

#endif
