/*
 * Elements of the vectors that the members of a job exchange, and their sum in
 * a fixed order.  The types are those of Poplar, and double.
 */
#ifndef CORE_BASE_FORMATS_ELEMENT_H
#define CORE_BASE_FORMATS_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are those of ipubox-link(7). */
enum element_type {
	ELEMENT_NONE,
	ELEMENT_HALF, /* IEEE 754 binary16 */
	ELEMENT_FLOAT,
	ELEMENT_DOUBLE,
	ELEMENT_INT8,
	ELEMENT_INT16,
	ELEMENT_INT32,
	ELEMENT_INT64,
	ELEMENT_BOOL, /* one byte; cannot be added up */
	ELEMENT_TYPES
};

/* Bytes of one; 0 for ELEMENT_NONE and what is not a type. */
size_t element_size(int type);

/* "half", "float", "int32", ...; the type of a name, ELEMENT_NONE: none. */
const char *element_name(int type);
int element_by_name(const char *);

/* Whether there is a sum of such elements: of all but bool. */
bool element_is_summable(int type);

/* A half's bits as a float, and back to the nearest one, ties to even. */
float element_from_half(uint16_t);
uint16_t element_to_half(float);

/*
 * out[i] = ((vectors[0][i] + vectors[1][i]) + vectors[2][i]) + ... for `count`
 * elements of each of `vector_count` vectors, one or more.  Halves are added as
 * floats and rounded once, to the nearest, ties to even; integers wrap around;
 * float and double follow IEEE 754, NaN included.  `out` may be one of the
 * vectors, and nothing else may overlap it; nothing need be aligned.
 */
void element_sum(int type, const void *const *vectors, size_t vector_count,
    size_t count, void *out);

#endif
