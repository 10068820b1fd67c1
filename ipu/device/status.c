/*
 * The state of one IPU, and small texts shared by gc-info and gc-monitor.
 */
#include "ipu/device/status.h"

#include <bsd/string.h>

#include <inttypes.h>
#include <string.h>

#include "ipu/device/listing.h"

#define NS_PER_SECOND INT64_C(1000000000)

/* Add the heat of the IPU's die. */
static void
warm(struct sensors *sensors, const struct registry *r, int model, int ipu,
    int64_t now_ns)
{
	struct busy_ring ring;

	sensors_warm(sensors, model, ipu,
	    registry_ring(r, ipu, &ring) ? &ring : NULL, now_ns);
}

/* Read the other IPU of the board, which stays warm for a while when it is
   free. */
static void
read_neighbour(struct sensors *sensors, const struct registry *r, int model,
    int ipu, int64_t now_ns)
{
	struct ipu_slot slot;

	sensors_read(sensors, model,
	    registry_holder(r, ipu, &slot) ? &slot : NULL, now_ns);
	warm(sensors, r, model, ipu, now_ns);
}

/* Read the board; one of its two IPUs is read already. */
static void
read_board(struct ipu_status *s, const struct registry *r, int model,
    int64_t now_ns)
{
	struct sensors_board board;
	struct sensors both[SENSORS_BOARD_IPUS];
	const int first = s->ipu - s->ipu % SENSORS_BOARD_IPUS;
	int i;

	for (i = 0; i < SENSORS_BOARD_IPUS; i++)
		if (first + i == s->ipu)
			both[i] = s->sensors;
		else
			read_neighbour(&both[i], r, model, first + i, now_ns);
	sensors_add_board(&board, model, both);
	s->board_c = board.temp_c;
	s->board_w = board.power_w;
}

void
status_read(struct ipu_status *s, const struct registry *r,
    const struct pod *pod, int ipu, int64_t now_ns, bool monitor)
{
	int model = pod->agents[listing_ipu_machine(ipu)].model;

	memset(s, 0, sizeof(*s));
	s->ipu = ipu;
	s->attached = registry_holder(r, ipu, &s->holder);
	s->soc_errors = registry_faults(r, ipu);
	sensors_read(&s->sensors, model, s->attached ? &s->holder : NULL,
	    now_ns);
	s->monitored = s->sensors.measured &&
	    (monitor ||
		(s->attached && (s->holder.flags & SLOT_MONITORED) != 0));
	if (!s->monitored)
		return;
	warm(&s->sensors, r, model, ipu, now_ns);
	read_board(s, r, model, now_ns);
}

void
status_history(const struct registry *r, int ipu, int64_t now_ns,
    uint8_t percents[STATUS_HISTORY])
{
	const int64_t first = now_ns / NS_PER_SECOND - STATUS_HISTORY;
	struct busy_ring ring;
	int i;

	memset(percents, 0, STATUS_HISTORY);
	if (!registry_ring(r, ipu, &ring))
		return;
	for (i = 0; i < STATUS_HISTORY; i++)
		percents[i] = (uint8_t)(busy_ring_second(&ring, first + i) /
		    (NS_PER_SECOND / 100));
}

void
status_reading(const struct ipu_status *s, double value, const char *unit,
    char text[READING_SIZE])
{
	if (s->monitored)
		(void)snprintf(text, READING_SIZE, "%.1f %s", value, unit);
	else
		(void)strlcpy(text, "N/A", READING_SIZE);
}

void
status_percent(double part_of_one, char text[READING_SIZE])
{
	(void)snprintf(text, READING_SIZE, "%.2f%%", 100.0 * part_of_one);
}

void
status_utilisation(const struct ipu_status *s, double part_of_one,
    char text[READING_SIZE])
{
	if (s->sensors.measured)
		status_percent(part_of_one, text);
	else
		(void)strlcpy(text, "N/A", READING_SIZE);
}

/* The two greatest units: 59 is "59s", 60 is "1m0s", 8245 is "2h17m". */
void
status_duration(int64_t seconds, char text[READING_SIZE])
{
	int64_t s = seconds > 0 ? seconds : 0;

	if (s >= 86400)
		(void)snprintf(text, READING_SIZE, "%" PRId64 "d%" PRId64 "h",
		    s / 86400, s / 3600 % 24);
	else if (s >= 3600)
		(void)snprintf(text, READING_SIZE, "%" PRId64 "h%" PRId64 "m",
		    s / 3600, s / 60 % 60);
	else if (s >= 60)
		(void)snprintf(text, READING_SIZE, "%" PRId64 "m%" PRId64 "s",
		    s / 60, s % 60);
	else
		(void)snprintf(text, READING_SIZE, "%" PRId64 "s", s);
}

const char *
status_machine_word(const struct agent *a, int64_t now_ms)
{
	return pod_machine_state_words[pod_machine_is_up(a, now_ms) ?
		MACHINE_UP :
		a->state];
}

void
status_serial(const struct agent *agent, int number, char text[SERIAL_SIZE])
{
	if (number < 0)
		(void)snprintf(text, SERIAL_SIZE,
		    "%04" PRIu32 ".xxxx.%07" PRIu32, agent->lot, agent->serial);
	else
		(void)snprintf(text, SERIAL_SIZE,
		    "%04" PRIu32 ".%04d.%07" PRIu32, agent->lot,
		    number >= IPUS_PER_MACHINE / 2 ? 2 : 1, agent->serial);
}
