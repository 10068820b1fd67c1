/*
 * Reading "0,2-3": element by element.
 */
#include "core/job/index_list.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

/* One element, which is changed; *first and *last are its ends. */
static int
read_range(char *element, int *first, int *last)
{
	char		*dash = strchr(element, '-');
	long long	 low, high;

	if (dash != NULL)
		*dash++ = '\0';
	else
		dash = element;
	if (parse_number("", element, 0, INT_MAX, &low, NULL) != 0 ||
	    parse_number("", dash, low, INT_MAX, &high, NULL) != 0)
		return -1;
	*first = (int)low;
	*last = (int)high;
	return 0;
}

static int
add_element(const char *what, const char *element, int count, bool *set,
    struct error *e)
{
	char	*copy = xstrdup(element);
	int	 first = 0, last = 0;
	int	 status = read_range(copy, &first, &last);

	free(copy);
	if (status != 0)
		return error_set(e, "%s: '%s' is not an instance or a range, "
		    "as in 0,2-3; all and none stand alone", what, element);
	if (last >= count)
		return error_set(e, "%s %s: the job has %d instance%s, counted "
		    "from 0", what, element, count, count == 1 ? "" : "s");
	for (; first <= last; first++)
		set[first] = true;
	return 0;
}

int
index_list_read(const char *what, const char *text, int count, bool *set,
    struct error *e)
{
	char	*copy, *rest, *element;
	int	 i, status = 0;
	bool	 all = strcmp(text, "all") == 0;

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
