/*
 * What one reads off a profile's data: names, shares and rates.
 */
#ifndef IPU_ENGINE_PROFILE_FIGURES_H
#define IPU_ENGINE_PROFILE_FIGURES_H

#include "ipu/engine/profile/data.h"

/* "forward", "host in" ... */
const char	*profile_kind_name(enum trace_kind);
const char	*profile_strategy_name(enum strategy);

/* "fill", "main" or "flush"; NULL: the update, or no stage's step. */
const char	*profile_phase(const struct profile_data *,
		    const struct step *);
/* Micro-batches that an IPU's stages keep at most. */
int	profile_stash_planned(const struct profile_data *, int ipu);
/* "B1" or "B3, B4": into `out`. */
void	profile_stage_blocks(const struct profile_data *, int stage,
	    char *out, size_t size);
void	profile_ipu_blocks(const struct profile_data *, int ipu, char *out,
	    size_t size);

/*
 * Of an IPU, and the mean of all: forward, recompute and backward over all
 * time but the update's, by a clock or in columns of the schedule.  0 to 1.
 */
double	profile_utilisation(const struct profile_data *, enum profile_clock,
	    int ipu);
double	profile_mean_utilisation(const struct profile_data *,
	    enum profile_clock);
/* An IPU's time in a kind of event over the whole time: 0 to 1. */
double	profile_share(const struct profile_data *, enum profile_clock,
	    int ipu, enum trace_kind);

/* Samples of all calls in the local replicas; seconds of all calls. */
long long	profile_samples(const struct profile_data *);
double		profile_seconds(const struct profile_data *,
		    enum profile_clock);

#endif
