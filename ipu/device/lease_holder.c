/*
 * The identity of a program that asks for a device: on the wire, and as shown
 * to others.
 */
#include "ipu/device/lease.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

ipubox_v1_LeaseHolder
lease_holder_put(const struct ipu_slot *words)
{
	return (ipubox_v1_LeaseHolder){ .pid = (uint32_t)words->pid,
		.user = rpc_message_text(words->user),
		.host = rpc_message_text(words->host),
		.command = rpc_message_text(words->command),
		.pid_namespace = words->pid_namespace,
		.monitored = (words->flags & SLOT_MONITORED) != 0,
		.unmeasured = (words->flags & SLOT_UNMEASURED) != 0 };
}

/* Copy a foreign text, made safe for a terminal. */
static void
holder_copy(char *to, size_t size, const char *from)
{
	text_printable(from == NULL ? "" : from, to, size);
}

void
lease_holder_get(const ipubox_v1_LeaseHolder *h, struct ipu_slot *words)
{
	memset(words, 0, sizeof(*words));
	words->pid = h->pid <= INT32_MAX ? (int32_t)h->pid : 0;
	words->pid_namespace = h->pid_namespace;
	words->flags = (h->monitored ? SLOT_MONITORED : 0) |
	    (h->unmeasured ? SLOT_UNMEASURED : 0);
	holder_copy(words->user, sizeof(words->user), h->user);
	holder_copy(words->host, sizeof(words->host), h->host);
	holder_copy(words->command, sizeof(words->command), h->command);
}

/* Whether that user owns this process of this pid namespace. */
static bool
holder_is_process_of(int32_t pid, uid_t uid)
{
	struct stat st;
	char path[32];

	(void)snprintf(path, sizeof(path), "/proc/%d", pid);
	return pid > 0 && stat(path, &st) == 0 && st.st_uid == uid;
}

/* Whether the peer's address (rpc_call.h) is of this host. */
static bool
holder_is_loopback(const struct rpc_peer *peer)
{
	return strncmp(peer->text, "127.", 4) == 0 ||
	    strncmp(peer->text, "[::1]", 5) == 0;
}

/* Correct the claim of a program on another host.  A name that is missing or
   this host's is replaced by the peer's address; only over loopback it
   stays. */
static void
holder_check_remote(struct ipu_slot *words, const struct rpc_peer *peer,
    const char *own_host, const char *user)
{
	words->uid = (uint32_t)-1;
	words->pid_namespace = 0;
	words->flags |= SLOT_CLAIMED;
	if (words->pid <= 0)
		words->pid = 1;
	if (user[0] != '\0')
		(void)strlcpy(words->user, user, sizeof(words->user));
	else
		words->flags |= SLOT_CLAIMED_USER;
	if (words->user[0] == '\0')
		(void)strlcpy(words->user, "?", sizeof(words->user));
	if ((words->host[0] == '\0' || strcmp(words->host, own_host) == 0) &&
	    !holder_is_loopback(peer))
		(void)strlcpy(words->host, peer->text, sizeof(words->host));
}

void
lease_holder_check(struct ipu_slot *words, const struct rpc_peer *peer,
    const char *user)
{
	struct holder_place place;

	holder_place_init(&place);
	if (!peer->is_local) {
		holder_check_remote(words, peer, place.host, user);
		return;
	}
	words->uid = (uint32_t)peer->uid;
	holder_user_name(peer->uid, words->user, sizeof(words->user));
	(void)strlcpy(words->host, place.host, sizeof(words->host));
	if (words->pid_namespace == 0)
		words->pid_namespace = place.pid_namespace;
	if (words->pid <= 0 ||
	    (words->pid_namespace == place.pid_namespace &&
		!holder_is_process_of(words->pid, peer->uid))) {
		words->pid = peer->pid > 0 ? (int32_t)peer->pid : 1;
		words->pid_namespace = place.pid_namespace;
	}
}
