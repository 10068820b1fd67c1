/*
 * What memcpy(3) is in the program: the linker puts it in its place, also in
 * the libraries (ld(1), --wrap).  For the Makefile and the test; all others
 * call memcpy().
 */
#ifndef CORE_BASE_WRAP_MEMCPY_H
#define CORE_BASE_WRAP_MEMCPY_H

#include <stddef.h>

/* As memcpy(3). */
void	*__wrap_memcpy(void *to, const void *from, size_t size);

#endif
