/*
 * Looking commands up in their tables, and their names as texts.
 */
#include "applets/vipu/command.h"

#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"

const struct option_row command_no_options[] = {
	{ 0 }
};

/* Tables of options end with a row of zeroes. */
bool
command_has_key(const struct option_row *rows, int key)
{
	while (rows->key != 0 && rows->key != key)
		rows++;
	return rows->key != 0;
}

/*
 * The own commands, then the shared, then the further ones: the order of the
 * help.
 */
const struct command *
command_at(const struct command_line *line, int n)
{
	const struct command	*tables[] = { line->own, line->shared,
	    line->further };
	const struct command	*c;
	size_t			 i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (c = tables[i]; c != NULL && c->verb != NULL; c++)
			if (n-- == 0)
				return c;
	return NULL;
}

/* Whether the word means the entity: "agent" and "agents" are the same. */
static bool
is_entity(const char *word, const char *entity)
{
	size_t	len = strlen(entity);

	return strncmp(word, entity, len) == 0 &&
	    (word[len] == '\0' || strcmp(word + len, "s") == 0);
}

/* The first row that fits, in the order of command_at(). */
const struct command *
command_find(const struct command_line *line, const char *verb,
    const char *entity)
{
	const struct command	*c;
	int			 i;

	for (i = 0; (c = command_at(line, i)) != NULL; i++)
		if (verb != NULL && strcmp(c->verb, verb) == 0 &&
		    (c->entity == NULL ||
		    (entity != NULL && is_entity(entity, c->entity))))
			return c;
	return NULL;
}

/* An alias's row stands behind that of what it is another name of. */
const struct command *
command_original(const struct command *c)
{
	while ((c->flags & COMMAND_ALIAS) != 0)
		c--;
	return c;
}

/* As messages name a command; its usage has the operands besides. */
const char *
command_title(const struct command *c, char text[COMMAND_TITLE_SIZE])
{
	(void)snprintf(text, COMMAND_TITLE_SIZE, "%s%s%s", c->verb, c->entity !=
	    NULL ?
	    " " : "", c->entity != NULL ? c->entity : "");
	return text;
}

/* The plural stands in a list's usage, as the guides write it. */
char *
command_usage(const struct command *c)
{
	return xasprintf("%s%s%s%s%s%s", c->verb, c->entity != NULL ? " " : "",
	    c->entity != NULL ? c->entity : "", c->entity != NULL &&
	    strcmp(c->verb, "list") == 0 ? "s" : "",
	    c->usage[0] != '\0' ? " " : "", c->usage);
}
