/*
 * The tables of commands of vipu and vipu-admin: VERB ENTITY with the options
 * of each.  They drive the parsing, the dispatch, the usage, the help and the
 * completion; vipu-admin has the partition commands of vipu too.
 */
#ifndef APPLETS_VIPU_COMMAND_H
#define APPLETS_VIPU_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "applets/applet.h"
#include "applets/vipu/keys.h"

struct call;

/* What sets a command apart from others. */
enum {
	COMMAND_ALIAS = 1,	     /* another name of the row before */
	COMMAND_NEEDS_NO_CONFIG = 2, /* runs also where files or variables hold
					mistakes */
	COMMAND_RUNS_PROGRAM = 4,    /* whose words stand behind "--" */
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
	const char *verb;
	const char *entity; /* singular, the plural does as well; NULL: the verb
			       stands alone */
	short operands_min;
	short operands_max; /* -1: any number */
	unsigned flags;	    /* of those above */
	const char *usage;  /* behind verb and entity */
	const char *help;   /* one line, NULL: the alias has none */
	const struct option_row *options;
	int (*run)(const struct call *);
	const char *examples; /* as an applet's, or NULL */
};

/* What an applet answers to. */
struct command_line {
	const struct applet *applet;
	const struct command *own;
	const struct command *shared;  /* another applet's, whose help has their
					  options; or NULL */
	void (*print_more)(void);      /* after the options, or NULL */
	const struct command *further; /* own ones behind the shared, or NULL */
	bool admin;		       /* it acts as the administrator */
};

/* The n-th command of all tables; NULL behind the last. */
const struct command *command_at(const struct command_line *, int n);

/*
 * The command of that verb and entity, "agent" or "agents"; the entity does
 * not matter to a verb that stands alone.  NULL for a word that was not given,
 * and where there is no such command.
 */
const struct command *command_find(const struct command_line *,
    const char *verb, const char *entity);

/* The command that an alias is another name of, or the command itself. */
const struct command *command_original(const struct command *);

/* "create partition", or "doctor", into text, which is returned. */
enum { COMMAND_TITLE_SIZE = 64 };
const char *command_title(const struct command *,
    char text[COMMAND_TITLE_SIZE]);

/* "create partition NAME --size N [option ...]", which the caller frees. */
char *command_usage(const struct command *);

/* Of a command that has no options of its own. */
extern const struct option_row command_no_options[];

/* Whether one of the rows has the key. */
bool command_has_key(const struct option_row *rows, int key);

/* The commands of vipu that vipu-admin has as well.  Ends with zeroes. */
extern const struct command partition_commands[];

/*
 * Run what argv asks of the applet: a command of its tables, or the help, the
 * version, a completion.  Returns the exit status.
 */
int cli_run(const struct command_line *, int argc, char **argv);

#endif
