/*
 * What gc-monitor shows to people: the tables of all sections, in their order.
 */
#ifndef APPLETS_GC_MONITOR_SCREEN_H
#define APPLETS_GC_MONITOR_SCREEN_H

#include "applets/gc-monitor/section.h"
#include "applets/gc-monitor/tables.h"

struct monitor_screen {
	struct tables_form	form;
	bool			no_card_info;	/* no table of devices */
	bool			gcd_named;	/* the environment names the
						   GCD: the title does too */
	bool			hint;		/* say how to see what is N/A */
};

/* All tables of devices stand before the first of processes. */
void	screen_print(FILE *, const struct monitor_screen *, const struct here *,
	    const struct section *, int count);

#endif
