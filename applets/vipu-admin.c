/*
 * vipu-admin: make the emulated pod and show what it is made of.
 *
 * The real tool declares machines, clusters and allocations one by one; here a
 * whole pod comes from a description, one of those in the program or a file.
 * As there, the partition commands of vipu work here too.
 */
#include <stdio.h>

#include "applets/vipu-admin/vipu-admin.h"
#include "applets/vipu/vipu.h"
#include "core/pod/embedded.h"

static int	vipu_admin_main(int, char **);

const struct applet vipu_admin_applet = {
	.name = "vipu-admin",
	.purpose = "make and inspect the emulated pod",
	.synopsis = "VERB [ENTITY] [NAME] [option ...]\n"
	    "       vipu-admin --help | --server-version | --version",
	.options = NULL,	/* a command has its own */
	.main = vipu_admin_main
};

static const struct command admin_commands[] = {
	{ "init", NULL, 0, 0, "[--pod POD] [--force]",
	    "make a new pod", init_options, init_pod },
	{ "list", "agent", 0, 0, "[--format FORM]", "show the machines",
	    show_options, list_agents },
	{ "list", "cluster", 0, 0, "[--format FORM]", "show the clusters",
	    show_options, list_clusters },
	{ "test", "cluster", 1, 1, "NAME [--force] [--format FORM]",
	    "check its cables, links and traffic", test_options,
	    test_cluster },
	{ "export", NULL, 0, 1, "[FILE]",
	    "write the pod and its partitions as one file", export_options,
	    export_pod },
	{ "apply", NULL, 0, 0, "-f FILE [--dry-run] [--force]",
	    "make the pod and its partitions what a file says",
	    apply_options, apply_pod },
	{ 0 }
};

int
vipu_admin_failed(const struct error *e)
{
	fprintf(stderr, "vipu-admin: %s\n", e->text);
	return EXIT_FAILED;
}

static void
print_more(void)
{
	const struct embedded_pod	*p;

	printf("\nPods:\n\n");
	for (p = embedded_pods; p->name != NULL; p++)
		printf("  %s\n", p->name);
	printf("\nThe options of the partition commands are those of vipu; "
	    "vipu --help shows\nthem.\n");
}

static int
vipu_admin_main(int argc, char **argv)
{
	static const struct command_line line = {
		.applet = &vipu_admin_applet,
		.own = admin_commands,
		.shared = partition_commands,
		.print_more = print_more,
		.admin = true
	};

	return command_line_run(&line, argc, argv);
}
