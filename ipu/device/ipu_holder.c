/*
 * The holder of an IPU: writing it into the slot, and naming it to others.
 */
#include "ipu/device/device_internal.h"

#include <bsd/string.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/state/state.h"
#include "ipu/device/poptorch.h"

struct ipu_holder
ipu_holder_own(const char *command)
{
	return (struct ipu_holder){ .pid = getpid(),
		.uid = getuid(),
		.command = command };
}

void
ipu_holder_describe(const struct ipu_holder *h, int gcd, struct ipu_slot *words)
{
	struct holder_place place;
	struct gcda_options options;

	memset(words, 0, sizeof(*words));
	words->pid = (int32_t)h->pid;
	words->uid = (uint32_t)h->uid;
	words->gcd = gcd;
	words->attached_ns = clock_real_ns();
	holder_place_init(&place);
	words->pid_namespace = place.pid_namespace;
	(void)gcda_read(&options, NULL);
	words->flags = (options.monitoring ? SLOT_MONITORED : 0) |
	    (options.unmeasured ? SLOT_UNMEASURED : 0);
	text_printable(h->command, words->command, sizeof(words->command));
	(void)strlcpy(words->host, place.host, sizeof(words->host));
	holder_user_name(h->uid, words->user, sizeof(words->user));
}

void
ipu_holder_write(struct ipu_slot *slot, const struct ipu_slot *words)
{
	uint32_t sequence;

	/* The number is already odd if the last holder died while writing. */
	sequence = atomic_load(&slot->sequence) | 1;
	atomic_store(&slot->sequence, sequence);
	slot->pid = words->pid;
	slot->uid = words->uid;
	slot->gcd = words->gcd;
	slot->attached_ns = words->attached_ns;
	slot->pid_namespace = words->pid_namespace;
	slot->flags = words->flags;
	(void)strlcpy(slot->user, words->user, sizeof(slot->user));
	(void)strlcpy(slot->host, words->host, sizeof(slot->host));
	(void)strlcpy(slot->command, words->command, sizeof(slot->command));
	atomic_store(&slot->session_busy_ns, 0);
	atomic_store(&slot->memory_bytes, 0);
	atomic_store(&slot->sequence, sequence + 1);
}

/* Whether both describe one process. */
static bool
is_same_process(const struct ipu_slot *a, const struct ipu_slot *b)
{
	return a->pid == b->pid && a->pid_namespace == b->pid_namespace &&
	    strcmp(a->host, b->host) == 0;
}

int
ipu_holder_explain(const struct registry *r, int ipu, int routing_id,
    const char *partition, const struct ipu_slot *asker, struct error *e)
{
	struct holder_place place;
	struct ipu_slot holder;
	char command[SLOT_COMMAND_SIZE];
	char description[HOLDER_TEXT_SIZE];

	if (!registry_holder(r, ipu, &holder) || holder.pid == 0)
		return error_set_code(e, ERROR_NO_ROOM,
		    "IPU %d of partition %s was in use a moment ago; try again",
		    routing_id, partition);
	holder_place_init(&place);
	if (asker != NULL) {
		place.reader = (uid_t)asker->uid;
		place.pid_namespace = asker->pid_namespace;
		(void)strlcpy(place.host, asker->host, sizeof(place.host));
	}
	if (!holder_is_here(&place, &holder)) {
		holder_text(&place, &holder, description);
		return error_set_code(e, ERROR_NO_ROOM,
		    "IPU %d of partition %s is held by %s", routing_id,
		    partition, description);
	}
	holder_command(&holder, place.reader, command);
	(void)error_set_code(e, ERROR_NO_ROOM,
	    "IPU %d of partition %s is held by %s, pid %d on %s: %s",
	    routing_id, partition, holder.user, holder.pid, holder.host,
	    command);
	return asker == NULL || !is_same_process(&holder, asker) ?
	    -1 :
	    error_append(e,
		"; that is this program itself, and detachFromDevice() gives "
		"the IPUs back");
}

bool
ipu_holder_is_gone(const struct registry *r, int ipu)
{
	struct holder_place place;
	struct ipu_slot holder;

	if (!registry_holder(r, ipu, &holder) || holder.pid <= 0)
		return false;
	holder_place_init(&place);
	return holder_is_here(&place, &holder) && kill(holder.pid, 0) == -1 &&
	    errno == ESRCH;
}
