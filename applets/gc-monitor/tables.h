/*
 * The tables of gc-monitor, from rows that are ready to print.
 *
 * Widths are those of the real tool: 98, 99 or 103 columns for the devices by
 * the layout, 117 for the processes, whose Command column takes what a wider
 * terminal has to give, and gives what a narrower one lacks.
 */
#ifndef APPLETS_GC_MONITOR_TABLES_H
#define APPLETS_GC_MONITOR_TABLES_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/terminal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device.h"

/* How all of them are printed. */
struct tables_form {
	const struct versions *versions;
	enum versions_layout layout; /* MID, NEW or LATEST */
	int columns;		     /* of the table of processes; 0: nothing
					says */
	int narrow;		     /* of the others; 0: the real tool's,
					however wide */
	bool wide;		     /* no text is cut */
	bool colour;
};

struct tables_device {
	int machine; /* a rule is drawn where it changes */
	char host[ADDRESS_SIZE];
	char serial[SERIAL_SIZE];
	const char *type;
	int id;
	int listing_ipu_number;
	const char *routing;
};

/* An attached IPU; the words of its holder, and its readings as text. */
struct tables_process {
	int machine;
	int pid;
	int id;
	char command[SLOT_COMMAND_SIZE];
	char user[SLOT_USER_SIZE];
	char host[SLOT_HOST_SIZE];
	char time[READING_SIZE];
	char clock[READING_SIZE];
	char die_temp[READING_SIZE];
	char board_temp[READING_SIZE];
	char power[READING_SIZE];
};

/*
 * "Partition: p1 (gcd:0) [active] has 8 reconfigurable IPUs"; gcd -1: none.
 * `state` is what stands in the brackets, "" for none.  MID: "Partition: 'p1'".
 */
void tables_title(char *text, size_t size, enum versions_layout,
    const struct partition *, int gcd, const char *state, int ipus);

/* The table of the devices of one partition, below its title. */
void tables_devices(FILE *, const struct tables_form *, const char *title,
    enum terminal_tone, const struct tables_device *, int count);

/* Rules between machines; the board's readings stand in its first row. */
void tables_processes(FILE *, const struct tables_form *, const char *partition,
    const struct tables_process *, int count);

/* Those that run in another pid namespace or on another host. */
void tables_elsewhere(FILE *, const struct tables_form *, const char *partition,
    const struct tables_process *, int count);

/* A frame of 100 columns around one line. */
void tables_frame(FILE *, const struct tables_form *, const char *text);

/* The same around sentences, each of them on as many lines as it takes. */
struct tables_note {
	enum terminal_tone tone;
	char text[640];
};
void tables_notes(FILE *, const struct tables_form *,
    const struct tables_note *, int count);

#endif
