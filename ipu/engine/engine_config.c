/*
 * Values that follow from an engine's configuration: its schedule, and the
 * layers and blocks of each stage.
 */
#include "ipu/engine/engine_config.h"

#include <assert.h>
#include <stddef.h>

#include "ipu/engine/outline.h"

/* In training a pipeline is empty after each accumulation, so a schedule covers
   one; inference runs through without a stop. */
struct schedule_config
engine_config_schedule(const struct engine_config *c)
{
	return (struct schedule_config){ .strategy = c->strategy,
		.stages = c->stages,
		.training = c->training,
		.micro_batches = c->training ? c->gradient_accumulation :
					       c->device_iterations,
		.stage_ipu = c->stage_ipu };
}

/* Skip the blocks before the stage, then count its layers. */
void
engine_config_stage_layers(const struct engine_config *c, int stage, int *first,
    int *count)
{
	int block = 0, i;

	for (i = 0; i < stage; i++)
		block += c->stage_blocks[i];
	assert(block + c->stage_blocks[stage] <= c->model->block_count);
	*first = c->model->blocks[block].first_layer;
	*count = 0;
	for (i = 0; i < c->stage_blocks[stage]; i++)
		*count += c->model->blocks[block + i].layer_count;
}

const char *
engine_config_block(const struct engine_config *c, int stage, int number)
{
	const struct outline_stage *s;
	int first = 0, i;

	if (c->outline != NULL) {
		s = &c->outline->stages[stage];
		return number < s->block_count ? s->blocks[number] : NULL;
	}
	for (i = 0; i < stage; i++)
		first += c->stage_blocks[i];
	return number < c->stage_blocks[stage] ?
	    c->model->blocks[first + number].name :
	    NULL;
}

size_t
engine_config_parameters(const struct engine_config *c)
{
	return c->outline != NULL ? outline_parameters(c->outline) :
				    c->model->parameter_count;
}
