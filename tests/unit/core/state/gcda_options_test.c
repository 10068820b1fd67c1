/* GCDA_OPTIONS, its variables, and what is malformed in them. */
#include "core/state/state.h"

#include <sys/stat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

#define LIST "\"simulateSOCError.errorList\":"
#define COUNT "\"simulateSOCError.triggerCount\":"
#define REARM "\"simulateSOCError.rearmOnReset\":"
#define NAMES \
	"SOC0PGMERR, SOC1PGMERR, ELINKPGMERR, HEXOVERFLOWERR, " \
	"MCUPGMERR, SOC0SOFTERR, SOC1SOFTERR, ELINKSOFTERR, IPUSOFTERR, " \
	"NMLINKDN0, NMLINKDN1, MCUSOFTERR"

static void
clear_environment(void)
{
	(void)unsetenv("GCDA_OPTIONS");
	(void)unsetenv("GCDA_CONFIG_FILE");
	(void)unsetenv("GCDA_HSP_POSTED");
	(void)unsetenv("GCDA_MONITOR");
	(void)unsetenv("GCDA_NO_USB_IPU_DISCOVERY");
	(void)unsetenv("GCDA_SUPPRESS_UTILISATION_MEASUREMENT");
}

static void
test_options(void)
{
	static const struct {
		const char *text;
		bool monitoring;
		uint32_t errors, count;
	} rows[] = {
		{ "{}", false, 0, 0 },
		{ "{\"enableMonitoring\":\"true\"}", true, 0, 0 },
		{ "{\"enableMonitoring\":true}", true, 0, 0 },
		{ "{\"enableMonitoring\":\"false\"}", false, 0, 0 },
		{ "{\"configFile\":\"x\",\"new\":{}}", false, 0, 0 },
		/* The manual's own example. */
		{ "{" LIST "\"IPUSOFTERR\"," COUNT "1," REARM "true}", false,
		    SOC_BIT(SOC_IPUSOFTERR), 1 },
		{ "{" LIST "\"IPUSOFTERR\"," COUNT "\"0\"," REARM
		  "\"false\",\"enableMonitoring\":\"true\"}",
		    true, SOC_BIT(SOC_IPUSOFTERR), 0 },
		{ "{" LIST "\"NMLINKDN1,SOC0PGMERR, IPUSOFTERR\"," COUNT
		  "\"4294967295\"}",
		    false,
		    SOC_BIT(SOC_NMLINKDN1) | SOC_BIT(SOC_SOC0PGMERR) |
			SOC_BIT(SOC_IPUSOFTERR),
		    UINT32_MAX },
		{ "{" COUNT "4294967295}", false, 0, UINT32_MAX },
	};
	struct gcda_options o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		gcda_options_parse(&o, rows[i].text, NULL);
		is_int(o.monitoring, rows[i].monitoring, "monitoring");
		is_int(o.soc_errors, rows[i].errors, "errors");
		is_int(o.trigger_count, rows[i].count, "count");
	}
}

static void
test_refusals(void)
{
	static const struct {
		const char *text, *reason;
	} rows[] = {
		{ "no JSON",
		    "GCDA_OPTIONS must be a JSON object such as "
		    "{\"enableMonitoring\":\"true\"}" },
		{ "[1]",
		    "GCDA_OPTIONS must be a JSON object such as "
		    "{\"enableMonitoring\":\"true\"}" },
		{ "{" LIST "\"IPUSOFTERR\"}",
		    "GCDA_OPTIONS: simulateSOCError.errorList needs "
		    "simulateSOCError.triggerCount" },
		{ "{" LIST "\"IPUHARDERR\"," COUNT "1}",
		    "GCDA_OPTIONS: simulateSOCError.errorList: 'IPUHARDERR' is "
		    "not a SoC error; use " NAMES },
		{ "{" LIST "\"IPUSOFTERR;NMLINKDN0\"," COUNT "1}",
		    "GCDA_OPTIONS: simulateSOCError.errorList: "
		    "'IPUSOFTERR;NMLINKDN0' is not a SoC error; use " NAMES },
		{ "{" LIST "\" , \"," COUNT "1}",
		    "GCDA_OPTIONS: simulateSOCError.errorList: names no SoC "
		    "error; use " NAMES },
		{ "{" LIST "[\"IPUSOFTERR\"]," COUNT "1}",
		    "GCDA_OPTIONS: simulateSOCError.errorList: must be a "
		    "string" },
		{ "{" COUNT "-1}",
		    "GCDA_OPTIONS: simulateSOCError.triggerCount: must be a "
		    "number from 0 to 4294967295" },
		{ "{" COUNT "4294967296}",
		    "GCDA_OPTIONS: simulateSOCError.triggerCount: must be a "
		    "number from 0 to 4294967295" },
		{ "{" COUNT "\"1e3\"}",
		    "GCDA_OPTIONS: simulateSOCError.triggerCount: must be a "
		    "number from 0 to 4294967295" },
		{ "{" COUNT "1.5}",
		    "GCDA_OPTIONS: simulateSOCError.triggerCount: must be a "
		    "number from 0 to 4294967295" },
		{ "{" REARM "1}",
		    "GCDA_OPTIONS: simulateSOCError.rearmOnReset: must be true "
		    "or false" },
		{ "{\"simulateSOCError.errors\":\"x\"}",
		    "GCDA_OPTIONS: simulateSOCError.errors: unknown key; must "
		    "be errorList, triggerCount or rearmOnReset" },
	};
	struct gcda_problems p;
	struct gcda_options o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		p.count = 0;
		gcda_options_parse(&o, rows[i].text, &p);
		is_int(p.count, 1, rows[i].text);
		is_str(p.rows[0].what, rows[i].reason, "the reason");
		ok(p.rows[0].refused && p.rows[0].remedy[0] != '\0',
		    "a program does not begin with it");
	}
}

