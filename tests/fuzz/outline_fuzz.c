/*
 * The document of an outline: what is taken can be answered, a profile's
 * figures included, and what is refused has a sentence.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/outline/outline_file.h"
#include "ipu/profile/profile.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_STEPS = 20000 }; /* of a schedule, to answer it quickly */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memstream s;
	struct outline o;
	struct error e = { .text = "" };

	if (outline_file_parse(&o, (const char *)data, size, &e) != 0) {
		require(e.text[0] != '\0');
	} else if (o.config.gradient_accumulation * o.stage_count <
		MOST_STEPS &&
	    o.config.device_iterations < MOST_STEPS) {
		require(o.stage_count >= 1 &&
		    o.stage_count <= SCHEDULE_STAGES_MAX);
		require(outline_answer_print(&o, NULL, memstream_open(&s),
			    NULL) == 0);
		free(memstream_close(&s, NULL));
	}
	outline_release(&o);
	return 0;
}
