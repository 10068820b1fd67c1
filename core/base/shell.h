/*
 * Commands that a shell reads by its eval: variables set and taken away.
 */
#ifndef CORE_BASE_SHELL_H
#define CORE_BASE_SHELL_H

#include <stdio.h>

struct shell;

/* What --shell may be, for a person. */
#define SHELL_WORDS	"sh, csh or fish"

/* The family of the shell, or NULL: "bash" reads what sh does. */
const struct shell	*shell_find(const char *name);

/* One command that sets the variable, or takes it away (value NULL). */
void	shell_put_variable(FILE *, const struct shell *, const char *name,
	    const char *value);

#endif
