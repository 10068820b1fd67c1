/*
 * poprun: launch a distributed program on a partition of IPUs.
 *
 * The replicas are distributed over instances of the program.  Each instance
 * finds its share in its environment, its output is tagged, and the first
 * failure ends all instances.
 *
 * Source: PopRun user guide, chapters 2 and 3.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/candidates.h"
#include "applets/poprun/option_table.h"
#include "applets/poprun/poprun.h"
#include "core/base/parse.h"
#include "core/launch/launch.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/notes.h"
#include "core/state/paths.h"
#include "ipu/device/visible_devices.h"

static int poprun_main(int argc, char **argv);

const struct applet poprun_applet = {
	.name = "poprun",
	.purpose = "launch a distributed program on IPUs",
	.synopsis = "[option ...] program [argument ...]",
	.options = option_table,
	.values = option_table_values,
	.operand = CANDIDATES_PROGRAM,
	.main = poprun_main,
	.examples =
	    "  poprun --num-replicas 4 --num-instances 2 python3 train.py\n"
	    "  poprun --dry-run -H pod1,pod2 --num-replicas 2 --num-instances "
	    "2 hostname\n"
	    "  poprun --max-restarts 5 --log-dir logs python3 train.py",
};

/* Report a mistake on the command line in the real tool's words; status 2. */
static int
poprun_misuse(const char *text)
{
	(void)job_log_error("%s", text);
	applet_usage_line(stderr, &poprun_applet, poprun_applet.synopsis);
	return EXIT_USAGE;
}

/* Complete the plan on its partition, and run it. */
static int
launch(struct plan *p, const sigset_t *mask)
{
	struct error e = { .text = "" };
	char *command;

	if (p->partition.num_ilds > 0)
		p->layout.num_ilds = p->partition.num_ilds;
	if (layout_check(&p->layout, &e) != 0)
		return job_log_error("%s", e.text);
	if (plan_print_topology(p) != 0)
		return EXIT_FAILED; /* main() says why */
	if (shared_make(p, 0, &e) != 0 || plan_complete(p, &e) != 0)
		return job_log_error("%s", e.text);
	if (p->settings->dry_run) {
		dry_run_print(p);
		return EXIT_DONE;
	}
	if (output_plan_prepare(p->output, p->settings, &p->local[0], &e) != 0)
		return job_log_error("%s", e.text);
	command = strvec_quoted(p->command.items);
	job_log_line(LOG_INFO, "Running command: %s", command);
	free(command);
	return restart_run(p, mask);
}

/* Launch the plan; whatever happens, created objects are removed. */
static int
launch_on_partition(struct plan *p)
{
	struct error e = { .text = "" };
	sigset_t mask;
	int status;

	p->reaching = true;
	launch_signals_hold(&mask);
	if ((status = prepare_hosts_run(p, &mask)) != 0)
		return status;
	if (!p->settings->offline &&
	    job_partition_ensure(p, &p->partition, &e) != 0) {
		(void)job_partition_release(p->settings, &p->partition, NULL);
		return job_log_error("%s", e.text);
	}
	notes_add_places(p);
	status = launch(p, &mask);
	if (job_partition_release(p->settings, &p->partition, &e) != 0) {
		(void)job_log_error("%s", e.text);
		if (status == EXIT_DONE)
			status = EXIT_FAILED;
	}
	return status;
}

/*
 * Refuse everything that can be refused before writing or creating anything;
 * only the log is opened earlier, to record the reason of a refusal.
 */
static int
launch_settings(const struct launch_settings *s)
{
	struct plan plan;
	struct output_plan output;
	struct error e = { .text = "" };
	int status = job_log_init(s->verbose, &e);

	if (status != 0)
		return poprun_misuse(e.text);
	job_log_set_colour(s->colour);
	output_plan_init(&output);
	if (output_plan_open_logs(&output, s, &e) != 0) {
		output_plan_release(&output);
		return job_log_error("%s", e.text);
	}
	status = plan_init(&plan, s, &e);
	plan.output = &output;
	if (status == 0)
		status = command_line_export(s, &e);
	if (status != 0)
		(void)job_log_error("%s", e.text);
	else
		status = launch_on_partition(&plan);
	hosts_advise(&plan, status);
	plan_release(&plan);
	output_plan_release(&output);
	return status == -1 ? EXIT_FAILED : status;
}

/*
 * If an IPUoF file gives programs here the server of another pod of this host,
 * make that pod, and the partition of the file, those of the job.  A server, a
 * partition of this pod or another partition that the user names comes first.
 */
static void
adopt_shared_pod(const struct launch_settings *s)
{
	const bool is_named = s->partition != NULL && s->partition[0] != '\0';
	struct visible_name name;

	if (s->offline || s->server_host != NULL ||
	    variable_get("IPUOF_VIPU_API_HOST") != NULL ||
	    (is_named && paths_have_partition(s->partition)) ||
	    visible_devices_name(&name, true, NULL) != 0 ||
	    name.host[0] != '/' ||
	    (is_named && strcmp(s->partition, name.reference.partition) != 0))
		return;
	if (!is_named)
		(void)setenv("IPUOF_VIPU_API_PARTITION_ID",
		    name.reference.partition, 1);
	(void)setenv("IPUBOX_STATE_DIR", strchr(name.reference.state, ':') + 1,
	    1);
	(void)unsetenv("IPUBOX_REGISTRY");
}

/*
 * Signals are blocked from before the creation of the partition until a launch
 * can pass them on: see launch_on_partition().
 */
static int
poprun_main(int argc, char **argv)
{
	struct launch_settings settings;
	struct error e = { .text = "" };
	int status = EXIT_USAGE;

	command_line_init(&settings);
	switch (command_line_read(&settings, argc, argv, &e)) {
	case COMMAND_LINE_HELP:
		status = applet_help(&poprun_applet);
		break;
	case COMMAND_LINE_VERSION:
		status = version_print(&poprun_applet, settings.version_format);
		break;
	case COMMAND_LINE_MISUSE:
		status = poprun_misuse(e.text);
		break;
	case COMMAND_LINE_LAUNCH:
		adopt_shared_pod(&settings);
		status = settings.check ? check_run(&settings) :
					  launch_settings(&settings);
		break;
	}
	command_line_release(&settings);
	return status;
}
