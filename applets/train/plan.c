/*
 * From a model and options to what the engines are asked to do, and what they
 * will need of the IPUs' memory, before anything runs.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/train/session_internal.h"
#include "core/base/alloc.h"
#include "core/base/files/output_file.h"
#include "core/base/terminal.h"
#include "core/base/text.h"
#include "ipu/engine/engine.h"

/* What does not come from the model file. */
static struct engine_config
base_config(const struct session *s)
{
	return (struct engine_config){
		.kernels = s->kernels,
		.local_replicas = s->popdist.num_local_replicas,
		.first_replica = s->popdist.replica_index_offset,
		.total_replicas = s->popdist.num_total_replicas,
		.trace = s->report.execution_profile,
		.attachment = &s->attachment
	};
}

int
plan_session(struct session *s, struct error *e)
{
	const struct engine_config	base = base_config(s);
	struct run_plan	plan;

	if (run_plan_init(&plan, s->file, &base, &s->options->choices, e) != 0)
		return -1;
	s->training = plan.training;
	s->inference = plan.inference;
	s->ipus = plan.ipus;
	return 0;
}

/* That a replica may have of the partition; 0: as many as it has. */
static int
most_ipus(const struct session *s)
{
	const struct attachment	*a = s->training.attachment;
	const int		 replicas = s->popdist.num_local_replicas;

	if (a == NULL)
		return SCHEDULE_IPUS_MAX / replicas;
	return s->popdist.is_set || a->taken.count == 0 ? 0 :
	    a->taken.gcd_ipus / replicas;
}

/* Files are counted once they have been read. */
void
plan_trials(struct session *s)
{
	const struct train_options	*o = s->options;

	s->run = (struct trial_run){
		.file = s->file,
		.choices = o->choices,
		.base = base_config(s),
		.train_samples = o->generated ? o->samples :
		    (long)s->train.count,
		.test_samples = o->generated ? o->samples / TRAIN_TO_TEST :
		    (long)s->test.count,
		.ipus_max = most_ipus(s),
		.poprun = s->popdist.is_set,
		.resumed = o->load != NULL ? &s->training : NULL,
		.rows = o->rows,
		.argc = o->argc,
		.argv = o->argv
	};
}

static void
dump_schedule(const struct engine_config *c, const char *name)
{
	struct schedule_config	config = engine_config_schedule(c);
	struct schedule		schedule;

	if (schedule_init(&schedule, &config, NULL) == 0) {
		printf("%s: %s, %d stages, %d micro-batches, %.1f %% used\n",
		    name, model_file_strategy_words[c->strategy], c->stages,
		    config.micro_batches,
		    100 * schedule_view_utilisation(&schedule, -1));
		schedule_view_print(&schedule, stdout,
		    terminal_columns(STDOUT_FILENO));
	}
	schedule_release(&schedule);
}

void
plan_dump_schedules(const struct session *s)
{
	dump_schedule(&s->training, "training");
	putchar('\n');
	dump_schedule(&s->inference, "inference");
}

/* Why the cache did not serve is said once in a job. */
static void
tell_cache(const struct session *s, const struct executable_cache *cache,
    const struct executable_use *use)
{
	if (use->trouble.text[0] != '\0' && s->out != NULL)
		notice(s, POPTORCH_WARN, "%s", use->trouble.text);
	if (use->loaded)
		notice(s, POPTORCH_DEBUG, "Executable loaded from %s/%s",
		    cache->directory, use->name);
	else if (use->kept)
		notice(s, POPTORCH_DEBUG, "Executable compiled, and kept in "
		    "%s/%s", cache->directory, use->name);
}

void
plan_memory(struct session *s)
{
	const struct executable_cache	cache = {
		.directory = executable_cache_directory(),
		.wait_ms = EXECUTABLE_CACHE_WAIT_MS
	};
	const struct memory_plan	plan = {
		.training = &s->training,
		.inference = &s->inference,
		.target = memory_target(s->options->ipu_memory),
		.training_memory = &s->training_memory,
		.inference_memory = &s->inference_memory
	};
	struct executable_use		use;

	memory_cache_plan(&plan, cache.directory != NULL ? &cache : NULL,
	    &use);
	tell_cache(s, &cache, &use);
}

/* Both as one object, behind what stdout holds where that is the file. */
static int
write_json(const struct session *s, const char *path, struct error *e)
{
	struct memstream	 m;
	char			*text;
	size_t			 size;
	int			 status;

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

/*
 * Refused is what does not fit.  Where a profile is asked for, one without any
 * call shows what it was, as Poplar's does unless debug.allowOutOfMemory says
 * no.
 */
static int
check_memory(struct session *s, const struct engine_config *c,
    const struct memory *m, const char *engine, struct error *e)
{
	const char	*directory = engine_options_directory(&s->report);
	struct error	 ignored;
	char		*path;

	if (memory_report_check(m, NULL, e) == 0)
		return 0;
	if (directory == NULL || !s->report.allow_out_of_memory ||
	    profiling_open(s, c, engine, 0, &ignored) == -1 ||
	    profiling_close(s, 0, &ignored) == -1)
		return -1;
	path = xasprintf("%s/%s/report.html", directory, engine);
	(void)memory_report_check(m, path, e);
	free(path);
	return -1;
}

int
plan_report(struct session *s, struct error *e)
{
	const struct train_options	*o = s->options;
	struct table_screen		 screen;

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
	if (check_memory(s, &s->training, &s->training_memory, "training",
	    e) != 0)
		return -1;
	return check_memory(s, &s->inference, &s->inference_memory,
	    "inference", e);
}
