/*
 * Who holds an IPU: written into its slot, and told to who wants it.
 */
#include "ipu/ipu_holder.h"

#include <bsd/string.h>

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "ipu/gcda.h"
#include "ipu/status.h"

void
ipu_holder_describe(const struct ipu_holder *h, int gcd, struct ipu_slot *words)
{
	const struct passwd	*user = getpwuid(h->uid);

	memset(words, 0, sizeof(*words));
	words->pid = (int32_t)h->pid;
	words->uid = (uint32_t)h->uid;
	words->gcd = gcd;
	words->attached_ns = clock_real_ns();
	words->pid_namespace = status_pid_namespace();
	words->flags = gcda_monitoring() ? SLOT_MONITORED : 0;
	text_printable(h->command, words->command, sizeof(words->command));
	status_host_name(words->host);
	/* Without /etc/passwd, as in an empty chroot, the number must do. */
	if (user != NULL)
		(void)strlcpy(words->user, user->pw_name,
		    sizeof(words->user));
	else
		(void)snprintf(words->user, sizeof(words->user), "%u",
		    words->uid);
}

void
ipu_holder_write(struct ipu_slot *slot, const struct ipu_slot *words)
{
	uint32_t	sequence;

	/* Odd already where the last holder died while it wrote. */
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
	atomic_store(&slot->sequence, sequence + 1);
}

int
ipu_holder_explain(const struct registry *r, int ipu, int routing_id,
    const char *partition, struct error *e)
{
	struct ipu_slot	holder;
	char		command[SLOT_COMMAND_SIZE];

	if (!registry_holder(r, ipu, &holder) || holder.pid == 0)
		return error_set_code(e, ERROR_NO_ROOM,
		    "IPU %d of partition %s was in use a moment ago; try "
		    "again", routing_id, partition);
	text_printable(holder.command, command, sizeof(command));
	return error_set_code(e, ERROR_NO_ROOM,
	    "IPU %d of partition %s is held by %s, pid %d on %s: %s",
	    routing_id, partition, holder.user, holder.pid, holder.host,
	    command);
}

bool
ipu_holder_is_gone(const struct registry *r, int ipu)
{
	struct ipu_slot	holder;

	return registry_holder(r, ipu, &holder) && holder.pid > 0 &&
	    holder.pid_namespace == status_pid_namespace() &&
	    kill(holder.pid, 0) == -1 && errno == ESRCH;
}
