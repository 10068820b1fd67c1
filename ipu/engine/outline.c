/*
 * Sums over an outline, the names of a host's activities, and freeing.
 */
#include "ipu/engine/outline.h"

#include <stdlib.h>
#include <yyjson.h>

const char *const outline_activity_words[] = {
	[HOST_COMPILE] = "compile",
	[HOST_ATTACH] = "attach",
	[HOST_WEIGHTS_IN] = "weights_in",
	[HOST_WEIGHTS_OUT] = "weights_out",
	[HOST_DETACH] = "detach",
	[HOST_INPUT] = "input",
	[HOST_RUN] = "run",
	[HOST_OUTPUT] = "output",
	[HOST_ITERATION] = "iteration",
	NULL,
};

const char *const outline_activity_names[] = {
	[HOST_COMPILE] = "compile",
	[HOST_ATTACH] = "attach",
	[HOST_WEIGHTS_IN] = "weights to the device",
	[HOST_WEIGHTS_OUT] = "weights to the host",
	[HOST_DETACH] = "detach",
	[HOST_INPUT] = "input",
	[HOST_RUN] = "run",
	[HOST_OUTPUT] = "output",
	[HOST_ITERATION] = "device iteration",
};

int
outline_activity_row(enum host_activity_kind kind)
{
	return kind < HOST_INPUT ? 0 : kind < HOST_ITERATION ? 1 : 2;
}

static void
release_stage(struct outline_stage *s)
{
	int i;

	for (i = 0; i < s->operation_count; i++)
		free(s->operations[i].parameters);
	free(s->operations);
	free(s->blocks);
}

void
outline_release(struct outline *o)
{
	int i;

	for (i = 0; i < o->stage_count; i++)
		release_stage(&o->stages[i]);
	free(o->stages);
	for (i = 0; i < o->call_count; i++)
		free(o->calls[i].steps);
	free(o->calls);
	free(o->activities);
	yyjson_doc_free(o->document);
	*o = (struct outline){ .document = NULL };
}

/* Count the elements of all parameters. */
static size_t
count_stage(const struct outline_stage *s)
{
	size_t sum = 0;
	int i, k;

	for (i = 0; i < s->operation_count; i++)
		for (k = 0; k < s->operations[i].parameter_count; k++)
			sum += s->operations[i].parameters[k].elements;
	return sum;
}

size_t
outline_parameters(const struct outline *o)
{
	size_t sum = 0;
	int i;

	for (i = 0; i < o->stage_count; i++)
		sum += count_stage(&o->stages[i]);
	return sum;
}

size_t
outline_operation_weights(const struct outline_operation *o)
{
	size_t sum = 0;
	int i;

	for (i = 0; i < o->parameter_count; i++)
		sum += o->parameters[i].bytes;
	return sum;
}
