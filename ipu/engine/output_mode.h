/*
 * What of a call's results goes to the host: poptorch.OutputMode, and the
 * tutorial's accuracy().  Pure.
 *
 * A replica's micro-batches of one call are counted through all of its device
 * iterations: m = 0 to D x G - 1.  Of 6 these are returned, as that entry:
 *
 *	m           0   1   2   3   4   5
 *	FINAL                           0
 *	EVERY_N, 2      0       1       2
 *	ALL         0   1   2   3   4   5
 *	SUM         0 + 0 + 0 + 0 + 0 + 0
 *
 * Source: PopTorch user guide, poptorch.Options.outputMode; PopART's anchor
 * return types, whose words the refusals are.
 */
#ifndef IPU_ENGINE_OUTPUT_MODE_H
#define IPU_ENGINE_OUTPUT_MODE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

enum output_mode {		/* with PopTorch's numbers */
	OUTPUT_FINAL,		/* the last micro-batch */
	OUTPUT_EVERY_N,		/* the Nth, 2Nth ... micro-batch */
	OUTPUT_ALL,
	OUTPUT_SUM		/* the sum over all of them */
};

/* "final", "every-n", "all", "sum". */
const char	*output_mode_name(enum output_mode);
/* -1: no such name. */
int	output_mode_parse(const char *name, enum output_mode *,
	    struct error *);

/*
 * Refused: a period for EVERY_N that is not positive, or longer than the
 * `total` micro-batches of a call, so that nothing would come.  Unlike PopART
 * it need not be a factor of them: what stands behind the last one that fits
 * is not returned.
 */
int	output_mode_check(enum output_mode, int period, int total,
	    struct error *);

/* Entries that a replica returns of `total` micro-batches. */
int	output_mode_count(enum output_mode, int period, int total);

/* Whether the results go to the host when micro-batch m is done. */
bool	output_mode_returned(enum output_mode, int period, int m, int total);

/* The entry that micro-batch m is returned in, or goes into: SUM has one. */
int	output_mode_entry(enum output_mode, int period, int m);

/*
 * From [block][class][lane] to [sample][class], without the lanes behind the
 * last sample; with `add`, added to what is there.
 */
void	output_mode_copy(int lanes, int classes, int samples, const float *from,
	    float *to, bool add);

/* The first of the largest outputs of a sample: its class. */
int	output_mode_class(const float *outputs, int classes);

/*
 * The tutorial's accuracy(): how many of `count` predictions, [sample][class],
 * have the label's class, and that in percent.  There may be more labels than
 * predictions, as with FINAL: the last `count` of them are taken.  Four
 * predictions, three of them right: 75.
 */
int	output_mode_correct(const float *predictions, int count, int classes,
	    const uint8_t *labels, int label_count);
double	output_mode_accuracy(const float *predictions, int count, int classes,
	    const uint8_t *labels, int label_count);

#endif
