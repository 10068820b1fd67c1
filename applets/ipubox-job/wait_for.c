/*
 * The conditions of `wait`.
 *
 * Source: kubectl/pkg/cmd/wait, of 1.30; create is of 1.31.
 */
#include "applets/ipubox-job/wait_for.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "applets/ipubox-job/jsonpath_walk.h"
#include "core/base/alloc.h"
#include "core/base/memstream.h"

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

/* Bytes up to a '=' that is not one of a filter's. */
static size_t
span_path(const char *text)
{
	const char	*at;
	int		 depth = 0;

	for (at = text; *at != '\0'; at++) {
		depth += *at == '[' || *at == '(';
		depth -= *at == ']' || *at == ')';
		if (*at == '=' && depth <= 0)
			break;
	}
	return (size_t)(at - text);
}

/* Without the quotation marks that a shell left around it. */
static char *
unquoted(const char *value)
{
	size_t	length;

	value += strspn(value, "'\"");
	length = strlen(value);
	while (length > 0 && (value[length - 1] == '\'' ||
	    value[length - 1] == '"'))
		length--;
	return xasprintf("%.*s", (int)length, value);
}

static int
read_jsonpath(const char *text, struct wait_for *w, struct error *e)
{
	const size_t	 length = span_path(text);
	char		*path, *complete;
	int		 status;

	w->kind = WAIT_JSONPATH;
	if (*text == '\0')
		return error_set(e, "jsonpath expression cannot be empty");
	if (text[length] == '=') {
		if (text[length + 1 + span_path(text + length + 1)] == '=')
			return error_set(e, "jsonpath wait format must be "
			    "--for=jsonpath='{.status.readyReplicas}'=3 or "
			    "--for=jsonpath='{.status.readyReplicas}'");
		w->value = unquoted(text + length + 1);
		if (w->value[0] == '\0')
			return error_set(e, "jsonpath wait has to have a "
			    "value after equal sign, like "
			    "--for=jsonpath='{.status.readyReplicas}'=3");
	}
	path = xasprintf("%.*s", (int)length, text);
	complete = jsonpath_complete(path, e);
	status = complete != NULL ? jsonpath_read(complete, &w->path, e) : -1;
	free(complete);
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
	if (strcasecmp(text, "create") == 0) {
		w->kind = WAIT_CREATE;
		return 0;
	}
	if (strncasecmp(text, condition_prefix, condition) == 0)
		return read_condition(text + condition, w);
	if (strncasecmp(text, jsonpath_prefix, path) == 0)
		return read_jsonpath(text + path, w, e);
	return error_set(e, "unrecognized condition: \"%s\"", text);
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

/* Whether a value is that text, but for blanks around it. */
static bool
wait_for_is_text(const struct yaml_node *n, const char *wanted)
{
	struct memstream	 m;
	char			*text, *at;
	size_t			 length, wanted_length;
	bool			 same;

	jsonpath_walk_put(memstream_open(&m), n);
	text = memstream_close(&m, NULL);
	at = text + strspn(text, " \t\r\n");
	wanted += strspn(wanted, " \t\r\n");
	length = strlen(at);
	wanted_length = strlen(wanted);
	while (length > 0 && strchr(" \t\r\n", at[length - 1]) != NULL)
		length--;
	while (wanted_length > 0 && strchr(" \t\r\n",
	    wanted[wanted_length - 1]) != NULL)
		wanted_length--;
	same = length == wanted_length && strncmp(at, wanted, length) == 0;
	free(text);
	return same;
}

static int
wait_for_has_value(const struct wait_for *w, const struct yaml_node *object,
    struct error *e)
{
	struct jsonpath_found	found;
	int			status = jsonpath_walk_find(&w->path, object,
	    &found, e);

	if (status == 0 && found.count > 1)
		status = error_set(e, "given jsonpath expression matches "
		    "more than one value");
	else if (status == 0 && found.count == 1 && w->value != NULL &&
	    (found.items[0]->kind == YAML_MAP ||
	    found.items[0]->kind == YAML_LIST))
		status = error_set(e, "jsonpath leads to a nested object or "
		    "list which is not supported");
	else if (status == 0 && found.count == 1)
		status = w->value == NULL || wait_for_is_text(found.items[0],
		    w->value);
	jsonpath_walk_release(&found);
	return status;
}

int
wait_for_is_met(const struct wait_for *w, const struct yaml_node *object,
    struct error *e)
{
	switch (w->kind) {
	case WAIT_DELETE:
		return object == NULL;
	case WAIT_CREATE:
		return object != NULL;
	case WAIT_CONDITION:
		return object != NULL && has_condition(w, object);
	default:
		return object != NULL ? wait_for_has_value(w, object, e) : 0;
	}
}
