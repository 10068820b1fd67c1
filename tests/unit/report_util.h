/*
 * Compares a profile's report.html with its summary.json.
 */
#ifndef TESTS_UNIT_REPORT_UTIL_H
#define TESTS_UNIT_REPORT_UTIL_H

#include <yyjson.h>

/* Return a number of summary.json by path, "ipus.0.stash.seen"; -1: missing. */
double report_figure(yyjson_val *, const char *path);

/* Count the occurrences of the part in the text. */
long report_count_text(const char *text, const char *part);

/* Return the data of a page, which hold no '<'; NULL: not JSON. */
yyjson_doc *report_data(const char *page);

/* Check that the page is whole, refers to no other files and has this summary.
   Returns its data, as report_data() does. */
yyjson_doc *report_check(const char *page, yyjson_val *summary);

#endif
