/*
 * What the trainer tells besides its results, on stderr: as much as
 * POPTORCH_LOG_LEVEL and --debug ask for.
 */
#include <stdarg.h>

#include "applets/train/session_internal.h"

static const char *
level_name(enum poptorch_level level)
{
	switch (level) {
	case POPTORCH_TRACE:
		return "trace";
	case POPTORCH_DEBUG:
		return "debug";
	case POPTORCH_INFO:
		return "info";
	default:
		return "warning";
	}
}

/* "NAME: level: TEXT", in one piece. */
void
notice(const struct session *s, enum poptorch_level level, const char *fmt, ...)
{
	char raw[1200];
	struct error text;
	va_list ap;

	if (!poptorch_logs(&s->poptorch, level))
		return;
	va_start(ap, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	/* A reason in it may have several lines. */
	(void)error_set(&text, "%s", raw);
	fprintf(stderr, "%s: %s: %s\n", s->options->applet, level_name(level),
	    text.text);
}
