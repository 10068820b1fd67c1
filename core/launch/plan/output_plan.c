/*
 * Chooses the output of the instances that is shown or kept in files.
 */
#include "core/launch/plan/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "core/process/process.h"

void
output_plan_init(struct output_plan *o)
{
	*o = (struct output_plan){ .logs = { .directory = DIRECTORY_NONE },
		.ranks = { .directory = DIRECTORY_NONE } };
}

void
output_plan_release(struct output_plan *o)
{
	free(o->shown);
	free(o->tags);
	output_copy_close(&o->logs);
	output_copy_close(&o->ranks);
}

int
output_plan_open_logs(struct output_plan *o, const struct launch_settings *s,
    struct error *e)
{
	int fd;

	if (s->log_dir == NULL || s->dry_run || s->check)
		return 0;
	if (output_copy_init(&o->logs, OUTPUT_COPY_INSTANCES, s->log_dir,
		s->layout.num_instances, e) != 0)
		return error_prefix(e, "--log-dir %s", s->log_dir);
	fd = output_copy_open_named(&o->logs, "poprun.log", e);
	if (fd == -1)
		return error_prefix(e, "--log-dir %s", s->log_dir);
	job_log_keep(fd, o->logs.directory.path);
	return 0;
}

/* Choose the instances that are shown: those named by the user; none if output
   goes only to files; else all. */
static int
choose_shown(struct output_plan *o, const struct launch_settings *s,
    const struct mpirun_local *local, struct error *e)
{
	const char *list = s->console_instances;
	int count = s->layout.num_instances;

	if (list == NULL && !s->tee && (s->log_dir != NULL || local->no_copy))
		list = "none";
	if (list == NULL && s->only_output == -1)
		return 0;
	o->shown = xcalloc((size_t)count, sizeof(*o->shown));
	if (s->only_output != -1) {
		o->shown[s->only_output] = list == NULL;
		return 0;
	}
	return index_list_read("--console-instances", list, count, o->shown, e);
}

static bool
is_any_shown(const struct output_plan *o, int count)
{
	int i;

	for (i = 0; o->shown != NULL && i < count; i++)
		if (o->shown[i])
			return true;
	return o->shown == NULL;
}

/* Use a pseudo terminal only for output that is shown, unless the user asks for
   it: colours are useless in a file. */
static bool
choose_terminal(const struct output_plan *o, const struct launch_settings *s)
{
	int fds[2], reason;

	if (s->pty == PTY_NO ||
	    (s->pty == PTY_AUTO &&
		(!isatty(STDOUT_FILENO) ||
		    !is_any_shown(o, s->layout.num_instances))))
		return false;
	if ((reason = pty_open(fds, NULL)) == 0) {
		(void)close(fds[0]);
		(void)close(fds[1]);
		return true;
	}
	if (s->pty == PTY_YES)
		job_log_warning("--pty yes: cannot open a pseudo terminal "
				"(%s); the instances write to pipes",
		    strerror(reason));
	return false;
}

void
output_plan_make_tags(struct output_plan *o, const struct launch_settings *s,
    const struct mpirun_local *local, const struct layout *layout,
    const struct strvec *hosts, int restarts)
{
	struct instance instance;
	int i;

	free(o->tags);
	o->tags = xcalloc((size_t)layout->num_instances, sizeof(*o->tags));
	o->tag_format = s->tag_format;
	if (o->tag_format == NULL && local->timestamps)
		o->tag_format = TAG_FORMAT_TIMESTAMP;
	for (i = 0; i < layout->num_instances; i++) {
		instance = layout_instance(layout, i);
		o->tags[i] = (struct tag_values){ .instance = i,
			.local_index = instance.local_index,
			.restarts = restarts,
			.host = hosts->items[instance.host] };
	}
}

int
output_plan_tag_columns(const struct output_plan *o,
    const struct layout *layout)
{
	return mux_tag_columns(layout->num_instances,
	    &(struct mux_options){ .tag_format = o->tag_format,
		.tags = o->tags });
}

int
output_plan_prepare(struct output_plan *o, const struct launch_settings *s,
    const struct mpirun_local *local, struct error *e)
{
	const char *ranks = local->output_filename;

	if (choose_shown(o, s, local, e) != 0)
		return -1;
	if (o->logs.directory.fd != -1 &&
	    output_copy_make_files(&o->logs, e) != 0)
		return error_prefix(e, "--log-dir %s", s->log_dir);
	if (ranks != NULL &&
	    (output_copy_init(&o->ranks,
		 local->no_job_id ? OUTPUT_COPY_RANKS : OUTPUT_COPY_JOB_RANKS,
		 ranks, s->layout.num_instances, e) != 0 ||
		output_copy_make_files(&o->ranks, e) != 0))
		return error_prefix(e, "--output-filename %s", ranks);
	o->terminal = choose_terminal(o, s);
	return 0;
}

void
output_plan_apply(struct output_plan *o, struct launch *l)
{
	l->output.shown = o->shown;
	l->output.tag_format = o->tag_format;
	l->output.tags = o->tags;
	(void)mux_terminal_size(l->count, &l->output, STDOUT_FILENO, &o->size);
	l->terminal = o->terminal ? &o->size : NULL;
	l->output.copies[0] = o->logs.directory.fd != -1 ? &o->logs : NULL;
	l->output.copies[1] = o->ranks.directory.fd != -1 ? &o->ranks : NULL;
}
