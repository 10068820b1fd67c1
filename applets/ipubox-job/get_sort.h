/*
 * The order of --sort-by.
 */
#ifndef APPLETS_IPUBOX_JOB_GET_SORT_H
#define APPLETS_IPUBOX_JOB_GET_SORT_H

#include "applets/ipubox-job/resource.h"
#include "core/base/error.h"

/*
 * Sort what was found by the value at a path of jsonpath, ".status.startTime",
 * those of each type by themselves.  Numbers and quantities are compared as
 * such, and numbers within texts; who has none comes first, and of two equal
 * ones the one that came first.  -1: no object has such a field.
 */
int	get_sort_founds(const char *path, struct founds *, struct error *);

/* As strcmp(3), but digits count as the number that they are. */
int	get_sort_compare_texts(const char *, const char *);

#endif
