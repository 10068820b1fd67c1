/*
 * What an IPU's counters and sensors say.  Pure: time is a parameter.
 *
 * Utilisation.  Of the session: the time that the IPU computed since its
 * program attached, over the time since then.  `recent`: the same, while the
 * IPU computed within the last RECENT_NS, else 0.  Both are 0 when free.
 *
 * Power and temperature are a model, not a measurement.  With u the session's
 * utilisation and t the seconds since the program attached:
 *
 *	power of an IPU   idle + (full - idle) * u			 W
 *	temperature       cool + (hot - cool) * u * (1 - exp(-t / 30))	 C
 *
 *	                  power idle full   die cool hot   board cool hot
 *	M2000		        41.0 124.0       33.0 43.0        29.0 41.0
 *	Bow-2000	        46.0 150.0       24.0 42.0        21.0 33.0
 *
 * A board's power is the sum over the four IPUs of its IPU-Machine, its
 * temperature the mean.  The clock does not change: 1330 and 1850 MHz.
 * Sources: samples of gc-powertest, gc-monitor and gc-info for both machines.
 */
#ifndef IPU_SENSORS_H
#define IPU_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/state/registry.h"

enum { RECENT_NS = 1000000000 };

struct sensors {
	int	clock_mhz;
	double	recent;		/* utilisation, 0 to 1 */
	double	session;
	double	power_w;
	double	die_c;
	double	board_c;	/* this IPU's share of the mean */
};

/*
 * The sensors of an IPU of that model (enum machine_model).  `slot` is a copy
 * of its slot, or NULL when nobody holds it; now_ns is CLOCK_REALTIME.
 */
void	sensors_read(struct sensors *, int model, const struct ipu_slot *slot,
	    int64_t now_ns);

#endif
