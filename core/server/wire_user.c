/*
 * Users on the wire.
 */
#include "core/server/wire_user.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/server/wire_field.h"

static const struct wire_field user_fields[] = {
	WIRE_NAME(struct user, ipubox_v1_User, name),
	WIRE_END
};

void
wire_user_put(const struct user *u, ipubox_v1_User *m)
{
	int	i;

	wire_field_put(user_fields, u, m);
	m->allocations_count = (pb_size_t)u->allocation_count;
	m->allocations = xcalloc(m->allocations_count + 1,
	    sizeof(*m->allocations));
	for (i = 0; i < u->allocation_count; i++)
		m->allocations[i] = xstrdup(u->allocations[i]);
}

int
wire_user_get(const ipubox_v1_User *m, struct user *u, struct error *e)
{
	pb_size_t	i;

	memset(u, 0, sizeof(*u));
	if (wire_field_get(user_fields, "user", m, u, e) != 0)
		return -1;
	if (m->allocations_count > USER_ALLOCATIONS_MAX)
		return error_set_code(e, ERROR_INVALID, "user %s has %u "
		    "allocations, the limit is %d", u->name,
		    (unsigned)m->allocations_count, USER_ALLOCATIONS_MAX);
	for (i = 0; i < m->allocations_count; i++)
		if (name_parse("allocation", m->allocations[i],
		    u->allocations[i], e) != 0)
			return error_prefix(e, "user %s", u->name);
	u->allocation_count = (int)m->allocations_count;
	return 0;
}

/* One that is said travels, also "". */
static void
put_said(const char *text, bool *is_said, ipubox_v1_Text *m)
{
	*is_said = text != NULL;
	if (text != NULL)
		m->text = wire_field_text(text);
}

static const char *
get_said(bool is_said, const ipubox_v1_Text *m)
{
	if (!is_said)
		return NULL;
	return m->text != NULL ? m->text : "";
}

void
wire_user_put_change(const struct user_change *c, ipubox_v1_UserChange *m)
{
	put_said(c->allocations, &m->has_allocations, &m->allocations);
	put_said(c->add, &m->has_add, &m->add);
	put_said(c->remove, &m->has_remove, &m->remove);
	put_said(c->key, &m->has_key, &m->key);
}

void
wire_user_get_change(const ipubox_v1_UserChange *m, struct user_change *c)
{
	c->allocations = get_said(m->has_allocations, &m->allocations);
	c->add = get_said(m->has_add, &m->add);
	c->remove = get_said(m->has_remove, &m->remove);
	c->key = get_said(m->has_key, &m->key);
}
