#include "core/control/lifecycle.h"

#include <bsd/string.h>

static void
enter(struct partition *p, enum partition_state state,
    enum operation_state operation)
{
	p->state = state;
	p->operation = operation;
}

int
lifecycle_apply(struct partition *p, enum partition_event event,
    int64_t now_s, const char *reason)
{
	bool	creating = p->operation == POS_CREATING;

	switch (event) {
	case EVENT_CREATE:
		if (p->state != PS_UNDEFINED)
			return -1;
		p->created = now_s;
		p->last_error[0] = '\0';
		enter(p, PS_PENDING, POS_CREATING);
		return 0;
	case EVENT_CONFIGURED:
		if (!creating)
			return -1;
		enter(p, PS_ACTIVE, POS_IDLE);
		return 0;
	case EVENT_FAILED:
		if (!creating)
			return -1;
		(void)strlcpy(p->last_error, reason, sizeof(p->last_error));
		enter(p, PS_ERROR, POS_FAILED);
		return 0;
	case EVENT_REMOVE:
		if (p->state == PS_UNDEFINED || p->state == PS_REMOVED)
			return -1;
		enter(p, PS_REMOVED, POS_REMOVING);
		return 0;
	}
	return -1;
}
