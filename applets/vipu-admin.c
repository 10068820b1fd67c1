/*
 * vipu-admin: configure the emulated pod.  As in the real tool, machines,
 * clusters and allocations are declared one by one, and vipu's partition
 * commands work too.  Only here, init makes a whole pod from a description.
 */
#include <stdio.h>
#include <string.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/call.h"
#include "applets/vipu/command.h"
#include "applets/vipu/output.h"
#include "core/base/embedded.h"
#include "core/pod/edit/edit.h"

static int vipu_admin_main(int, char **);

const struct applet vipu_admin_applet = {
	.name = "vipu-admin",
	.purpose = "declare, test and inspect the emulated pod",
	.synopsis = "VERB [ENTITY] [NAME] [option ...]\n"
		    "       vipu-admin --help | --server-version | --version",
	.options = NULL, /* each command has its own */
	.main = vipu_admin_main,
	.examples = "  vipu-admin init --pod pod128\n"
		    "  vipu-admin export pod.ini\n"
		    "  vipu-admin inject ag01 down",
};

static const struct command admin_commands[] = {
	{ "init", NULL, 0, 0, 0, "[--pod POD] [--force] [--secure]",
	    "make a new pod, including the partitions in its file",
	    init_options, init_pod, NULL },
	{ "create", "agent", 1, 1, 0, "NAME --host H [option ...]",
	    "declare a machine", edit_create_agent_options, edit_create_agent,
	    "  vipu-admin create agent ag17 --host 10.1.2.17" },
	{ "discover", "agent", 0, 0, 0, "[--add] [--format FORM]",
	    "show machines that are not declared yet", discover_options,
	    discover_agent, NULL },
	{ "get", "agent", 1, 1, 0, "NAME [--format FORM]", "show one machine",
	    output_options, agents_get, NULL },
	{ "list", "agent", 0, 0, 0, "[--format FORM]", "show the machines",
	    output_options, agents_list, NULL },
	{ "remove", "agent", 1, 1, 0, "NAME", "remove a machine",
	    command_no_options, edit_remove_agent, NULL },
	{ "update", "agent", 1, 1, 0, "NAME [option ...]", "change a machine",
	    edit_update_agent_options, edit_update_agent, NULL },
	{ "create", "cluster", 1, 1, 0, "NAME --agents A,B [option ...]",
	    "declare how machines are wired", edit_cluster_options,
	    edit_create_cluster, NULL },
	{ "get", "cluster", 1, 1, 0, "NAME [--format FORM]", "show one cluster",
	    output_options, clusters_command, NULL },
	{ "list", "cluster", 0, 0, 0, "[--format FORM]", "show the clusters",
	    output_options, clusters_command, NULL },
	{ "remove", "cluster", 1, 1, 0, "NAME",
	    "remove a cluster, but keep its machines", command_no_options,
	    edit_remove_cluster, NULL },
	{ "update", "cluster", 1, 1, 0, "NAME [option ...]",
	    "change the machines or wiring of a cluster", edit_cluster_options,
	    edit_update_cluster, NULL },
	{ "test", "cluster", 1, 1, 0, "NAME [--force] [--format FORM]",
	    "check the cables, links and traffic of a cluster", test_options,
	    test_cluster, NULL },
	{ "create", "allocation", 1, 1, 0, "NAME --agents A,B | --cluster C",
	    "declare machines that are used together",
	    edit_create_allocation_options, edit_create_allocation, NULL },
	{ "remove", "allocation", 1, 1, 0, "NAME",
	    "remove an allocation, but keep its machines", command_no_options,
	    edit_remove_allocation, NULL },
	{ "update", "allocation", 1, 1, 0, "NAME [option ...]",
	    "change the machines of an allocation",
	    edit_update_allocation_options, edit_update_allocation, NULL },
	{ "export", NULL, 0, 1, 0, "[FILE]",
	    "write the pod and its partitions as one file", command_no_options,
	    export_pod, NULL },
	{ "create", "user", 1, 1, 0, "NAME [--allocations A,B]",
	    "make a user with an access key", user_commands_create_options,
	    user_commands_create, NULL },
	{ "get", "user", 1, 1, 0, "NAME [--format FORM]", "show one user",
	    output_options, user_commands_get, NULL },
	{ "list", "user", 0, 0, 0, "[--format FORM]", "show the users",
	    output_options, user_commands_list, NULL },
	{ "update", "user", 1, 1, 0, "NAME [option ...]",
	    "change the allocations or the key of a user",
	    user_commands_update_options, user_commands_update, NULL },
	{ "remove", "user", 1, 1, 0, "NAME", "remove a user and its key",
	    command_no_options, user_commands_remove, NULL },
	{ "inject", NULL, 0, 3, COMMAND_TAKES_AGENT,
	    "[AGENT FAULT [N] | IPU soc-error NAME|clear]",
	    "make a machine or an IPU fail, or show what fails: down, up, "
	    "reboot, fail-config N, slow MS",
	    inject_options, inject_command, NULL },
	{ "completion", NULL, 1, 1,
	    COMMAND_NEEDS_NO_CONFIG | COMMAND_TAKES_SHELL, "bash | zsh",
	    "print a script that completes command lines", command_no_options,
	    complete_script, NULL },
	{ 0 },
};

/* Print the built-in pods, which init accepts by name. */
static void
print_more(void)
{
	const struct embedded_file *p;

	printf("\nPods:\n\n  %s\n", discovery_empty_pod);
	for (p = embedded_pods; p->name != NULL; p++)
		printf("  %s\n", p->name);
	printf("\nThe partition commands have the same options as in vipu; "
	       "vipu --help lists\nthem.\n");
}

int
vipu_admin_run(const struct applet *as, int argc, char **argv)
{
	const struct command_line line = {
		.applet = as,
		.own = admin_commands,
		.shared = partition_commands,
		.print_more = print_more,
		.admin = true,
	};

	if (argc > 1 && strcmp(argv[1], "apply") == 0)
		return applet_misuse(as,
		    "unknown command 'apply'; use init --pod FILE, which makes "
		    "the pod and the partitions that export wrote");
	return cli_run(&line, argc, argv);
}

static int
vipu_admin_main(int argc, char **argv)
{
	return vipu_admin_run(&vipu_admin_applet, argc, argv);
}
