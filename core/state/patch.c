/*
 * A change of some objects of a pod, in the steps of commit.c:
 *
 *	1  STATE/patch/KIND/NAME.ini, NAME.gone	written and flushed
 *	2  pod.ini, staged and patched = yes	from here on it counts
 *	3  NAME.ini -> STATE/KIND/NAME.ini, and NAME.gone removes it
 *	4  pod.ini, staged = no			done
 *
 * A change of one machine among 16,384 writes one file.
 */
#include "core/state/commit.h"

#include <bsd/string.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "core/state/object.h"

static const char patch_directory[] = "patch";

/* An object of a store, sorted by its file's name. */
struct patch_object {
	char name[KIND_NAME_SIZE];
	int index;
};

static int
patch_by_name(const void *a, const void *b)
{
	const struct patch_object *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Whether cluster and allocation numbers mean the same in both stores. */
static bool
patch_same_names(const struct store *before, const struct store *after)
{
	const struct pod *x = &before->pod, *y = &after->pod;
	int i;

	if (x->cluster_count != y->cluster_count ||
	    x->allocation_count != y->allocation_count)
		return false;
	for (i = 0; i < x->cluster_count; i++)
		if (strcmp(x->clusters[i].name, y->clusters[i].name) != 0)
			return false;
	for (i = 0; i < x->allocation_count; i++)
		if (strcmp(x->allocations[i].name, y->allocations[i].name) != 0)
			return false;
	return true;
}

/*
 * Return the objects of a kind by name, with their number in *count; the caller
 * frees them.  Objects that are identical in both stores, at the same place,
 * are left out, which are nearly all in a large pod.
 */
static struct patch_object *
patch_list(const struct object_kind *kind, const struct store *s,
    const struct store *other, bool same_names, int *count)
{
	int i, all = kind->count(s), n = 0;
	int both = same_names ? kind->count(other) : 0;
	struct patch_object *list = NULL;

	for (i = 0; i < all; i++) {
		if (i < both &&
		    memcmp(kind->at(s, i), kind->at(other, i), kind->size) == 0)
			continue;
		list = xreallocarray(list, (size_t)n + 1, sizeof(*list));
		kind->name(s, i, list[n].name);
		list[n++].index = i;
	}
	if (n > 1)
		qsort(list, (size_t)n, sizeof(*list), patch_by_name);
	*count = n;
	return list;
}

/* Write NAME and its suffix in PATCH/KIND; NULL: an empty file. */
static int
patch_write(const struct directory *d, const char *name, const char *suffix,
    const char *text, struct error *e)
{
	char *file = xasprintf("%s%s", name, suffix);
	int status = file_write(d, file, text != NULL ? text : "",
	    text != NULL ? strlen(text) : 0, e);

	free(file);
	return status;
}

/* Write an object of both stores if its text differs, counted in *count. */
static int
patch_compare(const struct directory *d, const struct object_kind *kind,
    const struct store *before, int i, const struct store *after, int k,
    const char *name, int *count, struct error *e)
{
	char *old = i != -1 ? kind->text(before, i) : NULL;
	char *new = k != -1 ? kind->text(after, k) : NULL;
	int status = 0;

	if (old == NULL || new == NULL || strcmp(old, new) != 0) {
		(*count)++;
		if (d != NULL)
			status = patch_write(d, name,
			    new != NULL ? ".ini" : ".gone", new, e);
	}
	free(new);
	free(old);
	return status;
}

/* Compare two sorted lists in one pass.  A NULL directory counts differences
   without writing. */
static int
patch_kind(const struct directory *d, const struct object_kind *kind,
    const struct store *before, const struct store *after, int *count,
    struct error *e)
{
	bool same = patch_same_names(before, after);
	int i = 0, k = 0, order, status = 0, olds, news;
	struct patch_object *old = patch_list(kind, before, after, same, &olds);
	struct patch_object *new = patch_list(kind, after, before, same, &news);

	while (status == 0 && (i < olds || k < news)) {
		order = i == olds ? 1 :
		    k == news	  ? -1 :
				    patch_by_name(&old[i], &new[k]);
		status = patch_compare(d, kind, before,
		    order <= 0 ? old[i].index : -1, after,
		    order >= 0 ? new[k].index : -1,
		    order <= 0 ? old[i].name : new[k].name, count, e);
		i += order <= 0;
		k += order >= 0;
	}
	free(new);
	free(old);
	return status;
}

/* Open a directory below: 1, 0 if it does not exist, or -1. */
static int
patch_open(const struct directory *below, const char *name, struct directory *d,
    struct error *e)
{
	struct error reason;

	if (directory_open_below(below, name, d, &reason) == 0)
		return 1;
	directory_close(d);
	return reason.code == ERROR_NOT_FOUND ? 0 : error_copy(e, &reason);
}

/* Remove what patch_finish() emptied, or a killed attempt left. */
static int
patch_clear(const struct directory *state, struct error *e)
{
	struct directory patch;
	int i, opened, status = 0;

	opened = patch_open(state, patch_directory, &patch, e);
	if (opened != 1)
		return opened;
	for (i = 0; i < KIND_COUNT && status == 0; i++)
		status = directory_remove_below(&patch,
		    patch_kinds[i].directory, e);
	directory_close(&patch);
	return status == 0 ? directory_remove_below(state, patch_directory, e) :
			     -1;
}

/* Stage a kind in PATCH/KIND, and flush it. */
static int
patch_stage_kind(const struct directory *patch, const struct object_kind *kind,
    const struct store *before, const struct store *after, struct error *e)
{
	struct directory d;
	int ignored = 0, status;

	status = directory_make_below(patch, kind->directory, &d, e);
	if (status == 0)
		status = patch_kind(&d, kind, before, after, &ignored, e);
	if (status == 0)
		status = directory_sync_all(&d, e);
	directory_close(&d);
	return status;
}

/* Do step 1 for the kinds that differ. */
static int
patch_stage(const struct directory *state, const struct store *before,
    const struct store *after, const int *counts, struct error *e)
{
	struct directory patch = DIRECTORY_NONE;
	int i, status = patch_clear(state, e);

	if (status == 0)
		status = directory_make_below(state, patch_directory, &patch,
		    e);
	for (i = 0; i < KIND_COUNT && status == 0; i++)
		if (counts[i] > 0)
			status = patch_stage_kind(&patch, &patch_kinds[i],
			    before, after, e);
	if (status == 0)
		status = directory_sync(&patch, e);
	directory_close(&patch);
	return status == 0 ? directory_sync(state, e) : -1;
}

int
patch_commit(const struct directory *state, const struct store *before,
    const struct store *after, struct store_identity *identity, struct error *e)
{
	struct error reason;
	int i, counts[KIND_COUNT] = { 0 }, count = 0;

	*identity = after->identity;
	for (i = 0; i < KIND_COUNT; i++) {
		(void)patch_kind(NULL, &patch_kinds[i], before, after,
		    &counts[i], NULL);
		count += counts[i];
	}
	if (count == 0 && strcmp(before->identity.name, identity->name) == 0)
		return 0;
	if (patch_stage(state, before, after, counts, &reason) != 0) {
		(void)patch_clear(state, NULL);
		/* The change does not count yet, so nothing is unconfirmed. */
		if (reason.code == ERROR_UNCONFIRMED)
			reason.code = ERROR_IO;
		return error_copy(e, &reason);
	}
	identity->staged = identity->patched = true;
	return store_write_identity(state, identity, e);
}

/* Apply a file of PATCH/KIND: move it into place, or remove an object. */
static int
patch_apply(const struct directory *from, const struct directory *to,
    const char *file, struct error *e)
{
	const char *dot = strrchr(file, '.');
	char *name = xasprintf("%.*s.ini", (int)(dot != NULL ? dot - file : 0),
	    file);
	int status = 0;

	if (dot != NULL && strcmp(dot, ".ini") == 0) {
		if (FAULT_POINT("rename") != 0 ||
		    renameat(from->fd, file, to->fd, name) != 0)
			status = error_set_errno(e,
			    "cannot rename %s/%s to %s/%s", from->path, file,
			    to->path, name);
	} else if (dot != NULL && strcmp(dot, ".gone") == 0) {
		/* The object may be gone already, if a kill came after its
		   removal. */
		if (FAULT_POINT("unlink") != 0 ||
		    (unlinkat(to->fd, name, 0) != 0 && errno != ENOENT))
			status = error_set_errno(e, "cannot remove %s/%s",
			    to->path, name);
	}
	free(name);
	return status;
}

/* Apply a kind, if it exists, and flush it before its marks are removed. */
static int
patch_finish_kind(const struct directory *state, const struct directory *patch,
    const struct object_kind *kind, struct error *e)
{
	struct directory from, to = DIRECTORY_NONE;
	char **names;
	long i, count = -1;
	int opened, status = 0;

	opened = patch_open(patch, kind->directory, &from, e);
	if (opened != 1)
		return opened;
	if (directory_open_below(state, kind->directory, &to, e) != 0 ||
	    (count = directory_names(&from, "", &names, e)) == -1)
		status = -1;
	for (i = 0; i < count && status == 0; i++)
		status = patch_apply(&from, &to, names[i], e);
	if (count != -1)
		directory_names_free(names, count);
	if (status == 0)
		status = directory_sync(&to, e);
	directory_close(&to);
	directory_close(&from);
	return status;
}

int
patch_finish(const struct directory *state, struct error *e)
{
	struct directory patch;
	int i, opened, status = 0;

	opened = patch_open(state, patch_directory, &patch, e);
	if (opened != 1)
		return opened;
	for (i = 0; i < KIND_COUNT && status == 0; i++)
		status = patch_finish_kind(state, &patch, &patch_kinds[i], e);
	directory_close(&patch);
	return status == 0 ? patch_clear(state, e) : -1;
}

static int
kind_clusters(const struct store *s)
{
	return s->pod.cluster_count;
}

static void
kind_cluster_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	(void)strlcpy(name, s->pod.clusters[i].name, KIND_NAME_SIZE);
}

