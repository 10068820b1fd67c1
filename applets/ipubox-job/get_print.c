/*
 * Printing what was found.
 *
 * To watch is to read all of it again after a change, and to print what differs
 * from before.
 */
#include "applets/ipubox-job/get_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/ipubox-job/job_call.h"
#include "applets/ipubox-job/job_watch.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/memstream.h"
#include "core/base/yaml_write.h"

/* What was there at one moment. */
struct seen {
	struct founds	 founds;
	char		**prints;	/* of each: what of it is looked at */
};

/* The rows from `begin` to `end`, below a header of their own. */
static void
print_table(struct get_print *p, const struct founds *f, size_t begin,
    size_t end)
{
	struct memstream	 m;
	char			*text;
	size_t			 i;

	(void)memstream_open(&m);
	if (p->has_header)
		get_rows_put_header(m.file, &p->rows, f->items[begin].type);
	for (i = begin; i < end; i++)
		get_rows_put(m.file, &p->rows, &f->items[i]);
	text = memstream_close(&m, NULL);
	kube_table_print(&p->table, text, stdout);
	free(text);
}

int
get_print_all(struct get_print *p, const struct founds *f, bool is_list,
    struct error *e)
{
	size_t	begin = 0, end;

	p->rows.now_s = clock_real_ms() / 1000;
	if (!get_output_is_table(&p->output))
		return get_output_put_all(&p->output, f, is_list, stdout, e);
	for (; begin < f->count; begin = end) {
		for (end = begin; end < f->count && f->items[end].type ==
		    f->items[begin].type; end++)
			continue;
		if (begin > 0 && p->has_header)
			putchar('\n');
		kube_table_restart(&p->table);
		print_table(p, f, begin, end);
	}
	return 0;
}

/* What is compared: of a table the row, but not the time that goes on. */
static char *
print_of(const struct get_print *p, const struct resource_found *found)
{
	struct get_rows		 timeless = p->rows;
	struct memstream	 m;

	(void)memstream_open(&m);
	timeless.now_s = 0;
	if (!get_output_is_table(&p->output))
		yaml_write_json_line(m.file, found->object);
	else
		get_rows_put(m.file, &timeless, found);
	return memstream_close(&m, NULL);
}

static void
seen_release(struct seen *s)
{
	size_t	i;

	for (i = 0; s->prints != NULL && i < s->founds.count; i++)
		free(s->prints[i]);
	free(s->prints);
	founds_release(&s->founds);
}

/* Where that object is, or the number of objects; most are where they were. */
static size_t
find_seen(const struct seen *s, const struct resource_found *found, size_t hint)
{
	const size_t	 count = s->founds.count;
	const struct resource_found *other;
	size_t		 i, at;

	for (i = 0; i < count; i++) {
		at = (hint + i) % count;
		other = &s->founds.items[at];
		if (strcmp(other->name, found->name) == 0 &&
		    strcmp(other->space, found->space) == 0)
			return at;
	}
	return count;
}

/* One that came, changed or went. */
static int
print_event(struct get_print *p, const struct resource_found *found,
    struct error *e)
{
	struct founds	one = { .count = 1 };
	struct resource_found	item = *found;
	int		status = 0;

	one.items = &item;
	p->rows.now_s = clock_real_ms() / 1000;
	if (!get_output_is_table(&p->output)) {
		if (p->has_printed && p->output.form == GET_YAML)
			puts("---");
		status = get_output_put(&p->output, found, stdout, e);
	} else {
		print_table(p, &one, 0, 1);
		p->has_header = false;
	}
	p->has_printed = true;
	return status;
}

static int
print_difference(struct get_print *p, const struct seen *before,
    const struct seen *now, struct error *e)
{
	size_t	i, at;
	int	status = 0;

	for (i = 0; i < before->founds.count && status == 0; i++)
		if (find_seen(now, &before->founds.items[i], i) ==
		    now->founds.count)
			status = print_event(p,
			    &before->founds.items[i], e);
	for (i = 0; i < now->founds.count && status == 0; i++) {
		at = find_seen(before, &now->founds.items[i], i);
		if (at == before->founds.count ||
		    strcmp(before->prints[at], now->prints[i]) != 0)
			status = print_event(p, &now->founds.items[i],
			    e);
	}
	(void)fflush(stdout);
	return status;
}

static int
take_seen(const struct get_print *p, const struct job_call *c,
    const struct resources *r, struct seen *s, struct error *e)
{
	size_t	i;

	s->prints = NULL;
	if (founds_take(c, r, &s->founds, e) != 0)
		return -1;
	s->prints = xcalloc(s->founds.count + 1, sizeof(*s->prints));
	for (i = 0; i < s->founds.count; i++)
		s->prints[i] = print_of(p, &s->founds.items[i]);
	return 0;
}

/* The first ones make one table. */
static int
print_first(struct get_print *p, const struct seen *s, struct error *e)
{
	struct seen	none = { .prints = NULL };

	if (!get_output_is_table(&p->output))
		return print_difference(p, &none, s, e);
	if (s->founds.count == 0)
		return 0;
	p->rows.now_s = clock_real_ms() / 1000;
	print_table(p, &s->founds, 0, s->founds.count);
	p->has_header = false;
	(void)fflush(stdout);
	return 0;
}

int
get_print_changes(struct get_print *p, const struct job_call *c,
    const struct resources *r)
{
	struct job_watch	*w = job_watch_open(&c->store,
	    resources_space(c, r));
	struct job_call		 later = *c;
	struct seen		 before, now;
	struct error		 e;
	int			 status = take_seen(p, c, r, &before, &e);

	if (status == 0 && before.founds.missing > 0) {
		seen_release(&before);
		job_watch_close(w);
		return EXIT_FAILED;
	}
	if (status == 0)
		status = print_first(p, &before, &e);
	/* One that went may come back. */
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
