/*
 * The description of an applet for main.c, and the functions that every applet
 * answers with.  An applet calls these and the layers below, never another
 * applet.  CONTRIBUTING.md says how to add one.
 */
#ifndef APPLETS_APPLET_H
#define APPLETS_APPLET_H

#include "core/base/options.h"
#include "core/pod/pod.h"

struct applet {
	const char *name;
	const char *purpose;  /* one line, for the list of applets */
	const char *synopsis; /* same text as the manual's SYNOPSIS */
	const struct option_row *options;
	const struct option_values *values; /* allowed option values, for
					       completion; or NULL */
	int operand; /* enum candidates_kind of the operands; 0: none */
	const char *examples; /* shell lines, indented by two spaces */
	int (*main)(int argc, char **argv);
};

/* All applets, sorted by name; ends with NULL. */
extern const struct applet *const all_applets[];

/* Exit statuses of every applet.  An applet that runs a program can also return
   that program's status, 126 (cannot execute) or 127 (not found). */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Register all applets (`table` ends with NULL), and argv[0] (`called`), by
   which this program's file is found. main() must call it before all others.
   Keeps both pointers. */
void applet_register(const struct applet *const *table, const char *called);

/* Return the registered applet of that name, or NULL. */
const struct applet *applet_find(const char *name);

/* Print the names of all applets, each after a space. */
void applet_put_names(FILE *);

/* Print usage, purpose, options and examples on stdout.  Returns EXIT_DONE. */
int applet_help(const struct applet *);

/* Print the section "Examples" of a help; nothing if `examples` is NULL. */
void applet_examples(FILE *, const char *examples);
/* Print "usage: NAME SYNOPSIS", wrapped to 80 columns. */
void applet_usage(FILE *, const struct applet *, const char *synopsis);
/* Print "usage: NAME " with only the synopsis's first line.  If the line is too
   long, "[option ...] (--help lists them)" replaces all from its first option
   on. */
void applet_usage_line(FILE *, const struct applet *, const char *synopsis);

/* Print "NAME: TEXT" and applet_usage_line() on stderr.  Returns EXIT_USAGE. */
int applet_misuse(const struct applet *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Print "NAME: REASON" on stderr.  Returns EXIT_FAILED. */
int applet_failed(const struct applet *, const struct error *);

/* Print "ipubox VERSION (NAME)" on stdout.  Returns EXIT_DONE. */
int applet_version(const struct applet *);

/* Execute `program`, an argv that ends with NULL, in place of this process.
   The environment is unchanged.  An applet's name that the PATH lacks starts
   that applet of this program's own file.  Returns only on failure: 127 if the
   program is not found, else 126, with "NAME: REASON" on stderr. */
int applet_become(const struct applet *, char *const *program);

/* Find the SDK release to emulate (settings_emulate_sdk()).  Returns EXIT_DONE;
   or EXIT_FAILED, with the reason on stderr, if IPUBOX_EMULATE_SDK is invalid.
   A refused settings file is not a failure here, and its release is not used:
   the code that uses the pod reports it. */
int applet_versions(const struct applet *, struct versions *);

/* Print "NAME: PROBLEM" on stderr for each invalid option of the GCDA library
   (core/state/gcda_options.h) in the environment. */
void applet_check_gcda(const struct applet *);

/* ipubox help: show the manual of that name; NULL, "-h" and "--help" list all
   manuals.  On a terminal, waits until $PAGER ends.  Returns EXIT_DONE; or
   EXIT_FAILED, with the reason on stderr, if the manual does not exist. */
int help_main(const char *name);
/* Print LICENSE and the libraries' notices.  Returns EXIT_DONE. */
int help_licenses(void);
struct candidates;
/* Offer the names of all manuals for completion. */
void help_offer(const struct candidates *);

/*
 * ipubox --install, --install-sdk and --unpack: links with the names of the
 * applets to the program's file, and the files that users need to build
 * programs.  The functions return EXIT_DONE, or EXIT_FAILED with the reason on
 * stderr.
 */

/* Text in the help of every ipubox only: a file with it may be replaced. */
extern const char install_mark[];

struct install {
	const struct applet *const *applets; /* ends with NULL */
	const char *called;		     /* argv[0] as it came */
	const char *directory;		     /* receives the files */
	bool symbolic; /* --install: links are symbolic, not hard */
	bool force; /* replace other programs' files; links may hide programs of
		       the PATH; the SDK may join other files */
};

/* Create a link to this program's file in the directory, which must exist, for
   each applet and for "ipubox". */
int install_links(const struct install *);
/* Write the SDK into the directory, and print the command to use it.  Creates
   the directory, but not its parent, as install_unpack() does. */
int install_sdk(const struct install *);
/* Copy this program's file into bin/ of the directory, with hard links to the
   copy, and write the SDK into sdk/. */
int install_unpack(const struct install *);

#endif
