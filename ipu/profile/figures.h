/*
 * What one reads off a profile's data: names, shares and rates.
 */
#ifndef IPU_PROFILE_FIGURES_H
#define IPU_PROFILE_FIGURES_H

#include "ipu/profile/profile_data.h"

/* Of a sentence. */
enum { FIGURES_TEXT_SIZE = 640 };

/* A share as a person reads it: "76.9 %". */
enum { FIGURES_SIZE = 48 };
const char *figures_put_share(char out[FIGURES_SIZE], double share);

/* "forward", "host in" ... */
const char *figures_kind_name(enum trace_kind);

/* "fill", "main" or "flush"; NULL: the update, or no stage's step. */
const char *figures_phase(const struct profile_data *, const struct step *);
/* Micro-batches that an IPU's stages keep at most. */
int figures_stash_planned(const struct profile_data *, int ipu);
/* "B1" or "B3, B4": into `out`. */
void figures_stage_blocks(const struct profile_data *, int stage, char *out,
    size_t size);
void figures_ipu_blocks(const struct profile_data *, int ipu, char *out,
    size_t size);

/* Of an IPU, and the mean of all: forward, recompute and backward over all time
   but the update's, by a clock or in columns of the schedule.  0 to 1. */
double figures_utilisation(const struct profile_data *, enum profile_clock,
    int ipu);
double figures_mean_utilisation(const struct profile_data *,
    enum profile_clock);
/* An IPU's time in a kind of event over the whole time: 0 to 1. */
double figures_share(const struct profile_data *, enum profile_clock, int ipu,
    enum trace_kind);

/* Why utilisation by the modelled clock is not that of the closed form: what
   takes the time, in one sentence.  "": without modelled cycles. */
void figures_clocks_text(const struct profile_data *, char *out, size_t size);

/* "interrupted after call 7 of 45: Terminated", printable; "" where all calls
   are through.  Text, not markup. */
enum { FIGURES_WHY_SIZE = 512 };
const char *figures_interruption(const struct profile_data *,
    char out[FIGURES_WHY_SIZE]);

#endif
