/*
 * The holder and sensors of an IPU, as gc-info and gc-monitor print them.
 */
#ifndef IPU_DEVICE_STATUS_H
#define IPU_DEVICE_STATUS_H

#include "core/state/registry.h"

enum { SENSORS_BOARD_IPUS = 2 };

struct sensors {
	int clock_mhz;
	/* The work of the IPU is known; if not, the members below are those of
	   an IPU without work. */
	bool measured;
	double recent;	/* utilisation in the last second, 0 to 1 */
	double minute;	/* of the last minute */
	double session; /* since the program attached */
	double power_w;
	double die_c;
	double heat; /* warmth of the die, 0 (cool) to 1 */
};

/* Sensors of a board. */
struct sensors_board {
	double power_w;
	double temp_c;
};

/* Return the clock of an IPU of that model (enum machine_model). */
int sensors_clock_mhz(int model);

/* Return the time since the holder attached; 0 if the slot's time is
   impossible. */
int64_t sensors_session_ns(const struct ipu_slot *, int64_t now_ns);

/* Compute utilisation and power of an IPU of that model at now_ns
   (CLOCK_REALTIME), with a cool die.  The slot is a copy; NULL: the IPU is
   free. */
void sensors_read(struct sensors *, int model, const struct ipu_slot *slot,
    int64_t now_ns);
/* Add the heat of the die; `ipu` is the number in the pod.  The ring is that of
   its slot, so a free IPU cools; NULL: the IPU did not work recently. */
void sensors_warm(struct sensors *, int model, int ipu,
    const struct busy_ring *, int64_t now_ns);

/* Compute power and temperature of a board from its IPUs; sensors_warm() must
   have been called for each. */
void sensors_add_board(struct sensors_board *, int model,
    const struct sensors ipus[SENSORS_BOARD_IPUS]);

#define IPU_ARCHITECTURE "ipu2"

enum { READING_SIZE = 32, SERIAL_SIZE = 32 };

struct ipu_status {
	int ipu;	     /* number in the pod */
	bool attached;	     /* `holder` is valid only if true */
	bool monitored;	     /* power and temperatures are valid only if true */
	uint32_t soc_errors; /* set of errors (core/pod/pod.h) */
	struct ipu_slot holder;
	struct sensors sensors;
	double board_c; /* of the board, in C */
	double board_w; /* of the board and both IPUs */
};

/* Read the IPU's slot; now_ns is CLOCK_REALTIME.  Power and temperatures need
   `monitor` or a holder that asked for them; they follow from the holder's
   work, so that must be measured too. */
void status_read(struct ipu_status *, const struct registry *,
    const struct pod *, int ipu, int64_t now_ns, bool monitor);

/* Read how much of each of the last whole seconds the IPU computed, in percent
   and the oldest first, whatever program held it. */
enum { STATUS_HISTORY = 60 };
void status_history(const struct registry *, int ipu, int64_t now_ns,
    uint8_t percents[STATUS_HISTORY]);

/* Write "33.7 C", "113.7 W", or "N/A" if the IPU is not monitored. */
void status_reading(const struct ipu_status *, double value, const char *unit,
    char text[READING_SIZE]);
/* Write "87.36%" for 0.8736; _utilisation: or "N/A" if it is not measured. */
void status_percent(double part_of_one, char text[READING_SIZE]);
void status_utilisation(const struct ipu_status *, double part_of_one,
    char text[READING_SIZE]);
/* Write the two greatest units: "10s", "1m3s", "2h17m", "3d4h". */
void status_duration(int64_t seconds, char text[READING_SIZE]);

/* Return "up", "down" or "rebooting"; "up" after the end of its reboot. */
const char *status_machine_word(const struct agent *, int64_t now_ms);

/* Board type of every IPU-Machine.  The real tools print it even for a Bow-2000
   with its clock of 1850 MHz (output of IPUoF server 1.11). */
#define STATUS_BOARD_TYPE "M2000"
/* Write the serial number of an IPU's board: "0024.0002.8203321".  IPU# 3 and 2
   are on board 0002, others on 0001.  With listing_ipu_number -1, write the
   machine's: "0024.xxxx.8203321". */
void status_serial(const struct agent *, int listing_ipu_number,
    char text[SERIAL_SIZE]);

#endif
