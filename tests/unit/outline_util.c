/* Layers as operations of ATen, with their bytes and their arithmetic. */
#include "tests/unit/outline_util.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/model/operation_cost.h"
#include "ipu/engine/outline/outline_file.h"
#include "ipu/nn/nn.h"
#include "tests/unit/tap.h"

static const char *const operations[] = {
	[LAYER_CONV2D] = "aten::convolution",
	[LAYER_MAXPOOL2D] = "aten::max_pool2d_with_indices",
	[LAYER_RELU] = "aten::relu_",
	[LAYER_FLATTEN] = "aten::flatten.using_ints",
	[LAYER_LINEAR] = "aten::addmm",
};

/* Marks, and the inputs of the segments inside of the stage. */
static size_t
saved_bytes(const struct stage_plan *p, int layer)
{
	size_t bytes = (layer + 1 < p->layer_count ? p->marks_at[layer + 1] :
						     p->marks_bytes) -
	    p->marks_at[layer];
	int i;

	for (i = 1; i < p->segment_count; i++)
		if (p->segments[i].first == layer)
			bytes += p->segments[i].in_floats * sizeof(float);
	return bytes;
}

static void
print_layer(FILE *f, const struct engine_config *c, const struct stage_plan *p,
    int i, bool first)
{
	const struct layer *l = p->layers[i];
	const int batch = c->micro_batch;
	double backward;

	fprintf(f,
	    "%s{\"name\": \"layer%d\", \"op\": \"%s\", \"forward_flops\": "
	    "%.0f, \"input_bytes\": %zu, \"output_bytes\": %zu, "
	    "\"parameters\": [",
	    i > 0 ? ", " : "", (int)(l - c->model->layers),
	    operations[l->spec.kind],
	    operation_cost_layer(l, OPERATION_FORWARD, batch).flops,
	    (size_t)layer_shape_elements(l->in) * (size_t)batch * 4,
	    (size_t)layer_shape_elements(l->out) * (size_t)batch * 4);
	if (l->weights > 0)
		fprintf(f, "{\"name\": \"w\", \"elements\": %zu}", l->weights);
	if (l->biases > 0)
		fprintf(f, ", {\"name\": \"b\", \"elements\": %zu}", l->biases);
	fputs("]", f);
	if (c->training) {
		backward = operation_cost_layer(l, OPERATION_BACKWARD_WEIGHTS,
		    batch)
			       .flops;
		if (!first)
			backward += operation_cost_layer(l,
			    OPERATION_BACKWARD_DATA, batch)
					.flops;
		fprintf(f, ", \"backward_flops\": %.0f, \"saved_bytes\": %zu",
		    backward, saved_bytes(p, i));
	}
	fputs("}", f);
}

static void
print_stage(FILE *f, const struct engine_config *c, int stage)
{
	const bool last = stage == c->stages - 1;
	const struct layer *end;
	struct stage_plan p;
	int first, count, i;

	engine_config_stage_layers(c, stage, &first, &count);
	stage_plan(&p, c->model, first, count, c->micro_batch, 1);
	fprintf(f, "%s{\"ipu\": %d, \"blocks\": [", stage > 0 ? ", " : "",
	    c->stage_ipu[stage]);
	for (i = 0; engine_config_block(c, stage, i) != NULL; i++)
		fprintf(f, "%s\"%s\"", i > 0 ? ", " : "",
		    engine_config_block(c, stage, i));
	fprintf(f, "], \"sent_bytes\": %zu, \"operations\": [",
	    p.segments[p.segment_count - 1].out_floats * sizeof(float));
	for (i = 0; i < p.layer_count; i++)
		print_layer(f, c, &p, i, stage == 0 && i == 0);
	end = p.layers[p.layer_count - 1];
	if (last) {
		const int classes = layer_shape_elements(end->out) *
		    c->micro_batch;

		fprintf(f,
		    ", {\"name\": \"loss\", \"op\": "
		    "\"aten::cross_entropy_loss\", \"forward_flops\": %d, "
		    "\"input_bytes\": %d",
		    32 * classes, 4 * classes);
		if (c->training)
			fprintf(f, ", \"backward_flops\": %d", 4 * classes);
		fputs("}", f);
	}
	fputs("]}", f);
}

char *
outline_util_text(const struct engine_config *c, const char *more)
{
	static const char *const strategies[] = { "pipelined", "interleaved",
		"sharded", "one-ipu" };
	const struct model *m = c->model;
	const struct layer *end = &m->layers[m->layer_count - 1];
	const size_t in = (size_t)layer_shape_elements(m->in) *
	    (size_t)c->micro_batch * 4;
	const size_t out = (size_t)layer_shape_elements(end->out) *
	    (size_t)c->micro_batch * 4;
	struct memstream s;
	FILE *f = memstream_open(&s);
	int i;

	fprintf(f,
	    "{\"outline\": 1, %s\"name\": \"%s\", \"training\": %s, "
	    "\"strategy\": \"%s\", \"recompute\": %s, \"micro_batch\": %d, "
	    "\"gradient_accumulation\": %d, \"device_iterations\": %d, "
	    "\"replicas\": %d, \"optimiser\": {\"name\": \"x\", \"states\": "
	    "%d}, \"off_chip\": {\"optimiser\": %s}, \"host_in_bytes\": %zu, "
	    "\"labels_bytes\": %d, \"host_out_bytes\": %zu, \"stages\": [",
	    more, c->training ? "training" : "inference",
	    c->training ? "true" : "false", strategies[c->strategy],
	    c->recompute ? "true" : "false", c->micro_batch,
	    c->gradient_accumulation, c->device_iterations, c->total_replicas,
	    optimiser_states(&c->optimiser),
	    c->offload_optimiser ? "true" : "false", in, c->micro_batch,
	    out + sizeof(float));
	for (i = 0; i < c->stages; i++)
		print_stage(f, c, i);
	fputs("]}", f);
	return memstream_close(&s, NULL);
}

void
outline_util_read(struct outline *o, const char *text)
{
	struct error e = { .text = "" };

	(void)outline_file_parse(o, text, strlen(text), &e);
	is_str(e.text, "", "the outline is taken");
}
