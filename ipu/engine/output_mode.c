/*
 * The results of a call that go to the host, and PopTorch's count of correct
 * predictions.  Of 6 micro-batches of a call these are returned, as that entry:
 *
 *	m           0   1   2   3   4   5
 *	FINAL                           0
 *	EVERY_N, 2      0       1       2
 *	ALL         0   1   2   3   4   5
 *	SUM         0 + 0 + 0 + 0 + 0 + 0
 *
 * Sources: PopTorch user guide, poptorch.Options.outputMode; PopART's anchor
 * return types, with the words of the refusals.
 */
#include "ipu/engine/engine_config.h"

#include <assert.h>
#include <stddef.h>

int
output_mode_check(enum output_mode mode, int period, int total, struct error *e)
{
	if (mode != OUTPUT_EVERY_N)
		return 0;
	if (period <= 0)
		return error_set(e,
		    "EveryN anchor must have output_return_period set to valid "
		    "positive integer");
	if (period > total)
		return error_set(e,
		    "Return period must be <= to the number of batches per "
		    "step: it is %d, a call has %d micro-batches",
		    period, total);
	return 0;
}

/* Every fourth of 14 micro-batches: 3 entries; the last 2 micro-batches are not
   returned. */
int
output_mode_count(enum output_mode mode, int period, int total)
{
	switch (mode) {
	case OUTPUT_EVERY_N:
		return total / period;
	case OUTPUT_ALL:
		return total;
	default:
		return 1;
	}
}

bool
output_mode_returned(enum output_mode mode, int period, int m, int total)
{
	switch (mode) {
	case OUTPUT_EVERY_N:
		return (m + 1) % period == 0;
	case OUTPUT_ALL:
		return true;
	default:
		return m == total - 1;
	}
}

int
output_mode_entry(enum output_mode mode, int period, int m)
{
	switch (mode) {
	case OUTPUT_EVERY_N:
		return m / period;
	case OUTPUT_ALL:
		return m;
	default:
		return 0;
	}
}

/*
 *	from	block 0: class 0 lanes 0..7, class 1 lanes 0..7, ...
 *	to	sample 0: class 0, class 1, ...  sample 1: ...
 */
void
output_mode_copy(int lanes, int classes, int samples, const float *from,
    float *to, bool add)
{
	int n, i;

	for (n = 0; n < samples; n++) {
		const float *lane = from +
		    (ptrdiff_t)(n / lanes) * classes * lanes + n % lanes;

		for (i = 0; i < classes; i++, to++)
			*to = (add ? *to : 0) + lane[i * lanes];
	}
}

/* Return the first of equal classes, like torch.argmax() and numpy.argmax(). */
static int
class_of(const float *outputs, int classes)
{
	int i, best = 0;

	for (i = 1; i < classes; i++)
		if (outputs[i] > outputs[best])
			best = i;
	return best;
}

int
output_mode_correct(const float *predictions, int count, int classes,
    const uint8_t *labels, int label_count)
{
	int n, correct = 0;

	assert(count > 0 && count <= label_count);
	labels += label_count - count;
	for (n = 0; n < count; n++)
		correct += class_of(predictions + (ptrdiff_t)n * classes,
			       classes) == labels[n];
	return correct;
}
