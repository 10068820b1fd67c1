/*
 * What a profile's report.html has, held against its summary.json.
 */
#ifndef TESTS_UNIT_REPORT_UTIL_H
#define TESTS_UNIT_REPORT_UTIL_H

#include <yyjson.h>

/* A number of summary.json by its path, "ipus.0.stash.seen"; -1: none. */
double report_figure(yyjson_val *, const char *path);

/* How often the part stands in the text. */
long report_count_text(const char *text, const char *part);

/* The data of a page, which hold no '<'; NULL where they are not JSON. */
yyjson_doc *report_data(const char *page);

/* The page is whole, takes nothing from elsewhere and has this summary.
   Returns its data, as report_data() does. */
yyjson_doc *report_check(const char *page, yyjson_val *summary);

#endif
