/*
 * One IPU at one moment: who holds it and what its sensors say, as gc-info
 * and gc-monitor print it.
 */
#ifndef IPU_DEVICE_STATUS_H
#define IPU_DEVICE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/state/registry.h"

enum { SENSORS_BOARD_IPUS = 2 };

struct sensors {
	int clock_mhz;
	bool measured; /* the next five are known */
	double recent; /* utilisation of the last second, 0 to 1 */
	double minute;
	double session;
	double power_w;
	double die_c;
	double heat; /* 0 to 1 */
};

/* What the board of an IPU says. */
struct sensors_board {
	double power_w;
	double temp_c;
};

/* The clock of an IPU of that model. */
int sensors_clock_mhz(int model);

/* How long its holder is attached; 0 where the slot says what cannot be. */
int64_t sensors_session_ns(const struct ipu_slot *, int64_t now_ns);

/*
 * Utilisation and power of an IPU of that model (enum machine_model) at now_ns,
 * CLOCK_REALTIME, and a cool die.  `slot` is a copy of its slot, or NULL when
 * nobody holds it.
 */
void sensors_read(struct sensors *, int model, const struct ipu_slot *slot,
    int64_t now_ns);
/* And its heat; `ipu` is its number in the pod.  One that is free cools. */
void sensors_warm(struct sensors *, int model, int ipu,
    const struct busy_ring *, int64_t now_ns);

/* The board of two such IPUs. */
void sensors_add_board(struct sensors_board *, int model,
    const struct sensors ipus[SENSORS_BOARD_IPUS]);

#define IPU_ARCHITECTURE "ipu2"

enum { READING_SIZE = 32, SERIAL_SIZE = 32 };

struct ipu_status {
	int ipu;	     /* number in the pod */
	bool attached;	     /* the holder counts only then */
	bool monitored;	     /* power and temperatures are read */
	uint32_t soc_errors; /* a set (core/pod/soc_error.h) */
	struct ipu_slot holder;
	struct sensors sensors;
	double board_c; /* of the board with its two IPUs */
	double board_w;
};

/*
 * Read the IPU's slot; now_ns is CLOCK_REALTIME.  Power and temperatures are
 * read for an IPU whose holder asked for it, and for all with `monitor`; but
 * not where the holder does not have its work measured, which they follow.
 */
void status_read(struct ipu_status *, const struct registry *,
    const struct pod *, int ipu, int64_t now_ns, bool monitor);

/* "33.7 C", "113.7 W", or "N/A" where the IPU is not monitored. */
void status_reading(const struct ipu_status *, double value, const char *unit,
    char text[READING_SIZE]);
/* "87.36%" */
void status_percent(double part_of_one, char text[READING_SIZE]);
/* The same of a utilisation, "N/A" where it is not measured. */
void status_utilisation(const struct ipu_status *, double part_of_one,
    char text[READING_SIZE]);
/* "10s", "1m3s", "2h17m", "3d4h": the two greatest units. */
void status_duration(int64_t seconds, char text[READING_SIZE]);

/* The real tools say it of every IPU-Machine, also of a Bow-2000, whose clock
   of 1850 MHz stands beside it in output of IPUoF server 1.11. */
#define STATUS_BOARD_TYPE "M2000"
/* "0024.0002.8203321": the board of IPU# 3 and 2 is 0002, the other 0001;
   with listing_ipu_number -1 the whole machine, "0024.xxxx.8203321". */
void status_serial(const struct agent *, int listing_ipu_number,
    char text[SERIAL_SIZE]);

#endif
