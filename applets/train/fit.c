/*
 * The engines' needs of the IPUs' memory, before anything runs.
 */
#include <stdlib.h>
#include <unistd.h>

#include "applets/train/session_internal.h"
#include "core/base/alloc.h"
#include "core/base/files/output_file.h"
#include "core/base/text.h"
#include "ipu/profile/profile.h"

/* Report once per job why the cache was not used. */
static void
report_cache(const struct session *s, const struct executable_cache *cache,
    const struct executable_use *use)
{
	if (use->trouble.text[0] != '\0' && s->out != NULL)
		notice(s, POPTORCH_WARN, "%s", use->trouble.text);
	if (use->loaded)
		notice(s, POPTORCH_DEBUG, "Executable loaded from %s/%s",
		    cache->directory, use->name);
	else if (use->kept)
		notice(s, POPTORCH_DEBUG,
		    "Executable compiled, and kept in %s/%s", cache->directory,
		    use->name);
}

void
fit_plan(struct session *s)
{
	const struct executable_cache cache = {
		.directory = executable_cache_directory(),
		.wait_ms = EXECUTABLE_CACHE_WAIT_MS,
	};
	const struct memory_plan plan = {
		.training = &s->training,
		.inference = &s->inference,
		.target = memory_target(s->options->ipu_memory),
		.training_memory = &s->training_memory,
		.inference_memory = &s->inference_memory,
	};
	struct executable_use use;

	memory_cache_plan(&plan, cache.directory != NULL ? &cache : NULL, &use);
	report_cache(s, &cache, &use);
}

/* Write both as one object; if the file is stdout, after its buffered text. */
static int
write_json(const struct session *s, const char *path, struct error *e)
{
	struct memstream m;
	char *text;
	size_t size;
	int status;

	(void)memstream_open(&m);
	fputs("{\"training\":", m.file);
	memory_report_json(&s->training_memory, m.file);
	fputs(",\"inference\":", m.file);
	memory_report_json(&s->inference_memory, m.file);
	fputs("}\n", m.file);
	text = memstream_close(&m, &size);
	(void)fflush(s->out);
	status = output_file_write(path, OUTPUT_STREAM, text, size, e);
	free(text);
	return status;
}

/* Refuse a model that does not fit.  If a profile is requested, write one
   without calls to show why, as Poplar does unless debug.allowOutOfMemory is
   false. */
static int
check_memory(struct session *s, const struct engine_config *c,
    const struct memory *m, const char *engine, struct error *e)
{
	const char *directory = engine_options_directory(&s->report);
	struct error ignored;
	char *path;

	if (memory_report_check(m, NULL, e) == 0)
		return 0;
	if (directory == NULL || !s->report.allow_out_of_memory ||
	    profiling_open(s, c, engine, 0, &ignored) == -1)
		return -1;
	/* Signals are not watched yet, so the profile needs no lock. */
	profile_interrupt(s->profile, "the model does not fit into memory");
	if (profiling_close(s, 0, &ignored) == -1)
		return -1;
	path = xasprintf("%s/%s/report.html", directory, engine);
	(void)memory_report_check(m, path, e);
	free(path);
	return -1;
}

int
fit_report(struct session *s, struct error *e)
{
	const struct train_options *o = s->options;
	struct table_screen screen;

	if (o->memory_report && s->out != NULL) {
		table_screen_init(&screen, STDOUT_FILENO, o->wide,
		    TERMINAL_AUTO);
		memory_report_print(&s->training_memory, s->out, &screen);
		fputc('\n', s->out);
		memory_report_print(&s->inference_memory, s->out, &screen);
		fputc('\n', s->out);
		(void)fflush(s->out);
	}
	if (o->memory_json != NULL && s->out != NULL &&
	    write_json(s, o->memory_json, e) != 0)
		return -1;
	if (check_memory(s, &s->training, &s->training_memory, "training", e) !=
	    0)
		return -1;
	return check_memory(s, &s->inference, &s->inference_memory, "inference",
	    e);
}
