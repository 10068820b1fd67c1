/*
 * vipu list partitions --watch.
 *
 * After each change everything is read again, and each partition with another
 * line than before is printed.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu/vipu_internal.h"
#include "core/control/watcher.h"

/* Return the index of the same partition, not only of the same name, or -1. */
static int
find_same(const struct snapshot *s, const struct partition *p)
{
	const int i = snapshot_find(s, p->name);

	return i != -1 && identity_is_same(&s->partitions[i], p) ? i : -1;
}

/* Whether the form shows the same of two partitions. */
static bool
look_same(const struct output_stream *out, const struct partition_range *a,
    const struct partition_range *b)
{
	char *before = output_stream_text(out, a);
	char *now = output_stream_text(out, b);
	const bool same = strcmp(before, now) == 0;

	free(before);
	free(now);
	return same;
}

/* Print the partitions that are gone, in the state REMOVED unless that was
   printed before, and then those that changed. */
static void
print_changes(const struct call *call, struct output_stream *out,
    const struct partition_range *all, struct snapshot *before,
    const struct snapshot *now)
{
	struct partition_range old = *all, one = *all;
	struct partition *p;

	old.snapshot = before;
	one.snapshot = now;
	old.count = one.count = 1;
	snapshot_own_partitions(before);
	for (old.first = 0; old.first < before->partition_count; old.first++) {
		p = &before->partitions[old.first];
		if (p->state == PS_REMOVED || find_same(now, p) != -1)
			continue;
		p->state = PS_REMOVED;
		output_stream_put(call, out, &old);
	}
	for (one.first = 0; one.first < now->partition_count; one.first++) {
		old.first = find_same(before, &now->partitions[one.first]);
		if (old.first == -1 || !look_same(out, &old, &one))
			output_stream_put(call, out, &one);
	}
}

/* Print the partitions, then each change.  Returns 0 when a signal ends it. */
static int
watch(const struct call *call, struct controller *c, struct watcher *w,
    struct output_stream *out, struct partition_range *all, struct error *e)
{
	const bool agents = out->format != FORMAT_TABLE;
	struct snapshot before, now;
	int status;

	watcher_arm_registry(w);
	if (transaction_list_partitions(c, agents, &before, e) != 0)
		return -1;
	call_warn_damage(call, &before);
	all->snapshot = &before;
	all->count = before.partition_count;
	output_stream_put(call, out, all);
	for (;; before = now) {
		status = watcher_wait(w, watcher_next_event(c, &before, true),
		    -1);
		watcher_arm_registry(w);
		if (status != 0 ||
		    transaction_list_partitions(c, agents, &now, e) != 0)
			break;
		if (strcmp(before.damage, now.damage) != 0)
			call_warn_damage(call, &now);
		print_changes(call, out, all, &before, &now);
		snapshot_release(&before);
	}
	snapshot_release(&before);
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
