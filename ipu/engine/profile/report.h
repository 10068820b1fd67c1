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

void	report_print(FILE *, const struct profile_data *);

/* Its sections, in files of their own. */
void	report_ipus(FILE *, const struct profile_data *);
void	report_memory_tiles(FILE *, const struct profile_data *);
void	report_ipus_exchange(FILE *, const struct profile_data *);
void	report_ipus_longest(FILE *, const struct profile_data *);
void	report_memory_target(FILE *, const struct profile_data *);

/* What they share: figures with their names, %d in which is `index`. */
void	markup_figure_number(FILE *, const char *key, int index, double);
void	markup_figure_bytes(FILE *, const char *key, int index, double);
void	markup_figure_share(FILE *, const char *key, int index, double);
/* The colours of what an IPU does, and what they mean. */
void	report_legend(FILE *, const struct profile_data *);

#endif
