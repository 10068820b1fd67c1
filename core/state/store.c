/*
 * The directory of INI files: reading all of it, and writing single files.
 * object.c has the contents of an object's file, commit.c replaces the pod.
 */
#include "core/state/store.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/pod/pod.h"
#include "core/state/object.h"

/* Format of pod.ini; 1 and 2, which lack optional keys, are read too. */
enum { STORE_FORMAT = 3 };

/* Contents of pod.ini. */
struct identity_section {
	struct store_identity identity;
	int format;
};

#define FIELD(member) INI_FIELD(struct identity_section, member)

static const struct ini_row identity_rows[] = {
	{ .section = "pod",
	    .key = "name",
	    .type = INI_NAME,
	    .required = true,
	    FIELD(identity.name) },
	/* A copied state keeps its id; a new one gets another. */
	{ .section = "pod",
	    .key = "id",
	    .type = INI_HEX,
	    .required = true,
	    FIELD(identity.id) },
	{ .section = "pod",
	    .key = "format",
	    .type = INI_NUMBER,
	    .required = true,
	    FIELD(format),
	    .min = 1,
	    .max = INT32_MAX },
	{ .section = "pod",
	    .key = "staged",
	    .type = INI_BOOL,
	    .required = true,
	    FIELD(identity.staged) },
	{ .section = "pod",
	    .key = "patched",
	    .type = INI_BOOL,
	    FIELD(identity.patched) },
	{ .section = "pod",
	    .key = "secure",
	    .type = INI_BOOL,
	    FIELD(identity.secure) },
	{ 0 },
};

int
store_identify(const struct directory *d, struct store_identity *identity,
    struct error *e)
{
	struct identity_section s = { .format = 0 };
	int status;

	status = ini_read_section(identity_rows, d, "pod.ini", &s, e);
	if (status == 0 && s.format > STORE_FORMAT)
		status = error_set_code(e, ERROR_UNSUPPORTED,
		    "%s/pod.ini: the state directory has format %d, but this "
		    "ipubox knows only %d; use the ipubox that made it",
		    d->path, s.format, STORE_FORMAT);
	*identity = s.identity;
	return status;
}

int
store_write_identity(const struct directory *d,
    const struct store_identity *identity, struct error *e)
{
	const struct identity_section s = { .identity = *identity,
		.format = STORE_FORMAT };
	char *text = ini_text(identity_rows, &s);
	int status;

	status = file_replace_at(d, "pod.ini", text, strlen(text), e);
	free(text);
	return status;
}

/* Write DIRECTORY/KIND/NAME.ini through a renamed temporary file, so that a
   reader sees the old text or the new one; free the text. */
static int
put_object(const struct directory *d, const char *kind, const char *name,
    char *text, struct error *e)
{
	struct directory of_kind;
	char *file = xasprintf("%s.ini", name);
	int status;

	status = directory_open_below(d, kind, &of_kind, e);
	if (status == 0)
		status = file_replace_at(&of_kind, file, text, strlen(text), e);
	directory_close(&of_kind);
	free(file);
	free(text);
	return status;
}

int
store_put_agent(const struct directory *d, const struct pod *pod, int place,
    const struct agent *a, struct error *e)
{
	char name[2 * NAME_SIZE];

	object_agent_name(pod, a, name, sizeof(name));
	return put_object(d, "agents", name, object_agent_text(pod, place, a),
	    e);
}

int
store_put_partition(const struct directory *d, const struct pod *pod,
    const struct partition *p, struct error *e)
{
	return put_object(d, "partitions", p->name,
	    object_partition_text(pod, p), e);
}

int
store_remove_partition(const struct directory *d, const char *name,
    struct error *e)
{
	struct directory partitions;
	char *file = xasprintf("%s.ini", name);
	int status;

	status = directory_open_below(d, "partitions", &partitions, e);
	if (status == 0)
		status = file_remove(&partitions, file, e);
	directory_close(&partitions);
	free(file);
	return status;
}

long
store_count_partitions(const struct directory *d, struct error *e)
{
	struct directory partitions;
	struct error reason;
	long count = -1;

	if (directory_open_below(d, "partitions", &partitions, &reason) == 0)
		count = directory_names_count(&partitions, ".ini", &reason);
	directory_close(&partitions);
	return count != -1		   ? count :
	    reason.code == ERROR_NOT_FOUND ? 0 :
					     error_copy(e, &reason);
}

