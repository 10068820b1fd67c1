/*
 * Inspecting a state to report its faults (core/diag).  Inspection goes on
 * where normal reading stops at the first fault, and repairs nothing.
 */
#include "core/state/state.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/pod/pod.h"
#include "core/state/mirror_copy.h"
#include "core/state/object.h"
#include "core/state/owner_lock.h"
#include "core/state/ownership.h"
#include "core/state/paths.h"
#include "core/state/state_internal.h"
#include "core/state/store.h"

static void
add_damage(struct inspection *in, const struct error *e)
{
	in->damage = xreallocarray(in->damage, (size_t)in->damage_count + 1,
	    sizeof(*in->damage));
	in->damage[in->damage_count++] = *e;
}

static int
inspect_by_name(const void *a, const void *b)
{
	const struct partition *p = a, *q = b;

	return strcmp(p->name, q->name);
}

/* Take the IPUs of the last partition, unless an earlier one has one of
   them. */
static int
take_ipus(struct snapshot *s, const char *path, struct error *e)
{
	const struct partition *p = &s->partitions[s->partition_count];
	int i, ipu;

	for (i = 0; i < partition_size(p); i++) {
		ipu = placement_ipu(&s->pod, &p->placement, i);
		if (s->owner[ipu] != -1)
			return ini_refuse(e, path, 1,
			    "its IPUs belong to partition %s",
			    s->partitions[s->owner[ipu]].name);
	}
	for (i = 0; i < partition_size(p); i++)
		s->owner[placement_ipu(&s->pod, &p->placement, i)] =
		    s->partition_count;
	s->partition_count++;
	return 0;
}

/* Read the file as the snapshot's next partition, kept if sound. */
static void
look_at_partition(struct inspection *in, const struct directory *d,
    const char *file)
{
	struct snapshot *s = &in->snapshot;
	struct error e;
	char name[NAME_SIZE] = "";
	char *path = xasprintf("%s/%s", d->path, file);
	size_t len = strlen(file) - strlen(".ini");

	if (len < sizeof(name))
		(void)strlcpy(name, file, len + 1);
	if (object_read_partition(&s->pod, d, file, name,
		&s->partitions[s->partition_count], &e) != 0 ||
	    take_ipus(s, path, &e) != 0)
		add_damage(in, &e);
	free(path);
}

/* Read in the order of the files, as store_load() does, so that both leave out
   the same ones. */
static void
look_at_partitions(struct inspection *in, const struct directory *state)
{
	struct snapshot *s = &in->snapshot;
	struct directory d;
	struct error e;
	char **names;
	size_t ipus = (size_t)pod_ipu_count(&s->pod);
	long i, count = -1;

	if (directory_open_below(state, "partitions", &d, &e) == 0)
		count = directory_names(&d, ".ini", &names, &e);
	if (count == -1) {
		add_damage(in, &e);
		directory_close(&d);
		return;
	}
	s->partitions = xcalloc((size_t)count + 1, sizeof(*s->partitions));
	s->owner = xcalloc(ipus + 1, sizeof(*s->owner));
	memset(s->owner, -1, ipus * sizeof(*s->owner));
	for (i = 0; i < count; i++)
		look_at_partition(in, &d, names[i]);
	qsort(s->partitions, (size_t)s->partition_count, sizeof(*s->partitions),
	    inspect_by_name);
	/* Its indices are of another order. */
	free(s->owner);
	s->owner = NULL;
	directory_names_free(names, count);
	directory_close(&d);
}

/* has_pod: all of agents/, clusters/ and allocations/ is sound; single
   partitions may be damaged. */
static void
look_at_files(struct inspection *in, const struct directory *d,
    struct store_identity *identity)
{
	struct pod *pod = &in->snapshot.pod;

	if (store_identify(d, identity, &in->pod) != 0)
		return;
	if (identity->staged) {
		(void)error_set_code(&in->pod, ERROR_UNCONFIRMED,
		    "%s/pod.ini: a new pod is not in place yet",
		    in->paths.directory);
		return;
	}
	if (object_read_pod(d, pod, &in->pod) != 0) {
		/* Whatever the error: a pod exists, and a part is missing. */
		(void)error_recode(&in->pod, ERROR_DAMAGED);
		return;
	}
	(void)strlcpy(pod->name, identity->name, sizeof(pod->name));
	in->has_pod = true;
	in->secure = identity->secure;
	look_at_partitions(in, d);
}

