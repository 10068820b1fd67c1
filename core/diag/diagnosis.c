/*
 * Findings of the checks, in order.
 */
#include "core/diag/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

const char *const diagnosis_verdict_words[] = { "ok", "warn", "FAIL" };

enum terminal_tone
diagnosis_tone(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_OK:
		return TONE_GOOD;
	case VERDICT_WARN:
		return TONE_WARNING;
	default:
		return TONE_BAD;
	}
}

void
diagnosis_add(struct diagnosis *d, enum verdict verdict, const char *fmt, ...)
{
	struct finding *f;
	va_list ap;
	char *text, *tab;

	d->findings = xreallocarray(d->findings, (size_t)d->count + 1,
	    sizeof(*d->findings));
	f = &d->findings[d->count++];
	memset(f, 0, sizeof(*f));
	f->name = d->checking;
	f->verdict = verdict;
	d->failures += verdict == VERDICT_FAIL;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	tab = strrchr(text, '\t');
	if (tab != NULL) {
		*tab = '\0';
		text_printable(tab + 1, f->remedy, sizeof(f->remedy));
	}
	text_printable(text, f->what, sizeof(f->what));
	free(text);
}

void
diagnosis_release(struct diagnosis *d)
{
	free(d->findings);
	memset(d, 0, sizeof(*d));
}