/* What the real tools would pass over is named, and passed over as well. */
static void
test_warnings(void)
{
	static const struct {
		const char *text, *reason;
	} rows[] = {
		{ "{\"enableMonitoring\":\"yes\"}",
		    "GCDA_OPTIONS: enableMonitoring: must be true or false" },
		{ "{\"discoverUSBDevices\":0}",
		    "GCDA_OPTIONS: discoverUSBDevices: must be true or false" },
		{ "{\"forceHSPPosted\":\"\"}",
		    "GCDA_OPTIONS: forceHSPPosted: must be true or false" },
		{ "{\"monitorUtilisation\":null}",
		    "GCDA_OPTIONS: monitorUtilisation: must be true or false" },
		{ "{\"monitorUtilization\":\"false\"}",
		    "GCDA_OPTIONS: monitorUtilization: unknown (did you mean "
		    "monitorUtilisation?)" },
		{ "{\"x\\u001b\":1}", "GCDA_OPTIONS: x\\x1b: unknown" },
		{ "{\"configFile\":1}",
		    "GCDA_OPTIONS: configFile: must be a string" },
		{ "{\"configFile\":\"/nonexistent\"}",
		    "GCDA_OPTIONS: configFile: cannot open /nonexistent: No "
		    "such file or directory" },
	};
	struct gcda_problems p;
	struct gcda_options o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		p.count = 0;
		gcda_options_parse(&o, rows[i].text, &p);
		is_int(p.count, 1, rows[i].text);
		is_str(p.rows[0].what, rows[i].reason, "the reason");
		ok(!p.rows[0].refused && p.rows[0].remedy[0] != '\0',
		    "is only named");
	}
	p.count = 0;
	gcda_options_parse(&o, "{\"a\":1,\"enableMonitoring\":1," REARM "1}",
	    &p);
	is_int(p.count, 3, "every mistake is a problem of its own");
	gcda_options_parse(&o,
	    "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
	    "\"i\":1,\"k\":1,\"l\":1,\"m\":1,\"n\":1,\"o\":1,"
	    "\"monitorUtilisation\":false}",
	    &p);
	is_int(p.count, GCDA_PROBLEMS_MAX, "as many as there is room for");
	ok(o.unmeasured, "and what is right counts all the same");
}

static void
test_cards(void)
{
	static const struct {
		const char *text, *reason; /* NULL: right */
	} rows[] = {
		{ "{\"ipu_card_mapping\":[\"0000:0f:00.0\",\"0001:AB:1f.7\"]}",
		    NULL },
		{ "{\"ipu_card_mapping\":[]}", NULL },
		{ "[]", "must be a JSON object" },
		{ "", "must be a JSON object" },
		{ "{\"ipu_card_mapping\":\"0000:0f:00.0\"}",
		    "the list ipu_card_mapping is missing" },
		{ "{\"ipu_card_mapping\":[\"0000:0f:00.0\",\"0f:00.0\"]}",
		    "ipu_card_mapping: entry 2, '0f:00.0', is not a PCI "
		    "address such as 0000:0f:00.0" },
		{ "{\"ipu_card_mapping\":[\"0000:0f:00.8\"]}",
		    "ipu_card_mapping: entry 1, '0000:0f:00.8', is not a PCI "
		    "address such as 0000:0f:00.0" },
		{ "{\"ipu_card_mapping\":[7]}",
		    "ipu_card_mapping: entry 1, '', is not a PCI address such "
		    "as 0000:0f:00.0" },
	};
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		e.text[0] = '\0';
		is_int(gcda_options_check_cards(rows[i].text,
			   strlen(rows[i].text), &e),
		    rows[i].reason == NULL ? 0 : -1, rows[i].text);
		is_str(e.text, rows[i].reason == NULL ? "" : rows[i].reason,
		    "the reason");
	}
}

