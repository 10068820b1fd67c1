/*
 * Model files: the ones in the program, and tests/golden/models, where NAME.ok
 * is what NAME.ini makes and NAME.err how it is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/files/file.h"
#include "ipu/engine/engine.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/tap.h"
#include "tests/unit/tutorial.h"

enum { TEXT_MAX = 1 << 20 };

static void
dump_layers(const struct model *m, const struct block *b, FILE *f)
{
	int i;

	for (i = b->first_layer; i < b->first_layer + b->layer_count; i++) {
		const struct layer *l = &m->layers[i];

		fprintf(f, "  %s %dx%dx%d -> %dx%dx%d",
		    model_kind_name(l->spec.kind), l->in.channels, l->in.height,
		    l->in.width, l->out.channels, l->out.height, l->out.width);
		if (l->spec.kernel > 0)
			fprintf(f, ", kernel %d, stride %d, padding %d",
			    l->spec.kernel, l->spec.stride, l->spec.padding);
		fprintf(f, ", %zu + %zu parameters", l->weights, l->biases);
		model_layer_print(&l->spec, f);
		fputc('\n', f);
	}
}

/* Everything about a model file. */
static char *
dump(const struct model_file *m)
{
	const struct optimiser *o = &m->optimiser;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	fprintf(f, "model %s\n", m->name);
	for (i = 0; i < m->model.block_count; i++) {
		fprintf(f, "block %s\n", m->model.blocks[i].name);
		dump_layers(&m->model, &m->model.blocks[i], f);
	}
	for (i = 0; i < m->stages.count; i++)
		fprintf(f, "stage of %d blocks on IPU %d\n",
		    m->stages.blocks[i], m->stages.ipu[i]);
	fprintf(f, "%s, recompute %d, offload %d, %s %d\n",
	    model_file_strategy_words[m->strategy], m->recompute,
	    m->offload_optimiser, model_file_output_mode_words[m->output_mode],
	    m->output_return_period);
	fprintf(f, "%d epochs, %d x %d x %d, test %d x %d\n", m->epochs,
	    m->batch_size, m->gradient_accumulation, m->device_iterations,
	    m->test_batch_size, m->test_device_iterations);
	fprintf(f, "%s %g, momentum %g, betas %g %g, epsilon %g, decay %g\n",
	    optimiser_words[o->kind], o->learning_rate, o->momentum, o->beta1,
	    o->beta2, o->epsilon, o->weight_decay);
	if (o->kind == OPTIMISER_RMSPROP || o->nesterov)
		fprintf(f, "alpha %g, centered %d, nesterov %d\n", o->alpha,
		    o->centered, o->nesterov);
	if (m->loss.kind != LOSS_CROSS_ENTROPY)
		fprintf(f, "%s, sum %d, ignores %d %d\n",
		    loss_words[m->loss.kind], m->loss.sum, m->loss.ignores,
		    m->loss.ignore_index);
	fprintf(f, "data %s, mean %g, deviation %g\n", m->data_directory,
	    (double)m->mean, (double)m->deviation);
	(void)fclose(f);
	return text;
}

static void
test_golden(const char *directory, const char *file)
{
	char path[512], wanted_path[512];
	char *text, *wanted, *got;
	size_t size;
	struct error e = { .text = "" };
	struct model_file *m = xmalloc(sizeof(*m));
	bool good;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, file);
	text = file_read(path, TEXT_MAX, &size, &e);
	good = model_file_parse(m, "FILE", text, size, &e) == 0;
	got = good ? dump(m) : xasprintf("%s\n", e.text);
	(void)snprintf(wanted_path, sizeof(wanted_path), "%.*s.%s",
	    (int)strlen(path) - 4, path, good ? "ok" : "err");
	wanted = file_read(wanted_path, TEXT_MAX, &size, &e);
	is_str(got, wanted, file);
	free(wanted);
	free(got);
	free(text);
	free(m);
}

static void
test_all_golden(void)
{
	const char *tests = getenv("TESTDIR");
	char directory[256];
	char **names;
	long i, count;

	(void)snprintf(directory, sizeof(directory), "%s/golden/models",
	    tests != NULL ? tests : "tests");
	count = directory_names(directory_at(directory), ".ini", &names, NULL);
	ok(count > 40, "golden files");
	for (i = 0; i < count; i++)
		test_golden(directory, names[i]);
	if (count != -1)
		directory_names_free(names, count);
}

/* "mnist" is the tutorial's, in each of its numbers. */
static void
test_tutorial(void)
{
	struct model_file *m = xmalloc(sizeof(*m));
	struct model *t = xcalloc(1, sizeof(*t));
	struct optimiser adamw = optimiser_defaults(OPTIMISER_ADAMW, 0.001);
	const float mean = 0.1307f, deviation = 0.3081f;
	int i;

	model_tutorial(t);
	is_int(model_file_builtin(m, "mnist", NULL), 0, "mnist");
	is_int(m->model.layer_count, t->layer_count, "layers");
	for (i = 0; i < t->layer_count; i++)
		ok(memcmp(&m->model.layers[i], &t->layers[i],
		       sizeof(t->layers[i])) == 0,
		    "a layer as the tutorial's");
	is_int((long long)m->model.parameter_count, 90026, "parameters");
	is_int(m->stages.count, 4, "stages");
	for (i = 0; i < 4; i++) {
		is_int(m->stages.blocks[i], 1, "of a block");
		is_int(m->stages.ipu[i], i, "and an IPU");
		is_str(m->model.blocks[i].name, t->blocks[i].name, "its name");
	}
	ok(memcmp(&m->optimiser, &adamw, sizeof(adamw)) == 0, "the optimiser");
	ok(memcmp(&m->mean, &mean, sizeof(mean)) == 0 &&
		memcmp(&m->deviation, &deviation, sizeof(deviation)) == 0,
	    "mean and deviation, to the bit");
	is_int(m->batch_size, 40, "batch size");
	is_int(m->gradient_accumulation, 10, "gradient accumulation");
	is_int(m->device_iterations, 10, "device iterations");
	is_int(m->epochs, 3, "epochs");
	is_int(m->test_batch_size, 8, "test batch size");
	is_int(m->output_mode, OUTPUT_ALL, "output mode");
	free(t);
	free(m);
}

static void
test_embedded(void)
{
	const struct embedded_file *e;
	struct model_file *m = xmalloc(sizeof(*m));
	struct error error = { .text = "" };

	for (e = embedded_models; e->name != NULL; e++) {
		is_int(model_file_builtin(m, e->name, &error), 0, e->name);
		is_str(m->name, e->name, "has the name of its file");
		is_str(error.text, "", "and is not refused");
	}
	ok(e - embedded_models >= 3, "three models or more");
	is_int(model_file_builtin(m, "vgg", &error), -1, "no such model");
	is_str(error.text,
	    "no built-in model is called 'vgg'; they are encoder, lenet5, mlp, "
	    "mnist, resnet8; the name of a file must contain '/' or end with "
	    ".ini",
	    "says which");
	is_int(model_file_read(m, "no/such.ini", &error), -1, "no such file");
	is_str(error.text, "cannot open no/such.ini: No such file or directory",
	    "says so");
	free(m);
}

int
main(void)
{
	test_tutorial();
	test_embedded();
	test_all_golden();
	return tap_done();
}
