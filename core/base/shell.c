/*
 * Setting variables in the syntax of sh(1), csh(1) and fish(1).
 */
#include "core/base/strvec.h"

#include <string.h>

/* How a shell sets and unsets a variable, and which characters need escaping in
   single quotes.  Each line ends in ';', because csh's eval joins all lines. */
struct shell {
	const char *name;
	const char *set; /* before the variable's name */
	const char *is;	 /* between name and value */
	const char *unset;
	const char *special; /* characters that need `escape` before them */
	const char *escape;
	const char *close; /* after such a character */
};

static const struct shell shells[] = {
	/* 'it'\''s': leave the quotes, the character, and enter them again */
	{ "sh", "export ", "=", "unset ", "'", "'\\", "'" },
	{ "csh", "setenv ", " ", "unsetenv ", "'!", "'\\", "'" },
	{ "fish", "set -gx ", " ", "set -e ", "'\\", "\\", "" },
	{ 0 },
};

const struct shell *
shell_find(const char *name)
{
	const struct shell *s = shells;

	/* Shells with the syntax of another. */
	if (strcmp(name, "bash") == 0 || strcmp(name, "zsh") == 0 ||
	    strcmp(name, "dash") == 0 || strcmp(name, "ksh") == 0)
		name = "sh";
	else if (strcmp(name, "tcsh") == 0)
		name = "csh";
	while (s->name != NULL && strcmp(s->name, name) != 0)
		s++;
	return s->name != NULL ? s : NULL;
}

void
shell_put_variable(FILE *out, const struct shell *shell, const char *name,
    const char *value)
{
	if (value == NULL) {
		fprintf(out, "%s%s;\n", shell->unset, name);
		return;
	}
	fprintf(out, "%s%s%s'", shell->set, name, shell->is);
	for (; *value != '\0'; value++) {
		if (strchr(shell->special, *value) != NULL)
			fprintf(out, "%s%c%s", shell->escape, *value,
			    shell->close);
		else
			putc(*value, out);
	}
	fprintf(out, "';\n");
}
