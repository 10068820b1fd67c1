/*
 * ipubox-train: train and test a model from a file on emulated IPUs.
 *
 * The model, its stages and its training parameters are in an INI file, see
 * ipubox-model(5); some models are built in.  The command line overrides the
 * file.  Also called as `ipubox train MODEL`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/candidates.h"
#include "applets/train/train.h"
#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/terminal.h"
#include "core/base/text.h"

static const struct option_row ipubox_train_options[] = {
	{ TRAIN_LIST, "list", NULL, "list the built-in models" },
	{ TRAIN_PRINT, "print", "MODEL", "print the file of a built-in model" },
	{ TRAIN_BATCH_SIZE, "batch-size", "N",
	    "samples per training micro-batch" },
	{ TRAIN_DEVICE_ITERATIONS, "device-iterations", "N",
	    "weight updates per training call" },
	{ TRAIN_GRADIENT_ACCUMULATION, "gradient-accumulation", "N",
	    "micro-batches per weight update" },
	{ TRAIN_TEST_BATCH_SIZE, "test-batch-size", "N",
	    "samples per test micro-batch" },
	{ TRAIN_EPOCHS, "epochs", "N",
	    "number of passes through the training set" },
	{ TRAIN_LEARNING_RATE, "learning-rate", "RATE",
	    "learning rate of the optimiser" },
	{ TRAIN_PROFILE, "profile", NULL,
	    "record what each IPU ran, and when" },
	{ TRAIN_PROFILE_DIR, "profile-dir", "DIR",
	    "directory of the profile (default: ./profile)" },
	{ TRAIN_STRATEGY, "strategy", "NAME",
	    "execution strategy: pipelined, interleaved, sharded or one-ipu" },
	{ TRAIN_OFFLOAD_OPTIMISER, "offload-optimiser", "[=BOOL]",
	    "keep the optimiser's state off the IPUs" },
	{ TRAIN_DEBUG, "debug", NULL,
	    "print the device, and a checksum of the weights after each "
	    "epoch" },
	{ TRAIN_DATA_DIR, "data-dir", "DIR", "directory of the data files" },
	{ TRAIN_DATASET, "dataset", "NAME",
	    "mnist, or generated for digits that the program draws (default: "
	    "mnist)" },
	{ TRAIN_SEED, "seed", "N",
	    "seed of the initial weights and of shuffling (default: 0)" },
	TRAIN_ROWS,
	{ 0 },
};

static int ipubox_train_main(int, char **);

const struct applet ipubox_train_applet = {
	.name = "ipubox-train",
	.purpose = "train and test a model that a file describes",
	.synopsis = "MODEL " TRAIN_SYNOPSIS "\n"
		    "       ipubox-train --list | --print MODEL",
	.options = ipubox_train_options,
	.values = train_options_values,
	.operand = CANDIDATES_MODELS,
	.main = ipubox_train_main,
	.examples = "  ipubox-train mlp --dataset generated\n"
		    "  ipubox-train --print mlp > mine.ini",
};

/* The first line of a model file is a comment with its description. */
static int
list_models(void)
{
	enum { INDENT = 9 };
	const int columns = terminal_columns(STDOUT_FILENO);
	const struct embedded_file *m;
	char *text;

	for (m = embedded_models; m->name != NULL; m++) {
		text = xasprintf("%.*s", (int)strcspn(m->text, "\n") - 2,
		    m->text + 2);
		printf("%-*s", INDENT, m->name);
		text_wrap_to(stdout, columns, text, INDENT, INDENT);
		putchar('\n');
		free(text);
	}
	return EXIT_DONE;
}

/* Print a built-in model, as a starting point. */
static int
print_model(const char *name)
{
	const char *text = model_file_builtin_text(name);
	struct model_file *f;
	struct error error;

	if (text != NULL) {
		fputs(text, stdout);
		return EXIT_DONE;
	}
	f = xmalloc(sizeof(*f));
	(void)model_file_builtin(f, name, &error);
	free(f);
	return applet_failed(&ipubox_train_applet, &error);
}

/* Read a model; a path contains '/' or ends with .ini. */
static int
read_model(struct model_file *f, const char *name, struct error *e)
{
	const char *dot = strrchr(name, '.');

	if (strchr(name, '/') != NULL ||
	    (dot != NULL && strcmp(dot, ".ini") == 0))
		return model_file_read(f, name, e);
	return model_file_builtin(f, name, e);
}

/*
 * First pass over the options: find *model, the operand.  Returns -1 to go on,
 * or the exit status.  The parser moves words, so it gets a separate list.
 */
static int
find_model(int argc, char **words, const char **model)
{
	struct option_parser parser;
	struct error error;
	int key;

	options_init(&parser, ipubox_train_options, argc, words, false);
	while ((key = options_next(&parser, &error)) >= 0) {
		if (key == 'h')
			return applet_help(&ipubox_train_applet);
		if (key == TRAIN_VERSION)
			return applet_version(&ipubox_train_applet);
		if (key == TRAIN_LIST)
			return list_models();
		if (key == TRAIN_PRINT)
			return print_model(parser.argument);
	}
	if (key == OPTIONS_ERROR)
		return applet_misuse(&ipubox_train_applet, "%s", error.text);
	if (argc - parser.operand != 1)
		return applet_misuse(&ipubox_train_applet, "%s",
		    argc == parser.operand ?
			"which model? (--list shows the built-in ones)" :
			"takes only one model");
	*model = words[parser.operand];
	return -1;
}

/* Second pass: apply the values of options, which override the file. */
static int
ipubox_train_take_options(struct train_options *o, int argc, char **argv)
{
	struct option_parser parser;
	struct error error;
	int key;

	options_init(&parser, ipubox_train_options, argc, argv, false);
	while ((key = options_next(&parser, &error)) >= 0)
		if (train_options_take(o, key, parser.argument, &error) != 0)
			return applet_misuse(&ipubox_train_applet, "%s",
			    error.text);
	if (train_options_check(o, &error) != 0)
		return applet_misuse(&ipubox_train_applet, "%s", error.text);
	return -1;
}

/* Read a model, apply the options, run it. */
static int
run_model(const char *model, int argc, char **argv)
{
	struct train_options *o = xcalloc(1, sizeof(*o));
	struct error error;
	int status;

	train_options_init(o, argc, argv, ipubox_train_options,
	    ipubox_train_applet.name);
	if (read_model(&o->file, model, &error) != 0)
		status = applet_failed(&ipubox_train_applet, &error);
	else
		status = ipubox_train_take_options(o, argc, argv);
	if (status == -1)
		status = session_run(o) != 0 ? EXIT_FAILED : EXIT_DONE;
	train_options_release(o);
	free(o);
	return status;
}

static int
ipubox_train_main(int argc, char **argv)
{
	const size_t size = ((size_t)argc + 1) * sizeof(*argv);
	char **words = xmalloc(size);
	const char *model = NULL;
	int status;

	memcpy(words, argv, size);
	status = find_model(argc, words, &model);
	if (status == -1)
		status = run_model(model, argc, argv);
	free(words);
	return status;
}
