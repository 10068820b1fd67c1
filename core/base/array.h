/*
 * The number of elements of an array, as a constant.
 */
#ifndef CORE_BASE_ARRAY_H
#define CORE_BASE_ARRAY_H

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
