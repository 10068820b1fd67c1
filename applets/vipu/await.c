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
	int size;		  /* the N of free=N */
	struct partition awaited; /* as found at first; else without a name */
	int64_t timeout_ms;	  /* -1: no limit */
	struct error lack;	  /* what is missing, for the time-out */
};

static int
read_options(struct await *w, struct error *e)
{
	const char *word = w->call->values[KEY_FOR];
	const char *time = w->call->values[KEY_TIMEOUT];
	long long number;

	if (word == NULL)
		return error_set(e, "wait needs --for");
	w->kind = strcmp(word, "active") == 0 ? AWAIT_ACTIVE :
	    strcmp(word, "removed") == 0      ? AWAIT_REMOVED :
						AWAIT_FREE;
	if (w->kind != AWAIT_FREE && w->call->name == NULL)
		return error_set(e, "--for %s needs a partition", word);
	if (w->kind == AWAIT_FREE) {
		if (strncmp(word, "free=", strlen("free=")) != 0)
			return suggest_refuse("--for", word,
			    values_words(KEY_FOR), e);
		if (parse_number("--for free", word + strlen("free="), 1,
			POD_IPUS_MAX, &number, e) != 0)
			return -1;
		w->size = (int)number;
	}
	w->timeout_ms = time == NULL ? -1 : 0;
	return time == NULL || strcmp(time, "0") == 0 ?
	    0 :
	    parse_duration("--timeout", time, &w->timeout_ms, e);
}

/* ---- conditions: 1: met; 0: not yet, and w->lack says why; -1: never ---- */

/* Count the partition's IPUs that no program holds. */
static int
has_free(struct await *w, const struct snapshot *s, const struct partition *p,
    struct error *e)
{
	const int size = partition_size(p);
	struct registry r;
	int held;

	if (w->size > size)
		return error_set(e, "it has %d IPUs", size);
	if (reader_open_of(w->controller, &r, e) != 0)
		return -1;
	watcher_arm_slots(&w->watcher, &r);
	held = status_attached(&s->pod, &r, p);
	registry_close(&r);
	(void)error_set(&w->lack, "programs hold %d of its %d IPUs", held,
	    size);
	return size - held >= w->size;
}

/* Check the partition as it is now; the first look finds it.  An ERROR that
   nothing repairs by itself ends the wait. */
static int
check_partition(struct await *w, const struct snapshot *s, struct error *e)
{
	const int i = snapshot_find(s, w->call->name);
	const struct partition *p = i != -1 ? &s->partitions[i] : NULL;

	if (p != NULL && w->awaited.name[0] == '\0')
		w->awaited = *p;
	if (p == NULL || !identity_is_same(p, &w->awaited)) {
		if (w->kind == AWAIT_REMOVED)
			return 1;
		if (w->awaited.name[0] != '\0')
			return error_set(e, "it was removed");
		(void)snapshot_look_up(s, w->call->name, e);
		return controller_append_place(w->controller, e);
	}
	if (w->kind == AWAIT_FREE)
		return has_free(w, s, p, e);
	if (w->kind == AWAIT_ACTIVE && p->state == PS_ERROR && p->due_ms == 0)
		return error_set(e,
		    "it is in state ERROR: %s; vipu reset partition %s tries "
		    "again",
		    p->last_error, p->name);
	(void)error_set(&w->lack, "it is in state %s",
	    partition_state_name(p->state));
	return w->kind == AWAIT_ACTIVE && p->state == PS_ACTIVE;
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
	if (transaction_list_partitions(w->controller, false, s, e) != 0)
		return -1;
	status = check_partition(w, s, e);
	if (status == -1)
		snapshot_release(s);
	return status;
}

/* Wait until it is met.  1: it is; 0: a signal ended it; -1: never, or too
   late. */
static int
wait_until(struct await *w, struct error *e)
{
	const int64_t begin_ms = clock_monotonic_ms();
	struct snapshot s;
	int64_t left_ms = -1;
	int status;

	while ((status = look(w, &s, e)) == 0) {
		if (w->timeout_ms >= 0)
			left_ms = begin_ms + w->timeout_ms -
			    clock_monotonic_ms();
		if (w->timeout_ms >= 0 && left_ms <= 0)
			status = error_set_code(e, ERROR_TIMED_OUT,
			    "timed out after %lld s: %s",
			    (long long)w->timeout_ms / 1000, w->lack.text);
		else if (watcher_wait(&w->watcher,
			     watcher_next_event(w->controller, &s, true),
			     left_ms) == 0)
			status = 1;
		snapshot_release(&s);
		if (status != 1)
			return status;
	}
	if (status == 1)
		snapshot_release(&s);
	return status;
}

int
await_command(const struct call *call)
{
	struct await w = { .call = call };
	struct error error;
	int status;

	if (read_options(&w, &error) != 0)
		return call_misuse(call, "%s", error.text);
	if ((w.controller = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	watcher_init(&w.watcher, w.controller);
	status = wait_until(&w, &error);
	call_close(call, w.controller);
	watcher_release(&w.watcher);
	/* A signal has ended the program by now, if it could. */
	if (status == 0)
		return EXIT_FAILED;
	return status == 1 ? call_success(call) : call_failed(call, &error);
}
