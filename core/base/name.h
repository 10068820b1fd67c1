/*
 * Names of objects that are kept in files.
 */
#ifndef CORE_BASE_NAME_H
#define CORE_BASE_NAME_H

#include "core/base/error.h"

/*
 * Whether the name may be that of a pod object (partition, cluster, agent,
 * allocation, user): 1 to NAME_LENGTH_MAX characters from A-Z a-z 0-9 . _ -,
 * the first a letter or a digit.  Names become file names, so this is the
 * only gate between a command line and the state directory.
 */
enum { NAME_LENGTH_MAX = 63 };
int		 name_check(const char *what, const char *name, struct error *);

/* The same, and a copy of the name, which is left as it was when refused. */
int		 name_parse(const char *what, const char *text,
		    char name[NAME_LENGTH_MAX + 1], struct error *);

#endif
