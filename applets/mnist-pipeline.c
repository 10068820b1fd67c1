/*
 * mnist-pipeline: train and test the pipelining tutorial's network.
 *
 * Attaches to four IPUs per replica, trains the network of the blocks B1 to B4
 * on MNIST, pipelined or sharded, and prints the accuracy on the test set.
 * Under poprun all replicas train one model together.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/mnist-pipeline/session.h"
#include "core/base/alloc.h"
#include "core/base/text.h"

enum {
	KEY_BATCH_SIZE = OPTIONS_LONG,
	KEY_DEVICE_ITERATIONS,
	KEY_GRADIENT_ACCUMULATION,
	KEY_TEST_BATCH_SIZE,
	KEY_EPOCHS,
	KEY_LEARNING_RATE,
	KEY_PROFILE,
	KEY_PROFILE_DIR,
	KEY_STRATEGY,
	KEY_OFFLOAD_OPTIMISER,
	KEY_DEBUG,
	KEY_DATA_DIR,
	KEY_DATASET,
	KEY_SEED,
	KEY_VERSION
};

static const struct option_row options[] = {
	{ KEY_BATCH_SIZE, "batch-size", "N",
	    "samples in a micro-batch of training (40)" },
	{ KEY_DEVICE_ITERATIONS, "device-iterations", "N",
	    "weight updates in a call of training (10)" },
	{ KEY_GRADIENT_ACCUMULATION, "gradient-accumulation", "N",
	    "micro-batches in a weight update (10)" },
	{ KEY_TEST_BATCH_SIZE, "test-batch-size", "N",
	    "samples in a micro-batch of the test (8)" },
	{ KEY_EPOCHS, "epochs", "N", "times through the training set (3)" },
	{ KEY_LEARNING_RATE, "learning-rate", "RATE",
	    "of the AdamW optimiser (0.001)" },
	{ KEY_PROFILE, "profile", NULL, "record what each IPU ran, and when" },
	{ KEY_PROFILE_DIR, "profile-dir", "DIR",
	    "where the profile is written (./profile)" },
	{ KEY_STRATEGY, "strategy", "NAME",
	    "pipelined or sharded (pipelined)" },
	{ KEY_OFFLOAD_OPTIMISER, "offload-optimiser", NULL,
	    "keep the optimiser's state off the IPUs" },
	{ KEY_DEBUG, "debug", NULL,
	    "tell the device, and the weights' checksum each epoch" },
	{ KEY_DATA_DIR, "data-dir", "DIR",
	    "where the MNIST files are (mnist_data)" },
	{ KEY_DATASET, "dataset", "NAME",
	    "mnist, or generated: digits drawn here (mnist)" },
	{ KEY_SEED, "seed", "N", "of initial weights and shuffling (0)" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 }
};

static int	mnist_pipeline_main(int, char **);

const struct applet mnist_pipeline_applet = {
	.name = "mnist-pipeline",
	.purpose = "train and test the pipelining tutorial's network on MNIST",
	.synopsis = "[--batch-size N] [--device-iterations N] "
	    "[--gradient-accumulation N] [--test-batch-size N] [--epochs N] "
	    "[--learning-rate RATE] [--profile] [--profile-dir DIR] "
	    "[--strategy NAME] [--offload-optimiser] [--debug] "
	    "[--data-dir DIR] [--dataset NAME] [--seed N]",
	.options = options,
	.main = mnist_pipeline_main
};

/* Counts of samples, iterations and the like. */
enum { COUNT_MAX = 1000000 };

static int
count_option(const char *name, const char *text, int *value, struct error *e)
{
	long long	n;

	if (parse_number(name, text, 1, COUNT_MAX, &n, e) == -1)
		return -1;
	*value = (int)n;
	return 0;
}

static int
rate_option(const char *text, double *value, struct error *e)
{
	char	*end;

	*value = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*value) || *value <= 0 ||
	    *value > 1)
		return error_set(e, "--learning-rate %s: not a number above 0 "
		    "and up to 1", text);
	return 0;
}

/* One of two words; *second is set to whether it was the second. */
static int
choice_option(const char *name, const char *text, const char *first,
    const char *other, bool *second, struct error *e)
{
	*second = strcmp(text, other) == 0;
	if (!*second && strcmp(text, first) != 0)
		return error_set(e, "%s %s: choose from %s, %s", name, text,
		    first, other);
	return 0;
}

static int
take_option(struct session_options *o, int key, const char *text,
    struct error *e)
{
	bool		sharded;
	long long	seed;

