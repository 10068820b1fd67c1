/*
 * The variables of the SDK.  The user's values of PYTHONPATH and the like come
 * first, and the SDK after them, wherever they are set.
 */
#include "core/launch/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/process/process.h"
#include "core/state/state.h"

/* Refused settings files do not stop a job without IPUs. */
int
use_sdk_find(struct plan *p, struct error *e)
{
	char directory[PATH_MAX], origin[STATE_ORIGIN_SIZE];
	struct error reason;

	if (settings_sdk(p->settings->sdk, directory, origin, &reason) != 0 &&
	    (reason.code == ERROR_INVALID || !p->settings->offline))
		return error_copy(e, &reason);
	if (directory[0] == '\0')
		return 0;
	if (sdk_open(&p->sdk, directory, e) != 0)
		return error_prefix(e, "%s", origin);
	p->has_sdk = true;
	if (!sdk_is_current(&p->sdk) && !p->settings->check)
		job_log_warning("the SDK in %s is of ipubox %s, and this is "
				"%s; ipubox --install-sdk brings it up to date",
		    p->sdk.directory, p->sdk.version, IPUBOX_VERSION);
	return 0;
}

/* If this file cannot be found, programs look for ipubox themselves. */
static void
use_sdk_add_file(const struct plan *p, struct strvec *variables)
{
	struct strvec itself;

	strvec_init(&itself);
	if (p->bring.file != NULL)
		strvec_addf(variables, SDK_FILE_VARIABLE "=%s", p->bring.file);
	else if (own_program_add(&itself, NULL) == 0)
		strvec_addf(variables, SDK_FILE_VARIABLE "=%s",
		    itself.items[0]);
	strvec_release(&itself);
}

/* Add "NAME=VALUE" with the SDK included. */
static void
add_list(const struct plan *p, const struct sdk_list *list, const char *value,
    struct strvec *out)
{
	char *text = sdk_list_value(&p->sdk, list, value, SDK_LAST);

	if (text != NULL)
		strvec_addf(out, "%s=%s", list->name, text);
	free(text);
}

void
use_sdk_add_shared(const struct plan *p, struct strvec *variables)
{
	const struct sdk_list *list;

	use_sdk_add_file(p, variables);
	if (!p->has_sdk)
		return;
	strvec_addf(variables, SDK_VARIABLE "=%s", p->sdk.directory);
	for (list = sdk_lists; list->name != NULL; list++)
		add_list(p, list, getenv(list->name), variables);
}

/* Return the list that the word sets, and its value; or NULL. */
static const struct sdk_list *
find_list(const char *word, const char **value)
{
	const struct sdk_list *list;
	size_t len;

	for (list = sdk_lists; list->name != NULL; list++) {
		len = strlen(list->name);
		if (strncmp(word, list->name, len) == 0 && word[len] == '=') {
			*value = word + len + 1;
			return list;
		}
	}
	return NULL;
}

void
use_sdk_add_own(const struct plan *p, struct strvec *environment)
{
	const struct sdk_list *list;
	const char *value;
	const size_t count = environment->count;
	size_t i;

	/* The last of several values of a name counts. */
	for (i = 0; i < count && p->has_sdk; i++)
		if ((list = find_list(environment->items[i], &value)) != NULL)
			add_list(p, list, value, environment);
}

void
use_sdk_add_args(const struct plan *p, const struct strvec *args,
    struct strvec *out)
{
	const struct sdk_list *list = NULL;
	const char *value;
	size_t i;

	for (i = 0; i < args->count; i++) {
		list = p->has_sdk && i > 0 &&
			strcmp(args->items[i - 1], "-x") == 0 ?
		    find_list(args->items[i], &value) :
		    NULL;
		if (list != NULL)
			add_list(p, list, value, out);
		else
			strvec_add(out, args->items[i]);
	}
}
