/*
 * The program that reaches the other hosts.
 */
#include "core/launch/plan/remote_hosts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/launch/plan/plan.h"
#include "core/process/process.h"

/* Read one agent of the list: its words, the first as a path.  Returns false if
   it was not found. */
static bool
remote_agent_read(struct remote_agent *a, const char *text, size_t length)
{
	char *copy = xasprintf("%.*s", (int)length, text), *rest = copy;
	char *word, *path = NULL;

	while ((word = strsep(&rest, " \t")) != NULL)
		if (*word != '\0')
			strvec_add(&a->words, word);
	free(copy);
	if (a->words.count == 0 ||
	    program_find(a->words.items[0], getenv("PATH"), &path, NULL) != 0) {
		strvec_release(&a->words);
		return false;
	}
	free(a->words.items[0]);
	a->words.items[0] = path;
	return true;
}

/* Take srun, if it exists; on_hosts_add_command() adds the words after the
   host. */
static void
remote_agent_use_slurm(struct remote_agent *a)
{
	static const char *const options[] = { "--overlap", "--overcommit",
		"--nodes=1", "--ntasks=1", "--mpi=none", "--quiet",
		"--nodelist" };
	char *path;
	size_t i;

	if (program_find("srun", getenv("PATH"), &path, NULL) != 0)
		return;
	strvec_take(&a->words, path);
	for (i = 0; i < ARRAY_SIZE(options); i++)
		strvec_add(&a->words, options[i]);
	a->has_names = a->is_slurm = true;
}

bool
remote_agent_has_slurm(void)
{
	return getenv("SLURM_JOB_ID") != NULL &&
	    getenv("SLURM_JOB_NODELIST") != NULL;
}

int
remote_agent_find(struct remote_agent *a, const struct launch_settings *s,
    struct error *e)
{
	static const char *const names[] = { "plm_rsh_agent", "pls_rsh_agent",
		"orte_rsh_agent", NULL };
	char origin[PARAMETER_ORIGIN_SIZE];
	const char *text, *list = parameter_get(s, names, origin);
	size_t length;

	remote_agent_release(a);
	if (list == NULL && remote_agent_has_slurm())
		remote_agent_use_slurm(a);
	for (text = list; text != NULL; text += length + 1) {
		length = strcspn(text, ":");
		if (remote_agent_read(a, text, length)) {
			a->has_names = strcmp(path_base_name(a->words.items[0]),
					   "ssh") != 0;
			return 0;
		}
		if (text[length] == '\0')
			return error_set_code(e, ERROR_NOT_FOUND,
			    "%s: the agent '%s' is missing or cannot be "
			    "executed",
			    origin, list);
	}
	return 0;
}

void
remote_agent_release(struct remote_agent *a)
{
	strvec_release(&a->words);
	a->has_names = a->is_slurm = false;
}

const char *
remote_agent_name(const struct remote_agent *a)
{
	return a->words.count > 0 ? a->words.items[0] : "ssh";
}
