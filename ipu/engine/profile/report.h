/*
 * report.html: the whole profile on a page that needs nothing else, neither a
 * network nor scripts.  Every figure carries its name in summary.json
 * (data-key) and its value (data-value).
 */
#ifndef IPU_ENGINE_PROFILE_REPORT_H
#define IPU_ENGINE_PROFILE_REPORT_H

#include <stdio.h>

#include "ipu/engine/profile/profile_data.h"

/* config/report: in the program as text. */
extern const char	report_css_text[], report_js_text[];

/* The page, UTF-8.  Write errors are the stream's: the caller looks. */
void	report_print(FILE *, const struct profile_data *);

#endif
