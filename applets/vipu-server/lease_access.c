/*
 * Leases in the name of whoever calls; each one has a line in the log.
 */
#include "applets/vipu-server/lease_access.h"

#include <bsd/string.h>

#include "applets/vipu-server/daemon.h"
#include "core/base/log.h"
#include "core/control/control.h"

/* A partition that the caller does not see does not exist. */
static int
lease_access_find(struct daemon *d, const struct visible_name *name,
    struct error *e)
{
	const char	*partition = name->reference.partition;
	struct snapshot	 seen;
	int		 status = 0;

	if (partition[0] == '\0')
		return 0;
	if (transaction_list_partitions(d->controller, &seen, e) != 0)
		return -1;
	if (visible_devices_find(&seen, partition, name->source, e) == -1)
		status = -1;
	snapshot_release(&seen);
	return status;
}

static int
lease_access_allows(void *owner, struct rpc_call *call,
    const struct visible_name *name, char user[SLOT_USER_SIZE],
    struct error *e)
{
	struct daemon	*d = owner;
	struct identity	 id;

	if (daemon_identify(d, call, &id, e) != 0) {
		daemon_note_refusal(call, e);
		return -1;
	}
	(void)strlcpy(user, id.caller.user, SLOT_USER_SIZE);
	return lease_access_find(d, name, e);
}

static void
lease_access_note(void *owner, struct rpc_call *call, const char *text)
{
	char	who[IDENTITY_TEXT_SIZE];

	daemon_name(owner, call, who);
	log_info("%s by %s", text, who);
}

struct lease_service_options
lease_access_options(struct daemon *d)
{
	return (struct lease_service_options){
		.owner = d,
		.allows = lease_access_allows,
		.note = lease_access_note
	};
}
