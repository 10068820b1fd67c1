/*
 * wait: return when a condition of some objects is met.
 *
 * Source: kubectl/pkg/cmd/wait, of 1.30.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "applets/ipubox-job/job_watch.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/strvec.h"

enum { WAIT_DEFAULT_MS = 30000 };

static const char condition_prefix[] = "condition=";
static const char jsonpath_prefix[] = "jsonpath=";

/* Parse a condition; "Ready" means "Ready=True". */
static int
read_condition(const char *text, struct wait_for *w)
{
	const size_t length = strcspn(text, "=");

	w->kind = WAIT_CONDITION;
	w->name = xasprintf("%.*s", (int)length, text);
	w->value = xstrdup(text[length] == '=' ? text + length + 1 : "True");
	return 0;
}

/* Parse "{PATH}=VALUE". */
static int
read_jsonpath(const char *text, struct wait_for *w, struct error *e)
{
	const char *end = strstr(text, "}=");
	char *path;
	int status;

	w->kind = WAIT_JSONPATH;
	if (text[0] != '{' || end == NULL || end[2] == '\0')
		return error_set(e,
		    "jsonpath wait format must be "
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
	const size_t condition = strlen(condition_prefix);
	const size_t path = strlen(jsonpath_prefix);

	*w = (struct wait_for){ .kind = WAIT_DELETE };
	if (text == NULL)
		text = "";
	if (strcasecmp(text, "delete") == 0)
		return 0;
	if (strcasecmp(text, "create") == 0)
		return error_set(e,
		    "--for=create is not supported; create returns when the "
		    "object exists, and get -w prints new objects");
	if (strncasecmp(text, condition_prefix, condition) == 0)
		return read_condition(text + condition, w);
	if (strncasecmp(text, jsonpath_prefix, path) == 0)
		return read_jsonpath(text + path, w, e);
	return error_set(e,
	    "unrecognized condition: \"%s\" (use condition=TYPE, "
	    "jsonpath='{PATH}'=VALUE or delete)",
	    text);
}

void
wait_for_release(struct wait_for *w)
{
	free(w->name);
	free(w->value);
	jsonpath_free(&w->path);
}

/* Return the status of the condition of that type, or NULL. */
static const char *
condition_status(const struct yaml_node *object, const char *type)
{
	const struct yaml_node *list = yaml_path(object, "status/conditions"),
			       *c;
	const char *text;
	size_t i;

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
	const char *status = condition_status(object, w->name);

	if (status == NULL &&
	    (strcasecmp(w->name, "Complete") == 0 ||
		strcasecmp(w->name, "Completed") == 0))
		status = condition_status(object, "Succeeded");
	return status != NULL && strcasecmp(status, w->value) == 0;
}

static int
wait_for_has_value(const struct wait_for *w, const struct yaml_node *object,
    struct error *e)
{
	struct jsonpath_found found;
	int status = jsonpath_find(&w->path, object, &found, e);

	if (status == 0 && found.count > 1)
		status = error_set(e,
		    "given jsonpath expression matches more than one value");
	else if (status == 0 && found.count == 1)
		status = found.items[0]->text != NULL ?
		    strcmp(found.items[0]->text, w->value) == 0 :
		    error_set(e,
			"jsonpath leads to a nested object or list which is "
			"not supported");
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

struct waiting {
	struct job_call *call;
	struct wait_for what;
	struct strvec refusals; /* all are printed at the end */
	int64_t end_ms;
	bool is_interrupted;
};

/* Whether both are the same object, not just objects of the same name. */
static bool
is_same_object(const struct yaml_node *a, const struct yaml_node *b)
{
	const char *x = yaml_get_text(a, "metadata/uid");
	const char *y = yaml_get_text(b, "metadata/uid");

	return strcmp(x != NULL ? x : "", y != NULL ? y : "") == 0;
}

/* Check an object.  1: met; 0: not yet; -1: impossible, and the reason was
   added. */
static int
check_object(struct waiting *w, const struct resource_found *awaited)
{
	struct resource one = { .type = awaited->type,
		.name = awaited->name,
		.space = awaited->space };
	struct resources r = { .items = &one, .count = 1 };
	struct founds f;
	struct error e;
	const struct yaml_node *now = NULL;
	int status = founds_find(w->call, &r, &f, &e);

	if (status == 0) {
		if (f.count > 0 &&
		    is_same_object(f.items[0].object, awaited->object))
			now = f.items[0].object;
		status = wait_for_is_met(&w->what, now, &e);
		if (status == 0 && now == NULL)
			status = error_set(&e,
			    "Error from server (NotFound): %s \"%s\" not found",
			    resource_types[one.type].plural, one.name);
	}
	if (status == -1)
		strvec_add(&w->refusals, e.text);
	founds_release(&f);
	return status;
}

static void
add_timeout(struct waiting *w, const struct resource_found *a)
{
	const char *plural = resource_types[a->type].plural;

	strvec_addf(&w->refusals, "%s %.*s/%s",
	    w->call->timeout_ms == 0 ? "condition not met for" :
				       "timed out waiting for the condition on",
	    (int)strcspn(plural, "."), plural, a->name);
}

/* Wait for one object after the other, like kubectl; the timeout covers all. */
static void
wait_for_each(struct waiting *w, const struct founds *f,
    struct job_watch *watch)
{
	const struct resource_found *one;
	int64_t left_ms;
	int status;

	for (one = f->items; one != NULL && one < f->items + f->count; one++) {
		while ((status = check_object(w, one)) == 0) {
			left_ms = w->end_ms - clock_monotonic_ms();
			if (left_ms <= 0)
				break;
			if (job_watch_wait(watch, left_ms) == -1) {
				w->is_interrupted = true;
				return;
			}
		}
		if (status == 0)
			add_timeout(w, one);
		if (status != 1)
			continue;
		printf("%s/%s condition met\n", resource_types[one->type].word,
		    one->name);
		(void)fflush(stdout);
	}
}

/* Print the refusals: a single one after "error: ", several without. */
static int
print_refusals(const struct waiting *w)
{
	size_t i;

	for (i = 0; i < w->refusals.count; i++)
		fprintf(stderr, "%s%s\n",
		    w->refusals.count == 1 &&
			    strncmp(w->refusals.items[i], "Error ", 6) != 0 ?
			"error: " :
			"",
		    w->refusals.items[i]);
	return w->refusals.count > 0 ? EXIT_FAILED : EXIT_DONE;
}

/* Wait for the present objects; later ones do not count.  A missing name was
   reported already, unless the wait is for its removal. */
static int
verb_wait_for_all(struct waiting *w, const struct resources *r)
{
	struct job_watch *watch = job_watch_open(&w->call->store,
	    resources_space(w->call, r));
	const bool to_go = w->what.kind == WAIT_DELETE;
	struct founds f;
	struct error e;
	int status = EXIT_FAILED;

	w->call->ignore_not_found = to_go;
	if (founds_find(w->call, r, &f, &e) != 0) {
		(void)founds_failed(&e);
	} else {
		/* The labels that selected them may change. */
		w->call->selector = w->call->field_selector = NULL;
		w->call->ignore_not_found = true;
		wait_for_each(w, &f, watch);
		if (f.count == 0 && f.missing == 0 && !to_go)
			strvec_add(&w->refusals, "no matching resources found");
		if (print_refusals(w) == EXIT_DONE && f.missing == 0 &&
		    !w->is_interrupted)
			status = EXIT_DONE;
	}
	founds_release(&f);
	job_watch_close(watch);
	return status;
}

static int
wait_checked(struct job_call *c, const struct resources *r)
{
	struct waiting w = { .call = c };
	struct error e;
	int status;

	if (c->timeout_ms == -1)
		c->timeout_ms = WAIT_DEFAULT_MS;
	w.end_ms = clock_monotonic_ms() + c->timeout_ms;
	if (wait_for_read(c->condition, &w.what, &e) != 0)
		status = job_call_failed(&e);
	else if ((status = resources_check_named(c, r)) == EXIT_DONE &&
	    (status = job_call_open(c, true)) == EXIT_DONE)
		status = verb_wait_for_all(&w, r);
	wait_for_release(&w.what);
	strvec_release(&w.refusals);
	return status;
}

int
verb_wait(struct job_call *c)
{
	return resources_run(c,
	    "You must provide one or more resources by argument.",
	    wait_checked);
}
