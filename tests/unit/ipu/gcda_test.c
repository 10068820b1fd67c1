/* GCDA_OPTIONS, and the errors of an IPU's system on chip that it names. */
#include "ipu/gcda.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/pod/soc_error.h"
#include "tests/unit/tap.h"

#define LIST	"\"simulateSOCError.errorList\":"
#define COUNT	"\"simulateSOCError.triggerCount\":"
#define REARM	"\"simulateSOCError.rearmOnReset\":"
#define NAMES	"SOC0PGMERR, SOC1PGMERR, ELINKPGMERR, HEXOVERFLOWERR, " \
	"MCUPGMERR, SOC0SOFTERR, SOC1SOFTERR, ELINKSOFTERR, IPUSOFTERR, " \
	"NMLINKDN0, NMLINKDN1, MCUSOFTERR"

static void
test_options(void)
{
	static const struct {
		const char	*text;
		bool		 monitoring;
		uint32_t	 errors, count;
	} rows[] = {
		{ "{}", false, 0, 0 },
		{ "{\"enableMonitoring\":\"true\"}", true, 0, 0 },
		{ "{\"enableMonitoring\":true}", true, 0, 0 },
		{ "{\"enableMonitoring\":\"false\"}", false, 0, 0 },
		{ "{\"configFile\":\"x\",\"new\":{}}", false, 0, 0 },
		/* The manual's own example. */
		{ "{" LIST "\"IPUSOFTERR\"," COUNT "1," REARM "true}", false,
		    SOC_BIT(SOC_IPUSOFTERR), 1 },
		{ "{" LIST "\"IPUSOFTERR\"," COUNT "\"0\"," REARM "\"false\","
		    "\"enableMonitoring\":\"true\"}", true,
		    SOC_BIT(SOC_IPUSOFTERR), 0 },
		{ "{" LIST "\"NMLINKDN1,SOC0PGMERR, IPUSOFTERR\"," COUNT
		    "\"4294967295\"}", false, SOC_BIT(SOC_NMLINKDN1) |
		    SOC_BIT(SOC_SOC0PGMERR) | SOC_BIT(SOC_IPUSOFTERR),
		    UINT32_MAX },
		{ "{" COUNT "4294967295}", false, 0, UINT32_MAX },
	};
	struct gcda_options	o;
	size_t			i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(gcda_parse(&o, rows[i].text, NULL), 0, rows[i].text);
		is_int(o.monitoring, rows[i].monitoring, "monitoring");
		is_int(o.soc_errors, rows[i].errors, "errors");
		is_int(o.trigger_count, rows[i].count, "count");
	}
}

static void
test_refusals(void)
{
	static const struct {
		const char	*text, *reason;
	} rows[] = {
		{ "no JSON", "GCDA_OPTIONS is no JSON object such as "
		    "{\"enableMonitoring\":\"true\"}" },
		{ "[1]", "GCDA_OPTIONS is no JSON object such as "
		    "{\"enableMonitoring\":\"true\"}" },
		{ "{" LIST "\"IPUSOFTERR\"}", "GCDA_OPTIONS: "
		    "simulateSOCError.errorList needs "
		    "simulateSOCError.triggerCount" },
		{ "{" LIST "\"IPUHARDERR\"," COUNT "1}", "GCDA_OPTIONS: "
		    "simulateSOCError.errorList: 'IPUHARDERR' is no SoC "
		    "error; they are " NAMES },
		{ "{" LIST "\"IPUSOFTERR;NMLINKDN0\"," COUNT "1}",
		    "GCDA_OPTIONS: simulateSOCError.errorList: "
		    "'IPUSOFTERR;NMLINKDN0' is no SoC error; they are "
		    NAMES },
		{ "{" LIST "\" , \"," COUNT "1}", "GCDA_OPTIONS: "
		    "simulateSOCError.errorList: names no SoC error; they are "
		    NAMES },
		{ "{" LIST "[\"IPUSOFTERR\"]," COUNT "1}", "GCDA_OPTIONS: "
		    "simulateSOCError.errorList: no text" },
		{ "{" COUNT "-1}", "GCDA_OPTIONS: simulateSOCError."
		    "triggerCount: no number from 0 to 4294967295" },
		{ "{" COUNT "4294967296}", "GCDA_OPTIONS: simulateSOCError."
		    "triggerCount: no number from 0 to 4294967295" },
		{ "{" COUNT "\"1e3\"}", "GCDA_OPTIONS: simulateSOCError."
		    "triggerCount: no number from 0 to 4294967295" },
		{ "{" COUNT "1.5}", "GCDA_OPTIONS: simulateSOCError."
		    "triggerCount: no number from 0 to 4294967295" },
		{ "{" REARM "1}", "GCDA_OPTIONS: simulateSOCError."
		    "rearmOnReset: neither true nor false" },
		{ "{\"simulateSOCError.errors\":\"x\"}", "GCDA_OPTIONS: "
		    "simulateSOCError.errors: unknown; there are errorList, "
		    "triggerCount and rearmOnReset" },
	};
	struct gcda_options	o;
	struct error		e;
	size_t			i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(gcda_parse(&o, rows[i].text, &e), -1, rows[i].text);
		is_str(e.text, rows[i].reason, "the reason");
	}
}

