/*
 * The model of power and temperature; sensors.h has the formulas.
 */
#include "ipu/sensors.h"

#include <math.h>
#include <string.h>

#define NS_PER_SECOND	1e9
#define THERMAL_SECONDS	30.0

struct sensor_model {
	int	clock_mhz;
	double	power_idle, power_full;
	double	die_cool, die_hot;
	double	board_cool, board_hot;
};

static const struct sensor_model models[] = {
	[MACHINE_M2000] = { 1330, 41.0, 124.0, 33.0, 43.0, 29.0, 41.0 },
	[MACHINE_BOW2000] = { 1850, 46.0, 150.0, 24.0, 42.0, 21.0, 33.0 },
};

/* A part of a whole as 0 to 1, whatever the counters say. */
static double
ratio(double part, double whole)
{
	if (part <= 0.0 || whole <= 0.0)
		return 0.0;
	return part < whole ? part / whole : 1.0;
}

static void
read_utilisation(struct sensors *s, const struct ipu_slot *slot,
    int64_t now_ns)
{
	int64_t	last = (int64_t)slot->last_busy_ns;

	s->session = ratio((double)slot->session_busy_ns,
	    (double)(now_ns - slot->attached_ns));
	s->recent = now_ns - last <= RECENT_NS ? s->session : 0.0;
}

/*
 * After 30 seconds of full work an M2000's die is at 33 + 10 x (1 - 1/e) =
 * 39.3 C.
 */
void
sensors_read(struct sensors *s, int model, const struct ipu_slot *slot,
    int64_t now_ns)
{
	const struct sensor_model	*m = &models[model == MACHINE_BOW2000 ?
	    MACHINE_BOW2000 : MACHINE_M2000];
	double			 seconds, heat = 0.0;

	memset(s, 0, sizeof(*s));
	if (slot != NULL) {
		read_utilisation(s, slot, now_ns);
		seconds = (double)(now_ns - slot->attached_ns) /
		    NS_PER_SECOND;
		heat = s->session *
		    (1.0 - exp(-fmax(seconds, 0.0) / THERMAL_SECONDS));
	}
	s->clock_mhz = m->clock_mhz;
	s->power_w = m->power_idle +
	    (m->power_full - m->power_idle) * s->session;
	s->die_c = m->die_cool + (m->die_hot - m->die_cool) * heat;
	s->board_c = m->board_cool + (m->board_hot - m->board_cool) * heat;
}
