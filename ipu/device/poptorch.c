/*
 * Reads the environment variables that control a PopTorch program.
 */
#include "ipu/device/poptorch.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

static const struct {
	const char *name;
	enum poptorch_level level;
} poptorch_levels[] = {
	{ "DEBUG", POPTORCH_DEBUG },
	{ "DEBUG_IR", POPTORCH_DEBUG },
	{ "ERR", POPTORCH_ERR },
	{ "INFO", POPTORCH_INFO },
	{ "OFF", POPTORCH_OFF },
	{ "TRACE", POPTORCH_TRACE },
	{ "TRACE_ALL", POPTORCH_TRACE },
	{ "WARN", POPTORCH_WARN },
};

static int
read_level(enum poptorch_level *level, struct error *e)
{
	const char *name = getenv("POPTORCH_LOG_LEVEL");
	size_t i;

	*level = POPTORCH_WARN;
	if (name == NULL)
		return 0;
	for (i = 0; i < ARRAY_SIZE(poptorch_levels); i++) {
		if (strcmp(name, poptorch_levels[i].name) == 0) {
			*level = poptorch_levels[i].level;
			return 0;
		}
	}
	return error_set(e,
	    "POPTORCH_LOG_LEVEL: Unknown log level: %.64s. Valid values are "
	    "DEBUG, DEBUG_IR, ERR, INFO, OFF, TRACE, TRACE_ALL and WARN",
	    name);
}

/* Read a switch: any number but 0 means yes; 0 or unset means no.  -1: not a
   number. */
static int
read_switch(const char *name, bool *on, struct error *e)
{
	const char *text = getenv(name);
	long long number = 0;

	if (text != NULL &&
	    parse_number(name, text, INT_MIN, INT_MAX, &number, e) != 0)
		return -1;
	*on = number != 0;
	return 0;
}

int
poptorch_read(struct poptorch *p, struct error *e)
{
	*p = (struct poptorch){
		.wait_is_set = getenv("POPTORCH_WAIT_FOR_IPU") != NULL
	};
	if (read_level(&p->level, e) != 0 ||
	    read_switch("POPTORCH_WAIT_FOR_IPU", &p->wait, e) != 0 ||
	    read_switch("POPTORCH_IPU_MODEL", &p->ipu_model, e) != 0)
		return -1;
	return 0;
}

bool
poptorch_logs(const struct poptorch *p, enum poptorch_level level)
{
	return level >= p->level && p->level != POPTORCH_OFF;
}
