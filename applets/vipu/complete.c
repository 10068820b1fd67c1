/*
 * Completion of a command line, from the tables of commands that also parse it.
 * The scripts of bash and zsh call it by a hidden first word.
 */
#include "applets/vipu/call.h"

#include <stdio.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/candidates.h"
#include "applets/vipu/keys.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

/* Generated at build time from config/completions; see put_script(). */
extern const char completion_bash_text[], completion_zsh_text[];

/* A line up to the word that is completed. */
struct begun_line {
	struct candidates candidates;
	const struct command_line *tables;
	const struct option_row *globals;
	const char *verb, *entity;     /* or NULL */
	int operands;		       /* number of operands after them */
	const struct command *command; /* or NULL */
};

/* Find the option of that word in all commands, or return NULL. */
static const struct option_row *
complete_find_option(void *context, const char *word)
{
	const struct begun_line *l = context;
	const struct option_row *row = candidates_find(l->globals, word);
	const struct command *c;
	int i;

	for (i = 0; row == NULL && (c = command_at(l->tables, i)) != NULL; i++)
		row = candidates_find(c->options, word);
	return row;
}

static bool
complete_read_word(void *context, const char *word)
{
	struct begun_line *l = context;

	if (l->verb == NULL)
		l->verb = word;
	else if (l->entity == NULL)
		l->entity = word;
	else
		l->operands++;
	return true;
}

static void
complete_find_command(struct begun_line *l)
{
	l->command = command_find(l->tables, l->verb, l->entity);
	/* The word in the entity's place is an operand. */
	if (l->command != NULL && l->command->entity == NULL &&
	    l->entity != NULL)
		l->operands++;
}

/* Return the kind of the operand of "get cluster" and the like. */
static enum candidates_kind
kind_of_entity(const char *entity)
{
	static const struct {
		const char *entity;
		enum candidates_kind kind;
	} rows[] = {
		{ "partition", CANDIDATES_PARTITIONS },
		{ "allocation", CANDIDATES_ALLOCATIONS },
		{ "cluster", CANDIDATES_CLUSTERS },
		{ "agent", CANDIDATES_AGENTS },
		{ "user", CANDIDATES_USERS },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].entity, entity) == 0)
			return rows[i].kind;
	return CANDIDATES_NOTHING;
}

/* Offer each verb once, or the entities of a verb. */
static void
offer_commands(const struct begun_line *l)
{
	const struct command *c, *before;
	char word[64];
	int i, k;

	for (i = 0; (c = command_at(l->tables, i)) != NULL; i++) {
		if (l->verb == NULL) {
			for (k = 0; (before = command_at(l->tables, k)) != c &&
			     strcmp(before->verb, c->verb) != 0;
			     k++)
				;
			if (before == c)
				candidates_offer(&l->candidates, c->verb);
		} else if (c->entity != NULL && strcmp(c->verb, l->verb) == 0) {
			(void)snprintf(word, sizeof(word), "%s%s", c->entity,
			    strcmp(c->verb, "list") == 0 ? "s" : "");
			candidates_offer(&l->candidates, word);
		}
	}
}

/*
 * Offer names for the first operand only; the name of a new partition is free.
 */
static int
offer_operands(const struct begun_line *l)
{
	const struct candidates *shown = &l->candidates;
	const struct command *c = l->command;

	if (l->operands > 0)
		return EXIT_DONE;
	if (c->entity != NULL && c->operands_max != 0 &&
	    strcmp(c->verb, "create") != 0)
		return candidates_offer_kind(shown, kind_of_entity(c->entity));
	if ((c->flags & COMMAND_TAKES_PARTITION) != 0)
		return candidates_offer_kind(shown, CANDIDATES_PARTITIONS);
	if ((c->flags & COMMAND_TAKES_AGENT) != 0)
		return candidates_offer_kind(shown, CANDIDATES_AGENTS);
	if ((c->flags & COMMAND_TAKES_SHELL) == 0)
		return EXIT_DONE;
	candidates_offer(shown, "bash");
	candidates_offer(shown, "zsh");
	return CANDIDATES_CLOSED;
}

/*
 * The order follows the last word read: an option's value, an option, an
 * operand, or the words of a command.
 */
int
complete(const struct command_line *tables,
    const struct option_row *global_options, const struct call *call,
    char **words, int count)
{
	struct begun_line l = { .tables = tables, .globals = global_options };
	struct candidates *c = &l.candidates;

	c->find = complete_find_option;
	c->operand = complete_read_word;
	c->context = &l;
	c->caller = &call->caller;
	if (!candidates_read(c, words, count))
		return EXIT_DONE;
	complete_find_command(&l);
	if (c->option != NULL) {
		return candidates_offer_values(c, values_table);
	} else if (c->begun[0] == '-') {
		if (l.command != NULL)
			candidates_offer_options(c, l.command->options);
		candidates_offer_options(c, global_options);
	} else if (l.command != NULL) {
		return offer_operands(&l);
	} else if (l.entity == NULL) {
		offer_commands(&l);
	}
	return EXIT_DONE;
}

/* Print a script with the names of all applets in place of its marks. */
static void
put_script(const char *text)
{
	static const char mark[] = "@APPLETS@";
	const char *at;

	for (; (at = strstr(text, mark)) != NULL; text = at + strlen(mark)) {
		printf("%.*s", (int)(at - text), text);
		applet_put_names(stdout);
	}
	fputs(text, stdout);
}

int
complete_script(const struct call *call)
{
	struct error error;

	if (strcmp(call->name, "bash") == 0)
		put_script(completion_bash_text);
	else if (strcmp(call->name, "zsh") == 0)
		put_script(completion_zsh_text);
	else {
		(void)suggest_refuse("completion", call->name, "bash or zsh",
		    &error);
		return call_misuse(call, "%s", error.text);
	}
	return EXIT_DONE;
}
