/*
 * A parent as a task of Slurm: its instance, and the variables that
 * core/launch/plan/plan_srun.c packed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/strvec.h"
#include "core/launch/parent.h"
#include "core/launch/parent_task.h"

extern char **environ;

/* Set the variables of a pack; "=DIR" is a directory to change to. */
static int
unpack(const char *name, struct error *e)
{
	char *text = variable_take(name), *rest = text, *entry, *value;
	const char separator[] = { PARENT_TASK_SEPARATOR, '\0' };
	int status = 0;

	while ((entry = strsep(&rest, separator)) != NULL && status == 0) {
		if (*entry == '=' && chdir(entry + 1) != 0)
			status = error_set_errno(e, "--wdir %s", entry + 1);
		value = strchr(entry, '=');
		if (value == NULL || value == entry)
			continue;
		*value = '\0';
		(void)setenv(entry, value + 1, 1);
	}
	free(text);
	return status;
}

/* Remove the packs of the other instances. */
static void
forget_others(void)
{
	struct strvec names;
	size_t i;

	strvec_init(&names);
	for (i = 0; environ[i] != NULL; i++)
		if (strncmp(environ[i], PARENT_TASK_VARIABLE,
			strlen(PARENT_TASK_VARIABLE)) == 0)
			strvec_addf(&names, "%.*s",
			    (int)strcspn(environ[i], "="), environ[i]);
	for (i = 0; i < names.count; i++)
		(void)unsetenv(names.items[i]);
	strvec_release(&names);
}

/* Set the environment and the directory of a task. */
static int
enter(int instance, struct error *e)
{
	char *name = xasprintf(PARENT_TASK_VARIABLE "%d", instance);
	int status = unpack(PARENT_TASK_VARIABLE "ALL", e);

	if (status == 0)
		status = unpack(name, e);
	forget_others();
	free(name);
	return status;
}

int
parent_task_enter(const char *word, int *instance, struct error *e)
{
	const bool is_task = strcmp(word, PARENT_TASK_WORD) == 0;
	const char *text = is_task ? getenv("SLURM_PROCID") : word;
	long long number;

	if (text == NULL)
		return error_set(e, "SLURM_PROCID is not set");
	if (parse_number("instance", text, 0, INT32_MAX, &number, e) != 0)
		return -1;
	*instance = (int)number;
	return is_task ? enter(*instance, e) : 0;
}
