/* What the fuzzers share. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* As assert(3), whatever NDEBUG says. */
#define require(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

/* One input, for libFuzzer; the result is always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * A directory of this process, in memory where there is /dev/shm; gone at
 * exit.
 */
const char *fuzz_directory(void);

/* The path of a file in it that now holds the input. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The input as a text that ends with NUL; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

#endif
