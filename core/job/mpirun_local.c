/*
 * The user's arguments for mpirun, as poprun itself understands them.  One
 * table says what becomes of each: poprun reads the output of the instances and
 * feeds their input under either launcher, so the options about these are its
 * own work also below mpirun.
 *
 * Source: mpirun(1) of Open MPI 4.1, and experiments.
 */
#include "core/job/job.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/process/process.h"

enum { TIMEOUT_MAX_S = 365 * 86400 };

enum meaning {
	SAME,	   /* default here */
	NO_EFFECT, /* useless on one host */
	/* Options of one application context. */
	VARIABLE,
	DIRECTORY,
	/* Options of the whole job that poprun does under either launcher. */
	TIMEOUT,
	OUTPUT,
	MERGE,
	INPUT,
	TIMESTAMP,
	REFUSED /* by poprun under either launcher */
};

/* Long names have one dash or two. */
static const struct argument {
	const char *name;
	int words; /* words that follow it */
	enum meaning meaning;
	const char *parameter; /* MCA parameter of the same meaning, or NULL */
	const char *reason;    /* of REFUSED */
} rows[] = {
	{ "x", 1, VARIABLE, NULL, NULL },
	{ "wdir", 1, DIRECTORY, NULL, NULL },
	{ "wd", 1, DIRECTORY, NULL, NULL },
	{ "timeout", 1, TIMEOUT, NULL, NULL },
	{ "output-filename", 1, OUTPUT, NULL, NULL },
	{ "merge-stderr-to-stdout", 0, MERGE, NULL, NULL },
	{ "stdin", 1, INPUT, NULL, NULL },
	{ "timestamp-output", 0, TIMESTAMP, "orte_timestamp_output", NULL },
	{ "xml", 0, REFUSED, "orte_xml_output",
	    "poprun does not write XML: --tag-format chooses the form of the "
	    "lines" },
	{ "xml-file", 1, REFUSED, "orte_xml_file",
	    "poprun does not write XML: --log-dir keeps the output in files" },
	{ "xterm", 1, REFUSED, "orte_xterm",
	    "poprun opens no windows: --log-dir keeps the output of each "
	    "instance in files" },
	{ "index-argv-by-rank", 0, REFUSED, NULL,
	    "poprun starts each program under its own name: "
	    "OMPI_COMM_WORLD_RANK is the index" },
	{ "tag-output", 0, SAME, NULL, NULL },
	{ "allow-run-as-root", 0, SAME, NULL, NULL },
	{ "oversubscribe", 0, SAME, NULL, NULL },
	{ "q", 0, SAME, NULL, NULL },
	{ "quiet", 0, SAME, NULL, NULL },
	{ "v", 0, NO_EFFECT, NULL, NULL },
	{ "verbose", 0, NO_EFFECT, NULL, NULL },
	{ "mca", 2, NO_EFFECT, NULL, NULL },
	{ "gmca", 2, NO_EFFECT, NULL, NULL },
	{ "am", 1, NO_EFFECT, NULL, NULL },
	{ "tune", 1, NO_EFFECT, NULL, NULL },
	{ "prefix", 1, NO_EFFECT, NULL, NULL },
	{ "map-by", 1, NO_EFFECT, NULL, NULL },
	{ "bind-to", 1, NO_EFFECT, NULL, NULL },
	{ "rank-by", 1, NO_EFFECT, NULL, NULL },
	{ "report-bindings", 0, NO_EFFECT, NULL, NULL },
	{ "bind-to-core", 0, NO_EFFECT, NULL, NULL },
	{ "bind-to-socket", 0, NO_EFFECT, NULL, NULL },
	{ "bind-to-none", 0, NO_EFFECT, NULL, NULL },
	{ "bynode", 0, NO_EFFECT, NULL, NULL },
	{ "byslot", 0, NO_EFFECT, NULL, NULL },
	{ "bycore", 0, NO_EFFECT, NULL, NULL },
	{ "bysocket", 0, NO_EFFECT, NULL, NULL },
	{ "npernode", 1, NO_EFFECT, NULL, NULL },
	{ "npersocket", 1, NO_EFFECT, NULL, NULL },
	{ "pernode", 0, NO_EFFECT, NULL, NULL },
	{ "N", 1, NO_EFFECT, NULL, NULL },
	{ "cpus-per-proc", 1, NO_EFFECT, NULL, NULL },
	{ "cpus-per-rank", 1, NO_EFFECT, NULL, NULL },
	{ "use-hwthread-cpus", 0, NO_EFFECT, NULL, NULL },
	{ NULL, 0, SAME, NULL, NULL },
};

void
mpirun_local_init(struct mpirun_local *m)
{
	memset(m, 0, sizeof(*m));
	strvec_init(&m->first);
	strvec_init(&m->variables);
	strvec_init(&m->missing);
	strvec_init(&m->without_effect);
}

void
mpirun_local_release(struct mpirun_local *m)
{
	strvec_release(&m->first);
	strvec_release(&m->variables);
	strvec_release(&m->missing);
	strvec_release(&m->without_effect);
	free(m->output_filename);
}

/* Return the argument's row, or NULL. */
static const struct argument *
find_row(const char *word)
{
	const struct argument *row = rows;
	size_t dashes = strspn(word, "-");

	if (dashes < 1 || dashes > 2)
		return NULL;
	while (row->name != NULL && strcmp(row->name, word + dashes) != 0)
		row++;
	return row->name == NULL ? NULL : row;
}

static bool
is_of_context(const struct argument *a)
{
	return a->meaning == VARIABLE || a->meaning == DIRECTORY;
}