static const void *
kind_cluster_at(const struct store *s, int i)
{
	return &s->pod.clusters[i];
}

static char *
kind_cluster_text(const struct store *s, int i)
{
	return object_cluster_text(&s->pod, i);
}

static int
kind_allocations(const struct store *s)
{
	return s->pod.allocation_count;
}

static void
kind_allocation_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	(void)strlcpy(name, s->pod.allocations[i].name, KIND_NAME_SIZE);
}

static const void *
kind_allocation_at(const struct store *s, int i)
{
	return &s->pod.allocations[i];
}

static char *
kind_allocation_text(const struct store *s, int i)
{
	return object_allocation_text(&s->pod, i);
}

static int
kind_agents(const struct store *s)
{
	return s->pod.agent_count;
}

static void
kind_agent_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	object_agent_name(&s->pod, &s->pod.agents[i], name, KIND_NAME_SIZE);
}

static const void *
kind_agent_at(const struct store *s, int i)
{
	return &s->pod.agents[i];
}

static char *
kind_agent_text(const struct store *s, int i)
{
	return object_agent_text(&s->pod, i, &s->pod.agents[i]);
}

static int
kind_partitions(const struct store *s)
{
	return s->partition_count;
}

static void
kind_partition_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	(void)strlcpy(name, s->partitions[i].name, KIND_NAME_SIZE);
}

static const void *
kind_partition_at(const struct store *s, int i)
{
	return &s->partitions[i];
}

static char *
kind_partition_text(const struct store *s, int i)
{
	return object_partition_text(&s->pod, &s->partitions[i]);
}

const struct object_kind patch_kinds[KIND_COUNT] = {
	{ "clusters", kind_clusters, kind_cluster_name, kind_cluster_text,
	    kind_cluster_at, sizeof(struct cluster) },
	{ "allocations", kind_allocations, kind_allocation_name,
	    kind_allocation_text, kind_allocation_at,
	    sizeof(struct allocation) },
	{ "agents", kind_agents, kind_agent_name, kind_agent_text,
	    kind_agent_at, sizeof(struct agent) },
	{ "partitions", kind_partitions, kind_partition_name,
	    kind_partition_text, kind_partition_at, sizeof(struct partition) },
};
