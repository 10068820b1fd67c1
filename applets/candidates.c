/*
 * Candidates of a completion: options, their values, and existing names.  Read
 * candidates_read() first.
 */
#include "applets/candidates.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/terminal.h"
#include "core/control/control.h"
#include "core/server/server.h"
#include "core/state/state.h"
#include "ipu/device/device.h"

/* ---- the line ---- */

/* Compare the word without "=VALUE"; `len` is the length of that part. */
const struct option_row *
candidates_find(const struct option_row *row, const char *word)
{
	const size_t len = strcspn(word, "=");

	if (word[0] != '-' || len < 2)
		return NULL;
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

/*
 * Whether the next word is the option's value; an optional value only follows
 * "=".
 */
static bool
takes_word(const struct option_row *row)
{
	return row != NULL && row->argument != NULL &&
	    !options_is_optional(row);
}

/*
 * Handle an option among the words: its value is one of them, or the incomplete
 * word, in which case the option stays in *c.  Returns the index to continue
 * at.
 */
static int
read_option(struct candidates *c, char **words, int at, int last)
{
	const char *word = words[at];

	c->option = c->find(c->context, word);
	if (strchr(word, '=') == NULL && at + 1 < last &&
	    strcmp(words[at + 1], "=") == 0)
		at++;
	else if (strchr(word, '=') != NULL ||
	    (!takes_word(c->option) && strcmp(words[last], "=") != 0))
		c->option = NULL;
	if (c->option != NULL && at + 1 < last) {
		at++;
		c->option = NULL;
	}
	return at;
}

bool
candidates_read(struct candidates *c, char **words, int count)
{
	int i, last = count - 1;

	if (count == 0)
		return false;
	c->begun = words[last];
	if (strcmp(c->begun, "=") == 0)
		c->begun = "";
	for (i = 0; i < last; i++) {
		if (strcmp(words[i], "--") == 0)
			return false;
		if (words[i][0] == '-')
			i = read_option(c, words, i, last);
		else if (!c->operand(c->context, words[i]))
			return false;
	}
	if (c->option == NULL && strchr(c->begun, '=') != NULL) {
		c->option = c->find(c->context, c->begun);
		c->attached = c->option != NULL;
	}
	return true;
}

/* ---- the candidates ---- */

/*
 * After "--size=" only the value is completed, but the printed candidate
 * repeats the option.
 */
void
candidates_offer(const struct candidates *c, const char *word)
{
	size_t len = strlen(c->begun);
	size_t name = c->attached ? strcspn(c->begun, "=") + 1 : 0;

	if (strncmp(word, c->begun + name, len - name) == 0)
		printf("%.*s%s\n", (int)name, c->begun, word);
}

static void
offer_number(const struct candidates *c, int number)
{
	char word[16];

	(void)snprintf(word, sizeof(word), "%d", number);
	candidates_offer(c, word);
}

/* Offer names from a snapshot. */
static void
offer_names(const struct candidates *c, const struct snapshot *s,
    enum candidates_kind kind)
{
	const struct pod *pod = &s->pod;
	int i;

	for (i = 0; kind == CANDIDATES_PARTITIONS && i < s->partition_count;
	     i++)
		candidates_offer(c, s->partitions[i].name);
	for (i = 0; kind == CANDIDATES_ALLOCATIONS && i < pod->allocation_count;
	     i++)
		candidates_offer(c, pod->allocations[i].name);
	for (i = 0; kind == CANDIDATES_CLUSTERS && i < pod->cluster_count; i++)
		candidates_offer(c, pod->clusters[i].name);
	for (i = 0; kind == CANDIDATES_AGENTS && i < pod->agent_count; i++)
		candidates_offer(c, pod->agents[i].name);
}

static void
offer_users(const struct candidates *c, struct controller *controller)
{
	struct user *users = NULL;
	int i, count = users_list(controller, &users, NULL);

	for (i = 0; i < count; i++)
		candidates_offer(c, users[i].name);
	free(users);
}

/* Offer the devices that programs of this host see; they may differ from the
   caller's. */
static void
offer_devices(const struct candidates *c)
{
	struct visible_devices v;
	struct registry registry;
	struct device *devices;
	int i, count;

	if (server_open_view(&registry, NULL) != 0)
		return;
	if (visible_devices_open(&v, &registry, NULL) == 0) {
		count = v.partition == NULL ?
		    0 :
		    device_list(v.partition, v.gcd, &devices);
		for (i = 0; i < count; i++)
			offer_number(c, devices[i].id);
		if (v.partition != NULL)
			free(devices);
		visible_devices_release(&v);
	}
	registry_close(&registry);
}

/* Whether the state exists; completion does not create it. */
static bool
state_exists(void)
{
	struct state_paths paths;

	return paths_find(&paths, NULL) == 0 &&
	    access(paths.registry, F_OK) == 0 &&
	    access(paths.directory, F_OK) == 0;
}

/* A person waits for the completion, so the wait for a server is short. */
enum { ASK_MS = 1000 };

static void
offer_stored(const struct candidates *c, enum candidates_kind kind)
{
	struct config config;
	struct server_request server;
	struct controller *controller;
	struct snapshot s;

	if (config_read(&config, NULL, NULL) != 0)
		return;
	server = config_server(&config);
	server.timeout_ms = ASK_MS;
	if (server_open_remote(&server, c->caller, &controller, NULL) != 0)
		return;
	if (controller == NULL && state_exists())
		controller = embedded_controller_open(c->caller, NULL);
	if (controller == NULL)
		return;
	if (kind == CANDIDATES_USERS) {
		offer_users(c, controller);
	} else if (transaction_list(controller, &s, NULL) == 0) {
		offer_names(c, &s, kind);
		snapshot_release(&s);
	}
	controller_close(controller);
}

/* Pods and models may also be files of the user. */
int
candidates_offer_kind(const struct candidates *c, enum candidates_kind kind)
{
	const struct embedded_file *file;

	switch (kind) {
	case CANDIDATES_NOTHING:
	case CANDIDATES_PROGRAM:
		return EXIT_DONE;
	case CANDIDATES_PODS:
	case CANDIDATES_MODELS:
		file = kind == CANDIDATES_PODS ?
		    embedded_pods :
		    embedded_models;
		for (; file->name != NULL; file++)
			candidates_offer(c, file->name);
		return EXIT_DONE;
	default:
		if (state_exists() && kind == CANDIDATES_DEVICES)
			offer_devices(c);
		else if (kind != CANDIDATES_DEVICES)
			offer_stored(c, kind);
		return CANDIDATES_CLOSED;
	}
}

/* Offer each word of "old or new", "a, b or c" or "old|new". */
static void
offer_words(const struct candidates *c, const char *words)
{
	char list[256], *rest = list, *word;

	(void)strlcpy(list, words, sizeof(list));
	while ((word = strsep(&rest, ", |")) != NULL)
		if (*word != '\0' && strcmp(word, "or") != 0)
			candidates_offer(c, word);
}

/* Return the values of options that mean the same in all applets. */
static const struct option_values *
find_common(const char *name)
{
	static const struct {
		const char *name;
		struct option_values values;
	} rows[] = {
		{ "color", { .words = TERMINAL_COLOUR_WORDS } },
		{ "device-id", { .kind = CANDIDATES_DEVICES } },
	};
	size_t i;

	for (i = 0; name != NULL && i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i].values;
	return NULL;
}

/* An argument that is called "old|new" needs no row among the values. */
int
candidates_offer_values(const struct candidates *c,
    const struct option_values *values)
{
	const struct option_values *row;
	const char *words = c->option->argument;
	int i;

	row = options_values(values, c->option->key);
	if (row == NULL)
		row = find_common(c->option->name);
	if (row == NULL && (words == NULL || strchr(words, '|') == NULL))
		return EXIT_DONE;
	if (row == NULL) {
		offer_words(c, words);
		return CANDIDATES_CLOSED;
	}
	if (row->words != NULL)
		offer_words(c, row->words);
	for (i = 0; row->list != NULL && row->list[i] != NULL; i++)
		candidates_offer(c, row->list[i]);
	i = candidates_offer_kind(c, (enum candidates_kind)row->kind);
	return row->kind == 0 ? CANDIDATES_CLOSED : i;
}

void
candidates_offer_options(const struct candidates *c,
    const struct option_row *row)
{
	char word[64];

	for (; row->key != 0; row++) {
		if (row->name == NULL || row->help == NULL)
			continue;
		(void)snprintf(word, sizeof(word), "--%s", row->name);
		candidates_offer(c, word);
	}
}
