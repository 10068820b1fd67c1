/*
 * The objects that a command applies to, and finding them in the store.
 */
#include "applets/ipubox-job/ipubox-job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "applets/applet.h"
#include "core/base/alloc.h"

const struct resource_words resource_types[RESOURCE_TYPES] = {
	[RESOURCE_IPUJOB] = { "ipujob.graphcore.ai", "ipujobs.graphcore.ai",
	    JOB_IPUJOB,
	    { "ipujobs", "ipujob", "ipujobs.graphcore.ai",
		"ipujob.graphcore.ai", "ipujobs.v1alpha1.graphcore.ai",
		NULL } },
	[RESOURCE_POD] = { "pod", "pods", -1, { "pods", "pod", "po", NULL } },
	[RESOURCE_CONFIG_MAP] = { "configmap", "configmaps", JOB_CONFIG_MAP,
	    { "configmaps", "configmap", "cm", NULL } },
	[RESOURCE_SECRET] = { "secret", "secrets", JOB_SECRET,
	    { "secrets", "secret", NULL } },
	[RESOURCE_CLAIM] = { "persistentvolumeclaim", "persistentvolumeclaims",
	    JOB_CLAIM,
	    { "persistentvolumeclaims", "persistentvolumeclaim", "pvc",
		NULL } },
	[RESOURCE_EVENT] = { "event", "events", -1,
	    { "events", "event", "ev", NULL } },
};

int
resource_type_find(const char *word, size_t length, enum resource_type *type,
    struct error *e)
{
	int i, k;

	for (i = 0; i < RESOURCE_TYPES; i++)
		for (k = 0; resource_types[i].words[k] != NULL; k++)
			if (strncasecmp(resource_types[i].words[k], word,
				length) == 0 &&
			    resource_types[i].words[k][length] == '\0') {
				*type = (enum resource_type)i;
				return 0;
			}
	return error_set_code(e, ERROR_NOT_FOUND,
	    "the server doesn't have a resource type \"%.*s\" (use ipujobs, "
	    "pods, configmaps, secrets, persistentvolumeclaims or events)",
	    (int)length, word);
}

static void
add_resource(struct resources *r, enum resource_type type, const char *name)
{
	r->items = xreallocarray(r->items, r->count + 1, sizeof(*r->items));
	r->items[r->count++] = (struct resource){ .type = type, .name = name };
}

/* Parse "pods,ipujobs": all objects of each type, or those with the names that
   follow. */
static int
parse_types(char **words, int count, struct resources *r, struct error *e)
{
	const char *word = words[0];
	enum resource_type type;
	size_t length;
	int i;

	for (;; word += length + 1) {
		length = strcspn(word, ",");
		type = RESOURCE_POD;
		/* kubectl's category "all" contains no types of a CRD. */
		if ((length != 3 || strncasecmp(word, "all", 3) != 0) &&
		    resource_type_find(word, length, &type, e) != 0)
			return -1;
		if (count == 1)
			add_resource(r, type, NULL);
		for (i = 1; i < count; i++)
			add_resource(r, type, words[i]);
		if (word[length] == '\0')
			return 0;
	}
}

static int
parse_operands(char **words, int count, struct resources *r, struct error *e)
{
	enum resource_type type;
	const char *slash;
	int i;

	if (count == 0)
		return error_set(e,
		    "You must specify the type of resource: ipujobs, pods, "
		    "configmaps, secrets, events");
	if (strchr(words[0], '/') == NULL)
		return parse_types(words, count, r, e);
	for (i = 0; i < count; i++) {
		if ((slash = strchr(words[i], '/')) == NULL)
			return error_set(e,
			    "there is no need to specify a resource type as a "
			    "separate argument when passing arguments in "
			    "resource/name form (e.g. 'get resource/%s' "
			    "instead of 'get resource resource/%s')",
			    words[i], words[i]);
		if (slash[1] == '\0')
			return error_set(e,
			    "arguments in resource/name form must have a "
			    "single resource and name");
		if (resource_type_find(words[i], (size_t)(slash - words[i]),
			&type, e) != 0)
			return -1;
		add_resource(r, type, slash + 1);
	}
	return 0;
}

