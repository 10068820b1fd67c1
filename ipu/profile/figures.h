/*
 * Figures from a profile's data: names, shares and rates.
 */
#ifndef IPU_PROFILE_FIGURES_H
#define IPU_PROFILE_FIGURES_H

#include "ipu/profile/profile_data.h"

/* Size of a sentence. */
enum { FIGURES_TEXT_SIZE = 640 };

/* Write a share for display: "76.9 %".  Returns `out`. */
enum { FIGURES_SIZE = 48 };
const char *figures_put_share(char out[FIGURES_SIZE], double share);

/* Return "forward", "host in" and so on. */
const char *figures_kind_name(enum trace_kind);

/* Return "fill", "main" or "flush"; without a pipeline always "main".  NULL: an
   update or not a stage's step. */
const char *figures_phase(const struct profile_data *, const struct step *);
/* Return the number of micro-batches that all stages of an IPU may keep,
   summed. */
int figures_stash_planned(const struct profile_data *, int ipu);
/* Write the names of the blocks, "B1" or "B3, B4", into `out`. */
void figures_stage_blocks(const struct profile_data *, int stage, char *out,
    size_t size);
void figures_ipu_blocks(const struct profile_data *, int ipu, char *out,
    size_t size);

/* Return the utilisation of an IPU: forward, recompute and backward over all
   time, or columns of the closed form, but the update's; 0 to 1. */
double figures_utilisation(const struct profile_data *, enum profile_clock,
    int ipu);
/* Return the mean utilisation of all IPUs that have a stage. */
double figures_mean_utilisation(const struct profile_data *,
    enum profile_clock);
/* Return the share of an IPU's time in a kind of event, 0 to 1, by PROFILE_HOST
   or PROFILE_MODELLED. */
double figures_share(const struct profile_data *, enum profile_clock, int ipu,
    enum trace_kind);

/* Write a sentence that explains the difference between the modelled clock's
   utilisation and the closed form's; "" without modelled cycles. */
void figures_clocks_text(const struct profile_data *, char *out, size_t size);

/* Write "interrupted after call 7 of 45: Terminated", or "interrupted before
   call 1 of 45 was complete: ..."; "" if the run was not interrupted.  Text,
   not markup.  Returns `out`. */
enum { FIGURES_WHY_SIZE = 512 };
const char *figures_interruption(const struct profile_data *,
    char out[FIGURES_WHY_SIZE]);

#endif
