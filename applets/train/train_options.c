/*
 * Parses a command line into the model's numbers, within their bounds.
 */
#include "applets/train/train.h"

#include <bsd/string.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/candidates.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "ipu/device/device.h"

enum {
	TRAIN_REPLICAS_MAX = 64,
	GENERATED = 60000,  /* samples, like MNIST */
	NAME_MAX_BYTES = 48 /* of an option, including dashes */
};

static const char *const datasets[] = { "mnist", "generated", NULL };

const struct option_values train_options_values[] = {
	{ .key = TRAIN_STRATEGY, .list = model_file_strategy_words },
	{ .key = TRAIN_OUTPUT_MODE, .list = model_file_output_mode_words },
	{ .key = TRAIN_AUTO_STAGE, .list = model_file_auto_stage_words },
	{ .key = TRAIN_DATASET, .list = datasets },
	{ .key = TRAIN_PRINT, .kind = CANDIDATES_MODELS },
	{ 0 },
};

/* Return the command line as one text. */
static char *
command_text(int argc, char **argv)
{
	struct memstream m;
	int i;

	(void)memstream_open(&m);
	for (i = 0; i < argc; i++)
		fprintf(m.file, "%s%s", i == 0 ? "" : " ", argv[i]);
	return memstream_close(&m, NULL);
}

void
train_options_init(struct train_options *o, int argc, char **argv,
    const struct option_row *rows, const char *applet)
{
	const size_t size = ((size_t)argc + 1) * sizeof(*argv);

	memset(o, 0, sizeof(*o));
	o->argc = argc;
	o->argv = xmalloc(size);
	memcpy(o->argv, argv, size);
	o->rows = rows;
	o->applet = applet;
	o->command = command_text(argc, argv);
	o->profile_dir = "./profile";
	o->samples = GENERATED;
	o->replicas = 1;
}

void
train_options_release(struct train_options *o)
{
	free(o->argv);
	free(o->command);
}

/* Parse the whole text with strtod(3): finite, above 0 and up to 1. */
static int
take_rate(const char *text, double *value, struct error *e)
{
	char *end;

	*value = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*value) || *value <= 0 ||
	    *value > 1)
		return error_set(e,
		    "--learning-rate %s: must be a number above 0, at most 1",
		    text);
	return 0;
}

/* Find the word's index in the list, which ends with NULL. */
static int
take_word(const char *name, const char *text, const char *const *words,
    int *value, struct error *e)
{
	int i;

	for (i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], text) == 0) {
			*value = i;
			return 0;
		}
	}
	(void)error_set(e, "%s %s: must be one of %s", name, text, words[0]);
	for (i = 1; words[i] != NULL; i++)
		(void)error_append(e, ", %s", words[i]);
	return suggest_word(text, words, e);
}

/* Parse "650k" or "1M"; each tile gets its share, at least a byte. */
static int
take_bytes(const char *text, size_t *value, struct error *e)
{
	const size_t len = strlen(text);
	const char last = len > 0 ? text[len - 1] : '\0';
	const int shift = last == 'k' ? 10 : last == 'M' ? 20 : 0;
	char digits[24];
	long long n;

	(void)strlcpy(digits, text, sizeof(digits));
	if (shift > 0 && len < sizeof(digits))
		digits[len - 1] = '\0';
	if (parse_number("--ipu-memory", digits, 1, (1LL << 40) >> shift, &n,
		e) != 0)
		return -1;
	*value = (size_t)n << shift;
	if (*value < TILE_COUNT)
		return error_set(e,
		    "--ipu-memory %s: must be at least one byte for each of "
		    "the %d tiles",
		    text, TILE_COUNT);
	return 0;
}

enum kind {
	COUNT,	/* int */
	WORD,	/* int: index of the word */
	FLAG,	/* bool: set */
	SWITCH, /* bool: set, or the argument's value */
	TEXT	/* const char * */
};

/* Options with a value that is stored unchanged in one member. */
struct option_member {
	int key;
	enum kind kind;
	size_t at;    /* in struct train_options */
	int min, max; /* of a count */
	const char *const *words;
};

#define AT(member) offsetof(struct train_options, member)
#define COUNT_OF(key, member) \
	{ \
		key, COUNT, AT(member), 1, MODEL_COUNT_MAX, NULL \
	}

