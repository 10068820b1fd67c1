/*
 * Generated digits for programs of the SDK.
 */
#include "applets/train/train.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/parse.h"
#include "ipu/nn/nn.h"

int
train_digits(int argc, char **argv, struct error *e)
{
	const bool is_test = argc > 1 && strcmp(argv[1], "test") == 0;
	struct dataset d;
	long long count, seed;

	if (argc != 4 || (!is_test && strcmp(argv[1], "train") != 0))
		return error_set(e,
		    "the arguments must be train or test, the number of "
		    "digits, and the seed");
	if (parse_number("count", argv[2], 1, DIGITS_MAX, &count, e) != 0 ||
	    parse_number("seed", argv[3], 0, LLONG_MAX, &seed, e) != 0)
		return -1;
	digits_draw(&d, is_test ? DATASET_TEST : DATASET_TRAIN, (uint32_t)count,
	    (uint64_t)seed);
	/* A failed write is reported when the program ends. */
	(void)fwrite(d.labels, 1, d.count, stdout);
	(void)fwrite(d.pixels, DATASET_SIDE * DATASET_SIDE, d.count, stdout);
	dataset_release(&d);
	return 0;
}
