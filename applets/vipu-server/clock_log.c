/*
 * Two looks at the partitions, side by side.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include "core/base/log.h"
#include "core/pod/pod.h"

/* Whoever asked for a removal has a line of that already. */
static void
clock_log_gone(const struct partition *p, int64_t now_ms)
{
	if (p->state == PS_REMOVED)
		return;
	log_info("remove partition %s: %s", p->name, p->expires_ms != 0 &&
	    p->expires_ms <= now_ms ? "its time is over" :
	    "its owner is gone");
}

static void
clock_log_state(const struct partition *p)
{
	log_info("partition %s: %s, %s%s%s", p->name,
	    partition_state_name(p->state),
	    partition_operation_name(p->operation),
	    p->state == PS_ERROR ? ": " : "",
	    p->state == PS_ERROR ? p->last_error : "");
}

void
clock_log_changes(const struct snapshot *before, const struct snapshot *after,
    int64_t now_ms)
{
	const struct partition	*was, *is;
	int			 i, found;

	for (i = 0; i < before->partition_count; i++) {
		was = &before->partitions[i];
		found = snapshot_find(after, was->name);
		is = found == -1 ? NULL : &after->partitions[found];
		if (is == NULL || !identity_is_same(was, is))
			clock_log_gone(was, now_ms);
		else if (is->state != was->state ||
		    is->operation != was->operation)
			clock_log_state(is);
	}
}
