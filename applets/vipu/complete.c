/*
 * What may stand next in a command line, read from the same tables of commands
 * that parse it.  The scripts of bash and zsh ask by a hidden first word.
 */
#include "applets/vipu/complete.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/array.h"
#include "core/base/embedded.h"
#include "core/base/suggest.h"
#include "core/control/controller.h"
#include "core/control/transaction.h"
#include "core/state/paths.h"
#include "core/state/state.h"

/* Made at build time from config/completions. */
extern const char completion_bash_text[], completion_zsh_text[];

/* Kinds of things that have names. */
enum kind { NOTHING, PARTITIONS, ALLOCATIONS, CLUSTERS, AGENTS };

/* A line up to the word that is completed. */
struct begun_line {
	const struct command_line	*tables;
	const struct option_row		*globals;
	const struct call		*call;
	const char			*begun;		/* the last word */
	const char			*verb, *entity;	/* or NULL */
	int				 operands;	/* behind them */
	const struct command		*command;	/* or NULL */
	const struct option_row		*option;	/* whose value it is */
	bool				 attached;	/* as in --size=4 */
};

/*
 * A candidate that begins as the word does.  Behind "--size=" it is the value
 * that is completed, and the line has the option in front again.
 */
static void
complete_offer(const struct begun_line *l, const char *word)
{
	size_t	len = strlen(l->begun);
	size_t	name = l->attached ? strcspn(l->begun, "=") + 1 : 0;

	if (strncmp(word, l->begun + name, len - name) == 0)
		printf("%.*s%s\n", (int)name, l->begun, word);
}

/* The row of "-q" or "--quiet"; `len` is that of the word without "=VALUE". */
static const struct option_row *
complete_find_row(const struct option_row *row, const char *word, size_t len)
{
	for (; row->key != 0; row++) {
		if (word[1] != '-' && len == 2 && row->key == word[1])
			return row;
		if (word[1] == '-' && row->name != NULL &&
		    strlen(row->name) == len - 2 &&
		    strncmp(row->name, word + 2, len - 2) == 0)
			return row;
	}
	return NULL;
}

/* The option of that word, of whatever command; NULL where it is none. */
static const struct option_row *
find_option(const struct begun_line *l, const char *word)
{
	const struct option_row	*row;
	const struct command	*c;
	size_t			 len = strcspn(word, "=");
	int			 i;

	if (word[0] != '-' || len < 2)
		return NULL;
	row = complete_find_row(l->globals, word, len);
	for (i = 0; row == NULL &&
	    (c = command_at(l->tables, i)) != NULL; i++)
		row = complete_find_row(c->options, word, len);
	return row;
}

/*
 * Whether the next word is the option's value; an optional one stands behind
 * "=" only.
 */
static bool
takes_word(const struct option_row *row)
{
	return row != NULL && row->argument != NULL &&
	    !options_is_optional(row);
}

static void
complete_find_command(struct begun_line *l)
{
	l->command = command_find(l->tables, l->verb, l->entity);
	/* What stood in the entity's place is an operand. */
	if (l->command != NULL && l->command->entity == NULL &&
	    l->entity != NULL)
		l->operands++;
}

/*
 * Read the words before the begun one.  A shell may hand "=" out as a word of
 * its own.  false: behind "--" nothing of ours is to be completed.
 */
static bool
read_line(struct begun_line *l, char **words, int count)
{
	const char	*word;
	int		 i, last = count - 1;

	l->begun = words[last];
	if (strcmp(l->begun, "=") == 0)
		l->begun = "";
	for (i = 0; i < last; i++) {
		word = words[i];
		if (strcmp(word, "--") == 0)
			return false;
		if (word[0] == '-') {
			l->option = find_option(l, word);
			if (strchr(word, '=') == NULL && i + 1 < last &&
			    strcmp(words[i + 1], "=") == 0)
				i++;
			else if (strchr(word, '=') != NULL ||
			    (!takes_word(l->option) &&
			    strcmp(words[last], "=") != 0))
				l->option = NULL;
			if (l->option != NULL && i + 1 < last) {
				i++;
				l->option = NULL;
			}
		} else if (l->verb == NULL)
			l->verb = word;
		else if (l->entity == NULL)
			l->entity = word;
		else
			l->operands++;
	}
	if (l->option == NULL && strchr(l->begun, '=') != NULL) {
		l->option = find_option(l, l->begun);
		l->attached = l->option != NULL;
	}
	complete_find_command(l);
	return true;
}

