/*
 * get: list objects, once or continuously.
 *
 * To watch, it reads everything again after a change and prints the
 * differences.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "applets/ipubox-job/job_watch.h"
#include "applets/ipubox-job/kube_table.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"

/* The progress of output. */
struct get_print {
	const struct job_call *call; /* with the form */
	struct get_rows rows;
	struct kube_table table;
	bool has_header;  /* tables start with one */
	bool has_printed; /* the header or a first object */
};

/* The objects at one moment. */
struct seen {
	struct founds founds;
	char **prints; /* compared text of each object */
};

static bool
is_table(const struct get_print *o)
{
	return o->call->form == FORM_DEFAULT || o->call->form == FORM_WIDE;
}

/* Print one object in a form other than a table. */
static int
print_in_form(const struct get_print *o, const struct resource_found *found,
    struct error *e)
{
	return job_values_print(o->call, resource_types[found->type].word,
	    found->name, found->object, e);
}

/* Print all objects in a form other than a table, as items of a List unless a
   single object was named. */
static int
print_as_list(const struct get_print *o, const struct founds *f, bool is_list,
    struct error *e)
{
	struct yaml_node *list, *items, *metadata;
	size_t i;

	if (o->call->form == FORM_NAME || !is_list) {
		for (i = 0; i < f->count; i++)
			if (print_in_form(o, &f->items[i], e) != 0)
				return -1;
		return 0;
	}
	list = yaml_new_map(f->arena);
	yaml_set_text(f->arena, list, "apiVersion", "v1");
	items = yaml_set(f->arena, list, "items", yaml_new_list(f->arena));
	for (i = 0; i < f->count; i++)
		yaml_add(f->arena, items, f->items[i].object);
	yaml_set_text(f->arena, list, "kind", "List");
	metadata = yaml_set(f->arena, list, "metadata", yaml_new_map(f->arena));
	yaml_set_text(f->arena, metadata, "resourceVersion", "");
	return job_values_print(o->call, NULL, NULL, list, e);
}

/* Print the rows from `begin` to `end` with a header. */
static void
print_table_of(struct get_print *p, const struct founds *f, size_t begin,
    size_t end)
{
	struct memstream m;
	char *text;
	size_t i;

	(void)memstream_open(&m);
	if (p->has_header)
		get_rows_put_header(m.file, &p->rows, f->items[begin].type);
	for (i = begin; i < end; i++)
		get_rows_put(m.file, &p->rows, &f->items[i]);
	text = memstream_close(&m, NULL);
	kube_table_print(&p->table, text, stdout);
	free(text);
}

/* Print all objects, with a table for each type. */
static int
print_all_found(struct get_print *p, const struct founds *f, bool is_list,
    struct error *e)
{
	size_t begin = 0, end;

	p->rows.now_s = clock_real_ms() / 1000;
	if (!is_table(p))
		return print_as_list(p, f, is_list, e);
	for (; begin < f->count; begin = end) {
		for (end = begin; end < f->count &&
		     f->items[end].type == f->items[begin].type;
		     end++)
			continue;
		if (begin > 0 && p->has_header)
			putchar('\n');
		kube_table_restart(&p->table);
		print_table_of(p, f, begin, end);
	}
	return 0;
}

/* Return the text to compare: for a table the row without ages. */
static char *
compared_text(const struct get_print *p, const struct resource_found *found)
{
	struct get_rows timeless = p->rows;
	struct memstream m;

	(void)memstream_open(&m);
	timeless.now_s = 0;
	if (!is_table(p))
		yaml_write_json_line(m.file, found->object);
	else
		get_rows_put(m.file, &timeless, found);
	return memstream_close(&m, NULL);
}

static void
seen_release(struct seen *s)
{
	size_t i;

	for (i = 0; s->prints != NULL && i < s->founds.count; i++)
		free(s->prints[i]);
	free(s->prints);
	founds_release(&s->founds);
}

/* Return the index of that object, or the number of objects; it is usually near
   `hint`. */
static size_t
find_seen(const struct seen *s, const struct resource_found *found, size_t hint)
{
	const size_t count = s->founds.count;
	const struct resource_found *other;
	size_t i, at;

	for (i = 0; i < count; i++) {
		at = (hint + i) % count;
		other = &s->founds.items[at];
		if (strcmp(other->name, found->name) == 0 &&
		    strcmp(other->space, found->space) == 0)
			return at;
	}
	return count;
}

/* Print an object that was added, changed or removed. */
static int
print_change(struct get_print *p, const struct resource_found *found,
    struct error *e)
{
	struct founds one = { .count = 1 };
	struct resource_found item = *found;
	int status = 0;

	one.items = &item;
	p->rows.now_s = clock_real_ms() / 1000;
	if (!is_table(p)) {
		if (p->has_printed && p->call->form == FORM_YAML)
			puts("---");
		status = print_in_form(p, found, e);
	} else {
		print_table_of(p, &one, 0, 1);
		p->has_header = false;
	}
	p->has_printed = true;
	return status;
}

