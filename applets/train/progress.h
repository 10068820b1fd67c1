/*
 * A progress bar in tqdm's form:
 *
 *	Loss:0.1422 | Accuracy:95.78%: 100%|##########| 15/15 [00:01<00:00, ...]
 *
 * It is redrawn after each step, or drawn only once, at the end.
 */
#ifndef APPLETS_TRAIN_PROGRESS_H
#define APPLETS_TRAIN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *file; /* the output; NULL: draw nothing */
	bool redraw;
	int total;
	int64_t start_ns;
};

/* Start the time of a bar of `total` steps, at least 1, and draw it empty if
   `redraw`.  The other arguments: as in the struct. */
void progress_start(struct progress *, FILE *, bool redraw, int total);
/* Draw `done` of the total steps, with `text` before the bar; without `redraw`
   only if all are done.  The last step ends the line. */
void progress_show(const struct progress *, int done, const char *text);
/* End the line of a redrawn bar that stops early; not after its last step. */
void progress_stop(const struct progress *);

/* Print the line without a line break.  If it exceeds `columns` (0: no limit),
   the bar shrinks and is left out, then the rate, then the times; the text
   stays. */
void progress_print(FILE *, int done, int total, int64_t elapsed_ns,
    const char *text, int columns);

#endif
