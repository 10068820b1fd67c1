/*
 * Frees a result.
 */
#include "core/launch/launch.h"

#include <stdlib.h>

void
launch_result_release(struct launch_result *result)
{
	free(result->instances);
	free(result->tail);
	result->instances = NULL;
	result->tail = NULL;
	result->count = 0;
}
