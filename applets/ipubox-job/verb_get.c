/*
 * get: lists of objects, and objects.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "applets/applet.h"
#include "applets/ipubox-job/get_print.h"
#include "applets/ipubox-job/job_call.h"
#include "applets/ipubox-job/verbs.h"

/* Names have their type in front where lists of several types are asked for, or
   objects of several were found. */
static bool
has_several_types(const struct job_call *c, const struct resources *r,
    const struct founds *f)
{
	unsigned	types = 0;
	size_t		i;

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
	struct founds	f;
	struct error	e;
	const bool	is_list = r->count != 1 || r->items[0].name == NULL;
	int		status = founds_take(c, r, &f, &e);

	p->rows.has_kind = has_several_types(c, r, &f);
	if (status == 0 && f.count == 0 && get_output_is_table(&p->output)) {
		if (f.missing == 0 && !c->ignore_not_found)
			founds_tell_none(c);
	} else if (status == 0 && (f.count > 0 || is_list)) {
		status = get_print_all(p, &f, is_list, &e);
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
	size_t	i;

	for (i = 1; i < r->count; i++)
		if (r->items[i].type != r->items[0].type)
			return job_call_refuse("you may only specify a "
			    "single resource type");
	if (r->count > 1)
		return job_call_refuse("you may only watch a single resource "
		    "or type of resource at a time");
	return get_print_changes(p, c, r);
}

static int
get_resources(struct job_call *c, const struct resources *r)
{
	struct get_print	p = { .has_header = !c->no_headers };
	struct error		e;
	int			status = job_call_open(c, c->watch);

	if (status != EXIT_DONE)
		return status;
	kube_table_init_rows(&p.table);
	if (get_output_read(c->output, &p.output, &e) != 0) {
		get_output_release(&p.output);
		return job_call_failed(&e);
	}
	p.rows = (struct get_rows){ .is_wide = p.output.form == GET_WIDE,
	    .has_space = c->all_spaces, .has_labels = c->show_labels };
	status = c->watch ? get_watched(&p, c, r) : get_once(&p, c, r);
	get_output_release(&p.output);
	return status;
}

int
verb_get(struct job_call *c)
{
	struct resources	r;
	struct error		e;
	int			status;

	if (c->count == 0 && c->files.count == 0)
		return job_call_misuse(c, "Required resource not specified: "
		    "ipujobs, pods, configmaps, secrets, "
		    "persistentvolumeclaims or events");
	status = resources_read(c, &r, &e) == 0 ?
	    get_resources(c, &r) : job_call_failed(&e);
	resources_free(&r);
	return status;
}
