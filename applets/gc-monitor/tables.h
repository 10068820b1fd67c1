/*
 * The tables of gc-monitor, from rows of text.
 *
 * The widths are the real tool's: 98, 99 or 103 columns for devices by the
 * layout, 117 or 100 by the release for processes.  The Command column of the
 * processes grows or shrinks with the terminal.
 */
#ifndef APPLETS_GC_MONITOR_TABLES_H
#define APPLETS_GC_MONITOR_TABLES_H

#include "ipu/device/device.h"

/* From so many IPUs on, idle ones are folded. */
enum { TABLES_FOLD_FROM = 65 };

/* The form of all tables. */
struct tables_form {
	const struct versions *versions;
	enum versions_layout layout; /* MID, NEW or LATEST */
	int columns; /* terminal's width, for the processes; 0: unknown */
	int narrow;  /* limit of the other tables; 0: none */
	bool wide;   /* cut no text: ignore both limits */
	bool fold;   /* one row for adjacent idle machines */
	bool colour;
};

struct tables_device {
	int machine; /* equal for the IPUs of one machine */
	char host[ADDRESS_SIZE];
	char serial[SERIAL_SIZE];
	const char *type;
	int id;
	int listing_ipu_number;
	const char *routing; /* IPU-Link routing of the partition */
	bool idle;	     /* no program and no problem */
};

/* An attached IPU: text about its holder, and readings as text. */
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
	/* Share of the last second at work; only wide tables show it. */
	char utilisation[READING_SIZE];
};

/* Write "Partition: p1 (gcd:0) [active] has 8 reconfigurable IPUs", without the
   GCD if gcd is -1, the brackets if `state` is "", and "reconfigurable" if the
   partition is not.  In layout MID the name is in quotes: "Partition: 'p1'". */
void tables_title(char *text, size_t size, enum versions_layout,
    const struct partition *, int gcd, const char *state, int ipus);

/* Print a table of one partition's devices, with the title in its first row.  A
   rule separates machines, in layout MID also boards.  The rows of a machine
   must be adjacent, and ids must ascend. */
void tables_devices(FILE *, const struct tables_form *, const char *title,
    enum terminal_tone, const struct tables_device *, int count);

/* Print the processes of this pid namespace; or of others and of other hosts,
   without the columns pid, command, time and user, but with the host.  The rows
   of a machine must be adjacent; of board_temp and power only those of its
   first row are printed. */
void tables_processes(FILE *, const struct tables_form *, const char *partition,
    const struct tables_process *, int count, bool is_here);

/* Print a frame of 100 columns, or of `narrow` if less, around one line. */
void tables_frame(FILE *, const struct tables_form *, const char *text);

/* Print such a frame around sentences, each wrapped to fit; nothing for
   none. */
enum { TABLES_NOTE_SIZE = 640 };
struct tables_note {
	enum terminal_tone tone;
	char text[TABLES_NOTE_SIZE + 32]; /* sentence, and its IPUs' ids */
};
void tables_notes(FILE *, const struct tables_form *,
    const struct tables_note *, int count);

#endif
