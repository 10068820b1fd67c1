/*
 * The report of a job's failure on a terminal: what failed first, and why.
 */
#include "core/launch/plan/run.h"

#include <sys/wait.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum { POSTMORTEM_TAIL_LINES = 10 };

enum {
	INDENT = 2,
	SHELL_SIGNAL = 128, /* 128 + n: a shell's status for signal n */
	SHELL_SIGNALS = 64,
	SHELL_CANNOT_EXECUTE = 126,
	SHELL_NOT_FOUND = 127
};

/* The likely reason of a signal that poprun did not send. */
static const struct {
	int signal;
	const char *advice;
} advices[] = {
	{ SIGKILL, "perhaps it ran out of memory: see dmesg" },
	{ SIGBUS, "perhaps /dev/shm or a disk is full: see df" },
	{ SIGILL, "perhaps it was built for another processor" },
	{ SIGXCPU, "it exceeded the limit of processor time: see ulimit -t" },
	{ SIGXFSZ, "it exceeded the limit of file sizes: see ulimit -f" },
};

/* Begin the next part of a line, separated by "; ". */
static FILE *
next_part(FILE *out)
{
	if (ftell(out) > 0)
		fputs("; ", out);
	return out;
}

static void
put_advice(FILE *out, int signal)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(advices); i++)
		if (advices[i].signal == signal)
			fputs(advices[i].advice, next_part(out));
}

/* Explain an exit status with a meaning in shells and scripts. */
static void
put_shell_hint(FILE *out, int code)
{
	const int signal = code - SHELL_SIGNAL;

	if (code == SHELL_NOT_FOUND)
		fputs(
		    "127 is a shell's status for a program that was not found",
		    next_part(out));
	else if (code == SHELL_CANNOT_EXECUTE)
		fputs("126 is a shell's status for a program that cannot be "
		      "executed",
		    next_part(out));
	else if (signal > 0 && signal <= SHELL_SIGNALS) {
		fprintf(next_part(out),
		    "%d is a shell's status for a program killed by signal %d "
		    "(%s)",
		    code, signal, strsignal(signal));
		put_advice(out, signal);
	}
}

/* Explain the status beyond its number. */
static void
put_hints(FILE *out, int status)
{
	if (!WIFSIGNALED(status)) {
		put_shell_hint(out, WEXITSTATUS(status));
		return;
	}
	put_advice(out, WTERMSIG(status));
	if (WCOREDUMP(status))
		fputs(
		    "it dumped core: /proc/sys/kernel/core_pattern says where",
		    next_part(out));
}

/* Print "0.4 s", "75 s", "3 min 20 s", "5 h 2 min". */
static void
put_duration(FILE *out, int64_t ms)
{
	const long long s = (long long)(ms + 500) / 1000;

	if (ms < 10000)
		fprintf(out, "%.1f s", (double)ms / 1000);
	else if (s < 120)
		fprintf(out, "%lld s", s);
	else if (s < 7200)
		fprintf(out, "%lld min %lld s", s / 60, s % 60);
	else
		fprintf(out, "%lld h %lld min", s / 3600, s / 60 % 60);
}

/* Print the text on separate lines, wrapped. */
static void
print_wrapped(FILE *out, struct memstream *m)
{
	char *text = memstream_close(m, NULL);

	if (text[0] != '\0') {
		fprintf(out, "%*s", INDENT, "");
		text_wrap(out, text, INDENT, INDENT);
		fputc('\n', out);
	}
	free(text);
}

static bool
has_failed(const struct launch_instance *r)
{
	return r->state == LAUNCH_INSTANCE_ENDED && !r->told_to_end &&
	    r->status != 0;
}

/* Print "14 others were stopped", "1 other was stopped", with ", " before later
   parts of the list. */
static void
put_others(FILE *out, bool *any, int count, const char *one, const char *many)
{
	if (count == 0)
		return;
	if (*any)
		fputs(", ", out);
	else
		(void)next_part(out);
	*any = true;
	fprintf(out, "%d %s", count, count == 1 ? one : many);
}

/* Return the first instance that failed after the cause, or -1. */
static int
find_second(const struct launch_instance *all, int count, int cause)
{
	int i, second = -1;

	for (i = 0; i < count; i++)
		if (i != cause && has_failed(&all[i]) &&
		    (second == -1 || all[i].ended_ms < all[second].ended_ms))
			second = i;
	return second;
}

