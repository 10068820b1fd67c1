/*
 * describe: all of an object, and what happened to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/ipubox-job/describe_object.h"
#include "applets/ipubox-job/describe_pod.h"
#include "applets/ipubox-job/describe_sheet.h"
#include "applets/ipubox-job/job_call.h"
#include "applets/ipubox-job/kube_table.h"
#include "applets/ipubox-job/resource.h"
#include "applets/ipubox-job/verbs.h"
#include "core/base/clock.h"
#include "core/base/memstream.h"
#include "core/ipujob/event_object.h"

/* The events of an IPUJob or a pod; none of the others. */
static struct yaml_node *
events_about(struct founds *f, const struct resource_found *found)
{
	struct yaml_node	*about = yaml_new_list(f->arena), *all;
	size_t			 i;

	if (found->type != RESOURCE_IPUJOB && found->type != RESOURCE_POD)
		return about;
	all = event_object_list(f->arena, job_entry_events(found->entry,
	    f->arena), found->entry->name, found->space);
	for (i = 0; i < all->count; i++)
		if (event_object_is_about(all->items[i].node, found->type ==
		    RESOURCE_POD ? "Pod" : "IPUJob", found->name))
			yaml_add(f->arena, about, all->items[i].node);
	return about;
}

static bool
uses_claim(const struct yaml_node *pod, const char *claim)
{
	const struct yaml_node	*list = yaml_path(pod, "spec/volumes");
	const char		*name;
	size_t			 i;

	for (i = 0; list != NULL && i < list->count; i++) {
		name = yaml_get_text(list->items[i].node,
		    "persistentVolumeClaim/claimName");
		if (name != NULL && strcmp(name, claim) == 0)
			return true;
	}
	return false;
}

/* The names of the pods that use it. */
static struct yaml_node *
claim_users(const struct job_call *c, struct founds *f,
    const struct resource_found *claim)
{
	struct resource		one = { .type = RESOURCE_POD };
	struct resources	r = { .items = &one, .count = 1 };
	struct job_call		all = *c;
	struct founds		pods;
	struct yaml_node	*users = yaml_new_list(f->arena);
	size_t			 i;

	all.space = claim->space;
	all.all_spaces = false;
	all.selector = all.field_selector = NULL;
	if (founds_take(&all, &r, &pods, NULL) == 0)
		for (i = 0; i < pods.count; i++)
			if (uses_claim(pods.items[i].object, claim->name))
				yaml_add(f->arena, users, yaml_new_text(
				    f->arena, pods.items[i].name));
	founds_release(&pods);
	return users;
}

static void
put_description(const struct job_call *c, struct founds *f,
    const struct resource_found *found, int64_t now_s, FILE *out)
{
	switch (found->type) {
	case RESOURCE_POD:
		describe_pod_put(out, found->object, now_s);
		break;
	case RESOURCE_CONFIG_MAP:
		describe_object_put_config_map(out, found->object);
		break;
	case RESOURCE_SECRET:
		describe_object_put_secret(out, found->object);
		return;		/* which has no events */
	case RESOURCE_CLAIM:
		describe_object_put_claim(out, found->object,
		    claim_users(c, f, found));
		break;
	default:
		describe_object_put(out, found->object);
	}
	describe_sheet_put_events(out, events_about(f, found), now_s);
}

static void
verb_describe_print_description(const struct job_call *c, struct founds *f,
    const struct resource_found *found)
{
	struct kube_table	 t;
	struct memstream	 m;
	char			*text;

	(void)memstream_open(&m);
	put_description(c, f, found, clock_real_ms() / 1000, m.file);
	text = memstream_close(&m, NULL);
	kube_table_init_sheet(&t);
	kube_table_print(&t, text, stdout);
	free(text);
}

/* All objects of the type whose names begin so, an empty line behind each; how
   many there are. */
static int
describe_beginnings(struct job_call *c, const struct resource *asked)
{
	struct resource		one = { .type = asked->type };
	struct resources	r = { .items = &one, .count = 1 };
	struct founds		f;
	size_t			i;
	int			count = 0;

	if (founds_take(c, &r, &f, NULL) == 0)
		for (i = 0; i < f.count; i++) {
			if (strncmp(f.items[i].name, asked->name,
			    strlen(asked->name)) != 0)
				continue;
			verb_describe_print_description(c, &f, &f.items[i]);
			putchar('\n');
			count++;
		}
	founds_release(&f);
	return count;
}

static int
describe_founds(struct job_call *c, struct founds *f)
{
	size_t	i;

	for (i = 0; i < f->count; i++) {
		if (i > 0)
			fputs("\n\n", stdout);
		verb_describe_print_description(c, f, &f->items[i]);
	}
	if (f->count == 0 && f->missing == 0 && c->all_spaces)
		fprintf(stderr, "No resources found\n");
	else if (f->count == 0 && f->missing == 0)
		fprintf(stderr, "No resources found in %s namespace.\n",
		    c->space);
	return f->missing > 0 ? EXIT_FAILED : EXIT_DONE;
}

/*
 * One word that may be the beginning of names, as kubectl has it for "TYPE
 * NAME": it is looked for as a name first.
 */
static int
describe_resources(struct job_call *c, const struct resources *r)
{
	struct founds	f;
	struct error	e;
	const bool	may_begin = c->count == 2 && r->count == 1 &&
	    r->items[0].name != NULL;
	int		status;

	c->ignore_not_found = may_begin;
	status = founds_take(c, r, &f, &e);
	c->ignore_not_found = false;
	if (status == 0 && may_begin && f.count == 0) {
		founds_release(&f);
		if (describe_beginnings(c, &r->items[0]) > 0)
			return EXIT_DONE;
		status = founds_take(c, r, &f, &e);
	}
	status = status == 0 ? describe_founds(c, &f) : founds_failed(&e);
	founds_release(&f);
	return status;
}

int
verb_describe(struct job_call *c)
{
	struct resources	r;
	struct manifest		m;
	struct error		e;
	int			status;

	if (c->count == 0 && c->files.count == 0)
		return job_call_misuse(c, "You must specify the type of "
		    "resource to describe: ipujobs, pods, configmaps, "
		    "secrets, persistentvolumeclaims or events");
	manifest_init(&m);
	if (resources_read(c, &m, &r, &e) != 0)
		status = job_call_failed(&e);
	else if ((status = job_call_open(c, false)) == EXIT_DONE)
		status = describe_resources(c, &r);
	resources_free(&r);
	manifest_release(&m);
	return status;
}
