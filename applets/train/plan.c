/*
 * Turns a model and options into the engines' configurations.
 */
#include <string.h>
#include <unistd.h>

#include "applets/train/session_internal.h"
#include "core/base/alloc.h"
#include "core/base/files/file_link.h"
#include "core/base/terminal.h"
#include "core/base/text.h"
#include "ipu/engine/engine.h"

/* Return a configuration with only those settings that are not in the model
   file. */
static struct engine_config
base_config(const struct session *s)
{
	return (struct engine_config){ .kernels = s->kernels,
		.seed = s->options->seed,
		.local_replicas = s->popdist.num_local_replicas,
		.first_replica = s->popdist.replica_index_offset,
		.total_replicas = s->popdist.num_total_replicas,
		.trace = s->report.execution_profile,
		.attachment = &s->attachment };
}

int
plan_session(struct session *s, struct error *e)
{
	const struct engine_config base = base_config(s);
	struct run_plan plan;

	if (run_plan_init(&plan, s->file, &base, &s->options->choices, e) != 0)
		return -1;
	s->training = plan.training;
	s->inference = plan.inference;
	s->ipus = plan.ipus;
	return 0;
}

/* Return how many IPUs a trial may use per replica: at most those of the GCD,
   or without an attachment those of the largest schedule.  0: as many as the
   session's plan has, as under poprun. */
static int
max_ipus(const struct session *s)
{
	const struct attachment *a = s->training.attachment;
	const int replicas = s->popdist.num_local_replicas;

	if (a == NULL)
		return SCHEDULE_IPUS_MAX / replicas;
	return s->popdist.is_set || a->taken.count == 0 ?
	    0 :
	    a->taken.gcd_ipus / replicas;
}

/* Fill in session->run.  Call it after reading the data files, because their
   numbers of samples are needed. */
void
plan_trials(struct session *s)
{
	const struct train_options *o = s->options;

	s->run = (struct trial_run){ .file = s->file,
		.choices = o->choices,
		.base = base_config(s),
		.train_samples =
		    o->generated ? o->samples : (long)s->train.count,
		.test_samples = o->generated ? o->samples / TRAIN_TO_TEST :
					       (long)s->test.count,
		.ipus_max = max_ipus(s),
		.poprun = s->popdist.is_set,
		.resumed = o->load != NULL ? &s->training : NULL,
		.rows = o->rows,
		.argc = o->argc,
		.argv = o->argv };
}

static void
dump_schedule(const struct engine_config *c, const char *name)
{
	struct schedule_config config = engine_config_schedule(c);
	struct schedule schedule;

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
