/*
 * From the words of a command line to the model's numbers, with their bounds.
 */
#include "applets/train/train_options.h"

#include <bsd/string.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/candidates.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/suggest.h"
#include "core/base/text.h"

enum {
	LOCAL_REPLICAS_MAX = 64,
	GENERATED = 60000,		/* samples, as many as MNIST has */
	TILES = 1472
};

static const char *const	datasets[] = { "mnist", "generated", NULL };

const struct option_values train_options_values[] = {
	{ .key = TRAIN_STRATEGY, .list = model_file_strategy_words },
	{ .key = TRAIN_OUTPUT_MODE, .list = model_file_output_mode_words },
	{ .key = TRAIN_AUTO_STAGE, .list = model_file_auto_stage_words },
	{ .key = TRAIN_DATASET, .list = datasets },
	{ .key = TRAIN_PRINT, .kind = CANDIDATES_MODELS },
	{ 0 }
};

void
train_options_init(struct train_options *o, int argc, char **argv,
    const struct option_row *rows, const char *applet)
{
	const size_t	size = ((size_t)argc + 1) * sizeof(*argv);

	memset(o, 0, sizeof(*o));
	o->argc = argc;
	o->argv = xmalloc(size);
	memcpy(o->argv, argv, size);
	o->rows = rows;
	o->applet = applet;
	o->profile_dir = "./profile";
	o->samples = GENERATED;
	o->replicas = 1;
}

void
train_options_release(struct train_options *o)
{
	free(o->argv);
	o->argv = NULL;
}

static int
train_options_take_count(const char *name, const char *text, int min, int max,
    int *value,
    struct error *e)
{
	long long	n;

	if (parse_number(name, text, min, max, &n, e) != 0)
		return -1;
	*value = (int)n;
	return 0;
}

/* A number of strtod(3), all of the text, finite, above 0 and up to 1. */
static int
take_rate(const char *text, double *value, struct error *e)
{
	char	*end;

	*value = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*value) || *value <= 0 ||
	    *value > 1)
		return error_set(e, "--learning-rate %s: not a number above 0 "
		    "and up to 1", text);
	return 0;
}

/* The word's place in the list, which ends with NULL. */
static int
train_options_take_word(const char *name, const char *text,
    const char *const *words,
    int *value, struct error *e)
{
	int	i;

	for (i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], text) == 0) {
			*value = i;
			return 0;
		}
	}
	(void)error_set(e, "%s %s: choose from %s", name, text, words[0]);
	for (i = 1; words[i] != NULL; i++)
		(void)error_append(e, ", %s", words[i]);
	return suggest_word(text, words, e);
}

/* "650k" or "1M"; each tile has its share of it, at least a byte. */
static int
take_bytes(const char *text, size_t *value, struct error *e)
{
	const size_t	len = strlen(text);
	const char	last = len > 0 ? text[len - 1] : '\0';
	const int	shift = last == 'k' ? 10 : last == 'M' ? 20 : 0;
	char		digits[24];
	long long	n;

	(void)strlcpy(digits, text, sizeof(digits));
	if (shift > 0 && len < sizeof(digits))
		digits[len - 1] = '\0';
	if (parse_number("--ipu-memory", digits, 1, (1LL << 40) >> shift, &n,
	    e) != 0)
		return -1;
	*value = (size_t)n << shift;
	if (*value < TILES)
		return error_set(e, "--ipu-memory %s: less than a byte for "
		    "each of the %d tiles", text, TILES);
	return 0;
}

/*
 * The numbers with their bounds; one row for each of those keys that
 * train_options_take() sends here.
 */
static int
train_options_take_number(struct train_options *o, int key, const char *text,
    struct error *e)
{
	struct model_file	*f = &o->file;
	const struct {
		int		 key;
		const char	*name;
		int		 min, max;
		int		*value;
	} rows[] = {
		{ TRAIN_BATCH_SIZE, "--batch-size", 1, MODEL_COUNT_MAX,
		    &f->batch_size },
		{ TRAIN_DEVICE_ITERATIONS, "--device-iterations", 1,
		    MODEL_COUNT_MAX, &f->device_iterations },
		{ TRAIN_GRADIENT_ACCUMULATION, "--gradient-accumulation", 1,
		    MODEL_COUNT_MAX, &f->gradient_accumulation },
		{ TRAIN_TEST_BATCH_SIZE, "--test-batch-size", 1,
		    MODEL_COUNT_MAX, &f->test_batch_size },
		{ TRAIN_TEST_DEVICE_ITERATIONS, "--test-device-iterations", 1,
		    MODEL_COUNT_MAX, &f->test_device_iterations },
		{ TRAIN_EPOCHS, "--epochs", 0, MODEL_COUNT_MAX, &f->epochs },
		{ TRAIN_OUTPUT_RETURN_PERIOD, "--output-return-period", 1,
		    MODEL_COUNT_MAX, &f->output_return_period },
		{ TRAIN_SAMPLES, "--samples", 6, MODEL_COUNT_MAX,
		    &o->samples },
		{ TRAIN_REPLICAS, "--replicas", 1, LOCAL_REPLICAS_MAX,
		    &o->replicas }
	};
	size_t			 i;

	for (i = 0; rows[i].key != key; i++)
		;
	return train_options_take_count(rows[i].name, text, rows[i].min,
	    rows[i].max,
	    rows[i].value, e);
}

/* The options that choose from words; their order is that of the enum. */
static int
take_choice(struct train_options *o, int key, const char *text,
    struct error *e)
{
	int	n = 0, status;

