/*
 * The argument vector for mpirun(1): options of the job, then a context per
 * instance, separated by ":".
 */
#include "core/job/mpirun.h"

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

/* ---- arguments without mpirun ---- */

enum { TIMEOUT_MAX_S = 365 * 86400 };

enum meaning {
	SAME,	   /* default here */
	NO_EFFECT, /* useless on one host */
	VARIABLE,
	DIRECTORY,
	TIMEOUT,
	OUTPUT,
	MERGE
};

/* Long names have one dash or two. */
static const struct argument {
	const char *name;
	int words; /* words that follow it */
	enum meaning meaning;
} mpirun_local_rows[] = {
	{ "x", 1, VARIABLE },
	{ "wdir", 1, DIRECTORY },
	{ "wd", 1, DIRECTORY },
	{ "timeout", 1, TIMEOUT },
	{ "output-filename", 1, OUTPUT },
	{ "merge-stderr-to-stdout", 0, MERGE },
	{ "tag-output", 0, SAME },
	{ "allow-run-as-root", 0, SAME },
	{ "oversubscribe", 0, SAME },
	{ "q", 0, SAME },
	{ "quiet", 0, SAME },
	{ "v", 0, NO_EFFECT },
	{ "verbose", 0, NO_EFFECT },
	{ "mca", 2, NO_EFFECT },
	{ "gmca", 2, NO_EFFECT },
	{ "am", 1, NO_EFFECT },
	{ "tune", 1, NO_EFFECT },
	{ "prefix", 1, NO_EFFECT },
	{ "map-by", 1, NO_EFFECT },
	{ "bind-to", 1, NO_EFFECT },
	{ "rank-by", 1, NO_EFFECT },
	{ "report-bindings", 0, NO_EFFECT },
	{ "bind-to-core", 0, NO_EFFECT },
	{ "bind-to-socket", 0, NO_EFFECT },
	{ "bind-to-none", 0, NO_EFFECT },
	{ "bynode", 0, NO_EFFECT },
	{ "byslot", 0, NO_EFFECT },
	{ "bycore", 0, NO_EFFECT },
	{ "bysocket", 0, NO_EFFECT },
	{ "npernode", 1, NO_EFFECT },
	{ "npersocket", 1, NO_EFFECT },
	{ "pernode", 0, NO_EFFECT },
	{ "N", 1, NO_EFFECT },
	{ "cpus-per-proc", 1, NO_EFFECT },
	{ "cpus-per-rank", 1, NO_EFFECT },
	{ "use-hwthread-cpus", 0, NO_EFFECT },
	{ NULL, 0, SAME },
};

void
mpirun_local_init(struct mpirun_local *m)
{
	memset(m, 0, sizeof(*m));
	strvec_init(&m->variables);
	strvec_init(&m->missing);
	strvec_init(&m->without_effect);
}

void
mpirun_local_release(struct mpirun_local *m)
{
	strvec_release(&m->variables);
	strvec_release(&m->missing);
	strvec_release(&m->without_effect);
}

/* Return the argument's row, or NULL. */
static const struct argument *
mpirun_local_find(const char *word)
{
	const struct argument *row = mpirun_local_rows;
	size_t dashes = strspn(word, "-");

	if (dashes < 1 || dashes > 2)
		return NULL;
	while (row->name != NULL && strcmp(row->name, word + dashes) != 0)
		row++;
	return row->name == NULL ? NULL : row;
}

/* Add -x NAME with the caller's value, whatever poprun would set, or -x
   NAME=VALUE. */
static void
add_variable(struct mpirun_local *m, const char *word)
{
	const char *value;

	if (strchr(word, '=') != NULL)
		strvec_add(&m->variables, word);
	else if ((value = getenv(word)) != NULL)
		strvec_addf(&m->variables, "%s=%s", word, value);
	else
		strvec_add(&m->missing, word);
}

static int
set_timeout(struct mpirun_local *m, const char *value, struct error *e)
{
	long long seconds;

	if (parse_number("--timeout", value, 1, TIMEOUT_MAX_S, &seconds, e) !=
	    0)
		return -1;
	m->timeout_s = (int)seconds;
	return 0;
}

/* Apply an argument; `value` is the next word. */
static int
apply_argument(struct mpirun_local *m, const struct argument *a,
    const char *word, const char *value, struct error *e)
{
	switch (a->meaning) {
	case SAME:
		return 0;
	case NO_EFFECT:
		strvec_addf(&m->without_effect, "%s%s%s", word,
		    value != NULL ? " " : "", value != NULL ? value : "");
		return 0;
	case VARIABLE:
		add_variable(m, value);
		return 0;
	case DIRECTORY:
		m->wdir = value;
		return 0;
	case TIMEOUT:
		return set_timeout(m, value, e);
	case OUTPUT:
		m->output_filename = value;
		return 0;
	case MERGE:
		m->merge_stderr = true;
		return 0;
	}
	return 0;
}

/* Count the words from an unknown one to the next that looks like an option. */
static size_t
count_unknown(const struct strvec *args, size_t first)
{
	size_t i = first + 1;

	while (i < args->count && args->items[i][0] != '-')
		i++;
	return i - first;
}

int
mpirun_local_add(struct mpirun_local *m, const struct strvec *args,
    struct error *e)
{
	const struct argument *a;
	const char *word;
	size_t i, step;
	int status = 0;

	for (i = 0; i < args->count; i += step) {
		word = args->items[i];
		a = mpirun_local_find(word);
		step = a != NULL ? 1 + (size_t)a->words :
				   count_unknown(args, i);
		if (a == NULL && word[0] != '-')
			return error_set(e,
			    "'%s' among the arguments for mpirun is not an "
			    "option: mpirun would run it as the program%s",
			    word,
			    strchr(word, '=') != NULL ?
				"; -x NAME=VALUE sets a variable" :
				"");
		if (a == NULL) {
			if (status == 0)
				(void)error_set(e,
				    "the local launcher cannot honour '%s', an "
				    "argument for mpirun: use --launcher "
				    "mpirun",
				    word);
			status = 1;
			continue;
		}
		if (i + (size_t)a->words >= args->count)
			return error_set(e,
			    "'%s' among the arguments for mpirun needs %s",
			    word,
			    a->meaning == VARIABLE ? "NAME or NAME=VALUE" :
				a->words == 1	   ? "a value" :
						     "two values");
		if (apply_argument(m, a, word,
			a->words > 0 ? args->items[i + 1] : NULL, e) != 0)
			return -1;
	}
	return status;
}
