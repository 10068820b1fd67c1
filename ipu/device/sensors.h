/*
 * What an IPU's counters and sensors say.  Pure: time is a parameter.
 *
 * Utilisation is the time in which the IPU computed for its program, over a
 * time: the last second, the last minute, the session, which is the time since
 * the program attached.  Where the session is shorter than a window it is the
 * window.  All are 0 when nobody holds the IPU, and unknown where the program
 * does not have its work measured (`measured`).
 *
 * Power and temperature are a model, not a measurement.  Its load u is the
 * utilisation of the last second; its heat h follows the load with a time
 * constant of 30 seconds, over the last minute:
 *
 *	h = sum of b e^(-a/30) over the seconds / (30 (1 - e^-2))
 *
 * b is the part of a second of the clock in which the IPU computed, a the age
 * of the second's middle.  So it is after t seconds of full work
 * (1 - e^(-t/30)) / (1 - e^-2): 0.33 after 10 seconds, 0.73 after 30, 1 after a
 * minute; and 0 a minute after the last work.
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
 * Sources, samples of the real tools.  M2000: an idle IPU beside a busy one
 * (41 W, the board 151.8 W); gc-powertest, 124 W, board sensors to 41 C; a busy
 * board, 278 W and dies of 47 and 49 C, which is 30 W more than two IPUs of
 * 124 W: those are taken as the board's own; gc-info of an IPU at rest, 39.2
 * and 29.6 C.  Bow: a board with one IPU that is attached and does little,
 * 92.3 W, 24.2 and 21.1 C; one with two busy IPUs, 114.7 W, 34.5, 34.8 and
 * 27.2 C.  No sample shows the power of a Bow IPU: it is half of the board
 * without its 30 W.  gc-powertest's idle IPU beside a loaded one (49 W) is
 * warmed by it, which is not modelled, and traffic tests, below the power of an
 * idle IPU (21 to 25.5 W), are of another state of the chip.
 */
#ifndef IPU_DEVICE_SENSORS_H
#define IPU_DEVICE_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/state/state.h"

enum { SENSORS_BOARD_IPUS = 2 };

struct sensors {
	int	clock_mhz;
	bool	measured;	/* the next five are known */
	double	recent;		/* utilisation of the last second, 0 to 1 */
	double	minute;
	double	session;
	double	power_w;
	double	die_c;
	double	heat;		/* 0 to 1 */
};

/* What the board of an IPU says. */
struct sensors_board {
	double	power_w;
	double	temp_c;
};

/* The clock of an IPU of that model. */
int	sensors_clock_mhz(int model);

/* How long its holder is attached; 0 where the slot says what cannot be. */
int64_t	sensors_session_ns(const struct ipu_slot *, int64_t now_ns);

/*
 * Utilisation and power of an IPU of that model (enum machine_model) at now_ns,
 * CLOCK_REALTIME, and a cool die.  `slot` is a copy of its slot, or NULL when
 * nobody holds it.
 */
void	sensors_read(struct sensors *, int model, const struct ipu_slot *slot,
	    int64_t now_ns);
/* And its heat; `ipu` is its number in the pod.  One that is free cools. */
void	sensors_warm(struct sensors *, int model, int ipu,
	    const struct busy_ring *, int64_t now_ns);

/* The board of two such IPUs. */
void	sensors_add_board(struct sensors_board *, int model,
	    const struct sensors ipus[SENSORS_BOARD_IPUS]);

#endif
