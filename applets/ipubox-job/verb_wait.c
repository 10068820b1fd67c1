/*
 * wait: come back when something is true of some objects.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/ipubox-job/get_output.h"
#include "applets/ipubox-job/job_call.h"
#include "applets/ipubox-job/job_watch.h"
#include "applets/ipubox-job/resource.h"
#include "applets/ipubox-job/wait_for.h"
#include "applets/ipubox-job/verbs.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/strvec.h"

enum { WAIT_DEFAULT_MS = 30000 };

/* One object that is waited for. */
struct awaited {
	enum resource_type type;
	char		*name;
	char		*space;
	char		*uid;		/* NULL: it was not there */
	bool		 is_missing;	/* and that is refused */
};

struct waiting {
	struct job_call	*call;
	struct wait_for	 what;
	struct get_output output;	/* of those that meet it */
	struct awaited	*items;
	size_t		 count;
	struct strvec	 refusals;	/* all are told at the end */
	int64_t		 end_ms;
	bool		 is_interrupted;
	bool		 lacks_name;	/* an object has none yet */
};

static void
add_awaited(struct waiting *w, enum resource_type type, const char *name,
    const char *space, const struct yaml_node *object)
{
	const char	*uid = yaml_get_text(object, "metadata/uid");

	w->items = xreallocarray(w->items, w->count + 1, sizeof(*w->items));
	w->items[w->count++] = (struct awaited){ .type = type,
	    .name = xstrdup(name), .space = xstrdup(space),
	    .uid = object == NULL ? NULL : xstrdup(uid != NULL ? uid : "") };
}

static void
waiting_release(struct waiting *w)
{
	size_t	i;

	for (i = 0; i < w->count; i++) {
		free(w->items[i].name);
		free(w->items[i].space);
		free(w->items[i].uid);
	}
	free(w->items);
	wait_for_release(&w->what);
	get_output_release(&w->output);
	strvec_release(&w->refusals);
}

/* A name that there is not is missing, unless its coming or going is what is
   waited for. */
static void
add_missing(struct waiting *w, const struct resource *r)
{
	if (w->what.kind == WAIT_DELETE || r->name[0] == '\0')
		return;
	add_awaited(w, r->type, r->name, r->space != NULL ? r->space :
	    w->call->space, NULL);
	w->items[w->count - 1].is_missing = w->what.kind != WAIT_CREATE;
}

/* What there is now; who comes later does not count. */
static int
find_awaited(struct waiting *w, const struct resources *r)
{
	struct resources	one = { .count = 1 };
	struct founds		f;
	struct error		e;
	size_t			i, k;
	int			status = EXIT_DONE;

	w->call->ignore_not_found = true;
	for (i = 0; i < r->count && status == EXIT_DONE; i++) {
		one.items = &r->items[i];
		if (founds_take(w->call, &one, &f, &e) != 0)
			status = founds_failed(&e);
		for (k = 0; k < f.count; k++)
			add_awaited(w, f.items[k].type, f.items[k].name,
			    f.items[k].space, f.items[k].object);
		w->lacks_name |= status == EXIT_DONE && f.missing > 0;
		if (status == EXIT_DONE && f.count == 0 &&
		    r->items[i].name != NULL)
			add_missing(w, &r->items[i]);
		founds_release(&f);
	}
	return status;
}

/* Whether what was waited for is another one by now. */
static bool
verb_wait_is_another(const struct awaited *a, const struct yaml_node *object)
{
	const char	*uid = yaml_get_text(object, "metadata/uid");

	return a->uid != NULL && strcmp(a->uid, uid != NULL ? uid : "") != 0;
}

static int
refuse_missing(struct waiting *w, const struct awaited *a)
{
	strvec_addf(&w->refusals, "Error from server (NotFound): %s \"%s\" "
	    "not found", resource_plural(a->type), a->name);
	return -1;
}

/* As -o has it; without it, and of one that is gone, a line. */
static int
print_met(struct waiting *w, const struct awaited *a,
    const struct resource_found *found, struct error *e)
{
	int	status = 0;

	if (found == NULL || get_output_is_table(&w->output))
		printf("%s/%s condition met\n", resource_word(a->type),
		    a->name);
	else
		status = get_output_put(&w->output, found, stdout, e);
	(void)fflush(stdout);
	return status;
}

/* 1: it is met, and printed; 0: not yet; -1: it cannot be, and why was
   added. */
