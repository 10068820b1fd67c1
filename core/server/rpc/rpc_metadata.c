/*
 * Metadata received with a call.
 */
#include "core/server/rpc/rpc_status.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { FIRST_ROOM = 128 };

/* Append a text with its NUL.  nghttp2 rejects a NUL in a name or value. */
static void
metadata_put(struct rpc_metadata *m, const void *text, size_t size)
{
	size_t room = m->room == 0 ? FIRST_ROOM : m->room;

	while (room - m->size < size + 1)
		room *= 2;
	if (room > m->room) {
		m->text = xreallocarray(m->text, room, 1);
		m->room = room;
	}
	if (size > 0)
		memcpy(m->text + m->size, text, size);
	m->text[m->size + size] = '\0';
	m->size += size + 1;
}

void
rpc_metadata_add(struct rpc_metadata *m, const void *name, size_t name_size,
    const void *value, size_t value_size)
{
	metadata_put(m, name, name_size);
	metadata_put(m, value, value_size);
}

void
rpc_metadata_release(struct rpc_metadata *m)
{
	free(m->text);
	*m = (struct rpc_metadata){ .text = NULL };
}

const char *
rpc_metadata_get(const struct rpc_metadata *m, const char *name)
{
	const char *key, *value;
	size_t at = 0;

	while (at < m->size) {
		key = m->text + at;
		value = key + strlen(key) + 1;
		if (strcmp(key, name) == 0)
			return value;
		at += strlen(key) + strlen(value) + 2;
	}
	return NULL;
}
