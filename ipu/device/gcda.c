/*
 * GCDA_OPTIONS for programs on IPUs: read once, then asked for the errors that
 * are due.
 */
#include "ipu/device/poptorch.h"

int
gcda_read(struct gcda_options *o, struct error *e)
{
	struct gcda_problems problems = { .count = 0 };
	int i;

	gcda_options_read(o, &problems);
	for (i = 0; i < problems.count; i++)
		if (problems.rows[i].refused)
			return error_set(e, "%s", problems.rows[i].what);
	return 0;
}

bool
gcda_monitoring(void)
{
	struct gcda_options o;

	gcda_options_read(&o, NULL);
	return o.monitoring;
}

/* Only at that very call: the program ends with it. */
uint32_t
gcda_soc_errors(const struct gcda_options *o, uint32_t calls)
{
	return calls == o->trigger_count ? o->soc_errors : 0;
}