/* The names of one kind, of what the caller may see. */
static void
offer_names(const struct begun_line *l, const struct snapshot *s,
    enum kind kind)
{
	const struct pod	*pod = &s->pod;
	int			 i;

	for (i = 0; kind == PARTITIONS && i < s->partition_count; i++)
		complete_offer(l, s->partitions[i].name);
	for (i = 0; kind == ALLOCATIONS && i < pod->allocation_count; i++)
		complete_offer(l, pod->allocations[i].name);
	for (i = 0; kind == CLUSTERS && i < pod->cluster_count; i++)
		complete_offer(l, pod->clusters[i].name);
	for (i = 0; kind == AGENTS && i < pod->agent_count; i++)
		complete_offer(l, pod->agents[i].name);
}

/* What there is, as the caller sees it; a state is not made for this. */
static void
offer_kind(const struct begun_line *l, enum kind kind)
{
	struct state_paths	 paths;
	struct controller	*c;
	struct snapshot		 s;

	if (kind == NOTHING || paths_find(&paths, NULL) != 0 ||
	    access(paths.registry, F_OK) != 0 ||
	    access(paths.directory, F_OK) != 0)
		return;
	c = controller_open_local(&l->call->caller, NULL);
	if (c == NULL)
		return;
	if (transaction_list(c, &s, NULL) == 0) {
		offer_names(l, &s, kind);
		snapshot_release(&s);
	}
	controller_close(c);
}

/* What the operand of "get cluster" names. */
static enum kind
kind_of_entity(const char *entity)
{
	static const struct {
		const char	*entity;
		enum kind	 kind;
	} rows[] = {
		{ "partition", PARTITIONS }, { "allocation", ALLOCATIONS },
		{ "cluster", CLUSTERS }, { "agent", AGENTS }
	};
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].entity, entity) == 0)
			return rows[i].kind;
	return NOTHING;
}

/*
 * The values of the option whose value is begun: fixed words, names of what
 * there is, or both.
 */
static void
offer_values(const struct begun_line *l)
{
	static const struct {
		int		 key;
		enum kind	 kind;
		const char	*words[8];
	} rows[] = {
		{ 'H', NOTHING, { "local" } },
		{ KEY_ADD_AGENTS, AGENTS, { NULL } },
		{ KEY_AGENTS, AGENTS, { NULL } },
		{ KEY_REMOVE_AGENTS, AGENTS, { NULL } },
		{ KEY_ALLOCATION, ALLOCATIONS, { NULL } },
		{ KEY_ALLOCATIONS, ALLOCATIONS, { NULL } },
		{ KEY_CLUSTER, CLUSTERS, { NULL } },
		{ KEY_CLUSTER_TOPOLOGY, NOTHING, { "looped", "switched" } },
		{ KEY_FORMAT, NOTHING, { "table", "json", "csv" } },
		{ KEY_GATEWAY_ROUTING, NOTHING, { "ring", "swring" } },
		{ KEY_ROUTING, NOTHING, { "dnc", "swnc", "btnc",
		    "ringswnc" } },
		{ KEY_SHELL, NOTHING, { "sh", "csh", "fish" } },
		{ KEY_SIZE, NOTHING, { "1", "2", "4", "8", "16", "32",
		    "64" } },
		{ KEY_STYLE, NOTHING, { "new", "old" } },
		{ KEY_SYNC_TYPE, NOTHING, { "c2-compatible",
		    "pod-native-default",
		    "pod-native-replicated-pipeline" } },
		{ KEY_TOPOLOGY, NOTHING, { "mesh", "torus" } }
	};
	const struct embedded_file	*pod = embedded_pods;
	size_t				 i, n;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].key != l->option->key)
			continue;
		for (n = 0; n < 8 && rows[i].words[n] != NULL; n++)
			complete_offer(l, rows[i].words[n]);
		offer_kind(l, rows[i].kind);
	}
	for (; l->option->key == KEY_POD && pod->name != NULL; pod++)
		complete_offer(l, pod->name);
}