	switch (key) {
	case TRAIN_STRATEGY:
		status = train_options_take_word("--strategy", text,
		    model_file_strategy_words, &n, e);
		o->file.strategy = (enum strategy)n;
		return status;
	case TRAIN_OUTPUT_MODE:
		status = train_options_take_word("--output-mode", text,
		    model_file_output_mode_words,
		    &n, e);
		o->file.output_mode = (enum output_mode)n;
		return status;
	case TRAIN_AUTO_STAGE:
		/* In place of the stages that the file has. */
		if (train_options_take_word("--auto-stage", text,
		    model_file_auto_stage_words, &n,
		    e) != 0)
			return -1;
		return stages_auto(&o->file.stages, &o->file.model,
		    (enum auto_stage)n, e) == 0 ? 0 :
		    error_prefix(e, "--auto-stage %s", text);
	default:		/* TRAIN_DATASET */
		status = train_options_take_word("--dataset", text, datasets,
		    &n, e);
		o->generated = n == 1;
		return status;
	}
}

/* On, unless it says otherwise: a model file may have it on already. */
static int
take_switch(const char *name, const char *text, bool *value, struct error *e)
{
	*value = true;
	return text == NULL ? 0 : parse_bool(name, text, value, e);
}

/* A flag or a path. */
static void
take_plain(struct train_options *o, int key, const char *text)
{
	switch (key) {
	case TRAIN_PROFILE:
		o->profile = true;
		break;
	case TRAIN_PROFILE_DIR:
		o->profile_dir = text;
		break;
	case TRAIN_AUTO_ROUND:
		o->choices.auto_round = true;
		break;
	case TRAIN_DEBUG:
		o->debug = true;
		break;
	case TRAIN_MEMORY_REPORT:
		o->memory_report = true;
		break;
	case TRAIN_WIDE:
		o->wide = true;
		break;
	case TRAIN_MEMORY_JSON:
		o->memory_json = text;
		break;
	case TRAIN_DUMP_SCHEDULE:
		o->dump_schedule = true;
		break;
	case TRAIN_SAVE:
		o->save = text;
		break;
	default:		/* TRAIN_LOAD */
		o->load = text;
	}
}

/* By the kind of value; each kind has its function above. */
int
train_options_take(struct train_options *o, int key, const char *text,
    struct error *e)
{
	long long	seed;

	switch (key) {
	case TRAIN_BATCH_SIZE:
	case TRAIN_DEVICE_ITERATIONS:
	case TRAIN_GRADIENT_ACCUMULATION:
	case TRAIN_TEST_BATCH_SIZE:
	case TRAIN_TEST_DEVICE_ITERATIONS:
	case TRAIN_EPOCHS:
	case TRAIN_OUTPUT_RETURN_PERIOD:
	case TRAIN_SAMPLES:
	case TRAIN_REPLICAS:
		return train_options_take_number(o, key, text, e);
	case TRAIN_STRATEGY:
	case TRAIN_OUTPUT_MODE:
	case TRAIN_AUTO_STAGE:
	case TRAIN_DATASET:
		return take_choice(o, key, text, e);
	case TRAIN_LEARNING_RATE:
		return take_rate(text, &o->file.optimiser.learning_rate, e);
	case TRAIN_STAGES:
		return stages_parse(&o->file.stages, &o->file.model, text,
		    e) == 0 ? 0 :
		    error_prefix(e, "--stages %s", text);
	case TRAIN_RECOMPUTE:
		return take_switch("--recompute", text, &o->file.recompute,
		    e);
	case TRAIN_OFFLOAD_OPTIMISER:
		return take_switch("--offload-optimiser", text,
		    &o->file.offload_optimiser, e);
	case TRAIN_IPU_MEMORY:
		return take_bytes(text, &o->ipu_memory, e);
	case TRAIN_DATA_DIR:
		if (strlcpy(o->file.data_directory, text,
		    sizeof(o->file.data_directory)) <
		    sizeof(o->file.data_directory))
			return 0;
		return error_set(e, "--data-dir: longer than %zu bytes",
		    sizeof(o->file.data_directory) - 1);
	case TRAIN_SEED:
		if (parse_number("--seed", text, 0, LLONG_MAX, &seed, e) != 0)
			return -1;
		o->seed = (uint64_t)seed;
		return 0;
	default:
		take_plain(o, key, text);
		return 0;
	}
}

/*
 * What is asked of one call fits an int: the engine counts samples in one.
 */
int
train_options_check(const struct train_options *o, struct error *e)
{
	const struct model_file	*f = &o->file;
	const double	micro_batches = (double)f->device_iterations *
	    f->gradient_accumulation;
	const double	samples = f->batch_size * micro_batches;
	const double	tests = f->test_batch_size *
	    (f->test_device_iterations > 0 ?
	    (double)f->test_device_iterations : micro_batches);

	if (samples > MODEL_COUNT_MAX || tests > MODEL_COUNT_MAX)
		return error_set(e, "one call would take %.0f samples: at "
		    "most %d (batch size x gradient accumulation x device "
		    "iterations)", samples > tests ? samples : tests,
		    MODEL_COUNT_MAX);
	return 0;
}

char *
train_options_command(int argc, char **argv)
{
	struct memstream	m;
	int			i;

	(void)memstream_open(&m);
	for (i = 0; i < argc; i++)
		fprintf(m.file, "%s%s", i == 0 ? "" : " ", argv[i]);
	return memstream_close(&m, NULL);
}
