/*
 * Reading trace.json as events, and what must be true of any such file.
 */
#include "tests/unit/trace_util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { EVENTS = 200000 }; /* of a trace, at most */

/* An event of trace.json, times in ns. */
struct event {
	char phase;
	int pid, tid;
	int64_t from, to;
	int64_t id;
	const char *name;
	int64_t value; /* of a counter */
	int place;     /* in the file */
};

static struct event events[EVENTS];
static int event_count;
static bool host_process[256];

static int64_t
ns_of(yyjson_val *object, const char *key)
{
	return (int64_t)llround(yyjson_get_num(yyjson_obj_get(object, key)) *
	    1e3);
}

/* By process, row and time; an outer slice before those within it. */
static int
by_row(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->phase != b->phase)
		return a->phase - b->phase;
	if (a->pid != b->pid)
		return a->pid - b->pid;
	if (a->phase == 'C' && strcmp(a->name, b->name) != 0)
		return strcmp(a->name, b->name);
	if (a->tid != b->tid)
		return a->tid - b->tid;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->phase == 'X' && a->to != b->to)
		return a->to > b->to ? -1 : 1;
	return a->place - b->place;
}

bool
trace_util_read(yyjson_doc *doc)
{
	yyjson_val *list = yyjson_obj_get(yyjson_doc_get_root(doc),
	    "traceEvents");
	yyjson_val *v, *args;
	size_t i, n;
	bool good = yyjson_arr_size(list) < EVENTS;

	event_count = 0;
	memset(host_process, 0, sizeof(host_process));
	yyjson_arr_foreach(list, i, n, v) {
		struct event *e = &events[event_count++];

		*e = (struct event){ .phase = yyjson_get_str(yyjson_obj_get(v,
					 "ph"))[0],
			.pid = yyjson_get_int(yyjson_obj_get(v, "pid")),
			.tid = yyjson_get_int(yyjson_obj_get(v, "tid")),
			.name = yyjson_get_str(yyjson_obj_get(v, "name")),
			.id = yyjson_get_sint(yyjson_obj_get(v, "id")),
			.from = ns_of(v, "ts"),
			.place = event_count };
		e->to = e->from + ns_of(v, "dur");
		args = yyjson_obj_get(v, "args");
		good = good && e->name != NULL && e->pid > 0 && e->pid < 256;
		e->value = yyjson_get_sint(yyjson_obj_get(args,
		    e->name != NULL && strcmp(e->name, "stash") == 0 ?
			"micro_batches" :
			"bytes"));
		if (good && strcmp(e->name, "process_name") == 0)
			host_process[e->pid] =
			    strstr(yyjson_get_str(yyjson_obj_get(args, "name")),
				"(host time)") != NULL;
	}
	qsort(events, (size_t)event_count, sizeof(events[0]), by_row);
	return good;
}

/* Slices of a row follow one another or stand within one another. */
bool
trace_util_slices_nest(void)
{
	const struct event *before = NULL, *e;
	int i;

	for (i = 0; i < event_count; i++) {
		e = &events[i];
		if (e->phase != 'X')
			continue;
		if (e->from < 0 || e->to < e->from)
			return false;
		if (before != NULL && before->pid == e->pid &&
		    before->tid == e->tid && e->from < before->to &&
		    e->to > before->to)
			return false;
		before = e;
	}
	return true;
}

bool
trace_util_counters_end(void)
{
	int i, counters = 0;

	for (i = 0; i < event_count; i++) {
		const struct event *e = &events[i];
		const bool last = i + 1 == event_count ||
		    events[i + 1].phase != 'C' || e[1].pid != e->pid ||
		    strcmp(e[1].name, e->name) != 0;

		if (e->phase != 'C')
			continue;
		if (e->value < 0 || (last && e->value != 0))
			return false;
		counters += last;
	}
	return counters > 0;
}

static int
by_id(const void *left, const void *right)
{
	const struct event *const *a = left, *const *b = right;

	if ((*a)->id != (*b)->id)
		return (*a)->id < (*b)->id ? -1 : 1;
	return (*b)->phase - (*a)->phase; /* 's' before 'f' */
}

static bool
stands_in_a_slice(const struct event *flow)
{
	int i;

	for (i = 0; i < event_count; i++)
		if (events[i].phase == 'X' && events[i].pid == flow->pid &&
		    events[i].tid == flow->tid &&
		    events[i].from <= flow->from &&
		    (events[i].to > flow->from ||
			(events[i].to == flow->from &&
			    events[i].from == flow->from)))
			return true;
	return false;
}

/*
 * Each flow begins once and ends once, later, each in a slice.  A few are
 * looked for in the slices, which takes a walk through all of them.
 */
long
trace_util_flows(void)
{
	const struct event **flows = xcalloc(EVENTS, sizeof(*flows));
	long n = 0, i;

	for (i = 0; i < event_count; i++)
		if (events[i].phase == 's' || events[i].phase == 'f')
			flows[n++] = &events[i];
	qsort(flows, (size_t)n, sizeof(const struct event *), by_id);
	for (i = 0; i < n; i += 2) {
		if (i + 1 == n || flows[i]->id != flows[i + 1]->id ||
		    (i > 0 && flows[i - 1]->id == flows[i]->id) ||
		    flows[i]->phase != 's' || flows[i + 1]->phase != 'f' ||
		    strcmp(flows[i]->name, flows[i + 1]->name) != 0 ||
		    flows[i]->from > flows[i + 1]->from)
			break;
		if (i % 7 == 0 &&
		    (!stands_in_a_slice(flows[i]) ||
			!stands_in_a_slice(flows[i + 1])))
			break;
	}
	free(flows);
	return i == n ? n / 2 : -1;
}

long
trace_util_count(bool host, char phase, const char *name, int64_t *ns)
{
	long n = 0;
	int i;

	for (i = 0; i < event_count; i++) {
		const struct event *e = &events[i];

		if (e->phase != phase || host_process[e->pid] != host ||
		    strcmp(e->name, name) != 0)
			continue;
		n++;
		if (ns != NULL)
			*ns += e->to - e->from;
	}
	return n;
}
