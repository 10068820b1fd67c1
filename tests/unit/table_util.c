/*
 * What the tests of collective_table share.
 */
#include "tests/unit/table_util.h"

#include <stdio.h>
#include <string.h>

#include "core/base/formats/element.h"

static void
note(void *context, const struct collective_event *event)
{
	struct collective_request *r;
	size_t i;

	(void)context;
	for (i = 0; i < event->count; i++) {
		r = event->requests[i];
		r->answers++;
		r->count = event->count;
		r->first = event->requests[0];
		r->root = event->root;
		r->outcome = event->kind == COLLECTIVE_REFUSE ? FAILED : DONE;
		r->code = event->code;
		if (event->kind == COLLECTIVE_REFUSE)
			(void)snprintf(r->text, sizeof(r->text), "%s",
			    event->text);
	}
}

struct collective_table *
table_new(int instances)
{
	return collective_table_new(instances, note, NULL);
}

struct collective_guest *
table_join(struct collective_table *t, uint32_t instance, uint32_t members)
{
	const struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.instance = instance,
		.member = instance,
		.members = members };
	enum collective_code code;

	return collective_table_join(t, &h, 100 + (pid_t)instance, &code, NULL);
}

struct collective_call
call_of(int operation, const char *id)
{
	struct collective_call c = { .operation = operation,
		.count = 4,
		.type = operation == COLLECTIVE_BARRIER ? 0 : ELEMENT_FLOAT };

	(void)snprintf(c.id, sizeof(c.id), "%s", id);
	return c;
}

void
table_call(struct collective_table *t, struct collective_guest *guest,
    const struct collective_call *c, struct collective_request *r)
{
	memset(r, 0, sizeof(*r));
	collective_table_call(t, guest, c, r, NOW, NULL);
}

struct collective_table *
table_job(struct collective_guest **guests, uint32_t count)
{
	struct collective_table *t = table_new((int)count);
	uint32_t i;

	for (i = 0; i < count; i++)
		guests[i] = table_join(t, i, count);
	return t;
}
