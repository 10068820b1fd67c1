/*
 * The model of power and temperature.
 *
 * Utilisation is the time in which the IPU computed for its program, within a
 * window: the last second, the last minute, or the session (the time since the
 * program attached).  A shorter session replaces the window.  All are 0 for a
 * free IPU, and unknown if its program's work is not measured (`measured`).
 *
 * Power and temperature are a model, not a measurement.  Its load u is the
 * utilisation of the last second; its heat h follows the load with a time
 * constant of 30 seconds, over the last minute:
 *
 *	h = sum of b e^(-a/30) over the seconds / (30 (1 - e^-2))
 *
 * b is the part of a second of the clock in which the IPU computed, a the age
 * of the second's middle.  After t seconds of full work it is (1 - e^(-t/30)) /
 * (1 - e^-2): 0.33 after 10 seconds, 0.73 after 30, 1 after a minute; and 0 a
 * minute after the last work.
 *
 *	power of an IPU     idle + (full - idle) u			 W
 *	power of a board    30 W + its two IPUs
 *	die                 cool + (hot - cool) h, and 2 C or 0.3 C more at full
 *	                    heat on the second IPU of the board		 C
 *	board               the same, with the mean h of its two IPUs	 C
 *
 *	            an IPU           a board          die            board
 *	            idle   full      idle   busy      cool hot       cool hot
 *	M2000	     41    124       112    278       39.2 47 to 49  29.6 41.0
 *	Bow-2000     31.15  42.35     92.3  114.7     24.2 34.5, 34.8 21.1 27.2
 *
 * An IPU-Machine has two boards of two IPUs.  The clock does not change: 1330
 * and 1850 MHz.
 *
 * Sources, samples of the real tools.  M2000: an idle IPU beside a busy one (41
 * W, the board 151.8 W); gc-powertest, 124 W, board sensors to 41 C; a busy
 * board, 278 W and dies of 47 and 49 C, which is 30 W more than two IPUs of 124
 * W: those are taken as the board's own; gc-info of an IPU at rest, 39.2 and
 * 29.6 C.  Bow: a board with one IPU that is attached and does little, 92.3 W,
 * 24.2 and 21.1 C; one with two busy IPUs, 114.7 W, 34.5, 34.8 and 27.2 C.  No
 * sample shows the power of a Bow IPU: it is half of the board without its 30
 * W.  gc-powertest's idle IPU beside a loaded one (49 W) is warmed by it, which
 * is not modelled, and traffic tests, below the power of an idle IPU (21 to
 * 25.5 W), are of another state of the chip.
 */
#include "ipu/device/status.h"

#include <math.h>
#include <string.h>

#define SENSORS_SECOND_NS INT64_C(1000000000)
#define THERMAL_SECONDS 30.0
#define BOARD_OWN_W 30.0

enum { SENSORS_MINUTE = 60 }; /* seconds */

struct sensor_model {
	int clock_mhz;
	double power_idle, power_full;
	double die_cool, die_hot, second_hotter;
	double board_cool, board_hot;
};

static const struct sensor_model sensor_models[] = {
	[MACHINE_M2000] = { 1330, 41.0, 124.0, 39.2, 47.0, 2.0, 29.6, 41.0 },
	[MACHINE_BOW2000] = { 1850, 31.15, 42.35, 24.2, 34.5, 0.3, 21.1, 27.2 },
};

static const struct sensor_model *
sensors_model(int model)
{
	return &sensor_models[model == MACHINE_BOW2000 ? MACHINE_BOW2000 :
							 MACHINE_M2000];
}

int
sensors_clock_mhz(int model)
{
	return sensors_model(model)->clock_mhz;
}

/* Return the ratio, limited to 0 to 1 whatever the counters say. */
static double
sensors_ratio(double part, double whole)
{
	if (part <= 0.0 || whole <= 0.0)
		return 0.0;
	return part < whole ? part / whole : 1.0;
}

/* Ignore an impossible start, before 1970 or in the future: the program can
   write anything into its slot. */