static void
test_environment(void)
{
	static const struct {
		const char *monitor, *options;
		bool wanted;
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
	struct gcda_options o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		clear_environment();
		if (rows[i].monitor != NULL)
			(void)setenv("GCDA_MONITOR", rows[i].monitor, 1);
		if (rows[i].options != NULL)
			(void)setenv("GCDA_OPTIONS", rows[i].options, 1);
		gcda_options_read(&o, NULL);
		is_int(o.monitoring, rows[i].wanted, "monitoring");
	}
	clear_environment();
}

/* ipubox.conf says it for good, unless the environment says something. */
static void
test_settings(void)
{
	static const struct {
		const char *sensors, *monitor, *options;
		bool wanted;
	} rows[] = {
		{ "yes", NULL, NULL, true },
		{ "no", NULL, NULL, false },
		{ "yes", "0", NULL, false },
		{ "yes", "maybe", NULL, true },
		{ "yes", NULL, "{\"enableMonitoring\":false}", false },
		{ "yes", NULL, "{\"enableMonitoring\":\"\"}", true },
		{ "no", "1", NULL, true },
	};
	char path[512];
	struct gcda_options o;
	size_t i;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/ipubox.conf", tap_directory());
	(void)setenv("IPUBOX_CONFIG", path, 1);
	(void)umask(022);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		clear_environment();
		if ((f = fopen(path, "w")) == NULL)
			abort();
		fprintf(f, "[monitor]\nsensors = %s\n", rows[i].sensors);
		(void)fclose(f);
		if (rows[i].monitor != NULL)
			(void)setenv("GCDA_MONITOR", rows[i].monitor, 1);
		if (rows[i].options != NULL)
			(void)setenv("GCDA_OPTIONS", rows[i].options, 1);
		gcda_options_read(&o, NULL);
		is_int(o.monitoring, rows[i].wanted, "the sensors");
	}
	clear_environment();
}

static void
test_variables(void)
{
	static const struct {
		const char *name, *value, *reason;
		bool unmeasured;
	} rows[] = {
		{ "GCDA_MONITOR", "yes", "GCDA_MONITOR 'yes': must be 0 or 1",
		    false },
		{ "GCDA_MONITOR", "", NULL, false },
		{ "GCDA_HSP_POSTED", "2", "GCDA_HSP_POSTED '2': must be 0 or 1",
		    false },
		{ "GCDA_HSP_POSTED", "1", NULL, false },
		{ "GCDA_NO_USB_IPU_DISCOVERY", "01",
		    "GCDA_NO_USB_IPU_DISCOVERY '01': must be 0 or 1", false },
		{ "GCDA_SUPPRESS_UTILISATION_MEASUREMENT", "1", NULL, true },
		{ "GCDA_SUPPRESS_UTILISATION_MEASUREMENT", "0", NULL, false },
		{ "GCDA_SUPPRESS_UTILISATION_MEASUREMENT", "on",
		    "GCDA_SUPPRESS_UTILISATION_MEASUREMENT 'on': must be 0 or "
		    "1",
		    false },
		{ "GCDA_CONFIG_FILE", "/nonexistent",
		    "GCDA_CONFIG_FILE: cannot open /nonexistent: No such file "
		    "or directory",
		    false },
		{ "GCDA_CONFIG_FILE", "/dev/null",
		    "GCDA_CONFIG_FILE: cannot read /dev/null: Invalid argument",
		    false },
	};
	struct gcda_problems p;
	struct gcda_options o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		clear_environment();
		(void)setenv(rows[i].name, rows[i].value, 1);
		p.count = 0;
		gcda_options_read(&o, &p);
		is_int(p.count, rows[i].reason != NULL, rows[i].name);
		is_str(p.count > 0 ? p.rows[0].what : NULL, rows[i].reason,
		    "the reason");
		is_int(o.unmeasured, rows[i].unmeasured, "measured or not");
	}
	clear_environment();
}

int
main(void)
{
	(void)setenv("IPUBOX_CONFIG", "/dev/null", 1);
	clear_environment();
	test_options();
	test_refusals();
	test_warnings();
	test_cards();
	test_environment();
	test_settings();
	test_variables();
	return tap_done();
}
