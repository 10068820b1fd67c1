/*
 * Encodes and decodes LINK_START.
 */
#include "core/launch/launch.h"

#include "core/base/alloc.h"

void
parent_start_put(const struct parent_start *s,
    unsigned char body[PARENT_START_BYTES])
{
	size_t used = 0;

	link_put(body, &used, (uint32_t)s->grace_ms);
	link_put(body, &used, (uint32_t)s->terminal);
	link_put(body, &used, (uint32_t)s->rows);
	link_put(body, &used, (uint32_t)s->columns);
	link_put(body, &used, (uint32_t)s->merge_errors);
	link_put(body, &used, (uint32_t)s->placement);
	link_put(body, &used, (uint32_t)s->local_index);
	link_put(body, &used, (uint32_t)s->local_count);
	link_put(body, &used, (uint32_t)s->input);
}

bool
parent_start_get(const struct link_message *m, struct parent_start *s)
{
	int *const fields[] = { &s->grace_ms, &s->terminal, &s->rows,
		&s->columns, &s->merge_errors, &s->placement, &s->local_index,
		&s->local_count, &s->input };
	uint32_t number;
	size_t i, used = 0;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!link_get(m, &used, &number))
			return false;
		*fields[i] = (int)number;
	}
	return true;
}
