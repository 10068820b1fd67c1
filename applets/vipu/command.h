/*
 * The tables of commands of vipu and vipu-admin: VERB ENTITY with the options
 * of each.  They drive the parsing, the dispatch, the usage, the help and the
 * completion.  vipu-admin also has the partition commands of vipu.
 */
#ifndef APPLETS_VIPU_COMMAND_H
#define APPLETS_VIPU_COMMAND_H

#include "applets/applet.h"
#include "applets/vipu/keys.h"

struct call;

/* Properties of a command. */
enum {
	COMMAND_ALIAS = 1,	     /* another name of the row before */
	COMMAND_NEEDS_NO_CONFIG = 2, /* runs even with broken settings */
	COMMAND_RUNS_PROGRAM = 4,    /* the program follows "--" */
	/* Kind of the first operand, if the command has no entity. */
	COMMAND_TAKES_PARTITION = 8,
	COMMAND_TAKES_AGENT = 16,
	COMMAND_TAKES_SHELL = 32
};

/* A command; a table ends with a row of zeroes.  Commands may share options,
   but an option means the same in all of them. */
struct command {
	const char *verb;
	const char *entity; /* singular (the plural is accepted too); NULL: the
			       verb stands alone */
	short operands_min;
	short operands_max; /* -1: any number */
	unsigned flags;	    /* COMMAND_ bits */
	const char *usage;  /* after verb and entity */
	const char *help;   /* one line; NULL for an alias */
	const struct option_row *options;
	int (*run)(const struct call *);
	const char *examples; /* as an applet's, or NULL */
};

/* The commands of an applet.  Its help has no options of the shared ones. */
struct command_line {
	const struct applet *applet;
	const struct command *own;
	const struct command *shared;  /* another applet's, or NULL */
	void (*print_more)(void);      /* after the options, or NULL */
	const struct command *further; /* own ones after the shared, or NULL */
	bool admin;		       /* acts as administrator */
};

/* Return the n-th command, from 0, of own, shared and further ones in this
   order; NULL after the last. */
const struct command *command_at(const struct command_line *, int n);

/* Find the command of a verb and an entity ("agent" or "agents").  The entity
   is ignored for a verb that stands alone.  NULL: a word is missing, or no such
   command exists. */
const struct command *command_find(const struct command_line *,
    const char *verb, const char *entity);

/* Return the command that an alias stands for, or the command itself. */
const struct command *command_original(const struct command *);

/* Write "create partition", "list partitions" or "doctor" into text, and return
   text. */
enum { COMMAND_TITLE_SIZE = 64 };
const char *command_title(const struct command *,
    char text[COMMAND_TITLE_SIZE]);

/* Return "create partition NAME --size N [option ...]", freed by the caller. */
char *command_usage(const struct command *);

/* The empty option table. */
extern const struct option_row command_no_options[];

/* Whether one of the rows has the key. */
bool command_has_key(const struct option_row *rows, int key);

/* The commands of vipu that vipu-admin has too; ends with zeroes. */
extern const struct command partition_commands[];

/* Run the command, help, version or completion of argv; returns the exit
   status. */
int cli_run(const struct command_line *, int argc, char **argv);

#endif
