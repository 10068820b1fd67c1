/*
 * logs: print the output of pods.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "applets/ipubox-job/job_watch.h"
#include "core/base/alloc.h"

enum {
	TAIL_OF_SELECTED = 10, /* lines, like kubectl */
	LOOK_AGAIN_MS = 1000
};

/* A log that is being printed. */
struct logged {
	const struct job_call *call;
	const struct resource_found *found;
	const char *container;
	struct container_view view;
	struct container_place place;
	char *path;
	char *prefix;
};

static void
logged_init(struct logged *l, const struct job_call *c,
    const struct resource_found *found, const char *container)
{
	char *directory = job_entry_pod_path(found->entry, found->name);

	*l = (struct logged){ .call = c,
		.found = found,
		.container = container };
	l->path = xasprintf("%s/%s%s.log", directory, container,
	    c->previous ? ".previous" : "");
	l->prefix = c->prefix ?
	    xasprintf("[pod/%s/%s] ", found->name, container) :
	    NULL;
	l->view = (struct container_view){ .since_ns = c->since_ns,
		.tail = c->tail != -2	? (long)c->tail :
		    c->selector != NULL ? TAIL_OF_SELECTED :
					  -1,
		.limit = c->limit_bytes,
		.timestamps = c->timestamps,
		.prefix = l->prefix };
	free(directory);
}

static void
logged_release(struct logged *l)
{
	free(l->path);
	free(l->prefix);
}

/* Read the pod's present state, which the found object may no longer show. */
static bool
is_pod_over(const struct resource_found *found)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct pod_state state;
	const struct yaml_node *pod = job_entry_read_pod(found->entry, arena,
	    found->name, NULL);

	pod_object_state(pod, &state);
	yaml_arena_free(arena);
	return pod == NULL || state.phase == POD_SUCCEEDED ||
	    state.phase == POD_FAILED || !job_entry_is_locked(found->entry);
}

/* Print the logs until all pods have ended.  Checks that before it reads, so
   that all output is printed. */
static int
follow(struct logged *all, size_t count)
{
	struct job_watch *w = job_watch_open(&all[0].call->store,
	    all[0].found->space);
	struct error e;
	bool over = false;
	size_t i;
	int status = EXIT_DONE;

	job_watch_add_logs(w);
	while (status == EXIT_DONE && !over) {
		over = true;
		for (i = 0; i < count; i++)
			over &= is_pod_over(all[i].found);
		for (i = 0; i < count; i++)
			if (container_log_print(all[i].path, &all[i].view,
				&all[i].place, stdout, &e) == -1)
				status = job_call_failed(&e);
		if (!over && job_watch_wait(w, LOOK_AGAIN_MS) == -1)
			break;
	}
	job_watch_close(w);
	return status;
}

/* A container that has not run has no log. */
static int
check_started(const struct logged *l)
{
	struct pod_state state;
	const char *container = l->container;

	pod_object_state(l->found->object, &state);
	if (l->call->previous && access(l->path, F_OK) != 0)
		return job_call_server_error("BadRequest",
		    "previous terminated container \"%s\" in pod \"%s\" not "
		    "found",
		    container, l->found->name);
	if (state.phase != POD_PENDING || l->call->follow ||
	    access(l->path, F_OK) == 0)
		return EXIT_DONE;
	return job_call_server_error("BadRequest",
	    "container \"%s\" in pod \"%s\" is waiting to start: %s", container,
	    l->found->name, state.reason);
}

static int
print_all(struct logged *all, size_t count)
{
	struct error e;
	size_t i;
	int status = EXIT_DONE;

	for (i = 0; i < count && status == EXIT_DONE; i++) {
		status = check_started(&all[i]);
		if (status == EXIT_DONE &&
		    container_log_print(all[i].path, &all[i].view,
			&all[i].place, stdout, &e) == -1)
			status = job_call_failed(&e);
	}
	if (status == EXIT_DONE && count > 0 && all[0].call->follow)
		status = follow(all, count);
	return status;
}

/* Add the requested containers of a pod. */
static int
add_containers(const struct job_call *c, const struct resource_found *found,
    struct logged **all, size_t *count)
{
	const struct yaml_node *container = pod_object_container(found->object),
			       *list;
	const char *name = c->container != NULL ?
	    c->container :
	    yaml_get_text(container, "name");
	size_t i;

	if (name == NULL ||
	    pod_node_container(yaml_get(found->object, "spec"), name) == NULL)
		return job_call_refuse("container %s is not valid for pod %s",
		    name != NULL ? name : "", found->name);
	list = c->all_containers ?
	    yaml_path(found->object, "spec/initContainers") :
	    NULL;
	*all = xreallocarray(*all,
	    *count + 1 + (list != NULL ? list->count : 0), sizeof(**all));
	for (i = 0; list != NULL && i < list->count; i++)
		logged_init(&(*all)[(*count)++], c, found,
		    yaml_get_text(list->items[i].node, "name"));
	logged_init(&(*all)[(*count)++], c, found, name);
	return EXIT_DONE;
}

static int
print_found(const struct job_call *c, const struct founds *f)
{
	struct logged *all = NULL;
	size_t count = 0, i;
	int status = EXIT_DONE;

	for (i = 0; i < f->count && status == EXIT_DONE; i++)
		status = add_containers(c, &f->items[i], &all, &count);
	if (status == EXIT_DONE)
		status = print_all(all, count);
	for (i = 0; i < count; i++)
		logged_release(&all[i]);
	free(all);
	return status;
}

int
verb_logs(struct job_call *c)
{
	struct resource one = { .type = RESOURCE_POD };
	struct resources r = { .items = &one, .count = 1 };
	struct founds f;
	struct error e;
	int status = EXIT_DONE;

	if (c->count == 0 && c->selector == NULL)
		return job_call_misuse(c,
		    "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c "
		    "CONTAINER]'.\nPOD or TYPE/NAME is a required argument for "
		    "the logs command");
	if (c->count > 1 && c->container == NULL)
		c->container = c->operands[1];
	if (c->count > 0)
		status = founds_find_pod(c, c->operands[0], &f);
	else if (founds_find(c, &r, &f, &e) != 0)
		status = job_call_failed(&e);
	if (status == EXIT_DONE && f.count == 0)
		founds_report_none(c);
	if (status == EXIT_DONE)
		status = print_found(c, &f);
	founds_release(&f);
	return status;
}
