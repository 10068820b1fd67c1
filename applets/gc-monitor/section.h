/*
 * The IPUs of one partition at one moment, and their holders as text.
 */
#ifndef APPLETS_GC_MONITOR_SECTION_H
#define APPLETS_GC_MONITOR_SECTION_H

#include "applets/gc-monitor/tables.h"

/* The source and the time of a reading, and its options. */
struct monitor_reader {
	const struct registry *registry;
	const struct pod *pod;
	int64_t now_ns; /* CLOCK_REALTIME */
	bool monitor;	/* read power and temperatures of all holders */
	bool verbose;	/* whole command lines */
	struct holder_place place; /* ours, to find holders on this host */
	const struct versions *versions;
};

/* The IPUs of one partition as the view shows them. */
struct section {
	const struct partition *partition;
	bool active;  /* the partition that programs use; set by the caller */
	int gcd;      /* -1: all */
	int first;    /* routing id of the first IPU */
	int count;    /* number of IPUs */
	int first_id; /* device id of the first IPU */
	struct ipu_status *ipus; /* owned */
};

/* Read the partition's IPUs, or one GCD's if it has several and gcd is not -1,
   with ids from first_id.  Sets all fields but `active`.  The partition must
   outlive the section, which the caller releases. */
void section_init(struct section *, const struct monitor_reader *,
    const struct partition *, int gcd, int first_id);
void section_release(struct section *);

/* Write the name of the holder's program, safe for a terminal. */
void section_program(const struct ipu_slot *, char name[SLOT_COMMAND_SIZE]);

/* Fill a row with the holder and readings of an IPU, under that id. */
void section_process(struct tables_process *, const struct monitor_reader *,
    const struct ipu_status *, int id);

/* The output for people: the tables of all sections in order. */

struct monitor_screen {
	struct tables_form form;
	bool no_card_info; /* omit the table of devices */
	bool gcd_named;	   /* show the environment's GCD in the title */
	bool hint;	   /* explain how to read sensors, if none was */
};

/* Print each section's table of devices and its problems; then each section's
   processes.  If count is 0, print that no partition is active (not with
   no_card_info) and that no process is attached. */
void screen_print(FILE *, const struct monitor_screen *,
    const struct monitor_reader *, const struct section *, int count);

/* The output for programs. */

/* Print all sections on stdout: as one JSON object with a card for each machine
   of each section, in one line if `by_line`; or as CSV with a line for each
   IPU, a line of names if `headers`, and sensors and holder as last columns if
   `sensors`. */
void format_json(const struct monitor_reader *, const struct section *,
    int count, bool by_line);
void format_csv(const struct monitor_reader *, const struct section *,
    int count, bool sensors, bool headers);

#endif
