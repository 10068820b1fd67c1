/*
 * Admission of callers, and the consequences of a change.
 */
#include "applets/vipu-server/daemon.h"

#include <bsd/string.h>

#include <stdarg.h>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

void
daemon_note_refusal(const struct rpc_call *call, const struct error *e)
{
	log_foreign("refused %s from %s: %s", rpc_call_path(call),
	    rpc_call_peer(call)->text, e->text);
}

static struct identity_rules
daemon_rules(const struct daemon *d)
{
	return (struct identity_rules){ .administrators =
					    d->settings->administrators,
		.secure = login_is_secure(d->controller) };
}

/*
 * Check a key: one that was right before is not computed again, and wrong ones
 * are limited in rate.
 */
static int
daemon_check_key(struct daemon *d, struct identity *id, uint64_t origin,
    struct error *e)
{
	const int64_t now_ms = clock_monotonic_ms();
	struct error reason;

	key_ring_find(&d->keys, &id->caller);
	if (id->caller.hash[0] == '\0' &&
	    !key_ring_may_try(&d->keys, origin, now_ms))
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "too many wrong access keys; try again in a few seconds");
	if (login_switch(d->controller, &id->caller, &reason) == 0) {
		(void)strlcpy(id->caller.hash, login_hash(d->controller),
		    sizeof(id->caller.hash));
		key_ring_keep(&d->keys, &id->caller, id->caller.hash);
		return 0;
	}
	if (reason.code == ERROR_UNAUTHENTICATED)
		key_ring_wrong(&d->keys, origin, now_ms);
	return error_copy(e, &reason);
}

/* Admit a caller; an administrator over TCP must show its key first. */
static int
daemon_admit(struct daemon *d, struct identity *id, uint64_t origin,
    struct error *e)
{
	const bool has_key = id->caller.key[0] != '\0';

	if ((has_key ? daemon_check_key(d, id, origin, e) :
		       login_switch(d->controller, &id->caller, e)) != 0)
		return -1;
	if (!has_key || !id->may_administer)
		return 0;
	id->caller.admin = true;
	return login_switch(d->controller, &id->caller, e);
}

/* The wait for another program's change is short, because other callers wait
   too. */
int
daemon_identify(struct daemon *d, struct rpc_call *call, struct identity *id,
    struct error *e)
{
	const struct identity_rules rules = daemon_rules(d);

	lock_set_deadline(clock_monotonic_ms());
	if (identity_read(id, call, &rules, e) != 0 ||
	    daemon_admit(d, id, rpc_call_peer(call)->origin, e) != 0)
		return -1;
	if (id->caller.key[0] != '\0' || id->caller.known || id->caller.admin)
		rpc_call_trust(call);
	return 0;
}

int
daemon_login(struct daemon *d, const char *user, const char *key,
    uint64_t origin, bool *is_administrator, struct error *e)
{
	struct identity id = { .may_administer = false };

	lock_set_deadline(clock_monotonic_ms());
	if (name_parse("user", user, id.caller.user, e) != 0)
		return error_recode(e, ERROR_UNAUTHENTICATED);
	if (*key == '\0' ||
	    strlcpy(id.caller.key, key, sizeof(id.caller.key)) >=
		sizeof(id.caller.key))
		return error_set_code(e, ERROR_UNAUTHENTICATED,
		    "the access key of user %s is missing or too long", user);
	if (daemon_check_key(d, &id, origin, e) != 0)
		return -1;
	*is_administrator = identity_administers(d->settings->administrators,
	    user);
	return 0;
}

void
daemon_name(const struct daemon *d, const struct rpc_call *call,
    char text[IDENTITY_TEXT_SIZE])
{
	const struct identity_rules rules = daemon_rules(d);
	struct identity id;

	(void)strlcpy(text,
	    identity_read(&id, call, &rules, NULL) == 0 ?
		id.text :
		rpc_call_peer(call)->text,
	    IDENTITY_TEXT_SIZE);
}

void
daemon_changed(struct rpc_call *call, const struct identity *id,
    const char *format, ...)
{
	struct daemon *d = rpc_call_context(call);
	struct error what;
	va_list list;

	va_start(list, format);
	(void)error_set_list(&what, format, list);
	va_end(list);
	log_info("%s by %s", what.text, id->text);
	rpc_timer_set(&rpc_server_loop(d->rpc)->timers, &d->tick,
	    clock_monotonic_ms());
}

void
daemon_forget_list(struct daemon *d)
{
	rpc_shared_drop(d->list.bytes);
	d->list = (struct list_reply){ .bytes = NULL };
}

struct registry *
daemon_registry(struct daemon *d, struct error *e)
{
	if (d->registry.fd != -1 && registry_is_current(&d->registry))
		return &d->registry;
	registry_close(&d->registry);
	daemon_forget_list(d);
	return reader_open_beside(d->controller, &d->registry, e) == 0 ?
	    &d->registry :
	    NULL;
}
