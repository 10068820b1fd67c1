/*
 * What happens to a job and its pods, kept for people.
 */
#include "core/kube/runner/runner_parts.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/base/clock.h"
#include "core/kube/runtime/runtime.h"

void
runner_event_add(struct job_runner *r, const char *type, const char *reason,
    const char *object, const char *format, ...)
{
	struct yaml_arena	*arena = yaml_arena_new();
	struct yaml_node	*event = yaml_new_map(arena);
	char			 now[CLOCK_TEXT_SIZE], text[1024];
	va_list			 ap;

	va_start(ap, format);
	(void)vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	clock_text(clock_real_ms() / 1000, now);
	yaml_set_text(arena, event, "time", now);
	yaml_set_text(arena, event, "type", type);
	yaml_set_text(arena, event, "reason", reason);
	yaml_set_text(arena, event, "object", object);
	yaml_set_text(arena, event, "message", text);
	job_entry_add_event(r->entry, event);
	yaml_arena_free(arena);
}
