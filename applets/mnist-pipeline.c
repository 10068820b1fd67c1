/*
 * mnist-pipeline: train and test the pipelining tutorial's network.
 *
 * It attaches to four IPUs per replica, trains the network of the blocks B1 to
 * B4 on MNIST, pipelined or sharded, and prints the accuracy on the test set.
 * Under poprun all replicas train one model together.
 */
#include <stdlib.h>

#include "applets/train/train.h"
#include "core/base/alloc.h"

static const struct option_row mnist_pipeline_options[] = {
	{ TRAIN_BATCH_SIZE, "batch-size", "N",
	    "samples per training micro-batch (default: 40)" },
	{ TRAIN_DEVICE_ITERATIONS, "device-iterations", "N",
	    "weight updates per training call (default: 10)" },
	{ TRAIN_GRADIENT_ACCUMULATION, "gradient-accumulation", "N",
	    "micro-batches per weight update (default: 10)" },
	{ TRAIN_TEST_BATCH_SIZE, "test-batch-size", "N",
	    "samples per test micro-batch (default: 8)" },
	{ TRAIN_EPOCHS, "epochs", "N",
	    "number of passes through the training set (default: 3)" },
	{ TRAIN_LEARNING_RATE, "learning-rate", "RATE",
	    "learning rate of the AdamW optimiser (default: 0.001)" },
	{ TRAIN_PROFILE, "profile", NULL,
	    "record what each IPU ran, and when" },
	{ TRAIN_PROFILE_DIR, "profile-dir", "DIR",
	    "directory of the profile (default: ./profile)" },
	{ TRAIN_STRATEGY, "strategy", "NAME",
	    "execution strategy: pipelined, interleaved, sharded or one-ipu "
	    "(default: pipelined)" },
	{ TRAIN_OFFLOAD_OPTIMISER, "offload-optimiser", "[=BOOL]",
	    "keep the optimiser's state off the IPUs" },
	{ TRAIN_DEBUG, "debug", NULL,
	    "print the device, and a checksum of the weights after each "
	    "epoch" },
	{ TRAIN_DATA_DIR, "data-dir", "DIR",
	    "directory of the MNIST files (default: mnist_data)" },
	{ TRAIN_DATASET, "dataset", "NAME",
	    "mnist, or generated for digits that the program draws (default: "
	    "mnist)" },
	{ TRAIN_SEED, "seed", "N",
	    "seed of the initial weights and of shuffling (default: 0)" },
	TRAIN_ROWS,
	{ 0 },
};

static int mnist_pipeline_main(int, char **);

const struct applet mnist_pipeline_applet = {
	.name = "mnist-pipeline",
	.purpose = "train and test the pipelining tutorial's network on MNIST",
	.synopsis = TRAIN_SYNOPSIS,
	.options = mnist_pipeline_options,
	.values = train_options_values,
	.main = mnist_pipeline_main,
	.examples = "  mnist-pipeline --dataset generated --epochs 1\n"
		    "  mnist-pipeline --dump-schedule",
};

/*
 * Read all options into *o.  Returns -1 to go on, or the exit status after
 * printing the help, the version or an error.
 */
static int
mnist_pipeline_take_options(struct train_options *o, int argc, char **argv)
{
	struct option_parser parser;
	struct error error;
	int key, status = -1;

	options_init(&parser, mnist_pipeline_options, argc, argv, false);
	while (status == -1 &&
	    (key = options_next(&parser, &error)) != OPTIONS_END) {
		if (key == 'h')
			status = applet_help(&mnist_pipeline_applet);
		else if (key == TRAIN_VERSION)
			status = applet_version(&mnist_pipeline_applet);
		else if (key == OPTIONS_ERROR ||
		    train_options_take(o, key, parser.argument, &error) != 0)
			status = applet_misuse(&mnist_pipeline_applet, "%s",
			    error.text);
	}
	if (status == -1 && parser.operand < argc)
		status = applet_misuse(&mnist_pipeline_applet,
		    "unexpected argument '%s'", argv[parser.operand]);
	if (status == -1 && train_options_check(o, &error) != 0)
		status = applet_misuse(&mnist_pipeline_applet, "%s",
		    error.text);
	return status;
}

static int
mnist_pipeline_main(int argc, char **argv)
{
	struct train_options *o = xcalloc(1, sizeof(*o));
	struct error error;
	int status;

	train_options_init(o, argc, argv, mnist_pipeline_options,
	    mnist_pipeline_applet.name);
	if (model_file_builtin(&o->file, "mnist", &error) != 0)
		abort(); /* a test reads it */
	o->choices.script = true;
	status = mnist_pipeline_take_options(o, argc, argv);
	if (status == -1)
		status = session_run(o) != 0 ? EXIT_FAILED : EXIT_DONE;
	train_options_release(o);
	free(o);
	return status;
}
