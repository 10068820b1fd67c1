/*
 * Explanations of mpirun's messages and of failures: passes them to
 * core/job/mpirun_noise.h and postmortem.c, and the results to the user.
 */
#include "core/launch/plan/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/network.h"
#include "core/base/text.h"
#include "core/job/job.h"
#include "core/launch/plan/plan.h"
#include "core/process/process.h"

/* mpirun's messages while they are filtered. */
struct explain {
	struct mpirun_noise *noise;
	FILE *out; /* NULL: stderr */
};

static void
explain_say(void *context, enum mpirun_noise_kind kind, const char *text,
    size_t size)
{
	struct explain *x = context;

	(void)size;
	if (kind == MPIRUN_NOISE_ERROR)
		job_log_print_error(x->out, "%s", text);
	else if (kind == MPIRUN_NOISE_WARNING)
		job_log_print_warning(x->out, "%s", text);
	else
		job_log_print_text(x->out, text);
}

/* A copied ipubox was executed on the hosts already. */
static void
explain_set_own(struct plan *p)
{
	struct strvec words;

	if (p->far == NULL || p->bring.file != NULL)
		return;
	strvec_init(&words);
	if (own_program_add(&words, NULL) == 0)
		mpirun_noise_set_own(p->explain->noise, words.items[0]);
	strvec_release(&words);
}

/* Begin to read the lines of mpirun, if it is the launcher; explain_end()
   follows. */
void
explain_begin(struct plan *p)
{
	struct strvec others;
	size_t i;

	if (p->launcher != LAUNCHER_MPIRUN)
		return;
	strvec_init(&others);
	for (i = 0; i < p->hosts.count; i++)
		if (p->far == NULL || !own_host_is(p->hosts.items[i]))
			strvec_add(&others, p->hosts.items[i]);
	p->explain = xcalloc(1, sizeof(*p->explain));
	p->explain->noise = mpirun_noise_new(&others, explain_say, p->explain);
	strvec_release(&others);
	explain_set_own(p);
	if (p->agent.has_names)
		mpirun_noise_set_agent(p->explain->noise,
		    remote_agent_name(&p->agent));
}

/* srun's answer to --cpu-bind=none where Slurm binds nothing anyway. */
static const char unbound[] = "lacks support for cpu binding";

/* Put a line of mpirun's into plain words; a callback of struct launch.  A line
   of its stdout, with -v every line, and each of srun's stay unchanged. */
void
explain_engine_line(const void *plan, const char *line, bool is_error,
    FILE *out)
{
	const struct plan *p = plan;
	char *whole = xasprintf("%s\n", line);

	if (p->explain != NULL)
		p->explain->out = out;
	if (p->explain != NULL && is_error && !job_log_wants(LOG_INFO))
		mpirun_noise_line(p->explain->noise, whole, strlen(whole));
	else if (p->explain != NULL || strstr(line, unbound) == NULL)
		job_log_print_text(out, whole);
	free(whole);
}

/* Return true if the result explains mpirun's end. */
static bool
is_explained(const struct launch_result *r)
{
	return r != NULL && r->end != LAUNCH_ENGINE_ENDED &&
	    r->end != LAUNCH_NO_PARENT && r->end != LAUNCH_NOT_STARTED_IN_TIME;
}

/* Print the messages of mpirun that were held back, unless the result explains
   its end, and end the reading.  NULL: nothing was launched. */
void
explain_end(struct plan *p, const struct launch_result *r)
{
	if (p->explain == NULL)
		return;
	p->explain->out = NULL;
	mpirun_noise_end(p->explain->noise, is_explained(r));
	mpirun_noise_free(p->explain->noise);
	free(p->explain);
	p->explain = NULL;
}

/* Name the SDK if Python lacks one of its modules (config/sdk/python). */
static void
explain_module(const struct launch_result *r, FILE *out)
{
	static const char modules[][12] = { "horovod", "ipubox_sdk", "popart",
		"popdist", "poptorch", "torchvision" };
	char words[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modules) && r->tail != NULL; i++) {
		(void)snprintf(words, sizeof(words), "No module named '%s'",
		    modules[i]);
		if (memmem(r->tail, r->tail_size, words, strlen(words)) == NULL)
			continue;
		fprintf(out,
		    "  %s is in ipubox's SDK: ipubox --install-sdk DIR, then "
		    "poprun --sdk DIR\n",
		    modules[i]);
		return;
	}
}

/* Name the host if the job has several. */
static void
explain_instance(const struct plan *p, const struct launch_result *r, FILE *out)
{
	const struct postmortem_cause cause = { .instance = r->instance,
		.host = p->layout.num_hosts == 1 ?
		    NULL :
		    p->hosts
			.items[layout_instance(&p->layout, r->instance).host],
		.tail = r->tail,
		.tail_size = r->tail_size,
		.logs = p->settings->log_dir,
		.seen = p->output->shown == NULL ||
		    p->output->shown[r->instance] };

	postmortem_print(out, r->instances, r->count, &cause);
	if (!p->has_sdk)
		explain_module(r, out);
}

/* After the line that says why the job failed, print the circumstances: of an
   instance's failure or of a time limit. */
void
explain_failure(const struct plan *p, const struct launch_result *r)
{
	struct memstream m;
	char *text;

	if (r->end == LAUNCH_DONE)
		return;
	(void)memstream_open(&m);
	if ((r->end == LAUNCH_EXITED || r->end == LAUNCH_KILLED) &&
	    r->instance != LAUNCH_ENGINE)
		explain_instance(p, r, m.file);
	else if (r->end == LAUNCH_TIMED_OUT)
		postmortem_print_running(m.file, r->instances, r->count);
	else if (r->end == LAUNCH_NOT_STARTED_IN_TIME)
		postmortem_print_waiting(m.file, r->instances, r->count);
	text = memstream_close(&m, NULL);
	job_log_print_text(NULL, text);
	free(text);
}
