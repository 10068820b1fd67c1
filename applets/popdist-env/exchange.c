/*
 * The collectives of a job for shell scripts.  Each call is a separate process,
 * which joins, takes part in one collective, prints the result and leaves.  A
 * text takes two collectives, as its length goes first.
 */
#include "applets/popdist-env/exchange.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "applets/applet.h"
#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/collective/collective.h"
#include "core/process/process.h"

/* Set by users: limit of a collective in seconds. */
#define POPDIST_TIMEOUT_VARIABLE "POPDIST_TIMEOUT"

struct exchange {
	const struct exchange_options *options;
	struct collective_client *client;
	const char *id;
	int type, root;
	int instance, instances;
};

/* ---- printing ---- */

/* Parse a number printed with all its digits. */
static long long
exchange_number(const char *text)
{
	long long value = 0;

	(void)parse_number("number", text, LLONG_MIN, LLONG_MAX, &value, NULL);
	return value;
}

/* Print texts or numbers, one per line, or as a JSON array, which has no
   infinity. */
static void
exchange_print(const struct exchange *x, const char *const *texts, size_t count,
    bool are_numbers)
{
	yyjson_mut_doc *doc;
	yyjson_mut_val *array;
	size_t i;

	if (!x->options->json) {
		for (i = 0; i < count; i++)
			printf("%s\n", texts[i]);
		return;
	}
	doc = yyjson_mut_doc_new(NULL);
	array = yyjson_mut_arr(doc);
	yyjson_mut_doc_set_root(doc, array);
	for (i = 0; i < count; i++)
		if (!are_numbers)
			(void)yyjson_mut_arr_add_str(doc, array, texts[i]);
		else if (strpbrk(texts[i], "in") != NULL)
			(void)yyjson_mut_arr_add_null(doc, array);
		else if (strpbrk(texts[i], ".e") != NULL)
			(void)yyjson_mut_arr_add_real(doc, array,
			    strtod(texts[i], NULL));
		else
			(void)yyjson_mut_arr_add_sint(doc, array,
			    exchange_number(texts[i]));
	json_print(stdout, doc);
}

/* ---- the collectives ---- */

static int
exchange_barrier(struct exchange *x, char **words, size_t count,
    struct error *e)
{
	(void)words;
	(void)count;
	return collective_client_barrier(x->client, x->id, e);
}

/* The numbers were parsed before, to refuse invalid ones. */
static int
exchange_sum(struct exchange *x, char **words, size_t count, struct error *e)
{
	const size_t size = element_size(x->type);
	unsigned char *vector = xcalloc(count, size);
	char(*texts)[NUMBERS_TEXT_SIZE] = xcalloc(count, sizeof(*texts));
	const char **lines = xcalloc(count, sizeof(*lines));
	int status = 0;
	size_t i;

	for (i = 0; i < count && status == 0; i++)
		status = numbers_read(x->type, words[i], vector + i * size, e);
	if (status == 0)
		status = collective_client_sum(x->client, x->id, x->type,
		    vector, count, e);
	for (i = 0; i < count && status == 0; i++) {
		numbers_format(x->type, vector + i * size, texts[i]);
		lines[i] = texts[i];
	}
	if (status == 0)
		exchange_print(x, lines, count, true);
	free(lines);
	free(texts);
	free(vector);
	return status;
}

static int
exchange_broadcast(struct exchange *x, char **words, size_t count,
    struct error *e)
{
	int64_t bytes = (int64_t)strlen(words[0]);
	char *text;
	const char *line;
	int status;

	(void)count;
	if (collective_client_broadcast(x->client, x->id, ELEMENT_INT64, &bytes,
		1, x->root, e) != 0)
		return -1;
	if (bytes < 0 || bytes > INT_MAX)
		return error_set(e,
		    "broadcast '%s': a text of %lld bytes is too long", x->id,
		    (long long)bytes);
	line = text = xcalloc(1, (size_t)bytes + 1);
	if (x->instance == x->root)
		memcpy(text, words[0], (size_t)bytes);
	status = collective_client_broadcast(x->client, x->id, ELEMENT_INT8,
	    text, (size_t)bytes, x->root, e);
	if (status == 0)
		exchange_print(x, &line, 1, false);
	free(text);
	return status;
}

/* Exchange texts, each padded with NUL bytes to equal length. */
static int
exchange_texts(struct exchange *x, const char *own, size_t room,
    struct error *e)
{
	const size_t instances = (size_t)x->instances;
	char *mine = xcalloc(1, room);
	char *all = xcalloc(instances, room);
	const char **lines = xcalloc(instances, sizeof(*lines));
	size_t i;
	int status;

	memcpy(mine, own, strlen(own));
	status = collective_client_gather(x->client, x->id, ELEMENT_INT8, mine,
	    all, room, e);
	for (i = 0; i < instances; i++) {
		lines[i] = all + i * room;
		all[(i + 1) * room - 1] = '\0';
	}
	if (status == 0)
		exchange_print(x, lines, instances, false);
	free(lines);
	free(all);
	free(mine);
	return status;
}

static int
exchange_gather(struct exchange *x, char **words, size_t count, struct error *e)
{
	const int64_t own = (int64_t)strlen(words[0]);
	int64_t *bytes = xcalloc((size_t)x->instances, sizeof(*bytes));
	int64_t longest = 0;
	int i, status;

	(void)count;
	status = collective_client_gather(x->client, x->id, ELEMENT_INT64, &own,
	    bytes, 1, e);
	for (i = 0; i < x->instances && status == 0; i++) {
		if (bytes[i] < 0 || bytes[i] > INT_MAX / x->instances - 1)
			status = error_set(e,
			    "all-gather '%s': the text of instance %d, %lld "
			    "bytes, is too long",
			    x->id, i, (long long)bytes[i]);
		longest = bytes[i] > longest ? bytes[i] : longest;
	}
	free(bytes);
	return status != 0 ?
	    -1 :
	    exchange_texts(x, words[0], (size_t)longest + 1, e);
}

