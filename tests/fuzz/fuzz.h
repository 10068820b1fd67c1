/* What the fuzzers share. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* As assert(3), whatever NDEBUG says. */
#define require(condition)						\
	do {								\
		if (!(condition))					\
			abort();					\
	} while (0)

/* One input, for libFuzzer; the result is always 0. */
int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
