/*
 * What poprun --check prints: a column for each host, a row for each check.
 */
#ifndef APPLETS_POPRUN_CHECK_TABLE_H
#define APPLETS_POPRUN_CHECK_TABLE_H

#include "core/base/table.h"
#include "core/diag/diag.h"

/* A host and what was found there. */
struct check_column {
	const char	*host;
	struct diagnosis diagnosis;
};

/*
 * As text.  Of one host each row ends with what was found; of several it
 * stands below the table, where something is not well, with the hosts that have
 * it.  Where a screen has no room for all hosts, those with something to tell
 * are shown, in several tables if need be, and the others are counted.
 */
void	check_table_print(const struct check_column *, int count,
	    const struct table_screen *);

/* As JSON: all of it. */
void	check_table_print_json(const struct check_column *, int count);

#endif