/* The options of one table, but for those that the help leaves out. */
static void
offer_options(const struct begun_line *l, const struct option_row *row)
{
	char	word[64];

	for (; row->key != 0; row++) {
		(void)snprintf(word, sizeof(word), "--%s", row->name);
		if (row->name != NULL && row->help != NULL)
			complete_offer(l, word);
	}
}

/* Verbs, each once, or the entities of one. */
static void
offer_commands(const struct begun_line *l)
{
	const struct command	*c, *before;
	char			 word[64];
	int			 i, k;

	for (i = 0; (c = command_at(l->tables, i)) != NULL; i++) {
		if (l->verb == NULL) {
			for (k = 0; (before = command_at(l->tables,
			    k)) != c && strcmp(before->verb, c->verb) != 0;
			    k++)
				;
			if (before == c)
				complete_offer(l, c->verb);
		} else if (c->entity != NULL &&
		    strcmp(c->verb, l->verb) == 0) {
			(void)snprintf(word, sizeof(word), "%s%s", c->entity,
			    strcmp(c->verb, "list") == 0 ? "s" : "");
			complete_offer(l, word);
		}
	}
}

/*
 * Only the first operand is a name of something; a new partition's name is
 * nobody's to guess.
 */
static void
offer_operands(const struct begun_line *l)
{
	const struct command	*c = l->command;

	if (l->operands > 0)
		return;
	if (c->entity != NULL && c->operands_max != 0 &&
	    strcmp(c->verb, "create") != 0)
		offer_kind(l, kind_of_entity(c->entity));
	else if ((c->flags & COMMAND_TAKES_PARTITION) != 0)
		offer_kind(l, PARTITIONS);
	else if ((c->flags & COMMAND_TAKES_AGENT) != 0)
		offer_kind(l, AGENTS);
	else if ((c->flags & COMMAND_TAKES_SHELL) != 0) {
		complete_offer(l, "bash");
		complete_offer(l, "zsh");
	}
}

/*
 * In the order of what was read last: an option's value, an option, an
 * operand, and the words of a command where there is none yet.
 */
int
complete(const struct command_line *tables,
    const struct option_row *global_options, const struct call *call,
    char **words, int count)
{
	struct begun_line	l = { .tables = tables, .globals =
	    global_options,
	    .call = call };

	if (count == 0 || !read_line(&l, words, count))
		return EXIT_DONE;
	if (l.option != NULL) {
		offer_values(&l);
	} else if (l.begun[0] == '-') {
		if (l.command != NULL)
			offer_options(&l, l.command->options);
		offer_options(&l, global_options);
	} else if (l.command != NULL) {
		offer_operands(&l);
	} else if (l.entity == NULL) {
		offer_commands(&l);
	}
	return EXIT_DONE;
}

int
complete_script(const struct call *call)
{
	struct error	error;

	if (strcmp(call->name, "bash") == 0)
		fputs(completion_bash_text, stdout);
	else if (strcmp(call->name, "zsh") == 0)
		fputs(completion_zsh_text, stdout);
	else {
		(void)suggest_refuse("completion", call->name, "bash or zsh",
		    &error);
		return call_misuse(call, "%s", error.text);
	}
	return EXIT_DONE;
}
