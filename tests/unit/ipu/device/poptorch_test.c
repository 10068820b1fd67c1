/* PopTorch's variables: levels, switches, and what is no such thing. */
#include "ipu/device/device.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static void
set(const char *name, const char *value)
{
	if (value != NULL)
		(void)setenv(name, value, 1);
	else
		(void)unsetenv(name);
}

static void
test_levels(void)
{
	static const struct {
		const char *text;
		enum poptorch_level level;
		const char *says; /* trace debug info warn err */
	} rows[] = {
		{ NULL, POPTORCH_WARN, "---we" },
		{ "TRACE", POPTORCH_TRACE, "tdiwe" },
		{ "TRACE_ALL", POPTORCH_TRACE, "tdiwe" },
		{ "DEBUG", POPTORCH_DEBUG, "-diwe" },
		{ "DEBUG_IR", POPTORCH_DEBUG, "-diwe" },
		{ "INFO", POPTORCH_INFO, "--iwe" },
		{ "WARN", POPTORCH_WARN, "---we" },
		{ "ERR", POPTORCH_ERR, "----e" },
		{ "OFF", POPTORCH_OFF, "-----" },
	};
	static const char letters[] = "tdiwe";
	struct poptorch p;
	struct error e = { .text = "" };
	char says[6] = "";
	size_t i;
	int l;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		set("POPTORCH_LOG_LEVEL", rows[i].text);
		is_int(poptorch_read(&p, &e), 0,
		    rows[i].text == NULL ? "unset" : rows[i].text);
		is_int(p.level, rows[i].level, "the level");
		for (l = POPTORCH_TRACE; l <= POPTORCH_ERR; l++)
			says[l] = poptorch_logs(&p, (enum poptorch_level)l) ?
			    letters[l] :
			    '-';
		is_str(says, rows[i].says, "what is said");
	}
	set("POPTORCH_LOG_LEVEL", "debug");
	is_int(poptorch_read(&p, &e), -1, "no such level");
	is_str(e.text,
	    "POPTORCH_LOG_LEVEL: Unknown log level: debug. Valid values are "
	    "DEBUG, DEBUG_IR, ERR, INFO, OFF, TRACE, TRACE_ALL and WARN",
	    "these are");
	set("POPTORCH_LOG_LEVEL", NULL);
}

static void
test_switches(void)
{
	static const struct {
		const char *text;
		int wanted; /* -1: refused */
	} rows[] = { { NULL, 0 }, { "0", 0 }, { "1", 1 }, { "2", 1 },
		{ "-1", 1 }, { "", -1 }, { "yes", -1 }, { "1x", -1 },
		{ "99999999999", -1 } };
	static const char *const names[] = { "POPTORCH_WAIT_FOR_IPU",
		"POPTORCH_IPU_MODEL" };
	struct poptorch p;
	size_t i, n;
	int got;

	for (n = 0; n < 2; n++) {
		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			set(names[n], rows[i].text);
			got = poptorch_read(&p, NULL);
			is_int(got == -1 ? -1 :
				n == 0	 ? p.wait :
					   p.ipu_model,
			    rows[i].wanted,
			    rows[i].text == NULL ? "unset" : rows[i].text);
			ok(got == -1 || (n == 0 ? !p.ipu_model : !p.wait),
			    "the other one is off");
			ok(got == -1 ||
				p.wait_is_set ==
				    (n == 0 && rows[i].text != NULL),
			    "whether it is set");
		}
		set(names[n], NULL);
	}
}

int
main(void)
{
	set("POPTORCH_LOG_LEVEL", NULL);
	set("POPTORCH_WAIT_FOR_IPU", NULL);
	set("POPTORCH_IPU_MODEL", NULL);
	test_levels();
	test_switches();
	return tap_done();
}