static const struct option_member members[] = {
	COUNT_OF(TRAIN_BATCH_SIZE, file.batch_size),
	COUNT_OF(TRAIN_DEVICE_ITERATIONS, file.device_iterations),
	COUNT_OF(TRAIN_GRADIENT_ACCUMULATION, file.gradient_accumulation),
	COUNT_OF(TRAIN_TEST_BATCH_SIZE, file.test_batch_size),
	COUNT_OF(TRAIN_TEST_DEVICE_ITERATIONS, file.test_device_iterations),
	COUNT_OF(TRAIN_OUTPUT_RETURN_PERIOD, file.output_return_period),
	{ TRAIN_EPOCHS, COUNT, AT(file.epochs), 0, MODEL_COUNT_MAX, NULL },
	{ TRAIN_SAMPLES, COUNT, AT(samples), 6, MODEL_COUNT_MAX, NULL },
	{ TRAIN_REPLICAS, COUNT, AT(replicas), 1, TRAIN_REPLICAS_MAX, NULL },
	{ TRAIN_STRATEGY, WORD, AT(file.strategy), 0, 0,
	    model_file_strategy_words },
	{ TRAIN_OUTPUT_MODE, WORD, AT(file.output_mode), 0, 0,
	    model_file_output_mode_words },
	{ TRAIN_RECOMPUTE, SWITCH, AT(file.recompute), 0, 0, NULL },
	{ TRAIN_OFFLOAD_OPTIMISER, SWITCH, AT(file.offload_optimiser), 0, 0,
	    NULL },
	{ TRAIN_PROFILE, FLAG, AT(profile), 0, 0, NULL },
	{ TRAIN_AUTO_ROUND, FLAG, AT(choices.auto_round), 0, 0, NULL },
	{ TRAIN_DEBUG, FLAG, AT(debug), 0, 0, NULL },
	{ TRAIN_MEMORY_REPORT, FLAG, AT(memory_report), 0, 0, NULL },
	{ TRAIN_WIDE, FLAG, AT(wide), 0, 0, NULL },
	{ TRAIN_DUMP_SCHEDULE, FLAG, AT(dump_schedule), 0, 0, NULL },
	{ TRAIN_PROFILE_DIR, TEXT, AT(profile_dir), 0, 0, NULL },
	{ TRAIN_MEMORY_JSON, TEXT, AT(memory_json), 0, 0, NULL },
	{ TRAIN_SAVE, TEXT, AT(save), 0, 0, NULL },
	{ TRAIN_LOAD, TEXT, AT(load), 0, 0, NULL },
};

static int
take_member(struct train_options *o, int key, const char *name,
    const char *text, struct error *e)
{
	const struct option_member *m = members;
	void *value;
	long long n;

	while (m->key != key)
		m++;
	value = (char *)o + m->at;
	switch (m->kind) {
	case COUNT:
		if (parse_number(name, text, m->min, m->max, &n, e) != 0)
			return -1;
		*(int *)value = (int)n;
		return 0;
	case WORD:
		return take_word(name, text, m->words, value, e);
	case FLAG:
	case SWITCH:
		*(bool *)value = true;
		/* A model file may have enabled it. */
		return m->kind == FLAG || text == NULL ?
		    0 :
		    parse_bool(name, text, value, e);
	case TEXT:
		*(const char **)value = text;
	}
	return 0;
}

int
train_options_take(struct train_options *o, int key, const char *text,
    struct error *e)
{
	const struct option_row *row = o->rows;
	struct model_file *f = &o->file;
	char name[NAME_MAX_BYTES];
	long long seed;
	int n;

	while (row->key != key)
		row++;
	(void)snprintf(name, sizeof(name), "--%s", row->name);
	switch (key) {
	case TRAIN_LEARNING_RATE:
		return take_rate(text, &f->optimiser.learning_rate, e);
	case TRAIN_IPU_MEMORY:
		return take_bytes(text, &o->ipu_memory, e);
	case TRAIN_STAGES:
		return stages_parse(&f->stages, &f->model, text, e) == 0 ?
		    0 :
		    error_prefix(e, "--stages %s", text);
	case TRAIN_AUTO_STAGE:
		/* Replaces the stages of the file. */
		if (take_word(name, text, model_file_auto_stage_words, &n, e) !=
		    0)
			return -1;
		return stages_auto(&f->stages, &f->model, (enum auto_stage)n,
			   e) == 0 ?
		    0 :
		    error_prefix(e, "--auto-stage %s", text);
	case TRAIN_DATASET:
		if (take_word(name, text, datasets, &n, e) != 0)
			return -1;
		o->generated = n == 1;
		return 0;
	case TRAIN_DATA_DIR:
		if (strlcpy(f->data_directory, text,
			sizeof(f->data_directory)) < sizeof(f->data_directory))
			return 0;
		return error_set(e,
		    "--data-dir: must be at most %zu bytes long",
		    sizeof(f->data_directory) - 1);
	case TRAIN_SEED:
		if (parse_number(name, text, 0, LLONG_MAX, &seed, e) != 0)
			return -1;
		o->seed = (uint64_t)seed;
		return 0;
	default:
		return take_member(o, key, name, text, e);
	}
}

/* The samples of one call must fit an int, in which the engine counts. */
int
train_options_check(const struct train_options *o, struct error *e)
{
	const struct model_file *f = &o->file;
	const double micro_batches = (double)f->device_iterations *
	    f->gradient_accumulation;
	const double samples = f->batch_size * micro_batches;
	const double tests = f->test_batch_size *
	    (f->test_device_iterations > 0 ? (double)f->test_device_iterations :
					     micro_batches);

	if (samples > MODEL_COUNT_MAX || tests > MODEL_COUNT_MAX)
		return error_set(e,
		    "one call would take %.0f samples, but at most %d are "
		    "possible; reduce batch size x gradient accumulation x "
		    "device iterations",
		    samples > tests ? samples : tests, MODEL_COUNT_MAX);
	return 0;
}