/* Note the holder of an IPU, together with those before it. */
static void
add_held(struct inspection *in, int ipu, const struct ipu_slot *slot)
{
	struct held_ipus *last = in->held_count > 0 ?
	    &in->held[in->held_count - 1] :
	    NULL;

	if (last != NULL && last->first + last->count == ipu &&
	    last->slot.pid == slot->pid && last->slot.lost == slot->lost &&
	    last->slot.attached_ns == slot->attached_ns) {
		last->count++;
		return;
	}
	in->held = xreallocarray(in->held, (size_t)in->held_count + 1,
	    sizeof(*in->held));
	in->held[in->held_count++] = (struct held_ipus){ ipu, 1, *slot };
}

/* Read the errors of the pod's IPUs, and find their holders. */
static void
look_at_slots(struct inspection *in, struct registry *r)
{
	struct ipu_slot slot;
	int i, ipus = pod_ipu_count(&in->snapshot.pod);

	if (in->foreign || ipus != registry_ipu_count(r))
		return;
	registry_freeze(r, clock_real_ns());
	in->soc_errors = xcalloc((size_t)ipus + 1, sizeof(*in->soc_errors));
	for (i = 0; i < ipus; i++) {
		in->soc_errors[i] = registry_faults(r, i);
		if (registry_holder(r, i, &slot))
			add_held(in, i, &slot);
	}
}

/* Compare the registry with the directory, if it exists.  Half written means
   that no process is writing now. */
static void
look_at_registry(struct inspection *in, const struct store_identity *identity)
{
	struct registry_header h;
	struct registry r;
	struct mirror m;

	if (registry_open(&r, &in->paths, REGISTRY_READ, &in->registry) != 0)
		return;
	if (registry_layout_read(&r, &h, &in->registry) != 0) {
		registry_close(&r);
		return;
	}
	in->foreign = in->has_pod &&
	    memcmp(h.id, identity->id, sizeof(identity->id)) != 0;
	in->half_written = (h.dirty != 0 || h.sequence % 2 != 0) &&
	    !state_has_writer(in->paths.directory);
	switch (mirror_copy_try(&m, &r, &in->registry)) {
	case MIRROR_COPY_GOOD:
		mirror_copy_release(&m);
		break;
	case MIRROR_COPY_BUSY:
	case MIRROR_COPY_BAD:
		break;
	}
	/* Without the directory, as in a container, only the registry
	   counts. */
	if (in->directory_errno == ENOENT && !in->half_written)
		in->has_pod = snapshot_take(&r, &in->snapshot, NULL) == 0;
	if (in->has_pod)
		look_at_slots(in, &r);
	registry_close(&r);
}

/* Whether the caller may write where the directory would be made: 0, or
   errno. */
static int
try_above(const char *directory)
{
	char *path = xstrdup(directory), *slash;
	int status;

	do {
		slash = strrchr(path, '/');
		slash[slash == path] = '\0'; /* keep "/" itself */
		status = access(path, W_OK | X_OK) == 0 ? 0 : errno;
	} while (status == ENOENT && strcmp(path, "/") != 0);
	free(path);
	return status;
}

void
inspect_state(struct inspection *in)
{
	struct store_identity identity = { .staged = false };
	struct directory d;
	struct stat st;

	memset(in, 0, sizeof(*in));
	if (paths_find(&in->paths, &in->place) != 0)
		return;
	if (stat(in->paths.directory, &st) != 0) {
		in->directory_errno = errno;
		if (errno == ENOENT)
			in->make_errno = try_above(in->paths.directory);
	} else if (!S_ISDIR(st.st_mode)) {
		in->directory_errno = ENOTDIR;
	} else {
		in->owner = st.st_uid;
		in->writable = access(in->paths.directory, W_OK | X_OK) == 0;
		if (directory_open_resolved(&d, in->paths.directory,
			&in->ownership) == 0) {
			(void)ownership_check_directory(&d, &in->ownership);
			look_at_files(in, &d, &identity);
		}
		directory_close(&d);
		in->locked = lock_find_holder(in->paths.directory, &in->holder);
		in->served = server_lock_find_holder(in->paths.directory,
		    &in->server);
		in->withdrawn = ownership_is_withdrawn(st.st_mode);
	}
	look_at_registry(in, &identity);
}

void
inspect_release(struct inspection *in)
{
	snapshot_release(&in->snapshot);
	free(in->damage);
	free(in->soc_errors);
	free(in->held);
	memset(in, 0, sizeof(*in));
}
