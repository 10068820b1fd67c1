/*
 * Finding commands in their tables, and their names as texts.
 */
#include "applets/vipu/command.h"

#include <stdio.h>
#include <string.h>

#include "applets/candidates.h"
#include "applets/vipu/keys.h"
#include "core/base/alloc.h"
#include "core/base/strvec.h"

const struct option_row command_no_options[] = {
	{ 0 },
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
 * The order is that of the help: own, shared and further commands.
 */
const struct command *
command_at(const struct command_line *line, int n)
{
	const struct command *tables[] = { line->own, line->shared,
		line->further };
	const struct command *c;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (c = tables[i]; c != NULL && c->verb != NULL; c++)
			if (n-- == 0)
				return c;
	return NULL;
}

/* Whether the word means the entity: "agent" and "agents" are equal. */
static bool
is_entity(const char *word, const char *entity)
{
	size_t len = strlen(entity);

	return strncmp(word, entity, len) == 0 &&
	    (word[len] == '\0' || strcmp(word + len, "s") == 0);
}

/* Find the first matching row in the order of command_at(). */
const struct command *
command_find(const struct command_line *line, const char *verb,
    const char *entity)
{
	const struct command *c;
	int i;

	for (i = 0; (c = command_at(line, i)) != NULL; i++)
		if (verb != NULL && strcmp(c->verb, verb) == 0 &&
		    (c->entity == NULL ||
			(entity != NULL && is_entity(entity, c->entity))))
			return c;
	return NULL;
}

/* The row of an alias follows the row of its original. */
const struct command *
command_original(const struct command *c)
{
	while ((c->flags & COMMAND_ALIAS) != 0)
		c--;
	return c;
}

/* Messages use the title.  That of a list has the plural, as in the guides. */
const char *
command_title(const struct command *c, char text[COMMAND_TITLE_SIZE])
{
	(void)snprintf(text, COMMAND_TITLE_SIZE, "%s%s%s%s", c->verb,
	    c->entity != NULL ? " " : "", c->entity != NULL ? c->entity : "",
	    strcmp(c->verb, "list") == 0 ? "s" : "");
	return text;
}

/* The usage also has the operands. */
char *
command_usage(const struct command *c)
{
	char title[COMMAND_TITLE_SIZE];

	return xasprintf("%s%s%s", command_title(c, title),
	    c->usage[0] != '\0' ? " " : "", c->usage);
}

/* ---- the values of options ---- */

const struct option_values values_table[] = {
	{ .key = 'H', .words = "local" },
	{ .key = KEY_ADD_AGENTS, .kind = CANDIDATES_AGENTS },
	{ .key = KEY_AGENTS, .kind = CANDIDATES_AGENTS },
	{ .key = KEY_REMOVE_AGENTS, .kind = CANDIDATES_AGENTS },
	{ .key = KEY_ADD_ALLOCATIONS, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_ALLOCATION, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_ALLOCATIONS, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_REMOVE_ALLOCATIONS, .kind = CANDIDATES_ALLOCATIONS },
	{ .key = KEY_CLUSTER, .kind = CANDIDATES_CLUSTERS },
	{ .key = KEY_USER_ID, .kind = CANDIDATES_USERS },
	{ .key = KEY_POD, .kind = CANDIDATES_PODS },
	{ .key = KEY_CLUSTER_TOPOLOGY, .words = "looped or switched" },
	{ .key = KEY_FOR, .words = "active, removed or free=N" },
	{ .key = KEY_FORMAT, .words = "table, json or csv" },
	{ .key = KEY_GATEWAY_ROUTING, .words = "ring or swring" },
	{ .key = KEY_ROUTING, .words = "dnc, swnc, btnc or ringswnc" },
	{ .key = KEY_SHELL, .words = SHELL_WORDS },
	{ .key = KEY_SIZE, .words = "1, 2, 4, 8, 16, 32, 64" },
	{ .key = KEY_STYLE, .words = "new, mid or old" },
	{ .key = KEY_SYNC_TYPE,
	    .words = "c2-compatible, pod-native-default or "
		     "pod-native-replicated-pipeline" },
	{ .key = KEY_TOPOLOGY, .words = "mesh or torus" },
	{ 0 },
};

const char *
values_words(int key)
{
	return options_values(values_table, key)->words;
}
