/*
 * Arguments for mpirun, read for the local launcher: one table says of each
 * how many words follow it and what it means here.
 */
#include "core/job/mpirun.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/parse.h"

enum { TIMEOUT_MAX_S = 365 * 86400 };

enum meaning {
	SAME,		/* it is so anyway */
	NO_EFFECT,	/* it says what one host has no use for */
	VARIABLE,
	DIRECTORY,
	TIMEOUT,
	OUTPUT,
	MERGE
};

/* Long names stand with one dash or two. */
static const struct argument {
	const char	*name;
	int		 words;		/* that follow it */
	enum meaning	 meaning;
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
	{ NULL, 0, SAME }
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

/* NULL: it is not in the table. */
static const struct argument *
mpirun_local_find(const char *word)
{
	const struct argument	*row = mpirun_local_rows;
	size_t			 dashes = strspn(word, "-");

	if (dashes < 1 || dashes > 2)
		return NULL;
	while (row->name != NULL && strcmp(row->name, word + dashes) != 0)
		row++;
	return row->name == NULL ? NULL : row;
}

/* -x NAME is the caller's value, whatever poprun would set; -x NAME=VALUE
   this one. */
static void
add_variable(struct mpirun_local *m, const char *word)
{
	const char	*value;

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
	long long	seconds;

	if (parse_number("--timeout", value, 1, TIMEOUT_MAX_S, &seconds, e) !=
	    0)
		return -1;
	m->timeout_s = (int)seconds;
	return 0;
}

/* One argument; `value` is the first word behind it. */
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

/* The words from an unknown one to the next that looks like an option. */
static size_t
count_unknown(const struct strvec *args, size_t first)
{
	size_t	i = first + 1;

	while (i < args->count && args->items[i][0] != '-')
		i++;
	return i - first;
}

int
mpirun_local_add(struct mpirun_local *m, const struct strvec *args,
    struct error *e)
{
	const struct argument	*a;
	const char		*word;
	size_t			 i, step;
	int			 status = 0;

	for (i = 0; i < args->count; i += step) {
		word = args->items[i];
		a = mpirun_local_find(word);
		step = a != NULL ? 1 + (size_t)a->words :
		    count_unknown(args, i);
		if (a == NULL && word[0] != '-')
			return error_set(e, "'%s' among the arguments for "
			    "mpirun is no option: it would be run as the "
			    "program%s", word, strchr(word, '=') != NULL ?
			    "; -x NAME=VALUE sets a variable" : "");
		if (a == NULL) {
			if (status == 0)
				(void)error_set(e, "the local launcher cannot "
				    "honour '%s', an argument for mpirun: use "
				    "--launcher mpirun", word);
			status = 1;
			continue;
		}
		if (i + (size_t)a->words >= args->count)
			return error_set(e, "'%s' among the arguments for "
			    "mpirun needs %s", word, a->meaning == VARIABLE ?
			    "NAME or NAME=VALUE" : a->words == 1 ? "a value" :
			    "two values");
		if (apply_argument(m, a, word, a->words > 0 ?
		    args->items[i + 1] : NULL, e) != 0)
			return -1;
	}
	return status;
}