static void
put_end(FILE *out, int status)
{
	if (WIFSIGNALED(status))
		fprintf(out, "signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else
		fprintf(out, "exit status %d", WEXITSTATUS(status));
}

/* Print how the others ended. */
static void
put_all_others(FILE *out, const struct launch_instance *all, int count,
    int cause)
{
	int i, stopped = 0, done = 0, failed = 0, lost = 0, waiting = 0;
	int second = find_second(all, count, cause);
	bool any = false;

	for (i = 0; i < count; i++) {
		if (i == cause)
			continue;
		failed += has_failed(&all[i]);
		lost += all[i].state == LAUNCH_INSTANCE_LOST;
		waiting += all[i].state == LAUNCH_INSTANCE_WAITS;
		if (all[i].state == LAUNCH_INSTANCE_ENDED) {
			stopped += all[i].told_to_end;
			done += !all[i].told_to_end && all[i].status == 0;
		}
	}
	put_others(out, &any, stopped, "other was stopped",
	    "others were stopped");
	put_others(out, &any, done, "other had succeeded",
	    "others had succeeded");
	put_others(out, &any, waiting, "other had not started",
	    "others had not started");
	put_others(out, &any, lost, "other was lost", "others were lost");
	put_others(out, &any, failed, "other failed after it",
	    "others failed after it");
	if (second == -1)
		return;
	fprintf(out, "%sinstance %d, ",
	    failed == 1 ? ": " : ", the first: ", second);
	put_end(out, all[second].status);
}

/* Skip an escape sequence for colour or movement (ECMA-48, CSI) if one begins
   here. */
static const char *
skip_sequence(const char *p, const char *end)
{
	if (end - p < 2 || p[0] != '\x1b' || p[1] != '[')
		return p;
	for (p += 2; p < end && (*p < '@' || *p > '~'); p++)
		;
	return p < end ? p + 1 : end;
}

/* Print a line of the tail, indented and escaped for a terminal. */
static void
print_tail_line(FILE *out, const char *line, const char *end)
{
	char *copy = xmalloc((size_t)(end - line) + 1);
	char *shown = xmalloc((size_t)(end - line) * 4 + 1);
	const char *p;
	size_t used = 0;

	while (line < end) {
		p = skip_sequence(line, end);
		if (p == line && *line != '\0')
			copy[used++] = *line;
		line = p == line ? line + 1 : p;
	}
	copy[used] = '\0';
	text_escape(copy, "\t", shown, 4 * used + 1);
	fprintf(out, "%*s|%s%s\n", INDENT, "", used > 0 ? " " : "", shown);
	free(copy);
	free(shown);
}

/* Print the last lines without trailing empty ones. */
static void
print_tail(FILE *out, const struct postmortem_cause *cause)
{
	const char *tail = cause->tail, *end, *begin, *newline;
	size_t size = cause->tail_size;
	int lines = 0;

	while (size > 0 &&
	    (tail[size - 1] == '\n' || tail[size - 1] == ' ' ||
		tail[size - 1] == '\r'))
		size--;
	if (size == 0)
		return;
	end = begin = tail + size;
	for (; begin > tail; begin--)
		if (begin[-1] == '\n' && ++lines == POSTMORTEM_TAIL_LINES)
			break;
	fprintf(out, "%*sits last lines", INDENT, "");
	if (cause->logs != NULL) {
		fputs(" (all of them: ", out);
		text_put(out, cause->logs);
		fprintf(out, "/instance.%d.*)", cause->instance);
	}
	fputs(":\n", out);
	for (; begin < end; begin = newline + 1) {
		newline = memchr(begin, '\n', (size_t)(end - begin));
		if (newline == NULL)
			newline = end;
		print_tail_line(out, begin, newline);
	}
}

void
postmortem_print(FILE *out, const struct launch_instance *all, int count,
    const struct postmortem_cause *cause)
{
	const struct launch_instance *r = &all[cause->instance];
	struct memstream m;

	(void)memstream_open(&m);
	if (count > 1 || cause->host != NULL) {
		fputs("it ran ", m.file);
		put_duration(m.file, r->ended_ms - r->started_ms);
		if (cause->host != NULL) {
			fputs(" on ", m.file);
			text_put(m.file, cause->host);
		}
	}
	put_all_others(m.file, all, count, cause->instance);
	print_wrapped(out, &m);
	put_hints(memstream_open(&m), r->status);
	print_wrapped(out, &m);
	if (cause->tail != NULL && (count > 1 || !cause->seen))
		print_tail(out, cause);
}

/* Print "0-2, 5" for the marked instances. */
static void
put_set(FILE *out, const bool *marked, int count)
{
	int i, first;
	bool any = false;

	for (i = 0; i < count; i++) {
		if (!marked[i])
			continue;
		for (first = i; i + 1 < count && marked[i + 1]; i++)
			;
		fprintf(out, "%s%d", any ? ", " : "", first);
		if (i > first)
			fprintf(out, "%s%d", i == first + 1 ? ", " : "-", i);
		any = true;
	}
}

/* Print "instances that STATE: 0-2 (3 of 4)"; nothing if all are marked. */
static void
print_set(FILE *out, const bool *marked, int count, const char *state)
{
	struct memstream m;
	int i, all = 0;

	for (i = 0; i < count; i++)
		all += marked[i];
	if (all == 0 || all == count)
		return;
	(void)memstream_open(&m);
	fprintf(m.file, "instances that %s: ", state);
	put_set(m.file, marked, count);
	fprintf(m.file, " (%d of %d)", all, count);
	print_wrapped(out, &m);
}

void
postmortem_print_running(FILE *out, const struct launch_instance *all,
    int count)
{
	bool *marked = xcalloc((size_t)count, sizeof(*marked));
	int i;

	for (i = 0; i < count; i++)
		marked[i] = all[i].told_to_end ||
		    all[i].state == LAUNCH_INSTANCE_RUNS;
	print_set(out, marked, count, "were still running");
	free(marked);
}

void
postmortem_print_waiting(FILE *out, const struct launch_instance *all,
    int count)
{
	bool *marked = xcalloc((size_t)count, sizeof(*marked));
	int i;

	for (i = 0; i < count; i++)
		marked[i] = all[i].state == LAUNCH_INSTANCE_WAITS;
	print_set(out, marked, count, "had not started");
	free(marked);
}
