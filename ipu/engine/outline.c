/*
 * Sums over an outline, and its end.
 */
#include "ipu/engine/outline.h"

#include <stdlib.h>
#include <yyjson.h>

static void
release_stage(struct outline_stage *s)
{
	int	i;

	for (i = 0; i < s->operation_count; i++)
		free(s->operations[i].parameters);
	free(s->operations);
	free(s->blocks);
}

void
outline_release(struct outline *o)
{
	int	i;

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

/* Elements of all parameters. */
static size_t
count_stage(const struct outline_stage *s)
{
	size_t	sum = 0;
	int	i, k;

	for (i = 0; i < s->operation_count; i++)
		for (k = 0; k < s->operations[i].parameter_count; k++)
			sum += s->operations[i].parameters[k].elements;
	return sum;
}

size_t
outline_parameters(const struct outline *o)
{
	size_t	sum = 0;
	int	i;

	for (i = 0; i < o->stage_count; i++)
		sum += count_stage(&o->stages[i]);
	return sum;
}

size_t
outline_operation_weights(const struct outline_operation *o)
{
	size_t	sum = 0;
	int	i;

	for (i = 0; i < o->parameter_count; i++)
		sum += o->parameters[i].bytes;
	return sum;
}
