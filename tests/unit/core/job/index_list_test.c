/* Lists of instances: what is in them, and what is refused in which words. */
#include "core/job/job.h"

#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { COUNT = 8 };

static const struct {
	const char *text;
	const char *wanted; /* a digit per instance, or the words */
} rows[] = {
	{ "all", "11111111" },
	{ "none", "00000000" },
	{ "0", "10000000" },
	{ "7", "00000001" },
	{ "0,2-3", "10110000" },
	{ "2-3,0", "10110000" },
	{ "3-3", "00010000" },
	{ "0-7", "11111111" },
	{ "1,1,0-2", "11100000" },
	{ "",
	    "-i: '' must be an instance or a range, as in 0,2-3; all and none "
	    "must stand alone" },
	{ "0,",
	    "-i: '' must be an instance or a range, as in 0,2-3; all and none "
	    "must stand alone" },
	{ "0,all",
	    "-i: 'all' must be an instance or a range, as in 0,2-3; all and "
	    "none must stand alone" },
	{ "1 ",
	    "-i: '1 ' must be an instance or a range, as in 0,2-3; all and "
	    "none must stand alone" },
	{ "3-2",
	    "-i: '3-2' must be an instance or a range, as in 0,2-3; all and "
	    "none must stand alone" },
	{ "1-2-3",
	    "-i: '1-2-3' must be an instance or a range, as in 0,2-3; all and "
	    "none must stand alone" },
	{ "-1",
	    "-i: '-1' must be an instance or a range, as in 0,2-3; all and "
	    "none must stand alone" },
	{ "1-",
	    "-i: '1-' must be an instance or a range, as in 0,2-3; all and "
	    "none must stand alone" },
	{ "99999999999999999999",
	    "-i 99999999999999999999: the job has 8 instances, counted from "
	    "0" },
	{ "0,8", "-i 8: the job has 8 instances, counted from 0" },
	{ "6-2147483647",
	    "-i 6-2147483647: the job has 8 instances, counted from 0" },
};

int
main(void)
{
	struct error e;
	bool set[COUNT];
	char got[COUNT + 1] = "";
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (index_list_read("-i", rows[i].text, COUNT, set, &e) != 0) {
			is_str(e.text, rows[i].wanted, rows[i].text);
			continue;
		}
		for (n = 0; n < COUNT; n++)
			got[n] = set[n] ? '1' : '0';
		is_str(got, rows[i].wanted, rows[i].text);
	}
	is_int(index_list_read("-i", "0,1", 1, set, &e), -1, "one instance");
	is_str(e.text, "-i 1: the job has 1 instance, counted from 0",
	    "in the singular");
	return tap_done();
}
