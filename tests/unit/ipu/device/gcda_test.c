/* When errors of an IPU's system on chip come, and what they are. */
#include "ipu/device/device.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

#define NAMES \
	"SOC0PGMERR, SOC1PGMERR, ELINKPGMERR, HEXOVERFLOWERR, " \
	"MCUPGMERR, SOC0SOFTERR, SOC1SOFTERR, ELINKSOFTERR, IPUSOFTERR, " \
	"NMLINKDN0, NMLINKDN1, MCUSOFTERR"

static void
test_trigger(void)
{
	struct gcda_options o = { .soc_errors = 6, .trigger_count = 2 };

	is_int(gcda_soc_errors(&o, 0), 0, "none at first");
	is_int(gcda_soc_errors(&o, 1), 0, "none after a call");
	is_int(gcda_soc_errors(&o, 2), 6, "after two calls");
	is_int(gcda_soc_errors(&o, 3), 0, "and only then");
}

static void
test_sets(void)
{
	static const struct {
		const char *list, *text;
		enum soc_remedy remedy;
		const char *left; /* after an IPU reset */
		bool recoverable;
	} rows[] = {
		{ "IPUSOFTERR", "C.IPUSOFTERR", REMEDY_IPU_RESET, "", true },
		{ "HEXOVERFLOWERR", "C.HEXOVERFLOWERR", REMEDY_IPU_RESET, "",
		    false },
		{ "NMLINKDN0,SOC1PGMERR", "C.SOC1PGMERR, C.NMLINKDN0",
		    REMEDY_PARTITION_RESET, "NMLINKDN0", true },
		{ "MCUSOFTERR,NMLINKDN1,ELINKSOFTERR",
		    "C.ELINKSOFTERR, C.NMLINKDN1, C.MCUSOFTERR",
		    REMEDY_FULL_RESET, "NMLINKDN1, MCUSOFTERR", true },
	};
	char text[2 * SOC_TEXT_SIZE];
	uint32_t set;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(soc_error_parse(rows[i].list, &set, NULL), 0,
		    rows[i].list);
		soc_error_text(set, "C.", text, sizeof(text));
		is_str(text, rows[i].text, "its text");
		is_int(soc_error_remedy(set), rows[i].remedy, "its cure");
		is_int(soc_error_recoverable(set), rows[i].recoverable,
		    "whose fault");
		is_int(soc_error_left(set, rows[i].remedy), 0, "cured by it");
		soc_error_text(soc_error_left(set, REMEDY_IPU_RESET), "", text,
		    sizeof(text));
		is_str(text, rows[i].left, "what an IPU reset leaves");
	}
	soc_error_text(UINT32_MAX, "", text, SOC_TEXT_SIZE);
	is_str(text, NAMES, "all of them, and no bit that is none");
	soc_error_text(0, "", text, sizeof(text));
	is_str(text, "", "none");
	soc_error_text(UINT32_MAX, "", text, 8);
	is_str(text, "SOC0PGM", "cut off");
}

int
main(void)
{
	test_trigger();
	test_sets();
	return tap_done();
}
