#include "ipu/engine/trace_json.h"

static const char *const names[] = {
	[TRACE_FORWARD] = "forward",
	[TRACE_RECOMPUTE] = "recompute",
	[TRACE_BACKWARD] = "backward",
	[TRACE_UPDATE] = "update",
	[TRACE_COLLECTIVE] = "collective",
	[TRACE_SYNC] = "sync",
	[TRACE_HOST_IN] = "host in",
	[TRACE_HOST_OUT] = "host out",
	[TRACE_EXCHANGE] = "exchange"
};

static void
separate(struct trace_writer *w)
{
	fputs(w->written++ == 0 ? "\n" : ",\n", w->file);
}

void
trace_open(struct trace_writer *w, FILE *file, int64_t epoch_ns)
{
	*w = (struct trace_writer){ file, epoch_ns, 0 };
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":"
	    "\"host time\"},\"traceEvents\":[", file);
}

void
trace_name(struct trace_writer *w, int replica, int ipu)
{
	if (ipu == 0) {
		separate(w);
		fprintf(w->file, "{\"ph\":\"M\",\"name\":\"process_name\","
		    "\"pid\":%d,\"args\":{\"name\":\"replica %d\"}}", replica,
		    replica);
	}
	separate(w);
	fprintf(w->file, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,"
	    "\"tid\":%d,\"args\":{\"name\":\"IPU %d\"}}", replica, ipu, ipu);
}

void
trace_write(struct trace_writer *w, const struct trace *t)
{
	int	i;

	for (i = 0; i < t->count; i++) {
		const struct trace_event	*e = &t->events[i];
		const struct step		*s = &e->step;

		separate(w);
		fprintf(w->file, "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,"
		    "\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{"
		    "\"stage\":%d,\"micro_batch\":%d,\"column\":%d,"
		    "\"iteration\":%d,\"in_flight\":%d}}", names[e->kind],
		    e->replica, e->ipu,
		    (double)(e->start_ns - w->epoch_ns) / 1e3,
		    (double)(e->end_ns - e->start_ns) / 1e3, s->stage,
		    s->micro_batch, s->column, e->iteration, e->in_flight);
	}
}

void
trace_close(struct trace_writer *w)
{
	fputs("\n]}\n", w->file);
}