static int
read_files(struct job_call *c, struct resources *r, struct error *e)
{
	struct manifest *m = &r->manifest;
	const struct manifest_object *o;
	enum resource_type type;
	const char *word;
	size_t i;

	if (job_call_read_files(c, m, e) != 0)
		return -1;
	for (i = 0; i < m->count; i++) {
		o = &m->objects[i];
		word = o->resource;
		if (lint_find_kind(o) == LINT_KIND_ELSEWHERE ||
		    resource_type_find(word, strlen(word), &type, NULL) != 0)
			continue; /* a Service: it is never stored */
		add_resource(r, type, o->name != NULL ? o->name : "");
		r->items[r->count - 1].space = o->space;
	}
	if (r->count > 0)
		return 0;
	return error_set_code(e,
	    m->count > 0 ? ERROR_UNSUPPORTED : ERROR_INVALID,
	    "the files of -f contain no objects that ipubox-job stores");
}

int
resources_read(struct job_call *c, struct resources *r, struct error *e)
{
	*r = (struct resources){ .items = NULL };
	manifest_init(&r->manifest);
	return c->files.count > 0 ? read_files(c, r, e) :
				    parse_operands(c->operands, c->count, r, e);
}

/* Return the namespace of a resource; NULL: all namespaces. */
static const char *
resource_space(const struct job_call *c, const struct resource *r)
{
	return r->space != NULL ? r->space : c->all_spaces ? NULL : c->space;
}

const char *
resources_space(const struct job_call *c, const struct resources *r)
{
	const char *first = r->count > 0 ?
	    resource_space(c, &r->items[0]) :
	    NULL,
		   *other;
	size_t i;

	for (i = 1; i < r->count && first != NULL; i++) {
		other = resource_space(c, &r->items[i]);
		if (other == NULL || strcmp(other, first) != 0)
			first = NULL;
	}
	return first;
}

void
resources_free(struct resources *r)
{
	free(r->items);
	manifest_release(&r->manifest);
}

int
resources_run(struct job_call *c, const char *nothing_named,
    int run(struct job_call *, const struct resources *))
{
	struct resources r;
	struct error e;
	int status;

	if (c->count == 0 && c->files.count == 0)
		return job_call_misuse(c, "%s", nothing_named);
	status = resources_read(c, &r, &e) == 0 ?
	    run(c, &r) :
	    job_call_failed(&e);
	resources_free(&r);
	return status;
}

int
resources_check_named(const struct job_call *c, const struct resources *r)
{
	if (r->items[0].name != NULL || c->all || c->selector != NULL ||
	    c->field_selector != NULL)
		return EXIT_DONE;
	return job_call_refuse(
	    "resource(s) were provided, but no name was specified");
}

static void
resource_add_found(const struct job_call *c, struct founds *f,
    struct resource_found found)
{
	if (found.name == NULL || !selector_matches(c, found.object))
		return;
	yaml_sort(found.object);
	if (f->count == f->room) {
		f->room = f->room * 2 + 16;
		f->items = xreallocarray(f->items, f->room, sizeof(*f->items));
	}
	f->items[f->count++] = found;
}

/* Whether the resource includes an object of that name. */
static bool
includes_name(const struct resource *r, const char *name)
{
	return r->name == NULL || strcmp(r->name, name) == 0;
}

static void
take_job(const struct job_call *c, struct founds *f, struct job_entry *entry)
{
	struct yaml_node *object, *status;

	object = job_entry_read(entry, f->arena, JOB_OBJECT, NULL);
	if (object == NULL)
		return;
	status = job_entry_read(entry, f->arena, JOB_STATUS, NULL);
	if (status != NULL)
		(void)yaml_set(f->arena, object, "status", status);
	resource_add_found(c, f,
	    (struct resource_found){ .type = RESOURCE_IPUJOB,
		.object = object,
		.entry = entry,
		.name = entry->name,
		.space = entry->space });
}

static void
take_pods(const struct job_call *c, const struct resource *r, struct founds *f,
    struct job_entry *entry)
{
	struct yaml_node *pod;
	char **names;
	long count, i;

	count = job_entry_pods(entry, &names, NULL);
	for (i = 0; i < count; i++) {
		if (!includes_name(r, names[i]))
			continue;
		pod = job_entry_read_pod(entry, f->arena, names[i], NULL);
		if (pod != NULL)
			resource_add_found(c, f,
			    (struct resource_found){ .type = RESOURCE_POD,
				.object = pod,
				.entry = entry,
				.name = yaml_get_text(pod, "metadata/name"),
				.space = entry->space });
	}
	if (count >= 0)
		directory_names_free(names, count);
}

static void
take_events(const struct job_call *c, const struct resource *r,
    struct founds *f, struct job_entry *entry)
{
	struct yaml_node *list = job_status_events(f->arena,
	    job_entry_events(entry, f->arena), entry->name, entry->space);
	const char *name;
	size_t i;

