/*
 * vipu-admin: make the emulated pod and show what it is made of.
 *
 * The real tool declares machines, clusters and allocations one by one; here a
 * whole pod comes from a description, one of those in the program or a file.
 * As there, the partition commands of vipu work here too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/vipu-admin/vipu-admin.h"
#include "applets/vipu/vipu.h"
#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/control/ipuof.h"
#include "core/pod/embedded.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

enum {
	KEY_POD = KEY_END,
	KEY_SHOWJSON,
	POD_FILE_MAX = 16 << 20		/* bytes */
};

static const struct option_row options[] = {
	{ KEY_POD, "pod", "POD", "init: one of the pods below, or a "
	    "file (pod64)" },
	{ KEY_FORCE, "force", NULL, "init: remove the partitions there are" },
	{ KEY_SHOWJSON, "showjson", NULL, "list: print JSON, not a table" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 }
};

static int	vipu_admin_main(int, char **);

const struct applet vipu_admin_applet = {
	.name = "vipu-admin",
	.purpose = "make and inspect the emulated pod",
	.synopsis = "init [--pod POD] [--force] | "
	    "list agents|clusters|allocations [--showjson] | "
	    "VERB partition [NAME] [option ...]",
	.options = options,
	.main = vipu_admin_main
};

int
vipu_admin_failed(const struct error *e)
{
	fprintf(stderr, "vipu-admin: %s\n", e->text);
	return EXIT_FAILED;
}

/* Whether the word is a file's name and not a pod's. */
static bool
is_file(const char *pod)
{
	size_t	len = strlen(pod);

	return strchr(pod, '/') != NULL ||
	    (len > 4 && strcmp(pod + len - 4, ".ini") == 0);
}

static int
read_pod(struct pod *pod, const char *name, struct error *e)
{
	const char	*text;
	char		*file;
	size_t		 size;
	int		 status;

	if (!is_file(name)) {
		text = pod_embedded(name);
		if (text == NULL)
			return error_set(e, "no pod '%s'; vipu-admin --help "
			    "lists them, and a file is named by its path or "
			    "NAME.ini", name);
		return pod_parse(pod, name, text, e);
	}
	file = read_file(name, POD_FILE_MAX, &size, e);
	if (file == NULL)
		return -1;
	status = strlen(file) != size ? error_set(e, "%s: not a text", name) :
	    pod_parse(pod, name, file, e);
	free(file);
	return status;
}

/*
 * The partitions that a forced init removes; none where the state cannot be
 * read, which may be why it is made anew.
 */
static void
remember_partitions(struct snapshot *s)
{
	struct registry	registry;

	memset(s, 0, sizeof(*s));
	if (state_open_reader(&registry, NULL) != 0)
		return;
	(void)registry_snapshot(&registry, s, NULL);
	registry_close(&registry);
}

/* Their IPUoF files would name partitions that are gone. */
static void
remove_files(const struct snapshot *s)
{
	struct error	error;
	int		i;

	for (i = 0; i < s->partition_count; i++)
		if (ipuof_remove_files(&s->partitions[i], &error) != 0)
			fprintf(stderr, "vipu-admin: warning: %s\n",
			    error.text);
}

static int
init(const struct arguments *a)
{
	struct state_paths	paths;
	struct snapshot		old = { .partition_count = 0 };
	struct error		error;
	struct pod		pod;
	int			status;

	if (state_paths(&paths, &error) != 0 ||
	    read_pod(&pod, a->pod, &error) != 0)
		return vipu_admin_failed(&error);
	if (a->force)
		remember_partitions(&old);
	status = state_init_pod(&paths, &pod, a->force, &error);
	if (status == 0) {
		printf("init pod (%s): success.\n", pod.name);
		remove_files(&old);
	} else {
		(void)error_prefix(&error, "init pod (%s): failed", pod.name);
		(void)vipu_admin_failed(&error);
	}
	snapshot_release(&old);
	pod_release(&pod);
	return status == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* A command: a verb and, where it has one, an entity in the singular. */
struct pod_command {
	const char	*verb;
	const char	*entity;
	int		(*run)(const struct arguments *);
};

static const struct pod_command commands[] = {
	{ "init", NULL, init },
	{ "list", "agent", list_agents },
	{ "list", "allocation", list_allocations },
	{ "list", "cluster", list_clusters }
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int
run(int count, char **words, const struct arguments *a)
{
	const struct pod_command	*c;
	bool				 verb = false;

	if (count == 0)
		return applet_misuse(&vipu_admin_applet, "which command?");
	for (c = commands; c < commands + COMMANDS; c++) {
		if (strcmp(c->verb, words[0]) != 0)
			continue;
		verb = true;
		if (c->entity == NULL && count == 1)
			return c->run(a);
		if (c->entity == NULL)
			return applet_misuse(&vipu_admin_applet, "%s takes no "
			    "argument '%s'", words[0], words[1]);
		if (count == 2 && is_entity(words[1], c->entity))
			return c->run(a);
	}
	if (!verb)
		return applet_misuse(&vipu_admin_applet, "no command '%s'",
		    words[0]);
	if (count == 1)
		return applet_misuse(&vipu_admin_applet, "%s what?", words[0]);
	if (count > 2)
		return applet_misuse(&vipu_admin_applet, "unexpected argument "
		    "'%s'", words[2]);
	return applet_misuse(&vipu_admin_applet, "%s: nothing called '%s'",
	    words[0], words[1]);
}

static int
help(void)
{
	const struct embedded_pod	*p;
	int				 status;

	status = applet_help(&vipu_admin_applet);
	printf("\nPods:\n\n");
	for (p = embedded_pods; p->name != NULL; p++)
		printf("  %s\n", p->name);
	printf("\nThe partition commands are those of vipu; vipu --help shows "
	    "them.\n");
	return status;
}

static int
vipu_admin_main(int argc, char **argv)
{
	struct option_parser	parser;
	struct arguments	a = { .pod = "pod64" };
	struct error		error;
	int			key;

	if (is_partition_command(argc, argv))
		return partition_command(&vipu_admin_applet, argc, argv);
	option_parser_init(&parser, options, argc, argv, false);
	while ((key = options_next(&parser, &error)) >= 0) {
		switch (key) {
		case KEY_POD:
			a.pod = parser.argument;
			break;
		case KEY_FORCE:
			a.force = true;
			break;
		case KEY_SHOWJSON:
			a.json = true;
			break;
		case KEY_VERSION:
			return applet_version(&vipu_admin_applet);
		default:
			return help();
		}
	}
	if (key == OPTIONS_ERROR)
		return applet_misuse(&vipu_admin_applet, "%s", error.text);
	return run(argc - parser.operand, argv + parser.operand, &a);
}
