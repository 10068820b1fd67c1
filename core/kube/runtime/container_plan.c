/*
 * The plan of a container, which never runs if its plan is refused.  The
 * environment is made first, because the command and the volumes refer to it.
 */
#include "core/kube/runtime/container_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/kube/runtime/container_internal.h"

enum { GRACE_DEFAULT_S = 30 };

/* Return "containers[0]", or a name for containers other than the pod's main
   one; the caller frees it. */
static char *
container_place(const struct yaml_node *pod, const struct yaml_node *container)
{
	static const char *const lists[] = { "containers", "initContainers" };
	const struct yaml_node *spec = pod_node_map(pod, "spec");
	const char *name;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		for (j = 0; j < pod_node_count(spec, lists[i]); j++)
			if (pod_node_item(spec, lists[i], j) == container)
				return xasprintf("%s[%zu]", lists[i], j);
	name = pod_node_text(container, "name");
	return xasprintf("container %s", name != NULL ? name : "");
}

/* Add the words of command or args, expanded. */
static int
add_words(const struct yaml_node *container, const char *field,
    struct container_plan *plan, struct error *e)
{
	const struct yaml_node *list = pod_node_list(container, field);
	const char *text;
	char *word;
	size_t i;

	for (i = 0; list != NULL && i < list->count; i++) {
		text = pod_node_scalar(list->items[i].node);
		if (text == NULL)
			return error_set_code(e, ERROR_INVALID,
			    "%s[%zu]: must be a string", field, i);
		word = container_env_expand(&plan->environment, text, NULL, e);
		if (word == NULL)
			return error_prefix(e, "%s[%zu]", field, i);
		strvec_take(&plan->argv, word);
	}
	return 0;
}

/* Refuse a missing command: no image is here that could supply it. */
static int
plan_command(const struct yaml_node *container, struct container_plan *plan,
    struct error *e)
{
	if (add_words(container, "command", plan, e) != 0)
		return -1;
	if (plan->argv.count == 0)
		return error_set_code(e, ERROR_INVALID,
		    "command is missing%s; name it, because the command of the "
		    "image is not known here",
		    pod_node_count(container, "args") > 0 ?
			", and args alone are not enough" :
			"");
	if (plan->argv.items[0][0] == '\0')
		return error_set_code(e, ERROR_INVALID, "command[0] is empty");
	return add_words(container, "args", plan, e);
}

static int
plan_working(const struct yaml_node *container, struct container_plan *plan,
    struct error *e)
{
	const char *path = pod_node_text(container, "workingDir");

	if (path == NULL || path[0] == '\0')
		return 0;
	if (path[0] != '/')
		return error_set_code(e, ERROR_INVALID,
		    "workingDir %s: must begin with '/'", path);
	plan->working = xstrdup(path);
	return 0;
}

int
container_plan_make(const struct yaml_node *pod,
    const struct yaml_node *container, const struct pod_host *host,
    struct container_plan *plan, struct error *e)
{
	char *place = container_place(pod, container);
	int status;

	memset(plan, 0, sizeof(*plan));
	plan->grace_s = yaml_get_integer(pod,
	    "spec/terminationGracePeriodSeconds", GRACE_DEFAULT_S);
	if (plan->grace_s < 0 || plan->grace_s > INT32_MAX)
		plan->grace_s = GRACE_DEFAULT_S; /* lint refuses it */
	status = container_env_make(pod, container, place, host, plan, e);
	if (status == 0 &&
	    (plan_command(container, plan, e) != 0 ||
		plan_working(container, plan, e) != 0))
		status = error_prefix(e, "%s", place);
	if (status == 0)
		status = container_volumes_make(pod, container, place, host,
		    plan, e);
	free(place);
	return status;
}

void
container_plan_drop_volume(struct container_volume *v)
{
	free(v->name);
	free(v->directory);
	free(v->source);
	free(v->target);
	free(v->work);
	free(v->within);
}

void
container_plan_release(struct container_plan *plan)
{
	size_t i;

	strvec_release(&plan->argv);
	strvec_release(&plan->environment);
	free(plan->working);
	for (i = 0; i < plan->volume_count; i++)
		container_plan_drop_volume(&plan->volumes[i]);
	free(plan->volumes);
	for (i = 0; i < plan->file_count; i++) {
		free(plan->files[i].path);
		free(plan->files[i].bytes);
	}
	free(plan->files);
	memset(plan, 0, sizeof(*plan));
}
