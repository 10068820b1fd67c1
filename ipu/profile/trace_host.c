/*
 * The timeline of the host that computed an outline's model.
 */
#include "ipu/profile/trace_host.h"

#include "ipu/profile/trace_record.h"

static void
write_activity(struct trace_json *w, int process,
    const struct host_activity *a)
{
	const int64_t		from = (int64_t)(a->from_s * 1e9);
	struct trace_record	l;

	trace_record_begin(w, &l, "X", host_activity_names[a->kind],
	    process);
	trace_record_field(&l, "tid", 1 + host_activity_row(a->kind));
	trace_record_time(&l, "ts", from);
	trace_record_time(&l, "dur", (int64_t)(a->to_s * 1e9) - from);
	trace_record_put(&l, ",\"args\":{");
	if (a->call >= 0) {
		trace_record_put(&l, "\"call\":");
		trace_record_number(&l, a->call + 1);
	}
	if (a->iteration >= 0)
		trace_record_field(&l, "iteration", a->iteration + 1);
	trace_record_put(&l, "}");
	trace_record_end(w, &l);
}

void
trace_host_write(struct trace_json *w, int process)
{
	const struct profile_host	*h = w->data->about.host;
	int				 i;

	if (h == NULL || h->activity_count == 0)
		return;
	trace_record_name(w, "process_name", process, 0, "name",
	    "host (host time)");
	trace_record_sort(w, "process_sort_index", process, 0);
	for (i = 0; i < HOST_ACTIVITY_ROWS; i++)
		trace_record_name(w, "thread_name", process, 1 + i, "name",
		    host_activity_row_names[i]);
	for (i = 0; i < h->activity_count; i++)
		write_activity(w, process, &h->activities[i]);
}
