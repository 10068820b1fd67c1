/*
 * The tables of gc-monitor, from rows that are ready to print.
 *
 * Every cell is centred, the odd space on its right; a text that does not fit
 * is cut and ends in "...", an address keeps its tail.  Widths are those of
 * the real tool: 98 columns for the devices, 117 for the processes, whose
 * Command column takes what a wider terminal has to give.
 */
#ifndef APPLETS_GC_MONITOR_TABLES_H
#define APPLETS_GC_MONITOR_TABLES_H

#include <stdbool.h>
#include <stdio.h>

#include "core/pod/versions.h"
#include "core/state/registry.h"
#include "ipu/status.h"

struct tables_device {
	int		 machine;	/* a rule is drawn where it changes */
	char		 host[ADDRESS_SIZE];
	char		 serial[SERIAL_SIZE];
	const char	*type;
	int		 id;
	int		 listing_ipu_number;
	const char	*routing;
};

/* An attached IPU; the words of its holder, and its readings as text. */
struct tables_process {
	int		machine;
	int		pid;
	int		id;
	char		command[SLOT_COMMAND_SIZE];
	char		user[SLOT_USER_SIZE];
	char		host[SLOT_HOST_SIZE];
	char		time[READING_SIZE];
	char		clock[READING_SIZE];
	char		die_temp[READING_SIZE];
	char		board_temp[READING_SIZE];
	char		power[READING_SIZE];
};

/* "Partition: p1 (gcd:0) [active] has 8 reconfigurable IPUs"; gcd -1: none. */
void	tables_title(char *text, size_t size, const struct partition *,
	    int gcd, bool active, int ipus);

/* The table of the devices of one partition, below its title. */
void	tables_devices(FILE *, const char *title,
	    const struct tables_device *, int count, const struct versions *);

/* `columns` of the terminal. Board readings: once per machine and process. */
void	tables_processes(FILE *, const char *partition,
	    const struct tables_process *, int count, int columns);

/* Those that run in another pid namespace or on another host. */
void	tables_elsewhere(FILE *, const char *partition,
	    const struct tables_process *, int count);

/* A frame of 100 columns around one line. */
void	tables_frame(FILE *, const char *text);

#endif