/* ---- commands ---- */

struct exchange_command {
	const char *name;
	const char *synopsis;
	size_t min, max;   /* operands */
	const char *takes; /* for the error of misuse */
	int (*run)(struct exchange *, char **words, size_t count,
	    struct error *);
};

static const struct exchange_command exchange_commands[] = {
	{ "barrier", "[option ...] barrier [ID]", 0, 1, "at most an id",
	    exchange_barrier },
	{ "allreduce", "[option ...] allreduce sum NUMBER ...", 2, SIZE_MAX,
	    "\"sum\" and at least one number", exchange_sum },
	{ "broadcast", "[option ...] broadcast TEXT", 1, 1, "one text",
	    exchange_broadcast },
	{ "gather", "[option ...] gather TEXT", 1, 1, "one text",
	    exchange_gather },
};

static const struct exchange_command *
exchange_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(exchange_commands); i++)
		if (strcmp(exchange_commands[i].name, name) == 0)
			return &exchange_commands[i];
	return NULL;
}

bool
exchange_is_command(const char *name)
{
	return exchange_find(name) != NULL;
}

bool
exchange_has_options(const struct exchange_options *o)
{
	return o->id != NULL || o->type != NULL || o->root != NULL ||
	    o->timeout != NULL;
}

/* Read the options; only one command has a type, and one a root. */
static int
exchange_read_options(struct exchange *x, const struct exchange_command *c,
    struct error *e)
{
	const struct exchange_options *o = x->options;
	long long root = 0;

	x->id = o->id != NULL ? o->id : "default";
	x->type = o->type != NULL ? element_by_name(o->type) : ELEMENT_DOUBLE;
	if (o->type != NULL && c->run != exchange_sum)
		return error_set(e, "--type is only for allreduce");
	if (!element_is_summable(x->type))
		return error_set(e,
		    "--type '%s': must be half, float, double, int8, int16, "
		    "int32 or int64",
		    o->type);
	if (o->root != NULL && c->run != exchange_broadcast)
		return error_set(e, "--root is only for broadcast");
	if (o->root != NULL &&
	    parse_number("--root", o->root, 0, INT_MAX, &root, e) != 0)
		return -1;
	x->root = (int)root;
	return 0;
}

/* Find the operands after the command; *words begins with the values. */
static int
exchange_read_operands(struct exchange *x, const struct exchange_command *c,
    char ***words, size_t *count, struct error *e)
{
	unsigned char element[sizeof(double)];
	size_t i;

	if (*count < c->min || *count > c->max)
		return error_set(e, "%s takes %s", c->name, c->takes);
	if (c->run == exchange_barrier && *count == 1) {
		if (x->options->id != NULL)
			return error_set(e,
			    "barrier takes one id; leave out --id or the word");
		x->id = (*words)[0];
	}
	if (c->run != exchange_sum)
		return 0;
	if (strcmp((*words)[0], "sum") != 0)
		return error_set(e, "allreduce '%s': must be sum", (*words)[0]);
	++*words;
	--*count;
	for (i = 0; i < *count; i++)
		if (numbers_read(x->type, (*words)[i], element, e) != 0)
			return -1;
	return 0;
}

/* Join the instances of the job.  A single one needs no job directory. */
static int
exchange_join(struct exchange *x, const struct popdist *p, struct error *e)
{
	const char *limit = x->options->timeout != NULL ?
	    x->options->timeout :
	    getenv(POPDIST_TIMEOUT_VARIABLE);
	struct collective_member m = { .group = "" };

	if (limit != NULL &&
	    popdist_time_limit(x->options->timeout != NULL ?
		    "--timeout" :
		    POPDIST_TIMEOUT_VARIABLE,
		limit, &m.timeout_ms, e) != 0)
		return -1;
	if (popdist_place(p, &x->instance, &x->instances, e) != 0)
		return -1;
	if (x->instances > 1)
		m.directory = getenv(JOB_DIRECTORY_VARIABLE);
	if (x->instances > 1 && m.directory == NULL)
		return error_set(e,
		    "%s is not set, but this is one of %d instances; start "
		    "them with poprun",
		    JOB_DIRECTORY_VARIABLE, x->instances);
	m.instance = m.member = x->instance;
	m.members = x->instances;
	x->client = collective_client_open(&m, e);
	return x->client != NULL ? 0 : -1;
}

int
exchange_run(const struct applet *applet, const struct popdist *p,
    const struct exchange_options *o, int argc, char **argv)
{
	const struct exchange_command *c = exchange_find(argv[0]);
	struct exchange x = { .options = o };
	char **words = argv + 1;
	size_t count = (size_t)argc - 1;
	struct error e;
	int status;

	if (exchange_read_options(&x, c, &e) != 0 ||
	    exchange_read_operands(&x, c, &words, &count, &e) != 0) {
		(void)applet_failed(applet, &e);
		applet_usage_line(stderr, applet, c->synopsis);
		return EXIT_USAGE;
	}
	status = exchange_join(&x, p, &e);
	if (status == 0)
		status = c->run(&x, words, count, &e);
	collective_client_close(x.client, false);
	return status == 0 ? EXIT_DONE : applet_failed(applet, &e);
}
