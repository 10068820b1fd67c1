/*
 * The profile of each engine: what its IPUs ran, in a directory of its name.
 */
#include <stdlib.h>

#include "applets/train/session_internal.h"
#include "core/base/text.h"
#include "core/base/alloc.h"
#include "ipu/listing.h"
#include "ipu/sensors.h"

/* What the IPUs are, in words. */
static char *
device_of(const struct session *s)
{
	const struct attachment	*a = s->training.attachment;

	if (a == NULL)
		return xstrdup("IPU model, no device");
	if (a->count == 0)
		return xstrdup("not attached");
	return xasprintf("device Id %d, %d IPU%s of partition %s",
	    a->device.id, a->count, a->count == 1 ? "" : "s", a->partition);
}

/* The clock of the machine that it is attached to, else an M2000's. */
static double
clock_of(const struct session *s)
{
	const struct attachment	*a = s->training.attachment;
	struct snapshot		 now;
	struct sensors		 sensors;
	int			 model = MACHINE_M2000;

	if (a != NULL && a->count > 0 &&
	    snapshot_take(&a->registry, &now, NULL) == 0) {
		model = now.pod.agents[listing_ipu_machine(a->first_ipu)].model;
		snapshot_release(&now);
	}
	sensors_read(&sensors, model, NULL, 0);
	return sensors.clock_mhz;
}

/*
 * The first engine that is profiled is the one whose page is named at the end:
 * training, unless nothing was left to train.
 */
int
profiling_open(struct session *s, const struct engine_config *c,
    const char *engine, struct error *e)
{
	const char		*directory =
	    engine_options_directory(&s->report);
	const struct memory	*memory = c->training ? &s->training_memory :
	    &s->inference_memory;
	const struct cycles_target	clock = cycles_target_of(clock_of(s));
	char			*device;
	struct profile_about	 about = {
		.program = s->options->applet,
		.command = s->options->command,
		.model = s->file->name,
		.engine = engine,
		.instance = s->popdist.instance_index
	};

	if (directory == NULL)
		return 0;
	about.device = device = device_of(s);
	cycles_init(&s->cycles, c, &clock);
	s->profile = profile_open(directory, &about, c, memory, &s->cycles, e);
	free(device);
	if (s->profiled == NULL)
		s->profiled = engine;
	return s->profile == NULL ? -1 : 0;
}

void
profiling_keep_call(struct session *s, const struct engine *engine)
{
	if (s->profile != NULL)
		profile_call(s->profile, engine);
}

/* With e NULL the reason is not wanted: there is an earlier one. */
int
profiling_close(struct session *s, struct error *e)
{
	const int	status = profile_close(s->profile, e);

	if (engine_options_directory(&s->report) != NULL)
		cycles_release(&s->cycles);
	s->profile = NULL;
	return status;
}

void
profiling_print_pages(const struct session *s)
{
	const char	*directory = engine_options_directory(&s->report);

	if (s->out == NULL || directory == NULL || s->profiled == NULL)
		return;
	fputs("Profile: ", s->out);
	text_put(s->out, directory);
	fputs(" (open ", s->out);
	text_put(s->out, directory);
	fprintf(s->out, "/%s/report.html in a browser)\n", s->profiled);
}
