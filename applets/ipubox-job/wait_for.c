/*
 * The conditions of `wait`.
 *
 * Source: kubectl/pkg/cmd/wait, of 1.30.
 */
#include "applets/ipubox-job/wait_for.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"

static const char	condition_prefix[] = "condition=";
static const char	jsonpath_prefix[] = "jsonpath=";

/* "Ready" is "Ready=True". */
static int
read_condition(const char *text, struct wait_for *w)
{
	const size_t	length = strcspn(text, "=");

	w->kind = WAIT_CONDITION;
	w->name = xasprintf("%.*s", (int)length, text);
	w->value = xstrdup(text[length] == '=' ? text + length + 1 : "True");
	return 0;
}

/* "{PATH}=VALUE" */
static int
read_jsonpath(const char *text, struct wait_for *w, struct error *e)
{
	const char	*end = strstr(text, "}=");
	char		*path;
	int		 status;

	w->kind = WAIT_JSONPATH;
	if (text[0] != '{' || end == NULL || end[2] == '\0')
		return error_set(e, "jsonpath wait format must be "
		    "--for=jsonpath='{.status.readyReplicas}'=3");
	w->value = xstrdup(end + 2);
	path = xasprintf("%.*s", (int)(end + 1 - text), text);
	status = jsonpath_read(path, &w->path, e);
	free(path);
	return status;
}

int
wait_for_read(const char *text, struct wait_for *w, struct error *e)
{
	const size_t	condition = strlen(condition_prefix);
	const size_t	path = strlen(jsonpath_prefix);

	*w = (struct wait_for){ .kind = WAIT_DELETE };
	if (text == NULL)
		text = "";
	if (strcasecmp(text, "delete") == 0)
		return 0;
	if (strcasecmp(text, "create") == 0)
		return error_set(e, "--for=create is not here: create comes "
		    "back when the object is there, and get -w shows those "
		    "that come");
	if (strncasecmp(text, condition_prefix, condition) == 0)
		return read_condition(text + condition, w);
	if (strncasecmp(text, jsonpath_prefix, path) == 0)
		return read_jsonpath(text + path, w, e);
	return error_set(e, "unrecognized condition: \"%s\" "
	    "(condition=TYPE, jsonpath='{PATH}'=VALUE and delete are here)",
	    text);
}

void
wait_for_release(struct wait_for *w)
{
	free(w->name);
	free(w->value);
	jsonpath_free(&w->path);
}

/* The status of the condition of that type, or NULL. */
static const char *
condition_status(const struct yaml_node *object, const char *type)
{
	const struct yaml_node	*list = yaml_path(object,
	    "status/conditions"), *c;
	const char		*text;
	size_t			 i;

	for (i = 0; list != NULL && i < list->count; i++) {
		c = list->items[i].node;
		text = yaml_get_text(c, "type");
		if (text != NULL && strcasecmp(text, type) == 0)
			return yaml_get_text(c, "status");
	}
	return NULL;
}

static bool
has_condition(const struct wait_for *w, const struct yaml_node *object)
{
	const char	*status = condition_status(object, w->name);

	if (status == NULL && (strcasecmp(w->name, "Complete") == 0 ||
	    strcasecmp(w->name, "Completed") == 0))
		status = condition_status(object, "Succeeded");
	return status != NULL && strcasecmp(status, w->value) == 0;
}

static int
wait_for_has_value(const struct wait_for *w, const struct yaml_node *object,
    struct error *e)
{
	struct jsonpath_found	found;
	int			status = jsonpath_find(&w->path, object,
	    &found, e);

	if (status == 0 && found.count > 1)
		status = error_set(e, "given jsonpath expression matches "
		    "more than one value");
	else if (status == 0 && found.count == 1)
		status = found.items[0]->text != NULL ?
		    strcmp(found.items[0]->text, w->value) == 0 :
		    error_set(e, "jsonpath leads to a nested object or list "
		    "which is not supported");
	jsonpath_release(&found);
	return status;
}

int
wait_for_is_met(const struct wait_for *w, const struct yaml_node *object,
    struct error *e)
{
	switch (w->kind) {
	case WAIT_DELETE:
		return object == NULL;
	case WAIT_CONDITION:
		return object != NULL && has_condition(w, object);
	default:
		return object != NULL ? wait_for_has_value(w, object, e) : 0;
	}
}
