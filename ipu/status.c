/*
 * The state of one IPU, and small texts that gc-info and gc-monitor share.
 */
#include "ipu/status.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "ipu/listing.h"

/* The mean temperature and the summed power of the IPU's machine. */
static void
read_board(struct ipu_status *s, const struct registry *r, int model,
    int64_t now_ns)
{
	struct ipu_slot	slot;
	struct sensors	sensors;
	int		first = s->ipu - s->ipu % IPUS_PER_MACHINE, i;

	s->board_c = s->board_w = 0.0;
	for (i = first; i < first + IPUS_PER_MACHINE; i++) {
		sensors_read(&sensors, model,
		    registry_holder(r, i, &slot) ? &slot : NULL, now_ns);
		s->board_c += sensors.board_c / IPUS_PER_MACHINE;
		s->board_w += sensors.power_w;
	}
}

void
status_read(struct ipu_status *s, const struct registry *r,
    const struct pod *pod, int ipu, int64_t now_ns, bool monitor)
{
	int	model = pod->agents[listing_ipu_machine(ipu)].model;

	memset(s, 0, sizeof(*s));
	s->ipu = ipu;
	s->attached = registry_holder(r, ipu, &s->holder);
	s->soc_errors = registry_faults(r, ipu);
	s->monitored = monitor ||
	    (s->attached && (s->holder.flags & SLOT_MONITORED) != 0);
	sensors_read(&s->sensors, model, s->attached ? &s->holder : NULL,
	    now_ns);
	if (s->monitored)
		read_board(s, r, model, now_ns);
}

void
status_reading(const struct ipu_status *s, double value,
    const char *unit, char text[READING_SIZE])
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

/* Leading units that are 0 are left out: 59 is "59s", 60 is "1m0s". */
void
status_duration(int64_t seconds, char text[READING_SIZE])
{
	int64_t	s = seconds > 0 ? seconds : 0;

	if (s >= 3600)
		(void)snprintf(text, READING_SIZE,
		    "%" PRId64 "h%" PRId64 "m%" PRId64 "s", s / 3600,
		    s / 60 % 60, s % 60);
	else if (s >= 60)
		(void)snprintf(text, READING_SIZE,
		    "%" PRId64 "m%" PRId64 "s", s / 60, s % 60);
	else
		(void)snprintf(text, READING_SIZE, "%" PRId64 "s", s);
}

const char *
status_machine_type(int model)
{
	return model == MACHINE_BOW2000 ? "B2000" : "M2000";
}

void
status_serial(const struct agent *agent, int number, char text[SERIAL_SIZE])
{
	if (number < 0)
		(void)snprintf(text, SERIAL_SIZE, "%04" PRIu32 ".xxxx.%07"
		    PRIu32, agent->lot, agent->serial);
	else
		(void)snprintf(text, SERIAL_SIZE, "%04" PRIu32 ".%04d.%07"
		    PRIu32, agent->lot, number >= IPUS_PER_MACHINE / 2 ?
		    2 : 1, agent->serial);
}

void
status_host_name(char name[SLOT_HOST_SIZE])
{
	memset(name, 0, SLOT_HOST_SIZE);
	if (gethostname(name, SLOT_HOST_SIZE - 1) != 0)
		(void)strlcpy(name, "?", SLOT_HOST_SIZE);
}

uint64_t
status_pid_namespace(void)
{
	struct stat	st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (uint64_t)st.st_ino : 0;
}
