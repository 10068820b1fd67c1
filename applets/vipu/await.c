/*
 * vipu wait: until a partition is configured or gone, until programs gave back
 * IPUs of it, or until a partition of some size would fit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/vipu_internal.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/control/watcher.h"

const struct option_row await_options[] = {
	{ KEY_FOR, "for", "WHAT",
	    "active: it is configured; removed: it is gone; free=N: programs "
	    "leave N of its IPUs free or, without a name, a partition of N "
	    "IPUs could be created; required" },
	{ KEY_TIMEOUT, "timeout", "TIME",
	    "give up after this time: seconds, or 15m, 2h; 0 looks once "
	    "(default: for ever)" },
	{ 0 },
};

enum await_kind { AWAIT_ACTIVE, AWAIT_REMOVED, AWAIT_FREE };

struct await {
	const struct call *call;
	struct controller *controller;
	struct watcher watcher;
	enum await_kind kind;
	int size;		  /* of free=N */
	struct partition awaited; /* as found at first; AWAIT_FREE without a
				     name: unused */
	int64_t timeout_ms;	  /* -1: no limit */
	struct error lack;	  /* what is missing, for the time-out */
};

/* Read --for.  Returns 0, or -1 after call_misuse(). */
static int
read_for(struct await *w)
{
	static const char free_of[] = "free=";
	const char *word = w->call->values[KEY_FOR];
	const size_t len = sizeof(free_of) - 1;
	struct error error;
	long long number;

	if (word == NULL) {
		(void)call_misuse(w->call, "wait needs --for");
		return -1;
	}
	w->kind = strcmp(word, "active") == 0 ? AWAIT_ACTIVE :
	    strcmp(word, "removed") == 0      ? AWAIT_REMOVED :
						AWAIT_FREE;
	if (w->kind != AWAIT_FREE)
		return 0;
	if (strncmp(word, free_of, len) != 0)
		(void)suggest_refuse("--for", word, values_words(KEY_FOR),
		    &error);
	else if (parse_number("--for free", word + len, 1, POD_IPUS_MAX,
		     &number, &error) == 0) {
		w->size = (int)number;
		return 0;
	}
	(void)call_misuse(w->call, "%s", error.text);
	return -1;
}

/* Read the options.  Returns EXIT_DONE, or EXIT_USAGE after call_misuse(). */
static int
read_options(struct await *w)
{
	const char *text = w->call->values[KEY_TIMEOUT];
	struct error error;

	w->timeout_ms = -1;
	if (read_for(w) != 0)
		return EXIT_USAGE;
	if (w->call->name == NULL && w->kind != AWAIT_FREE)
		return call_misuse(w->call, "--for %s needs a partition",
		    w->call->values[KEY_FOR]);
	if (text == NULL || strcmp(text, "0") == 0)
		w->timeout_ms = text == NULL ? -1 : 0;
	else if (parse_duration("--timeout", text, &w->timeout_ms, &error) != 0)
		return call_misuse(w->call, "%s", error.text);
	return EXIT_DONE;
}

/* ---- conditions: 1: met; 0: not yet, and w->lack says why; -1: never ---- */

/* An ERROR that nothing repairs by itself ends the wait. */
static int
is_active(struct await *w, const struct partition *p, struct error *e)
{
	if (p->state == PS_ACTIVE)
		return 1;
	if (p->state == PS_ERROR && p->due_ms == 0)
		return error_set(e,
		    "it is in state ERROR: %s; vipu reset partition %s tries "
		    "again",
		    p->last_error, p->name);
	(void)error_set(&w->lack, "it is in state %s",
	    partition_state_name(p->state));
	return 0;
}

/* Count the partition's IPUs that no program holds. */
static int
has_free(struct await *w, const struct snapshot *s, const struct partition *p,
    struct error *e)
{
	struct registry r;
	struct ipu_slot slot;
	int i, count = 0;

	if (w->size > partition_size(p))
		return error_set(e, "it has %d IPUs", partition_size(p));
	if (reader_open_of(w->controller, &r, e) != 0)
		return -1;
	watcher_arm_slots(&w->watcher, &r);
	for (i = 0; i < partition_size(p); i++)
		if (!registry_holder(&r,
			placement_ipu(&s->pod, &p->placement, i), &slot))
			count++;
	registry_close(&r);
	(void)error_set(&w->lack, "programs hold %d of its %d IPUs",
	    partition_size(p) - count, partition_size(p));
	return count >= w->size;
}