int64_t
sensors_session_ns(const struct ipu_slot *slot, int64_t now_ns)
{
	return slot->attached_ns < 0 || slot->attached_ns > now_ns ?
	    0 :
	    now_ns - slot->attached_ns;
}

/* Return the load of a window, or of a shorter session.  The ring may hold work
   of an earlier program: the session's total limits it. */
static double
window_load(const struct ipu_slot *slot, int64_t now_ns, int64_t window_ns)
{
	const int64_t since = sensors_session_ns(slot, now_ns);
	const int64_t window = since < window_ns ? since : window_ns;
	double busy;

	/* Skip the ring for the many holders that do not compute. */
	if (window <= 0 || slot->session_busy_ns == 0)
		return 0.0;
	busy = (double)busy_ring_window(&slot->ring, now_ns, window);
	return sensors_ratio(fmin(busy, (double)slot->session_busy_ns),
	    (double)window);
}

/* With f the elapsed part of this second, second k before it has the mean age f
   + k - 1/2, and this one f/2.  Of the 60th second the part 1 - f counts. */
static double
read_heat(const struct busy_ring *ring, int64_t now_ns)
{
	const int64_t second = now_ns / SENSORS_SECOND_NS;
	const double f = (double)(now_ns % SENSORS_SECOND_NS) /
	    (double)SENSORS_SECOND_NS;
	const double scale = THERMAL_SECONDS *
	    (1.0 - exp(-SENSORS_MINUTE / THERMAL_SECONDS));
	const double decay = exp(-1.0 / THERMAL_SECONDS);
	double weight = exp(-(f + 0.5) / THERMAL_SECONDS), sum;
	int k;

	sum = (double)busy_ring_second(ring, second) *
	    exp(-f / 2.0 / THERMAL_SECONDS);
	for (k = 1; k <= SENSORS_MINUTE; k++) {
		sum += (double)busy_ring_second(ring, second - k) * weight *
		    (k < SENSORS_MINUTE ? 1.0 : 1.0 - f);
		weight *= decay;
	}
	return sensors_ratio(sum / (double)SENSORS_SECOND_NS, scale);
}

void
sensors_read(struct sensors *s, int model, const struct ipu_slot *slot,
    int64_t now_ns)
{
	const struct sensor_model *m = sensors_model(model);

	memset(s, 0, sizeof(*s));
	s->measured = slot == NULL || (slot->flags & SLOT_UNMEASURED) == 0;
	if (slot != NULL && s->measured) {
		s->recent = window_load(slot, now_ns, SENSORS_SECOND_NS);
		s->minute = window_load(slot, now_ns,
		    SENSORS_MINUTE * SENSORS_SECOND_NS);
		s->session = sensors_ratio((double)slot->session_busy_ns,
		    (double)sensors_session_ns(slot, now_ns));
	}
	s->clock_mhz = m->clock_mhz;
	s->power_w = m->power_idle +
	    (m->power_full - m->power_idle) * s->recent;
	s->die_c = m->die_cool;
}

void
sensors_warm(struct sensors *s, int model, int ipu,
    const struct busy_ring *ring, int64_t now_ns)
{
	const struct sensor_model *m = sensors_model(model);
	double hot = m->die_hot;

	/* The listings number the board's IPUs downwards. */
	if (ipu % SENSORS_BOARD_IPUS == 1)
		hot += m->second_hotter;
	s->heat = ring != NULL ? read_heat(ring, now_ns) : 0.0;
	s->die_c = m->die_cool + (hot - m->die_cool) * s->heat;
}

void
sensors_add_board(struct sensors_board *b, int model,
    const struct sensors ipus[SENSORS_BOARD_IPUS])
{
	const struct sensor_model *m = sensors_model(model);

	b->power_w = BOARD_OWN_W + ipus[0].power_w + ipus[1].power_w;
	b->temp_c = m->board_cool +
	    (m->board_hot - m->board_cool) * (ipus[0].heat + ipus[1].heat) /
		SENSORS_BOARD_IPUS;
}
