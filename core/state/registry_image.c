/*
 * A copy of a registry in memory.  Readers ask the kernel for the holders of
 * IPUs, so a second descriptor of the slots takes the locks of the remote
 * holders.
 */
#include "core/state/state.h"

#include <sys/mman.h>

#include <bsd/string.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/state/mirror.h"
#include "core/state/state_internal.h"
#include "core/state/store.h"

/* An image has no id, because it is not the state of this host. */
static const uint8_t image_id[STORE_ID_SIZE];

/* Open the descriptor for the locks; -1: holders are not shown. */
static int
image_open_again(int fd)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDWR | O_CLOEXEC);
}

/* Write the slots of those IPUs; the rest are holes, which need no memory. */
static int
image_slots(struct registry *r, int ipus, const struct registry_image_ipu *all,
    int count, struct error *e)
{
	struct slots holders = { .fd = -1 };
	int i;

	r->slots.fd = slots_create_private(image_id, ipus, e);
	if (r->slots.fd == -1)
		return -1;
	r->slots.count = ipus;
	r->holders = holders.fd = image_open_again(r->slots.fd);
	for (i = 0; i < count; i++) {
		if (slots_put(&r->slots, all[i].ipu, &all[i].slot, e) != 0)
			return -1;
		if (all[i].is_held && holders.fd != -1) {
			(void)slots_take(&holders, all[i].ipu, 1);
			(void)slots_announce(&holders, all[i].ipu, 1);
		}
	}
	return 0;
}

int
registry_image_open(struct registry *r, const char *where,
    const struct snapshot *s, const struct registry_image_ipu *ipus, int count,
    struct error *e)
{
	struct store store = { .pod = s->pod,
		.partitions = s->partitions,
		.partition_count = s->partition_count,
		.damaged = s->damaged };
	int status = -1;

	memset(r, 0, sizeof(*r));
	r->is_private = r->is_image = true;
	r->slots.fd = r->holders = -1;
	(void)strlcpy(r->path, where, sizeof(r->path));
	(void)strlcpy(store.damage, s->damage, sizeof(store.damage));
	(void)strlcpy(store.identity.name, s->pod.name,
	    sizeof(store.identity.name));
	r->fd = mirror_create_private(where, &store, e);
	if (r->fd != -1)
		status = image_slots(r, pod_ipu_count(&s->pod), ipus, count, e);
	if (status != 0)
		registry_close(r);
	return status;
}
