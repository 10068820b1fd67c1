/*
 * How a command line of poprun, and a stored one before it, become settings.
 */
#ifndef APPLETS_POPRUN_COMMAND_LINE_H
#define APPLETS_POPRUN_COMMAND_LINE_H

#include "core/launch/plan/plan.h"

/* What the command line asks for. */
enum request {
	COMMAND_LINE_LAUNCH,
	COMMAND_LINE_HELP,
	COMMAND_LINE_VERSION,
	COMMAND_LINE_MISUSE	/* the error says why; exit status 2 */
};

/*
 * Settings that nothing was said about; command_line_release() frees what
 * command_line_read() adds.
 */
void	command_line_init(struct launch_settings *);
void	command_line_release(struct launch_settings *);

/*
 * Read the command line, and before it the file that --import-config names:
 * where an option stands in both, the command line's counts, and so does its
 * program with all its arguments.  All options that are not known are named in
 * one error.  The words of argv must last as long as the settings.
 */
enum request	command_line_read(struct launch_settings *, int argc,
			    char **argv, struct error *);

/*
 * Write what was said into the file that --export-config names, or, where it
 * is there and may not be overwritten, into one with the time behind its name.
 */
int	command_line_export(const struct launch_settings *, struct error *);

#endif
