/*
 * A model file: refused with a place and a reason, or a model whose layers fit
 * one another, in stages that take each block once, with sound numbers.
 */
#include <math.h>
#include <string.h>

#include "ipu/engine/engine.h"
#include "tests/fuzz/fuzz.h"

static bool
equal(struct shape a, struct shape b)
{
	return a.channels == b.channels && a.height == b.height &&
	    a.width == b.width;
}

static void
check_model(const struct model *m)
{
	struct shape in = m->in;
	size_t parameters = 0;
	int i, layers = 0;

	require(m->layer_count > 0 && m->layer_count <= MODEL_LAYERS_MAX);
	for (i = 0; i < m->layer_count; i++) {
		const struct layer *l = &m->layers[i];

		require(l->input_count > 0 &&
		    l->input_count <= KERNEL_INPUTS_MAX && l->inputs[0] < i &&
		    l->inputs[0] >= -1);
		in = l->inputs[0] == -1 ? m->in : m->layers[l->inputs[0]].out;
		require(equal(l->in, in) && l->first == parameters);
		require(l->out.channels > 0 && l->out.height > 0 &&
		    l->out.width > 0);
		require(layer_shape_elements(l->out) <= MODEL_FLOATS_MAX);
		in = l->out;
		parameters += l->weights + l->biases;
	}
	require(parameters == m->parameter_count && parameters > 0 &&
	    parameters <= MODEL_FLOATS_MAX);
	require(in.height == 1 && in.width == 1 && in.channels <= 256);
	require(m->block_count > 0 && m->block_count <= MODEL_BLOCKS_MAX);
	for (i = 0; i < m->block_count; i++) {
		require(m->blocks[i].first_layer == layers);
		require(memchr(m->blocks[i].name, '\0', BLOCK_NAME_SIZE));
		layers += m->blocks[i].layer_count;
	}
	require(layers == m->layer_count);
}

static void
check_numbers(const struct model_file *f)
{
	const struct optimiser *o = &f->optimiser;
	int i, blocks = 0;

	require(f->stages.count > 0);
	require(f->stages.count <= SCHEDULE_STAGES_MAX);
	for (i = 0; i < f->stages.count; i++) {
		require(f->stages.ipu[i] >= 0 && f->stages.ipu[i] < 64);
		blocks += f->stages.blocks[i];
	}
	require(blocks == f->model.block_count);
	require(f->epochs > 0 && f->batch_size > 0 && f->test_batch_size > 0);
	require(f->batch_size * f->gradient_accumulation *
		f->device_iterations <=
	    MODEL_COUNT_MAX);
	require(f->output_return_period > 0 && f->deviation > 0);
	require(o->learning_rate > 0 && o->momentum < 1 && o->beta1 < 1 &&
	    o->beta2 < 1 && o->epsilon > 0 && o->weight_decay >= 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct model_file f;
	struct error e = { .text = "" };

	if (model_file_parse(&f, "m.ini", (const char *)data, size, &e) == 0) {
		check_model(&f.model);
		check_numbers(&f);
	} else {
		require(strncmp(e.text, "m.ini:", 6) == 0);
	}
	return 0;
}
