/*
 * What a profile's report.html shows, held against its summary.json.
 */
#ifndef TESTS_UNIT_REPORT_UTIL_H
#define TESTS_UNIT_REPORT_UTIL_H

#include <yyjson.h>

/* A number of summary.json by its path, "ipus.0.stash.seen"; -1: none. */
double	report_figure(yyjson_val *, const char *path);

/* How often the part stands in the text. */
long	report_count_text(const char *text, const char *part);

/* Every figure of the report is that of summary.json. */
void	report_check_figures(const char *report, yyjson_val *root);

/* It has each figure that it should have once; rows say what they are. */
void	report_check_page(const char *report, yyjson_val *root);

#endif
