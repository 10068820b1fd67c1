/*
 * What main.c knows of an applet, and what every applet needs to answer.
 * An applet calls this and what is below it, never another applet.
 * CONTRIBUTING.md says how to add one.
 */
#ifndef APPLETS_APPLET_H
#define APPLETS_APPLET_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/options.h"
#include "core/pod/pod.h"

struct applet {
	const char *name;
	const char *purpose;  /* one line, for the list of applets */
	const char *synopsis; /* as in the manual's SYNOPSIS */
	const struct option_row *options;
	const struct option_values *values; /* of the options, whose kinds are
					       candidates.h's; or NULL */
	int operand;			    /* kind of what it is for, or 0 */
	const char *examples;		    /* lines for a shell, each after two
					       spaces */
	int (*main)(int argc, char **argv);
};

/* All applets, sorted by name; ends with NULL. */
extern const struct applet *const all_applets[];

/* Exit statuses of every applet; poprun adds its child's. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Before anything else: all applets, ending with NULL, and argv[0] as it came,
   from which this program's own file is found.  Both are kept, not copied. */
void applet_register(const struct applet *const *table, const char *called);

/* The applet of that name, or NULL. */
const struct applet *applet_find(const char *name);

/* Prints the names of all applets, each after a space. */
void applet_put_names(FILE *);

/* Prints the whole help on stdout: usage, purpose, options, examples.
   Returns EXIT_DONE. */
int applet_help(const struct applet *);

/* Prints the section "Examples" that ends a help; none where it is NULL. */
void applet_examples(FILE *, const char *examples);

/* "usage: NAME SYNOPSIS": the whole on lines of at most 80 columns, and its
   first form on one, where "[option ...]" stands for what has no room. */
void applet_usage(FILE *, const struct applet *, const char *synopsis);
void applet_usage_line(FILE *, const struct applet *, const char *synopsis);

/* "NAME: TEXT" and one usage line on stderr. Returns EXIT_USAGE. */
int applet_misuse(const struct applet *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* "NAME: REASON" on stderr. Returns EXIT_FAILED. */
int applet_failed(const struct applet *, const struct error *);

/* "ipubox VERSION (NAME)" on stdout. Returns EXIT_DONE. */
int applet_version(const struct applet *);

/* Become the program, given with its arguments as a user typed it, with the
   environment as it is.  Only a failure comes back: its exit status, with
   "NAME: REASON" on stderr. */
int applet_become(const struct applet *, char *const *program);

/* Which release of the SDK the applet is of.  EXIT_DONE; or EXIT_FAILED with
   the reason on stderr, where the variable is not valid.  Settings files that
   are refused do not count here: the code that uses the pod reports them. */
int applet_versions(const struct applet *, struct versions *);

/* "NAME: PROBLEM" on stderr for each malformed GCDA option or variable. */
void applet_check_gcda(const struct applet *);

#endif