	for (i = 0; i < list->count; i++) {
		name = yaml_get_text(list->items[i].node, "metadata/name");
		if (includes_name(r, name))
			resource_add_found(c, f,
			    (struct resource_found){ .type = RESOURCE_EVENT,
				.entry = entry,
				.object = list->items[i].node,
				.name = name,
				.space = entry->space });
	}
}

static int
compare_names(const char *a_space, const char *a, const char *b_space,
    const char *b)
{
	const int spaces = strcmp(a_space, b_space);

	return spaces != 0 ? spaces : strcmp(a, b);
}

/* qsort(3) order: by name, because the pods of several jobs are mixed. */
static int
compare_found(const void *a, const void *b)
{
	const struct resource_found *x = a, *y = b;

	return compare_names(x->space, x->name, y->space, y->name);
}

/* Take the IPUJobs, or their pods or events, from the entries, sorted by
   name. */
static void
take_from_entries(const struct job_call *c, const struct resource *r,
    struct founds *f)
{
	const char *space = resource_space(c, r);
	const size_t before = f->count;
	long i;

	for (i = 0; i < f->entry_count; i++) {
		if (space != NULL && strcmp(f->entries[i].space, space) != 0)
			continue;
		if (r->type == RESOURCE_POD)
			take_pods(c, r, f, &f->entries[i]);
		else if (r->type == RESOURCE_EVENT)
			take_events(c, r, f, &f->entries[i]);
		else if (includes_name(r, f->entries[i].name))
			take_job(c, f, &f->entries[i]);
	}
	if (r->type == RESOURCE_POD && f->count > before)
		qsort(f->items + before, f->count - before, sizeof(*f->items),
		    compare_found);
}

/* Set the name and namespace from the place of the file. */
static void
resource_set_place(struct yaml_arena *arena, struct yaml_node *object,
    const char *space, const char *name)
{
	struct yaml_node *metadata = yaml_get(object, "metadata");

	if (metadata == NULL || metadata->kind != YAML_MAP)
		metadata = yaml_set(arena, object, "metadata",
		    yaml_new_map(arena));
	yaml_set_text(arena, metadata, "name", name);
	yaml_set_text(arena, metadata, "namespace", space);
}

static int
take_from_space(const struct job_call *c, const struct resource *r,
    const char *space, struct founds *f, struct error *e)
{
	const int kind = resource_types[r->type].kind;
	struct yaml_node *object;
	char **names;
	long count, i;

	count = job_store_names(&c->store, space, kind, &names, e);
	for (i = 0; i < count; i++) {
		if (!includes_name(r, names[i]))
			continue;
		object = job_store_read(&c->store, f->arena, space, kind,
		    names[i], NULL);
		if (object == NULL)
			continue;
		resource_set_place(f->arena, object, space, names[i]);
		if (r->type == RESOURCE_SECRET)
			pod_data_hide(f->arena, object);
		resource_add_found(c, f,
		    (struct resource_found){ .type = r->type,
			.object = object,
			.name = yaml_get_text(object, "metadata/name"),
			.space = yaml_get_text(object, "metadata/namespace") });
	}
	if (count == -1)
		return -1;
	directory_names_free(names, count);
	return 0;
}

static int
take_resource(const struct job_call *c, const struct resource *r,
    struct founds *f, struct error *e)
{
	const char *space = resource_space(c, r);
	char **spaces;
	long count, i;
	int status = 0;

	if (resource_types[r->type].kind == -1 || r->type == RESOURCE_IPUJOB) {
		take_from_entries(c, r, f);
		return 0;
	}
	if (space != NULL)
		return take_from_space(c, r, space, f, e);
	count = job_store_spaces(&c->store, &spaces, e);
	for (i = 0; i < count && status == 0; i++)
		status = take_from_space(c, r, spaces[i], f, e);
	if (count >= 0)
		directory_names_free(spaces, count);
	return count == -1 ? -1 : status;
}

/* qsort(3) order: like kubectl. */
static int
compare_jobs(const void *a, const void *b)
{
	const struct job_entry *x = a, *y = b;

	return compare_names(x->space, x->name, y->space, y->name);
}

/* Refuse requests that cannot be answered at all. */
static int
check_resource(const struct job_call *c, const struct resource *r,
    struct error *e)
{
	const bool selected = c->selector != NULL || c->field_selector != NULL;
	const char *plural = resource_types[r->type].plural;

