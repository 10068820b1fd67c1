/*
 * Bytes as digits 0-9 a-f, two per byte, and back.
 */
#ifndef CORE_BASE_HEX_H
#define CORE_BASE_HEX_H

#include <stddef.h>
#include <stdint.h>

/* The size of the text of so many bytes, with its NUL. */
#define HEX_SIZE(count) (2 * (count) + 1)

/* Write the text of the bytes, HEX_SIZE(count) with its NUL. */
void	hex_text(const uint8_t *bytes, size_t count, char *text);

/*
 * Read exactly `count` bytes from a text of as many pairs of digits.  -1 where
 * it is another text; then the bytes are not changed.
 */
int	hex_parse(const char *text, uint8_t *bytes, size_t count);

#endif
