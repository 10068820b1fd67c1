/*
 * ipubox-slurm: what a Slurm needs to give the pod's IPUs to its jobs.
 *
 * `install` writes its plugin, scripts and configuration; Slurm calls the other
 * commands through these scripts.
 */
#include "applets/applet.h"
#include "applets/ipubox-slurm/ipubox-slurm.h"
#include "core/base/parse.h"
#include "core/server/server.h"
#include "core/slurm/slurm.h"

enum { WAIT_MS = 300 * 1000 };

enum { KEY_WAIT = OPTIONS_LONG, KEY_VERSION };

static const struct option_row ipubox_slurm_options[] = {
	{ KEY_WAIT, "wait", "S",
	    "prolog: let the job fail if its IPUs are not free in S seconds "
	    "(default: 300)" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static int ipubox_slurm_main(int argc, char **argv);

const struct applet ipubox_slurm_applet = {
	.name = "ipubox-slurm",
	.purpose = "give the pod's IPUs to the jobs of a Slurm",
	.synopsis = "install DIR\n"
		    "       ipubox-slurm [--wait S] prolog\n"
		    "       ipubox-slurm epilog | task-prolog",
	.options = ipubox_slurm_options,
	.main = ipubox_slurm_main,
	.examples = "  ipubox-slurm install /etc/slurm/ipubox\n"
		    "  srun --ipus=4 gc-info -l",
};

enum slurm_command { INSTALL, PROLOG, EPILOG, TASK_PROLOG };

/* Run the prolog, or with a negative wait_ms the epilog. */
static int
serve_job(int64_t wait_ms)
{
	struct slurm_job job;
	struct controller *c;
	struct error e;
	int status = -1;

	if (slurm_job_read(&job, &e) != 0)
		return applet_failed(&ipubox_slurm_applet, &e);
	if (job.ipus == 0)
		return EXIT_DONE;
	if ((c = server_open_controller(NULL, NULL, &e)) != NULL) {
		slurm_sweep(c);
		status = wait_ms < 0 ? slurm_job_unmake(c, &job, &e) :
				       slurm_job_make(c, &job, wait_ms, &e);
		controller_close(c);
	}
	if (status == 0)
		return EXIT_DONE;
	(void)applet_failed(&ipubox_slurm_applet, &e);
	/* A request that can never be met is not tried again: the job starts,
	   and the task prolog ends it with the reason in its output. */
	return e.code == ERROR_INVALID ? EXIT_DONE : EXIT_FAILED;
}

static int
run(int count, char **words, int64_t wait_ms)
{
	struct error e;
	int command;

	if (count == 0)
		return applet_misuse(&ipubox_slurm_applet, "which command?");
	if (suggest_choose("command", words[0],
		"install, prolog, epilog or task-prolog", &command, &e) != 0)
		return applet_misuse(&ipubox_slurm_applet, "%s", e.text);
	if (command == INSTALL) {
		if (count != 2)
			return applet_misuse(&ipubox_slurm_applet,
			    "install takes one directory");
		return slurm_install(words[1], &e) == 0 ?
		    EXIT_DONE :
		    applet_failed(&ipubox_slurm_applet, &e);
	}
	if (count != 1)
		return applet_misuse(&ipubox_slurm_applet,
		    "%s takes no arguments", words[0]);
	if (command == TASK_PROLOG)
		return slurm_task_prolog();
	return serve_job(command == PROLOG ? wait_ms : -1);
}

static int
ipubox_slurm_main(int argc, char **argv)
{
	struct option_parser parser;
	int64_t wait_ms = WAIT_MS;
	struct error e;
	int key;

	options_init(&parser, ipubox_slurm_options, argc, argv, true);
	while ((key = options_next(&parser, &e)) >= 0) {
		if (key == 'h')
			return applet_help(&ipubox_slurm_applet);
		if (key == KEY_VERSION)
			return applet_version(&ipubox_slurm_applet);
		if (parse_duration("--wait", parser.argument, &wait_ms, &e) !=
		    0)
			return applet_misuse(&ipubox_slurm_applet, "%s",
			    e.text);
	}
	if (key == OPTIONS_ERROR)
		return applet_misuse(&ipubox_slurm_applet, "%s", e.text);
	return run(parser.argc - parser.operand, argv + parser.operand,
	    wait_ms);
}
