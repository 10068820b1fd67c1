/*
 * Messages of the trainer on stderr, limited by POPTORCH_LOG_LEVEL and --debug.
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

/* Prints "NAME: level: TEXT" in one write. */
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
	/* A reason may have several lines. */
	(void)error_set(&text, "%s", raw);
	fprintf(stderr, "%s: %s: %s\n", s->options->applet, level_name(level),
	    text.text);
}