/* Return true if poprun does it under either launcher. */
static bool
is_own(const struct argument *a)
{
	return a->meaning >= TIMEOUT && a->meaning < REFUSED;
}

/* Add -x NAME with the caller's value, whatever poprun would set, or -x
   NAME=VALUE. */
static void
add_variable(struct mpirun_local *m, struct strvec *variables, const char *word)
{
	const char *value;

	if (strchr(word, '=') != NULL)
		strvec_add(variables, word);
	else if ((value = getenv(word)) != NULL)
		strvec_addf(variables, "%s=%s", word, value);
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

/* Read DIRECTORY[:QUALIFIER[,QUALIFIER]]. */
static int
set_output(struct mpirun_local *m, const char *value, struct error *e)
{
	const char *word = value + strcspn(value, ":");
	size_t size;

	free(m->output_filename);
	m->output_filename = xasprintf("%.*s", (int)(word - value), value);
	m->no_job_id = m->no_copy = false;
	for (; *word != '\0'; word += size) {
		word++;
		size = strcspn(word, ",");
		if (size == strlen("nojobid") &&
		    strncasecmp(word, "nojobid", size) == 0)
			m->no_job_id = true;
		else if (size == strlen("nocopy") &&
		    strncasecmp(word, "nocopy", size) == 0)
			m->no_copy = true;
		else
			return error_set(e,
			    "--output-filename %s: '%.*s' is unknown; nojobid "
			    "and nocopy, separated by commas, may follow the "
			    "colon",
			    value, (int)size, word);
	}
	return 0;
}

static int
set_input(struct mpirun_local *m, const char *value, struct error *e)
{
	long long instance = strcmp(value, "all") == 0 ? STDIN_ALL : STDIN_NONE;

	if (strcmp(value, "all") != 0 && strcmp(value, "none") != 0 &&
	    parse_number("--stdin", value, 0, INT_MAX, &instance, e) != 0)
		return error_append(e, " (or all, or none)");
	m->has_stdin = true;
	m->stdin_to = (int)instance;
	return 0;
}

/* Refuse MCA parameters of the meaning of an option that poprun honours or
   refuses itself: below mpirun they would do nothing. */
static int
check_parameter(const char *word, const char *name, struct error *e)
{
	const struct argument *row = rows;

	while (row->name != NULL &&
	    (row->parameter == NULL || strcmp(row->parameter, name) != 0))
		row++;
	if (row->name == NULL)
		return 0;
	return error_set(e, "'%s %s' among the arguments for mpirun: %s%s",
	    word, name, row->meaning == REFUSED ? row->reason : "write --",
	    row->meaning == REFUSED ? "" : row->name);
}

/* Apply an argument; `value` is the next word. */
static int
apply_argument(struct mpirun_local *m, const struct argument *a,
    const char *word, const char *value, enum mpirun_scope scope,
    struct error *e)
{
	switch (a->meaning) {
	case SAME:
		return 0;
	case NO_EFFECT:
		strvec_addf(&m->without_effect, "%s%s%s", word,
		    value != NULL ? " " : "", value != NULL ? value : "");
		return a->words == 2 ? check_parameter(word, value, e) : 0;
	case VARIABLE:
		add_variable(m,
		    scope == MPIRUN_GLOBAL ? &m->first : &m->variables, value);
		return 0;
	case DIRECTORY:
		m->wdir = value;
		return 0;
	case TIMEOUT:
		return set_timeout(m, value, e);
	case OUTPUT:
		return set_output(m, value, e);
	case MERGE:
		m->merge_stderr = true;
		return 0;
	case INPUT:
		return set_input(m, value, e);
	case TIMESTAMP:
		m->timestamps = true;
		return 0;
	case REFUSED:
		return error_set(e, "'%s' among the arguments for mpirun: %s",
		    word, a->reason);
	}
	return 0;
}

/* Apply an argument that has all its words, if it concerns this instance. */
static int
take_argument(struct mpirun_local *m, const struct argument *a,
    char *const *words, enum mpirun_scope scope, struct error *e)
{
	const char *value = a->words > 0 ? words[1] : NULL;

	if (scope == MPIRUN_GLOBAL_OTHER && is_of_context(a)) {
		if (m->not_reached == NULL)
			m->not_reached = words;
		return 0;
	}
	if (scope == MPIRUN_INSTANCE && is_own(a))
		return error_set(e,
		    "'%s' among the arguments of one instance for mpirun "
		    "concerns the whole job: write it in --mpi-global-args",
		    words[0]);
	return apply_argument(m, a, words[0], value, scope, e);
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
    enum mpirun_scope scope, struct error *e)
{
	const struct argument *a;
	const char *word;
	size_t i, step;
	int status = 0;

	for (i = 0; i < args->count; i += step) {
		word = args->items[i];
		a = find_row(word);
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
				    "%s cannot honour '%s', an argument for "
				    "mpirun: use --launcher mpirun",
				    m->starter != NULL ? m->starter :
							 "the local launcher",
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
		if (take_argument(m, a, args->items + i, scope, e) != 0)
			return -1;
	}
	return status;
}

void
mpirun_local_keep(const struct strvec *args, struct strvec *out)
{
	const struct argument *a;
	size_t i = 0, end;

	while (i < args->count) {
		a = find_row(args->items[i]);
		end = i + 1 + (a != NULL ? (size_t)a->words : 0);
		if (a != NULL && is_own(a))
			i = end;
		while (i < end)
			strvec_add(out, args->items[i++]);
	}
}
