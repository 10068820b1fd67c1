/*
 * report.html: the whole profile on a page that needs no network.  The page
 * itself is config/report; it draws what stands in it as JSON.
 */
#ifndef IPU_PROFILE_REPORT_H
#define IPU_PROFILE_REPORT_H

#include <stdio.h>

#include "ipu/profile/profile_data.h"

/* The page, UTF-8.  Write errors are the stream's: the caller looks. */
void	report_print(FILE *, const struct profile_data *);

/* The page with any data: JSON text. */
void	report_page(FILE *, const char *json);

#endif