	switch (key) {
	case KEY_BATCH_SIZE:
		return count_option("--batch-size", text, &o->batch_size, e);
	case KEY_DEVICE_ITERATIONS:
		return count_option("--device-iterations", text,
		    &o->device_iterations, e);
	case KEY_GRADIENT_ACCUMULATION:
		return count_option("--gradient-accumulation", text,
		    &o->gradient_accumulation, e);
	case KEY_TEST_BATCH_SIZE:
		return count_option("--test-batch-size", text,
		    &o->test_batch_size, e);
	case KEY_EPOCHS:
		return count_option("--epochs", text, &o->epochs, e);
	case KEY_LEARNING_RATE:
		return rate_option(text, &o->learning_rate, e);
	case KEY_PROFILE:
		o->profile = true;
		return 0;
	case KEY_PROFILE_DIR:
		o->profile_dir = text;
		return 0;
	case KEY_STRATEGY:
		if (choice_option("--strategy", text, "pipelined", "sharded",
		    &sharded, e) == -1)
			return -1;
		o->strategy = sharded ? STRATEGY_SHARDED : STRATEGY_PIPELINED;
		return 0;
	case KEY_OFFLOAD_OPTIMISER:
		o->offload_optimiser = true;
		return 0;
	case KEY_DEBUG:
		o->debug = true;
		return 0;
	case KEY_DATA_DIR:
		o->data_dir = text;
		return 0;
	case KEY_DATASET:
		return choice_option("--dataset", text, "mnist", "generated",
		    &o->generated, e);
	default:		/* KEY_SEED */
		if (parse_number("--seed", text, 0, LLONG_MAX, &seed, e) == -1)
			return -1;
		o->seed = (uint64_t)seed;
		return 0;
	}
}

/* The command line as one text. */
static char *
join_words(int argc, char **argv)
{
	char	*text = NULL;
	size_t	 size;
	FILE	*f = open_memstream(&text, &size);
	int	 i;

	for (i = 0; f != NULL && i < argc; i++)
		fprintf(f, "%s%s", i == 0 ? "" : " ", argv[i]);
	if (f == NULL || fclose(f) != 0)
		return xstrdup(argv[0]);
	return text;
}

/*
 * What is asked of one call fits an int: the engine counts samples in one.
 */
static int
check_options(const struct session_options *o, struct error *e)
{
	const double	samples = (double)o->batch_size *
	    o->device_iterations * o->gradient_accumulation;
	const double	tests = (double)o->test_batch_size *
	    o->device_iterations * o->gradient_accumulation;

	if (samples > COUNT_MAX || tests > COUNT_MAX)
		return error_set(e, "one call would take %.0f samples: at "
		    "most %d (batch size x gradient accumulation x device "
		    "iterations)", samples > tests ? samples : tests,
		    COUNT_MAX);
	return 0;
}

/*
 * All options into *o.  Returns -1 to go on, or the status to end with, once
 * what there is to say has been said.
 */
static int
take_options(struct session_options *o, int argc, char **argv)
{
	struct option_parser	parser;
	struct error		error;
	int			key, status = -1;

	option_parser_init(&parser, options, argc, argv, false);
	while (status == -1 && (key = options_next(&parser, &error)) !=
	    OPTIONS_END) {
		if (key == 'h')
			status = applet_help(&mnist_pipeline_applet);
		else if (key == KEY_VERSION)
			status = applet_version(&mnist_pipeline_applet);
		else if (key == OPTIONS_ERROR ||
		    take_option(o, key, parser.argument, &error) == -1)
			status = applet_misuse(&mnist_pipeline_applet, "%s",
			    error.text);
	}
	if (status == -1 && parser.operand < argc)
		status = applet_misuse(&mnist_pipeline_applet,
		    "unexpected argument '%s'", argv[parser.operand]);
	if (status == -1 && check_options(o, &error) == -1)
		status = applet_misuse(&mnist_pipeline_applet, "%s",
		    error.text);
	return status;
}

static int
mnist_pipeline_main(int argc, char **argv)
{
	struct session_options	o = {
		.batch_size = 40,
		.device_iterations = 10,
		.gradient_accumulation = 10,
		.test_batch_size = 8,
		.epochs = 3,
		.learning_rate = 0.001,
		.profile_dir = "./profile",
		.strategy = STRATEGY_PIPELINED,
		.data_dir = "mnist_data"
	};
	char			*command;
	int			 status;

	status = take_options(&o, argc, argv);
	if (status != -1)
		return status;
	command = join_words(argc, argv);
	o.command = command;
	status = session_run(&o) == -1 ? EXIT_FAILED : EXIT_DONE;
	free(command);
	return status;
}
