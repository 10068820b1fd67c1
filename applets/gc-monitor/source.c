/*
 * Takes the looks of gc-monitor from the pod or from a recording.
 */
#include "applets/gc-monitor/source.h"

#include <string.h>

#include "core/base/clock.h"

int
source_open(struct source *s, const struct source_request *r, struct error *e)
{
	memset(s, 0, sizeof(*s));
	s->request = r;
	s->next_ms = clock_monotonic_ms();
	if (r->replay != NULL) {
		s->replay = replay_open("--replay", r->replay, r->loop, e);
		if (s->replay == NULL)
			return -1;
	}
	if (r->record == NULL)
		return 0;
	s->record = recording_create(r->record, r->commands, e);
	if (s->record != NULL)
		return 0;
	source_close(s);
	return error_prefix(e, "--record");
}

void
source_close(struct source *s)
{
	recording_close(s->replay);
	recording_close(s->record);
}

/* Wait for the next look; before_ns is the moment of the last one. */
static void
source_wait(struct source *s, int64_t before_ns)
{
	const double interval_s = s->request->interval_s;
	int64_t now_ms, wait_ms = 1000;

	if (interval_s >= 0)
		wait_ms = (int64_t)(interval_s * 1000.0);
	else if (s->replay != NULL)
		wait_ms = (recording_now_ns(s->replay) - before_ns) / 1000000;
	s->next_ms += wait_ms > 0 ? wait_ms : 0;
	now_ms = clock_monotonic_ms();
	if (s->next_ms > now_ms)
		clock_sleep_ms(s->next_ms - now_ms);
	else
		s->next_ms = now_ms;
}

int
source_look(struct source *s, struct device_look *l, struct error *e)
{
	int64_t before_ns = 0;
	int status;

	if (s->replay != NULL && s->begun) {
		before_ns = recording_now_ns(s->replay);
		status = recording_step(s->replay, e);
		if (status <= 0)
			return status == 0 ? 0 : error_prefix(e, "--replay");
	}
	if (s->begun)
		source_wait(s, before_ns);
	s->begun = true;
	if (s->replay == NULL)
		status = device_look_open(l, s->request->all_partitions, e);
	else if (recording_look(s->replay, s->request->all_partitions, l, e) !=
	    0)
		status = error_prefix(e, "--replay");
	else
		status = 0;
	if (status != 0)
		return -1;
	if (s->record == NULL || recording_add(s->record, l, e) == 0)
		return 1;
	device_look_close(l);
	return error_prefix(e, "--record");
}
