/*
 * What two hosts compare to know whether their files hold the same bytes.
 */
#ifndef APPLETS_POPRUN_CHECK_SUM_H
#define APPLETS_POPRUN_CHECK_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/formats/encoding.h"

/* A file's size, -1 where it is not known, and the digest of its first
   64 MiB. */
struct check_sum {
	int64_t	size;
	char	text[DIGEST_SIZE];
};

/* That of the file; NULL and one that cannot be read are not known. */
void	check_sum_read(const char *path, struct check_sum *);

/* Whether both are known, and the same. */
bool	check_sum_is_same(const struct check_sum *, const struct check_sum *);

#endif
