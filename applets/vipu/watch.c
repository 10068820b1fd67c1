/*
 * vipu list partitions --watch.
 *
 * After each change everything is read again, and each partition with another
 * line than before is printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/control/watcher.h"

/* A look at the partitions, with the text of each one. */
struct watch_look {
	struct snapshot snapshot;
	char **texts; /* owned; one per partition */
};

static void
look_release(struct watch_look *l)
{
	int i;

	for (i = 0; i < l->snapshot.partition_count; i++)
		free(l->texts[i]);
	free(l->texts);
	snapshot_release(&l->snapshot);
}

/* Describe one partition of the look. */
static struct partition_range
range_of(const struct partition_range *all, const struct watch_look *l,
    int index)
{
	struct partition_range one = *all;

	one.snapshot = &l->snapshot;
	one.first = index;
	one.count = 1;
	return one;
}

static int
look_take(struct watch_look *l, struct controller *c,
    const struct output_stream *out, const struct partition_range *all,
    struct error *e)
{
	struct partition_range one;
	int i;

	if (transaction_list_partitions(c, &l->snapshot, e) != 0)
		return -1;
	l->texts = xcalloc((size_t)l->snapshot.partition_count + 1,
	    sizeof(*l->texts));
	for (i = 0; i < l->snapshot.partition_count; i++) {
		one = range_of(all, l, i);
		l->texts[i] = output_stream_text(out, &one);
	}
	return 0;
}

/* Warn of damaged files when they appear. */
static void
warn_of_damage(const struct call *call, const struct snapshot *before,
    const struct snapshot *now)
{
	if (now->damaged > 0 &&
	    (before == NULL || strcmp(before->damage, now->damage) != 0))
		fprintf(stderr, "%s: warning: a partition is not shown: %s\n",
		    call->applet->name, now->damage);
}

/* Return the index of the same partition, not only of the same name, or -1. */
static int
find_same(const struct snapshot *s, const struct partition *p)
{
	const int i = snapshot_find(s, p->name);

	return i != -1 && identity_is_same(&s->partitions[i], p) ? i : -1;
}

/* Print the partitions that are gone, in the state REMOVED unless that was
   printed before. */
static void
print_removed(const struct call *call, struct output_stream *out,
    const struct partition_range *all, struct watch_look *before,
    const struct watch_look *now)
{
	struct partition_range one;
	struct partition *p;
	int i;

	snapshot_own_partitions(&before->snapshot);
	for (i = 0; i < before->snapshot.partition_count; i++) {
		p = &before->snapshot.partitions[i];
		if (p->state == PS_REMOVED ||
		    find_same(&now->snapshot, p) != -1)
			continue;
		p->state = PS_REMOVED;
		one = range_of(all, before, i);
		output_stream_put(call, out, &one);
	}
}

static void
print_changes(const struct call *call, struct output_stream *out,
    const struct partition_range *all, const struct watch_look *before,
    const struct watch_look *now)
{
	struct partition_range one;
	int i, at;

	for (i = 0; i < now->snapshot.partition_count; i++) {
		at = find_same(&before->snapshot, &now->snapshot.partitions[i]);
		if (at != -1 && strcmp(before->texts[at], now->texts[i]) == 0)
			continue;
		one = range_of(all, now, i);
		output_stream_put(call, out, &one);
	}
}

/* Print the partitions, then each change.  Returns 0 when a signal ends it. */
static int
watch(const struct call *call, struct controller *c, struct watcher *w,
    struct output_stream *out, struct partition_range *all, struct error *e)
{
	struct watch_look before, now;
	int status;

	watcher_arm_registry(w);
	if (look_take(&before, c, out, all, e) != 0)
		return -1;
	warn_of_damage(call, NULL, &before.snapshot);
	all->snapshot = &before.snapshot;
	all->count = before.snapshot.partition_count;
	output_stream_put(call, out, all);
	for (;;) {
		status = watcher_wait_after(w, &before.snapshot, -1);
		watcher_arm_registry(w);
		if (status != 0 || look_take(&now, c, out, all, e) != 0)
			break;
		warn_of_damage(call, &before.snapshot, &now.snapshot);
		print_removed(call, out, all, &before, &now);
		print_changes(call, out, all, &before, &now);
		look_release(&before);
		before = now;
	}
	look_release(&before);
	return status != 0 ? 0 : -1;
}

int
watch_partitions(const struct call *call, struct output_stream *out,
    struct partition_range *all)
{
	struct controller *c;
	struct watcher w;
	struct error error;
	int status;

	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	watcher_init(&w, c);
	w.output = STDOUT_FILENO;
	status = watch(call, c, &w, out, all, &error);
	call_close(call, c);
	watcher_release(&w);
	return status == 0 ? EXIT_DONE : call_failed(call, &error);
}
