/*
 * What one reads off a profile's data: names, shares and rates.
 */
#ifndef IPU_PROFILE_FIGURES_H
#define IPU_PROFILE_FIGURES_H

#include "ipu/profile/profile_data.h"

/* Of a sentence. */
enum { FIGURES_TEXT_SIZE = 640 };

/* Numbers as a person reads them: "1,211,970", "624.0 kB", "76.9 %". */
enum { FIGURES_SIZE = 48 };
const char	*figures_put_number(char out[FIGURES_SIZE], long long);
const char	*figures_put_bytes(char out[FIGURES_SIZE], double bytes);
const char	*figures_put_share(char out[FIGURES_SIZE], double share);

/* "forward", "host in" ... */
const char	*figures_kind_name(enum trace_kind);
const char	*figures_strategy_name(enum strategy);

/* "fill", "main" or "flush"; NULL: the update, or no stage's step. */
const char	*figures_phase(const struct profile_data *,
		    const struct step *);
/* Micro-batches that an IPU's stages keep at most. */
int	figures_stash_planned(const struct profile_data *, int ipu);
/* "B1" or "B3, B4": into `out`. */
void	figures_stage_blocks(const struct profile_data *, int stage,
	    char *out, size_t size);
void	figures_ipu_blocks(const struct profile_data *, int ipu, char *out,
	    size_t size);

/* Of an IPU, and the mean of all: forward, recompute and backward over all time
   but the update's, by a clock or in columns of the schedule.  0 to 1. */
double	figures_utilisation(const struct profile_data *, enum profile_clock,
	    int ipu);
double	figures_mean_utilisation(const struct profile_data *,
	    enum profile_clock);
/* An IPU's time in a kind of event over the whole time: 0 to 1. */
double	figures_share(const struct profile_data *, enum profile_clock,
	    int ipu, enum trace_kind);

/* Why utilisation by the modelled clock is not that of the closed form: what
   takes the time, in one sentence.  "": without modelled cycles. */
void	figures_clocks_text(const struct profile_data *, char *out,
	    size_t size);

/* Samples of all calls in the local replicas; seconds of all calls. */
long long	figures_samples(const struct profile_data *);
double		figures_seconds(const struct profile_data *,
		    enum profile_clock);
/* Samples a second of the local replicas, modelled: also where none ran. */
double		figures_modelled_rate(const struct profile_data *);

/* An operation of an outline and the modelled cycles that it takes for a
   micro-batch. */
struct figures_operation {
	const struct outline_operation	*op;
	int				 ipu;
	double				 forward, backward;
};
enum { FIGURES_OPERATIONS = 20 };

/* Find the outline's operations that take the most, the longest first; return
   the cycles of all of them. */
double	figures_operations(const struct profile_data *,
	    struct figures_operation rows[FIGURES_OPERATIONS], int *count);

/* "interrupted after call 7 of 45: Terminated", printable; "" where all calls
   are through.  Text, not markup. */
enum { FIGURES_WHY_SIZE = 512 };
const char	*figures_interruption(const struct profile_data *,
		    char out[FIGURES_WHY_SIZE]);

#endif