static void
test_environment(void)
{
	static const struct {
		const char	*monitor, *options;
		bool		 wanted;
	} rows[] = {
		{ NULL, NULL, false },
		{ "1", NULL, true },
		{ "0", NULL, false },
		{ "0", "{\"enableMonitoring\":\"true\"}", true },
		{ "1", "no JSON", true },
		{ NULL, "{\"enableMonitoring\":\"true\"," COUNT "-1}", true },
		{ NULL, "no JSON", false },
		{ NULL, "", false },
	};
	struct gcda_options	o;
	size_t			i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		(void)unsetenv("GCDA_MONITOR");
		(void)unsetenv("GCDA_OPTIONS");
		if (rows[i].monitor != NULL)
			(void)setenv("GCDA_MONITOR", rows[i].monitor, 1);
		if (rows[i].options != NULL)
			(void)setenv("GCDA_OPTIONS", rows[i].options, 1);
		is_int(gcda_monitoring(), rows[i].wanted, "monitoring");
	}
	is_int(gcda_read(&o, NULL), 0, "nothing set is no error");
}

static void
test_trigger(void)
{
	struct gcda_options	o = { .soc_errors = 6, .trigger_count = 2 };

	is_int(gcda_soc_errors(&o, 0), 0, "none at first");
	is_int(gcda_soc_errors(&o, 1), 0, "none after a call");
	is_int(gcda_soc_errors(&o, 2), 6, "after two calls");
	is_int(gcda_soc_errors(&o, 3), 0, "and only then");
}

static void
test_sets(void)
{
	static const struct {
		const char	*list, *text;
		enum soc_remedy	 remedy;
		const char	*left;		/* after an IPU reset */
		bool		 recoverable;
	} rows[] = {
		{ "IPUSOFTERR", "C.IPUSOFTERR", REMEDY_IPU_RESET, "", true },
		{ "HEXOVERFLOWERR", "C.HEXOVERFLOWERR", REMEDY_IPU_RESET, "",
		    false },
		{ "NMLINKDN0,SOC1PGMERR", "C.SOC1PGMERR, C.NMLINKDN0",
		    REMEDY_PARTITION_RESET, "NMLINKDN0", true },
		{ "MCUSOFTERR,NMLINKDN1,ELINKSOFTERR", "C.ELINKSOFTERR, "
		    "C.NMLINKDN1, C.MCUSOFTERR", REMEDY_FULL_RESET,
		    "NMLINKDN1, MCUSOFTERR", true },
	};
	char		text[2 * SOC_TEXT_SIZE];
	uint32_t	set;
	size_t		i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		is_int(soc_error_parse(rows[i].list, &set, NULL), 0,
		    rows[i].list);
		soc_error_text(set, "C.", text, sizeof(text));
		is_str(text, rows[i].text, "its text");
		is_int(soc_error_remedy(set), rows[i].remedy, "its cure");
		is_int(soc_error_recoverable(set), rows[i].recoverable,
		    "whose fault");
		is_int(soc_error_left(set, rows[i].remedy), 0, "cured by it");
		soc_error_text(soc_error_left(set, REMEDY_IPU_RESET), "",
		    text, sizeof(text));
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
	test_options();
	test_refusals();
	test_environment();
	test_trigger();
	test_sets();
	return tap_done();
}
