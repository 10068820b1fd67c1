/*
 * What memory.h worked out, for those who read it: refused where it does not
 * fit, as a table and as JSON.
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_REPORT_H
#define IPU_ENGINE_MODEL_MEMORY_REPORT_H

#include <stdio.h>
#include <yyjson.h>

#include "core/base/error.h"
#include "core/base/table.h"
#include "ipu/engine/model/memory.h"

/*
 * Refused, in Poplar's words: what does not fit.  The error has lines that
 * name the IPU, its fullest tile, its three largest tensors and what would
 * help.  `profile` is where a report was written, or NULL.
 */
int	memory_report_check(const struct memory *, const char *profile,
	    struct error *);

/* The report: a table with one row per IPU. */
void	memory_report_print(const struct memory *, FILE *,
	    const struct table_screen *);
/* One JSON object, whose members ipubox-device(7) describes. */
void	memory_report_json(const struct memory *, FILE *);
/* The same as part of a document; the memory must last as long as that. */
yyjson_mut_val	*memory_report_object(yyjson_mut_doc *,
		    const struct memory *);

#endif
