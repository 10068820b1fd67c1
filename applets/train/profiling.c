/*
 * The profile of each engine: what its IPUs ran, in a directory of its name.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/train/session_internal.h"
#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/pod.h"
#include "ipu/device/device.h"
#include "ipu/profile/profile.h"

/* What the IPUs are, in words. */
static char *
device_of(const struct session *s)
{
	const struct attachment		*a = s->training.attachment;
	const struct taken_device	*d;

	if (a == NULL)
		return xstrdup("IPU model, no device");
	d = &a->taken;
	if (d->count == 0)
		return xstrdup("not attached");
	return xasprintf("device Id %d, %d IPU%s of partition %s",
	    d->device.id, d->count, d->count == 1 ? "" : "s", d->partition);
}

/* The clock of the machine that it is attached to, else an M2000's. */
static double
clock_of(const struct session *s)
{
	const struct attachment	*a = s->training.attachment;

	return sensors_clock_mhz(a != NULL && a->taken.count > 0 ?
	    a->taken.model : MACHINE_M2000);
}

/*
 * The page of all instances, where each has a directory of its own.  Where
 * replicas are spread unevenly, those have the numbers of replicas.
 */
static int
write_index(const struct session *s, struct error *e)
{
	const struct popdist		*p = &s->popdist;
	const struct profile_index	 index = {
		.directory = s->report.parent,
		.count = p->num_instances > 0 ? p->num_instances :
		    p->num_total_replicas,
		.gaps = p->num_instances == 0
	};

	return index.directory[0] == '\0' ? 0 : profile_index_write(&index, e);
}

/*
 * The first engine that is profiled is the one whose page is named at the end:
 * training, unless nothing was left to train.
 */
int
profiling_open(struct session *s, const struct engine_config *c,
    const char *engine, long calls, struct error *e)
{
	const char		*directory =
	    engine_options_directory(&s->report);
	const struct memory	*memory = c->training ? &s->training_memory :
	    &s->inference_memory;
	const struct cycles_target	clock = cycles_target_of(clock_of(s));
	bool			 failed = false;
	char			*device;
	struct profile_about	 about = {
		.program = s->options->applet,
		.command = s->options->command,
		.model = s->file->name,
		.engine = engine,
		.instance = s->popdist.instance_index,
		.run = &s->run,
		.calls = calls
	};

	if (directory == NULL)
		return 0;
	plan_trials(s);
	about.device = device = device_of(s);
	interruption_lock(&s->interruption);
	cycles_init(&s->cycles, c, &clock);
	s->profile = profile_open(directory, &about, c, memory, &s->cycles, e);
	s->engine = engine;
	/* Without what an earlier run left there. */
	if (s->profile != NULL && write_index(s, e) != 0)
		failed = true;
	interruption_unlock(&s->interruption);
	free(device);
	if (s->profiled == NULL)
		s->profiled = engine;
	return s->profile == NULL || failed ? -1 : 0;
}

void
profiling_keep_call(struct session *s, const struct engine *engine)
{
	interruption_lock(&s->interruption);
	if (s->profile != NULL)
		profile_call(s->profile, engine);
	interruption_unlock(&s->interruption);
}

/* An error of the calls is told, not one of writing what they left. */
int
profiling_close(struct session *s, int status, struct error *e)
{
	const bool	open = s->profile != NULL;
	struct error	ignored;
	int		written;

	interruption_lock(&s->interruption);
	if (status != 0 && open)
		profile_interrupt(s->profile, e->text);
	written = profile_close(s->profile, status == 0 ? e : &ignored);
	if (open && write_index(s, status == 0 && written == 0 ? e :
	    &ignored) != 0)
		written = -1;
	if (engine_options_directory(&s->report) != NULL)
		cycles_release(&s->cycles);
	s->profile = NULL;
	interruption_unlock(&s->interruption);
	return written != 0 ? -1 : status;
}

/*
 * By write(2): the main thread may be in stdio, and what it has not flushed is
 * not to come now.  The first instance speaks for all.
 */
void
profiling_save(void *session, int signal)
{
	struct session	*s = session;
	/* Below the bar, which has no end. */
	const char	*line = isatty(STDERR_FILENO) == 1 ? "\n" : "";
	struct error	 error;
	char		*text, *place, *shown;
	long		 calls;
	size_t		 size;
	int		 status;

	if (s->profile == NULL)
		return;
	calls = profile_calls(s->profile);
	profile_interrupt(s->profile, strsignal(signal));
	status = profile_close(s->profile, &error);
	s->profile = NULL;
	if (status == 0)
		status = write_index(s, &error);
	if (s->out == NULL && status == 0)
		return;
	place = xasprintf("%s/%s/report.html",
	    engine_options_directory(&s->report), s->engine);
	size = 4 * strlen(place) + 1;
	shown = xmalloc(size);
	text_printable(place, shown, size);
	text = status != 0 ?
	    xasprintf("%s%s: %s\n", line, s->options->applet, error.text) :
	    xasprintf("%s%s: interrupted after call %ld: its profile is %s\n",
	    line, s->options->applet, calls, shown);
	(void)!write(STDERR_FILENO, text, strlen(text));
	free(text);
	free(shown);
	free(place);
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
	if (s->report.parent[0] == '\0')
		return;
	fputs("Profiles of all instances: ", s->out);
	text_put(s->out, s->report.parent);
	fputs("/index.html\n", s->out);
}
