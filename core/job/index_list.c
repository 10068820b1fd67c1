/*
 * Reading "0,2-3": element by element.
 */
#include "core/job/job.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"

/* Add an index or range.  An index too large for a set is too large for a
   job. */
static int
add_element(const char *what, const char *element, int count, bool *set,
    struct error *e)
{
	struct number_set one;
	int n;

	if (*element == '\0' || number_set_parse(&one, element) != 0)
		return error_set(e,
		    "%s: '%s' must be an instance or a range, as in 0,2-3; all "
		    "and none must stand alone",
		    what, element);
	if (number_set_is_empty(&one) || number_set_next(&one, count) != -1)
		return error_set(e,
		    "%s %s: the job has %d instance%s, counted from 0", what,
		    element, count, count == 1 ? "" : "s");
	for (n = number_set_next(&one, 0); n != -1;
	     n = number_set_next(&one, n + 1))
		set[n] = true;
	return 0;
}

int
index_list_read(const char *what, const char *text, int count, bool *set,
    struct error *e)
{
	char *copy, *rest, *element;
	int i, status = 0;
	bool all = strcmp(text, "all") == 0;

	for (i = 0; i < count; i++)
		set[i] = all;
	if (all || strcmp(text, "none") == 0)
		return 0;
	rest = copy = xstrdup(text);
	while (status == 0 && (element = strsep(&rest, ",")) != NULL)
		status = add_element(what, element, count, set, e);
	free(copy);
	return status;
}