static int
print_difference(struct get_print *p, const struct seen *before,
    const struct seen *now, struct error *e)
{
	size_t i, at;
	int status = 0;

	for (i = 0; i < before->founds.count && status == 0; i++)
		if (find_seen(now, &before->founds.items[i], i) ==
		    now->founds.count)
			status = print_change(p, &before->founds.items[i], e);
	for (i = 0; i < now->founds.count && status == 0; i++) {
		at = find_seen(before, &now->founds.items[i], i);
		if (at == before->founds.count ||
		    strcmp(before->prints[at], now->prints[i]) != 0)
			status = print_change(p, &now->founds.items[i], e);
	}
	(void)fflush(stdout);
	return status;
}

static int
take_seen(const struct get_print *p, const struct job_call *c,
    const struct resources *r, struct seen *s, struct error *e)
{
	size_t i;

	s->prints = NULL;
	if (founds_find(c, r, &s->founds, e) != 0)
		return -1;
	s->prints = xcalloc(s->founds.count + 1, sizeof(*s->prints));
	for (i = 0; i < s->founds.count; i++)
		s->prints[i] = compared_text(p, &s->founds.items[i]);
	return 0;
}

/* Print the first objects as one table. */
static int
print_first(struct get_print *p, const struct seen *s, struct error *e)
{
	struct seen none = { .prints = NULL };

	if (!is_table(p))
		return print_difference(p, &none, s, e);
	if (s->founds.count == 0)
		return 0;
	p->rows.now_s = clock_real_ms() / 1000;
	print_table_of(p, &s->founds, 0, s->founds.count);
	p->has_header = false;
	(void)fflush(stdout);
	return 0;
}

/* Print the objects, and then each change, until a signal ends it. */
static int
print_changes(struct get_print *p, const struct job_call *c,
    const struct resources *r)
{
	struct job_watch *w = job_watch_open(&c->store, resources_space(c, r));
	struct job_call later = *c;
	struct seen before, now;
	struct error e;
	int status = take_seen(p, c, r, &before, &e);

	if (status == 0 && before.founds.missing > 0) {
		seen_release(&before);
		job_watch_close(w);
		return EXIT_FAILED;
	}
	if (status == 0)
		status = print_first(p, &before, &e);
	/* A removed object may come back. */
	later.ignore_not_found = true;
	while (status == 0 && job_watch_wait(w, -1) == 1) {
		status = take_seen(p, &later, r, &now, &e);
		if (status == 0)
			status = print_difference(p, &before, &now, &e);
		seen_release(&before);
		before = now;
	}
	seen_release(&before);
	if (status != 0)
		status = founds_failed(&e);
	job_watch_close(w);
	return status == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* Whether names are printed with their type: lists of several types were
   requested, or objects of several types were found. */
static bool
has_several_types(const struct job_call *c, const struct resources *r,
    const struct founds *f)
{
	unsigned types = 0;
	size_t i;

	if (c->count > 0 && strcasecmp(c->operands[0], "all") == 0)
		return true;
	for (i = 0; i < r->count; i++)
		if (r->items[i].name == NULL)
			types |= 1U << r->items[i].type;
	for (i = 0; i < f->count; i++)
		types |= 1U << f->items[i].type;
	return (types & (types - 1)) != 0;
}

static int
get_once(struct get_print *p, const struct job_call *c,
    const struct resources *r)
{
	struct founds f;
	struct error e;
	const bool is_list = r->count != 1 || r->items[0].name == NULL;
	int status = founds_find(c, r, &f, &e);

	p->rows.has_kind = has_several_types(c, r, &f);
	if (status == 0 && f.count == 0 && is_table(p)) {
		if (f.missing == 0 && !c->ignore_not_found)
			founds_report_none(c);
	} else if (status == 0 && (f.count > 0 || is_list)) {
		status = print_all_found(p, &f, is_list, &e);
	}
	if (status != 0)
		status = founds_failed(&e);
	else
		status = f.missing > 0 ? EXIT_FAILED : EXIT_DONE;
	founds_release(&f);
	return status;
}

static int
get_watched(struct get_print *p, const struct job_call *c,
    const struct resources *r)
{
	size_t i;

	for (i = 1; i < r->count; i++)
		if (r->items[i].type != r->items[0].type)
			return job_call_refuse(
			    "you may only specify a single resource type");
	if (r->count > 1)
		return job_call_refuse("you may only watch a single resource "
				       "or type of resource at a time");
	return print_changes(p, c, r);
}

static int
get_resources(struct job_call *c, const struct resources *r)
{
	struct get_print p = { .call = c,
		.has_header = !c->no_headers,
		.rows = { .is_wide = c->form == FORM_WIDE,
		    .has_space = c->all_spaces,
		    .has_labels = c->show_labels } };
	int status = job_call_open(c, c->watch);

	if (status != EXIT_DONE)
		return status;
	kube_table_init_rows(&p.table);
	return c->watch ? get_watched(&p, c, r) : get_once(&p, c, r);
}

int
verb_get(struct job_call *c)
{
	return resources_run(c,
	    "Required resource not specified: ipujobs, pods, configmaps, "
	    "secrets, persistentvolumeclaims or events",
	    get_resources);
}