void
store_stamp(const struct directory *d, int64_t *s, int64_t *ns)
{
	struct stat st;

	*s = *ns = 0;
	if (fstatat(d->fd, "partitions", &st, AT_SYMLINK_NOFOLLOW) == 0) {
		*s = st.st_mtim.tv_sec;
		*ns = st.st_mtim.tv_nsec;
	}
}

/* Return the first partition of the store with any of the placement's IPUs; -1:
   all are free. */
static int
overlap(const struct store *s, const int32_t *owner, const struct placement *l)
{
	const struct cluster *c = &s->pod.clusters[l->cluster];
	int first, i, n;

	for (n = 0; (first = placement_range(c, l, n)) != -1; n++)
		for (i = first; i < first + l->per_ild; i++)
			if (owner[i] != -1)
				return owner[i];
	return -1;
}

/* Give the IPUs of a placement to partition `by`, an index. */
static void
store_own(const struct store *s, int32_t *owner, const struct placement *l,
    int by)
{
	const struct cluster *c = &s->pod.clusters[l->cluster];
	int first, i, n;

	for (n = 0; (first = placement_range(c, l, n)) != -1; n++)
		for (i = first; i < first + l->per_ild; i++)
			owner[i] = by;
}

/* Read partitions/NAME.ini as the store's next one.  If two files claim an IPU,
   the first by name keeps it, and the second counts as damaged. */
static int
load_partition(struct store *s, int32_t *owner, const struct directory *d,
    const char *file, struct error *e)
{
	struct partition *p = &s->partitions[s->partition_count];
	char name[NAME_SIZE] = "";
	char *path = xasprintf("%s/%s", d->path, file);
	int other, status;
	size_t len = strlen(file) - strlen(".ini");

	if (len < sizeof(name))
		(void)strlcpy(name, file, len + 1);
	status = object_read_partition(&s->pod, d, file, name, p, e);
	if (status == 0 && s->partition_count == PARTITIONS_MAX)
		status = error_set(e, "%s: more than %d partitions", path,
		    PARTITIONS_MAX);
	if (status == 0 && (other = overlap(s, owner, &p->placement)) != -1)
		status = ini_refuse(e, path, 1,
		    "its IPUs belong to partition %s",
		    s->partitions[other].name);
	if (status == 0)
		store_own(s, owner, &p->placement, s->partition_count++);
	free(path);
	return status;
}

/* The stamp is read before the files: a file that arrives meanwhile changes the
   stamp, and the next process reads all again. */
static int
load_partitions(struct store *s, const struct directory *state, struct error *e)
{
	struct directory d;
	struct error reason = { .text = "" };
	char **names;
	int32_t *owner;
	long i, count = -1;

	if (directory_open_below(state, "partitions", &d, e) == 0) {
		store_stamp(state, &s->stamp_s, &s->stamp_ns);
		count = directory_names(&d, ".ini", &names, e);
	}
	if (count == -1) {
		directory_close(&d);
		return -1;
	}
	s->partitions = xcalloc((size_t)count + 1, sizeof(*s->partitions));
	owner = xcalloc((size_t)pod_ipu_count(&s->pod) + 1, sizeof(*owner));
	memset(owner, -1, (size_t)pod_ipu_count(&s->pod) * sizeof(*owner));
	for (i = 0; i < count; i++)
		if (load_partition(s, owner, &d, names[i], &reason) != 0 &&
		    s->damaged++ == 0)
			(void)strlcpy(s->damage, reason.text,
			    sizeof(s->damage));
	free(owner);
	directory_names_free(names, count);
	directory_close(&d);
	return 0;
}

int
store_load(const struct directory *d, struct store *s, struct error *e)
{
	struct directory partitions;

	if (directory_open_below(d, "partitions", &partitions, NULL) == 0)
		directory_clean(&partitions);
	directory_close(&partitions);
	return store_look(d, s, e);
}

int
store_look(const struct directory *d, struct store *s, struct error *e)
{
	memset(s, 0, sizeof(*s));
	if (store_identify(d, &s->identity, e) != 0 ||
	    object_read_pod(d, &s->pod, e) != 0)
		return -1;
	(void)strlcpy(s->pod.name, s->identity.name, sizeof(s->pod.name));
	if (load_partitions(s, d, e) != 0) {
		store_release(s);
		return -1;
	}
	return 0;
}

void
store_release(struct store *s)
{
	pod_release(&s->pod);
	free(s->partitions);
	s->partitions = NULL;
}
