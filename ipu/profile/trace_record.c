/*
 * Records of trace.json, put together by hand in one buffer each.
 */
#include "ipu/profile/profile_internal.h"

#include <string.h>

void
trace_record_put(struct trace_record *l, const char *text)
{
	const size_t n = strlen(text);

	memcpy(l->text + l->size, text, n);
	l->size += n;
}

/* Digits from the end; the unsigned negation is right for INT64_MIN too. */
void
trace_record_number(struct trace_record *l, int64_t n)
{
	char digits[24];
	size_t i = sizeof(digits);
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;

	do
		digits[--i] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (n < 0)
		digits[--i] = '-';
	memcpy(l->text + l->size, digits + i, sizeof(digits) - i);
	l->size += sizeof(digits) - i;
}

/* Appends `,"name":` and a number. */
void
trace_record_field(struct trace_record *l, const char *name, int64_t n)
{
	trace_record_put(l, ",\"");
	trace_record_put(l, name);
	trace_record_put(l, "\":");
	trace_record_number(l, n);
}

/* Appends `,"name":` and the time in microseconds, as the format wants. */
void
trace_record_time(struct trace_record *l, const char *name, int64_t ns)
{
	const int64_t part = ns % 1000;

	trace_record_field(l, name, ns / 1000);
	if (part == 0)
		return;
	l->text[l->size++] = '.';
	l->text[l->size++] = (char)('0' + part / 100);
	l->text[l->size++] = (char)('0' + part / 10 % 10);
	l->text[l->size++] = (char)('0' + part % 10);
}

void
trace_record_begin(struct trace_json *w, struct trace_record *l,
    const char *phase, const char *name, int process)
{
	l->size = 0;
	trace_record_put(l,
	    w->records++ == 0 ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
	trace_record_put(l, phase);
	trace_record_put(l, "\",\"name\":\"");
	trace_record_put(l, name);
	trace_record_put(l, "\"");
	trace_record_field(l, "pid", process);
}

void
trace_record_end(struct trace_json *w, struct trace_record *l)
{
	trace_record_put(l, "}");
	(void)fwrite(l->text, 1, l->size, w->file);
}

/* A row of 0 names the process. */
void
trace_record_name(struct trace_json *w, const char *what, int process, int row,
    const char *key, const char *name)
{
	struct trace_record l;

	trace_record_begin(w, &l, "M", what, process);
	if (row > 0)
		trace_record_field(&l, "tid", row);
	trace_record_put(&l, ",\"args\":{\"");
	trace_record_put(&l, key);
	trace_record_put(&l, "\":\"");
	trace_record_put(&l, name);
	trace_record_put(&l, "\"}");
	trace_record_end(w, &l);
}

void
trace_record_sort(struct trace_json *w, const char *what, int process, int row)
{
	struct trace_record l;

	trace_record_begin(w, &l, "M", what, process);
	if (row > 0)
		trace_record_field(&l, "tid", row);
	trace_record_put(&l, ",\"args\":{\"sort_index\":");
	trace_record_number(&l, row > 0 ? row : process);
	trace_record_put(&l, "}");
	trace_record_end(w, &l);
}
