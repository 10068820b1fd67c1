/*
 * What gc-monitor shows: the IPUs of one partition, read at one moment, and
 * their holders as words.
 */
#ifndef APPLETS_GC_MONITOR_SECTION_H
#define APPLETS_GC_MONITOR_SECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "applets/gc-monitor/tables.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device.h"

/* Where and when the reader is: what a row is compared with. */
struct here {
	const struct registry *registry;
	const struct pod *pod;
	int64_t now_ns;
	bool monitor; /* read all sensors */
	bool verbose; /* whole command lines */
	struct holder_place place;
	const struct versions *versions;
};

/* One partition's IPUs as the view shows them. */
struct section {
	const struct partition *partition;
	bool active;
	int gcd;   /* -1: all */
	int first; /* routing id */
	int count;
	int first_id;		 /* id of the first IPU */
	struct ipu_status *ipus; /* owned */
};

/*
 * Read the partition's IPUs, those of one GCD where it has several and gcd is
 * not -1.  They are numbered from first_id on.  The section is to be released;
 * the partition stays the caller's.
 */
void section_init(struct section *, const struct here *,
    const struct partition *, int gcd, int first_id);
void section_release(struct section *);

/* The name of the holder's program, fit for a terminal. */
void section_program(const struct ipu_slot *, char name[SLOT_COMMAND_SIZE]);

/* One IPU's holder and readings as the words of a row; the IPU has that id. */
void section_process(struct tables_process *, const struct here *,
    const struct ipu_status *, int id);

/*
 * What gc-monitor shows to people: the tables of all sections, in their order.
 */

struct monitor_screen {
	struct tables_form form;
	bool no_card_info; /* no table of devices */
	bool gcd_named;	   /* the environment names the GCD: the title does
			      too */
	bool hint;	   /* say how to see what is N/A */
};

/* All tables of devices stand before the first of processes. */
void screen_print(FILE *, const struct monitor_screen *, const struct here *,
    const struct section *, int count);

/* And to programs. */

/*
 * All sections on stdout, as one JSON object with a card for each machine; as
 * CSV, a line for each IPU, below a line of names with `headers`, with what
 * the sensors say behind it with `sensors`.
 */
void format_json(const struct here *, const struct section *, int count);
void format_csv(const struct here *, const struct section *, int count,
    bool sensors, bool headers);

#endif
