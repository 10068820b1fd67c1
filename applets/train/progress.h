/*
 * A progress bar in tqdm's form:
 *
 *	Loss:0.1422 | Accuracy:95.78%: 100%|##########| 15/15 [00:01<00:00, ...]
 *
 * It is drawn again after each step, or only once, at the end.
 */
#ifndef APPLETS_TRAIN_PROGRESS_H
#define APPLETS_TRAIN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *file; /* NULL: draw nothing */
	bool redraw;
	int total;
	int64_t start_ns;
};

void progress_start(struct progress *, FILE *, bool redraw, int total);
/* `done` of total steps are done; `text` stands before the bar. */
void progress_show(const struct progress *, int done, const char *text);
/* It comes no further: what is printed next begins a line. */
void progress_stop(const struct progress *);

/* The line without its end, for a given time since the start, in so many
   columns; 0: as many as it takes. */
void progress_print(FILE *, int done, int total, int64_t elapsed_ns,
    const char *text, int columns);

#endif