static int
look_at(struct waiting *w, const struct awaited *a)
{
	struct resource		 one = { .type = a->type, .name = a->name };
	struct resources	 r = { .items = &one, .count = 1 };
	struct job_call		 c = *w->call;
	struct founds		 f;
	struct error		 e;
	const struct resource_found	*found = NULL;
	int			 status;

	if (a->is_missing)
		return refuse_missing(w, a);
	c.space = a->space;
	c.all_spaces = false;
	/* The labels and fields by which it was chosen may change. */
	c.selector = c.field_selector = NULL;
	status = founds_take(&c, &r, &f, &e);
	if (status == 0) {
		if (f.count > 0 && !verb_wait_is_another(a, f.items[0].object))
			found = &f.items[0];
		status = wait_for_is_met(&w->what, found != NULL ?
		    found->object : NULL, &e);
	}
	if (status == 1 && print_met(w, a, found, &e) != 0)
		status = -1;
	if (status == -1)
		strvec_add(&w->refusals, e.text);
	else if (status == 0 && found == NULL && a->uid != NULL)
		status = refuse_missing(w, a);
	founds_release(&f);
	return status;
}

static void
add_timeout(struct waiting *w, const struct awaited *a)
{
	const char	*plural = resource_plural(a->type);

	strvec_addf(&w->refusals, "%s %.*s/%s", w->call->timeout_ms == 0 ?
	    "condition not met for" : "timed out waiting for the condition "
	    "on", (int)strcspn(plural, "."), plural, a->name);
}

/* One after the other, as kubectl does; the time is for all of them. */
static void
wait_for_each(struct waiting *w, struct job_watch *watch)
{
	int64_t	left_ms;
	size_t	i;
	int	status;

	for (i = 0; i < w->count && !w->is_interrupted; i++) {
		while ((status = look_at(w, &w->items[i])) == 0) {
			left_ms = w->end_ms - clock_monotonic_ms();
			if (left_ms <= 0)
				break;
			if (job_watch_wait(watch, left_ms) == -1) {
				w->is_interrupted = true;
				return;
			}
		}
		if (status == 0)
			add_timeout(w, &w->items[i]);
	}
}

/* One has "error: " in front, several stand as they are. */
static int
tell_refusals(const struct waiting *w)
{
	size_t	i;

	for (i = 0; i < w->refusals.count; i++)
		fprintf(stderr, "%s%s\n", w->refusals.count == 1 &&
		    strncmp(w->refusals.items[i], "Error ", 6) != 0 ?
		    "error: " : "", w->refusals.items[i]);
	return w->refusals.count > 0 ? EXIT_FAILED : EXIT_DONE;
}

static int
verb_wait_wait_for_all(struct waiting *w, const struct resources *r)
{
	struct job_watch	*watch = job_watch_open(&w->call->store,
	    resources_space(w->call, r));
	int			 status = find_awaited(w, r);

	if (status == EXIT_DONE)
		wait_for_each(w, watch);
	if (status == EXIT_DONE && w->count == 0 && w->refusals.count == 0 &&
	    !w->lacks_name && w->what.kind != WAIT_DELETE)
		strvec_add(&w->refusals, "no matching resources found");
	job_watch_close(watch);
	if (status == EXIT_DONE)
		status = tell_refusals(w);
	return w->is_interrupted || w->lacks_name ? EXIT_FAILED : status;
}

static int
wait_checked(struct job_call *c, const struct resources *r)
{
	struct waiting	w = { .call = c };
	struct error	e;
	int		status;

	if (c->timeout_ms == -1)
		c->timeout_ms = WAIT_DEFAULT_MS;
	w.end_ms = clock_monotonic_ms() + c->timeout_ms;
	if (wait_for_read(c->condition, &w.what, &e) != 0 ||
	    get_output_read(c->output, &w.output, &e) != 0)
		status = job_call_failed(&e);
	else if (r->items[0].name == NULL && !c->all && c->selector == NULL &&
	    c->field_selector == NULL)
		status = job_call_refuse("resource(s) were provided, but no "
		    "name was specified");
	else if ((status = job_call_open(c, true)) == EXIT_DONE)
		status = verb_wait_wait_for_all(&w, r);
	waiting_release(&w);
	return status;
}

int
verb_wait(struct job_call *c)
{
	struct resources	r;
	struct manifest		m;
	struct error		e;
	int			status;

	if (c->count == 0 && c->files.count == 0)
		return job_call_misuse(c, "You must provide one or more "
		    "resources by argument.");
	manifest_init(&m);
	status = resources_read(c, &m, &r, &e) == 0 ?
	    wait_checked(c, &r) : job_call_failed(&e);
	resources_free(&r);
	manifest_release(&m);
	return status;
}
