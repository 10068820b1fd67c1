/*
 * What is wrong with a partition and its IPUs, for the title of its table and
 * for the lines below it.  Where nothing is, nothing is added.
 */
#ifndef APPLETS_GC_MONITOR_TROUBLE_H
#define APPLETS_GC_MONITOR_TROUBLE_H

#include "applets/gc-monitor/section.h"

struct trouble {
	char			 state[96];	/* "active, ERROR", or "" */
	enum terminal_tone	 tone;		/* of the title */
	struct tables_note	*notes;		/* owned */
	int			 count;
};

/*
 * `active`: the title says so of an active partition.  Release it.  IPUs that
 * stand one behind the other with the same fault are one note.
 */
void	trouble_find(struct trouble *, const struct section *,
	    const struct here *, bool active);
void	trouble_release(struct trouble *);

#endif
