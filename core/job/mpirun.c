/*
 * The argument vector for mpirun(1): options of the job, then a context per
 * instance, separated by ":".
 */
#include "core/job/job.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/link/link.h"

enum {
	/* From this many processes per host on, Open MPI 4 forks them in
	   several threads. */
	THREADS_FROM = 32,
	/* A single thread opens these for each before the first fork. */
	FILES_AN_INSTANCE = 4,
	FILES_BESIDE = 40,
	/* On other hosts the default limit of a process is 1,024. */
	FILES_FROM = 200
};

int
mpirun_open_files(int instances)
{
	return instances * FILES_AN_INSTANCE + FILES_BESIDE;
}

/* Whether the word is a colon after backslashes: it gets one more backslash. */
static bool
is_hidden(const char *word)
{
	return strcmp(word + strspn(word, "\\"), ":") == 0;
}

const char *
mpirun_shown_word(const char *word)
{
	return *word == '\\' && is_hidden(word) ? word + 1 : word;
}

/* Add the program, or our parent that runs it. */
static void
add_program(const struct mpirun *m, int instance, struct strvec *argv)
{
	size_t i;

	if (m->parent == NULL) {
		strvec_add_all(argv, m->program);
		return;
	}
	strvec_add_all(argv, m->parent->items);
	strvec_addf(argv, "%d", instance);
	for (i = 0; m->program[i] != NULL; i++)
		strvec_addf(argv, "%s%s", is_hidden(m->program[i]) ? "\\" : "",
		    m->program[i]);
}

/*
 * Add "-np 1", the instance's variables, the user's arguments and the program.
 * -x takes NAME=VALUE, or NAME for the caller's value, which keeps the secret
 * of the link out of process lists.
 */
static void
add_context(const struct mpirun *m, int instance, struct strvec *argv)
{
	static const char *const link[] = { "-x", LINK_ADDRESS_VARIABLE, "-x",
		LINK_SECRET_VARIABLE };
	const struct strvec *variables = &m->environments[instance];
	size_t i;

	strvec_add(argv, "-np");
	strvec_add(argv, "1");
	if (m->hosts != NULL) {
		strvec_add(argv, "--host");
		strvec_add(argv, m->hosts[instance]);
	}
	for (i = 0; i < variables->count; i++) {
		strvec_add(argv, "-x");
		strvec_add(argv, variables->items[i]);
	}
	for (i = 0; m->parent != NULL && i < ARRAY_SIZE(link); i++)
		strvec_add(argv, link[i]);
	for (i = 0; m->carried != NULL && i < m->carried->count; i++) {
		strvec_add(argv, "-x");
		strvec_add(argv, m->carried->items[i]);
	}
	strvec_add_all(argv, m->local_args->items);
	if (instance < m->instance_args_count)
		strvec_add_all(argv, m->instance_args[instance].items);
	add_program(m, instance, argv);
}

/* Add --mca NAME VALUE, unless the user sets it. */
static void
add_parameter(const struct mpirun *m, const char *name, const char *value,
    struct strvec *argv)
{
	if (mpirun_args_have(m->global_args, name))
		return;
	strvec_add(argv, "--mca");
	strvec_add(argv, name);
	strvec_add(argv, value);
}

/*
 * Added to the executed command, not to the displayed one: when several threads
 * fork at once, a child sometimes waits for a lock for ever, and the job does
 * not begin.
 */
static void
add_spawning(const struct mpirun *m, struct strvec *argv)
{
	if (m->parent != NULL && m->instances_per_host >= THREADS_FROM)
		add_parameter(m, "odls_base_num_threads", "0", argv);
	/* On this host poprun has raised the limit. */
	if (m->parent != NULL && m->hosts != NULL &&
	    m->instances_per_host >= FILES_FROM)
		add_parameter(m, "opal_set_max_sys_limits", "openfiles:max",
		    argv);
}

void
mpirun_command(const struct mpirun *m, struct strvec *argv)
{
	int instance;

	strvec_add(argv, m->path);
	/* Called by its path, mpirun puts its directory first in PATH, for
	   hosts that need it; here that would hide the Python of an
	   environment. */
	if (m->parent != NULL && m->hosts == NULL)
		strvec_add(argv, "--noprefix");
	strvec_add(argv, "--tag-output");
	(void)strvec_split(argv, m->placement, NULL);
	if (m->network != NULL)
		strvec_add_all(argv, m->network->items);
	add_spawning(m, argv);
	/* mpirun counts a slot per core; the user decides how many instances a
	   host can run. */
	if (m->num_instances > 1)
		strvec_add(argv, "--oversubscribe");
	strvec_add_all(argv, m->global_args->items);
	if (m->allow_run_as_root)
		strvec_add(argv, "--allow-run-as-root");
	for (instance = 0; instance < m->num_instances; instance++) {
		if (instance > 0)
			strvec_add(argv, ":");
		add_context(m, instance, argv);
	}
}

static bool
is_among(const char *word, const char *const *names)
{
	while (*names != NULL && strcmp(*names, word) != 0)
		names++;
	return *names != NULL;
}

/* Return what follows an option's one or two dashes; "": not an option. */
static const char *
mpirun_option(const char *word)
{
	const size_t dashes = strspn(word, "-");

	return dashes == 1 || dashes == 2 ? word + dashes : "";
}

bool
mpirun_args_place(const struct strvec *args)
{
	static const char *const options[] = { "bind-to", "map-by",
		"bind-to-core", "bind-to-socket", "bind-to-none", "bycore",
		"bysocket", "npersocket", "cpus-per-proc", "cpus-per-rank",
		"cpu-set", "cpu-list", "slot-list", "rankfile", "rf", NULL };
	static const char *const parameters[] = { "hwloc_base_binding_policy",
		"rmaps_base_mapping_policy", "hwloc_base_cpu_list",
		"hwloc_base_cpu_set", "hwloc_base_slot_list",
		"rmaps_rank_file_path", NULL };
	static const char *const mca[] = { "mca", "gmca", NULL };
	const char *name;
	size_t i;

	for (i = 0; i < args->count; i++) {
		name = mpirun_option(args->items[i]);
		if (is_among(name, options) ||
		    (is_among(name, mca) && i + 1 < args->count &&
			is_among(args->items[i + 1], parameters)))
			return true;
	}
	return false;
}

const char *
mpirun_args_parameter(const struct strvec *args, const char *const *names,
    const char **name)
{
	static const char *const mca[] = { "mca", "gmca", NULL };
	size_t i;

	for (; *names != NULL; names++)
		for (i = 0; i + 2 < args->count; i++)
			if (strcmp(args->items[i + 1], *names) == 0 &&
			    is_among(mpirun_option(args->items[i]), mca)) {
				*name = *names;
				return args->items[i + 2];
			}
	return NULL;
}

bool
mpirun_args_have(const struct strvec *args, const char *arg)
{
	size_t i;

	for (i = 0; i < args->count; i++)
		if (strcmp(args->items[i], arg) == 0)
			return true;
	return false;
}
