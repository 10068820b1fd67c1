/*
 * What main.c knows of an applet, and what every applet needs to answer.
 *
 * To add one: a file applets/NAME.c that defines NAME_applet, a line here and
 * a line in main.c's table, man/NAME.1 and tests/cli/NAME.t.
 */
#ifndef APPLETS_APPLET_H
#define APPLETS_APPLET_H

#include "core/base/error.h"
#include "core/base/options.h"

struct strvec;

struct applet {
	const char	*name;
	const char	*purpose;	/* one line, for the list of applets */
	const char	*synopsis;	/* arguments behind the name, as in the
					   manual's SYNOPSIS */
	const struct option_row *options;
	int		(*main)(int argc, char **argv);
};

extern const struct applet copy_ssh_applet;
extern const struct applet gc_info_applet;
extern const struct applet gc_monitor_applet;
extern const struct applet ipubox_train_applet;
extern const struct applet mnist_pipeline_applet;
extern const struct applet popdist_env_applet;
extern const struct applet poprun_applet;
extern const struct applet vipu_admin_applet;
extern const struct applet vipu_applet;

/* Exit statuses of every applet; poprun adds its child's. */
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2
};

/* The whole help on stdout: usage, purpose, options. Returns EXIT_DONE. */
int	applet_help(const struct applet *);

/*
 * "usage: NAME SYNOPSIS": the whole on lines of at most 80 columns, and its
 * first form on one, where "[option ...]" stands for what has no room.
 */
void	applet_usage(FILE *, const struct applet *, const char *synopsis);
void	applet_usage_line(FILE *, const struct applet *, const char *synopsis);

/* "NAME: TEXT" and one usage line on stderr. Returns EXIT_USAGE. */
int	applet_misuse(const struct applet *, const char *, ...)
	    __attribute__((format(printf, 2, 3)));

/* "ipubox VERSION (NAME)" on stdout. Returns EXIT_DONE. */
int	applet_version(const struct applet *);

/*
 * What starts a program, given with its arguments as a user typed it: the file
 * to execute in *path, which the caller frees, and the argv, which is added to
 * `command`.  An applet, or ipubox, that the PATH does not have is our own
 * file: "FILE APPLET ARGUMENT ...".  0, or program_find()'s status and the
 * reason.
 */
int	applet_find_program(char *const *program, char **path,
	    struct strvec *command, struct error *);

#endif