/* Check the partition as it is now. */
static int
check_partition(struct await *w, const struct snapshot *s, struct error *e)
{
	const int i = snapshot_find(s, w->awaited.name);
	const struct partition *p = i != -1 ? &s->partitions[i] : NULL;

	if (p == NULL || !identity_is_same(p, &w->awaited))
		return w->kind == AWAIT_REMOVED ?
		    1 :
		    error_set(e, "it was removed");
	switch (w->kind) {
	case AWAIT_ACTIVE:
		return is_active(w, p, e);
	case AWAIT_FREE:
		return has_free(w, s, p, e);
	case AWAIT_REMOVED:
		break;
	}
	(void)error_set(&w->lack, "it is in state %s",
	    partition_state_name(p->state));
	return 0;
}

/* Check whether a partition of that size would fit now. */
static int
check_room(struct await *w, struct snapshot *s, struct error *e)
{
	struct partition_request r;
	struct placement *places;
	int count;

	request_init(&r);
	(void)snprintf(r.name, sizeof(r.name), "new");
	r.size = w->size;
	count = create_placements(w->controller, &r, s, &places, e);
	if (count == -1)
		return -1;
	free(places);
	(void)error_set(&w->lack, "no aligned group of %d IPUs is free",
	    w->size);
	return count > 0;
}

/* Look once, and keep the snapshot, which the caller releases unless -1. */
static int
look(struct await *w, struct snapshot *s, struct error *e)
{
	int status;

	watcher_arm_registry(&w->watcher);
	if (w->call->name == NULL)
		return check_room(w, s, e);
	if (transaction_list_partitions(w->controller, s, e) != 0)
		return -1;
	status = check_partition(w, s, e);
	if (status == -1)
		snapshot_release(s);
	return status;
}

/* Find the partition at first.  1: found; 0: one to be removed is gone. */
static int
find_awaited(struct await *w, struct error *e)
{
	struct snapshot s;
	int i;

	if (w->call->name == NULL)
		return 1;
	if (transaction_list_partitions(w->controller, &s, e) != 0)
		return -1;
	i = w->kind == AWAIT_REMOVED ? snapshot_find(&s, w->call->name) :
				       snapshot_look_up(&s, w->call->name, e);
	if (i != -1)
		w->awaited = s.partitions[i];
	snapshot_release(&s);
	if (i != -1)
		return 1;
	return w->kind == AWAIT_REMOVED ?
	    0 :
	    controller_append_place(w->controller, e);
}

/* Wait until it is met.  0: it is; 1: a signal ended it; -1: never, or too
   late. */
static int
wait_until(struct await *w, struct error *e)
{
	const int64_t begin_ms = clock_monotonic_ms();
	struct snapshot s;
	int64_t left_ms = -1;
	int status;

	while ((status = look(w, &s, e)) == 0) {
		if (w->timeout_ms >= 0) {
			left_ms = begin_ms + w->timeout_ms -
			    clock_monotonic_ms();
			if (left_ms < 0)
				left_ms = 0;
		}
		status = left_ms == 0 ?
		    error_set_code(e, ERROR_TIMED_OUT,
			"timed out after %lld s: %s",
			(long long)w->timeout_ms / 1000, w->lack.text) :
		    watcher_wait_after(&w->watcher, &s, left_ms);
		snapshot_release(&s);
		if (status != 0)
			return left_ms == 0 ? -1 : 1;
	}
	if (status == -1)
		return -1;
	snapshot_release(&s);
	return 0;
}

int
await_command(const struct call *call)
{
	struct await w = { .call = call };
	struct error error;
	int status = read_options(&w);

	if (status != EXIT_DONE)
		return status;
	if ((w.controller = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	watcher_init(&w.watcher, w.controller);
	status = find_awaited(&w, &error);
	if (status == 1)
		status = wait_until(&w, &error);
	call_close(call, w.controller);
	watcher_release(&w.watcher);
	/* A signal has ended the program by now, if it could. */
	if (status == 1)
		return EXIT_FAILED;
	return status == 0 ? call_success(call) : call_failed(call, &error);
}
