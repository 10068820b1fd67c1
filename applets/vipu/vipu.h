/*
 * The partition commands, which vipu and vipu-admin share: what was asked,
 * the table of commands, and how each answers.
 */
#ifndef APPLETS_VIPU_VIPU_H
#define APPLETS_VIPU_VIPU_H

#include <stdbool.h>
#include <stdio.h>

#include "applets/applet.h"
#include "core/base/error.h"

/* Keys of the options; 'H' and 'h' stand for themselves. */
enum {
	KEY_ALLOCATION = OPTIONS_LONG,
	KEY_CLUSTER,
	KEY_FORCE,
	KEY_GATEWAY_ROUTING,
	KEY_GCD,
	KEY_INDEX,
	KEY_IPUOF_CONFIGS,
	KEY_IPUOF_LOCATION,
	KEY_NO_AUTO_RESET,
	KEY_NUM_GCDS,
	KEY_NUM_ILDS,
	KEY_NUM_REPLICAS,
	KEY_OPTIONS,
	KEY_RECONFIGURABLE,
	KEY_RELOCATABLE,
	KEY_ROUTING,
	KEY_SERVER_VERSION,
	KEY_SIZE,
	KEY_STYLE,
	KEY_SYNC_TYPE,
	KEY_VERSION,
	KEY_END
};

struct command;

/* A parsed command line. */
struct call {
	const struct applet	*applet;	/* in whose name it speaks */
	const struct command	*command;	/* NULL: none was given */
	const char		*name;		/* NAME, or NULL */
	const char		*values[KEY_END]; /* by key; "" for a flag,
						   NULL: not given */
	char			**words;	/* what is no option */
	int			 word_count;
};

struct command {
	const char	*verb;
	const char	*entity;	/* singular; the plural does as well */
	bool		 named;		/* takes a NAME */
	const char	*usage;		/* behind verb, entity and NAME */
	const char	*help;		/* one line, or NULL for an alias */
	const struct option_row *options;
	int		(*run)(const struct call *);
};

extern const struct option_row create_options[], list_options[],
	get_options[], remove_options[];

int	create_partition(const struct call *);
int	list_partitions(const struct call *);
int	get_partition(const struct call *);
int	remove_partition(const struct call *);

/* Whether the word means the entity: "agent" and "agents" are the same. */
bool	is_entity(const char *word, const char *entity);

/* Whether the command line is one of these commands. */
bool	is_partition_command(int argc, char **argv);

/* Run the command line in the name of the applet; the exit status. */
int	partition_command(const struct applet *, int argc, char **argv);

/* The commands and their options, as for --help. */
void	partition_commands_print(FILE *);

/* ---- for the commands ---- */

/* "NAME: TEXT" and this command's usage on stderr. Returns EXIT_USAGE. */
int	call_misuse(const struct call *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

/*
 * "create partition (mypt): success" on stdout, and the refusal
 * "create partition (mypt): failed: REASON." on stderr.  Return the status.
 */
int	call_success(const struct call *);
int	call_failed(const struct call *, const struct error *);

/*
 * The option's number, from min to max, if it was given.  -1 when it is none;
 * the reason stands on stderr.
 */
int	call_number(const struct call *, int key, long long min,
	    long long max, int *value);

#endif