	if (r->name != NULL && r->space == NULL && c->all_spaces)
		return error_set(e,
		    "a resource cannot be retrieved by name across all "
		    "namespaces");
	if (r->name != NULL && selected)
		return error_set(e,
		    "name cannot be provided when a selector is specified");
	if (selector_check_type(c->field_selector, r->type, e) == 0)
		return 0;
	return error_prefix(e,
	    "Unable to find \"%s, Resource=%.*s\" that match label selector "
	    "\"%s\", field selector \"%s\"",
	    r->type == RESOURCE_IPUJOB ? "graphcore.ai/v1alpha1" : "/v1",
	    (int)strcspn(plural, "."), plural,
	    c->selector != NULL ? c->selector : "", c->field_selector);
}

void
founds_report_none(const struct job_call *c)
{
	if (c->all_spaces)
		fprintf(stderr, "No resources found\n");
	else
		fprintf(stderr, "No resources found in %s namespace.\n",
		    c->space);
}

int
founds_failed(const struct error *e)
{
	return e->code == ERROR_INVALID ?
	    job_call_server_error("BadRequest", "%s", e->text) :
	    job_call_failed(e);
}

int
founds_find(const struct job_call *c, const struct resources *r,
    struct founds *f, struct error *e)
{
	size_t i, before;

	*f = (struct founds){ .arena = yaml_arena_new() };
	for (i = 0; i < r->count; i++)
		if (check_resource(c, &r->items[i], e) != 0)
			return -1;
	if (c->has_store) {
		f->entry_count = job_entry_list(&c->store,
		    resources_space(c, r), &f->entries, e);
		if (f->entry_count == -1) {
			f->entry_count = 0;
			f->entries = NULL;
			return -1;
		}
		if (f->entry_count > 0)
			qsort(f->entries, (size_t)f->entry_count,
			    sizeof(*f->entries), compare_jobs);
	}
	for (i = 0; i < r->count; i++) {
		before = f->count;
		if (r->items[i].name != NULL && r->items[i].name[0] == '\0') {
			f->missing++;
			(void)job_call_refuse("resource name may not be empty");
			continue;
		}
		if (c->has_store && take_resource(c, &r->items[i], f, e) != 0)
			return -1;
		if (f->count > before || r->items[i].name == NULL ||
		    c->ignore_not_found)
			continue;
		f->missing++;
		(void)job_call_server_error("NotFound", "%s \"%s\" not found",
		    resource_types[r->items[i].type].plural, r->items[i].name);
	}
	return 0;
}

void
founds_release(struct founds *f)
{
	yaml_arena_free(f->arena);
	job_entry_free_list(f->entries, f->entry_count);
	free(f->items);
}

/* Keep the first pod, or the launcher, which users usually mean. */
static void
keep_main_pod(struct founds *f)
{
	const char *role;
	size_t i, best = 0;

	for (i = 0; i < f->count; i++) {
		role = yaml_get_text(yaml_path(f->items[i].object,
					 "metadata/labels"),
		    "graphcore.ai~1replica-type");
		if (role == NULL)
			role = strstr(f->items[i].name, "-launcher");
		if (role != NULL && strstr(role, "launcher") != NULL)
			best = i;
	}
	f->items[0] = f->items[best];
	f->count = 1;
}

int
founds_find_pod(const struct job_call *c, const char *word, struct founds *f)
{
	struct error e;
	struct resource one = { .type = RESOURCE_POD, .name = word };
	struct resources r = { .items = &one, .count = 1 };
	const char *slash = strchr(word, '/');
	size_t i, kept = 0;

	*f = (struct founds){ .arena = NULL };
	if (slash != NULL) {
		if (resource_type_find(word, (size_t)(slash - word), &one.type,
			&e) != 0)
			return job_call_failed(&e);
		one.name = slash + 1;
	}
	if (one.type != RESOURCE_POD && one.type != RESOURCE_IPUJOB)
		return job_call_refuse(
		    "%s has no containers; name a pod or an IPUJob", word);
	if (one.type == RESOURCE_IPUJOB)
		one = (struct resource){ .type = RESOURCE_POD };
	if (founds_find(c, &r, f, &e) != 0)
		return job_call_failed(&e);
	if (slash != NULL && one.name == NULL) {
		for (i = 0; i < f->count; i++)
			if (strcmp(f->items[i].entry->name, slash + 1) == 0)
				f->items[kept++] = f->items[i];
		f->count = kept;
		if (kept > 0)
			keep_main_pod(f);
	}
	if (f->count > 0)
		return EXIT_DONE;
	return f->missing > 0 ? EXIT_FAILED :
				job_call_refuse("no pods found for %s", word);
}
