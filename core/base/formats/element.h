/*
 * Elements of the vectors that a job's members exchange, and their sum in a
 * fixed order.  The types are those of Poplar, and double.
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
	ELEMENT_BOOL, /* one byte; has no sum */
	ELEMENT_TYPES
};

/* Return an element's size in bytes; 0 for ELEMENT_NONE and unknown types. */
size_t element_size(int type);

/* Return a type's name, such as "half" or "int32"; "none" for an unknown
   type. */
const char *element_name(int type);
/* Return the type of a name, or ELEMENT_NONE. */
int element_by_name(const char *);

/* Return true if such elements have a sum: all known types but bool. */
bool element_is_summable(int type);

/* Convert a half's bits to a float, and a float to the nearest half, ties to
   even. */
float element_from_half(uint16_t);
uint16_t element_to_half(float);

/*
 * Set out[i] = ((vectors[0][i] + vectors[1][i]) + vectors[2][i]) + ... for
 * `count` elements of each of `vector_count` >= 1 vectors.  Halves are added as
 * floats and rounded once, to the nearest, ties to even; integers wrap around;
 * float and double follow IEEE 754, NaN included.  The type must be summable.
 * `out` may be one of the vectors, but must not overlap one in another way.  No
 * alignment is needed.
 */
void element_sum(int type, const void *const *vectors, size_t vector_count,
    size_t count, void *out);

#endif
