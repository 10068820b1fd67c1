/*
 * Draws the progress bar in tqdm's form, which readers of the tutorial know.
 */
#include "applets/train/train.h"

#include <limits.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/terminal.h"
#include "core/base/text.h"

enum { WIDTH = 10 }; /* of the bar, in characters */

/* Print "MM:SS", or "H:MM:SS" from an hour on, as tqdm does. */
static void
print_time(FILE *f, double seconds)
{
	const long s = (long)seconds;

	if (s >= 3600)
		fprintf(f, "%ld:", s / 3600);
	fprintf(f, "%02ld:%02ld", s / 60 % 60, s % 60);
}

/* Print whole blocks, then one of eighths: 10 characters show 80 steps. */
static void
progress_print_bar(FILE *f, int done, int total, int width)
{
	static const char *const eighths[] = { " ", "\u258f", "\u258e",
		"\u258d", "\u258c", "\u258b", "\u258a", "\u2589" };
	const int filled = done * width * 8 / total;
	int i;

	for (i = 0; i < width; i++) {
		if (i < filled / 8)
			fputs("\u2588", f);
		else
			fputs(eighths[i == filled / 8 ? filled % 8 : 0], f);
	}
}

/* Print the times and the rate.  The remaining time assumes the rate so far; a
   rate below one step per second is shown inverted, "2.00s/it". */
static void
print_pace(FILE *f, int done, int total, int64_t elapsed_ns, bool with_rate)
{
	const double elapsed = (double)elapsed_ns / 1e9;
	const double rate = elapsed > 0 ? done / elapsed : 0;

	fputc('[', f);
	print_time(f, elapsed);
	fputc('<', f);
	if (rate > 0)
		print_time(f, (total - done) / rate);
	else
		fputc('?', f);
	if (!with_rate)
		fputc(']', f);
	else if (rate == 0)
		fputs(", ?it/s]", f);
	else if (rate < 1)
		fprintf(f, ", %5.2fs/it]", 1 / rate);
	else
		fprintf(f, ", %5.2fit/s]", rate);
}

/* On a narrow screen the bar shrinks to a third and then goes, then the rate,
   then the times.  The text, which is most useful, stays. */
void
progress_print(FILE *f, int done, int total, int64_t elapsed_ns,
    const char *text, int columns)
{
	enum { LEAST = 3 };
	struct memstream m;
	char *head, *count, *pace, *times;
	int used, bar = WIDTH;

	head = xasprintf("%s%s%3d%%|", text, *text != '\0' ? ": " : "",
	    done * 100 / total);
	count = xasprintf("| %d/%d", done, total);
	print_pace(memstream_open(&m), done, total, elapsed_ns, true);
	pace = memstream_close(&m, NULL);
	print_pace(memstream_open(&m), done, total, elapsed_ns, false);
	times = memstream_close(&m, NULL);
	used = terminal_width(head) + terminal_width(count);
	if (columns == 0)
		columns = INT_MAX;
	if (used + 1 + terminal_width(pace) + WIDTH > columns)
		bar = columns - used - 1 - terminal_width(pace);
	fputs(head, f);
	/* Without a bar one percentage suffices. */
	if (bar >= LEAST)
		progress_print_bar(f, done, total, bar);
	fputs(bar >= LEAST ? count : count + 1, f);
	used += bar >= LEAST ? bar + 1 : 0;
	if (used + terminal_width(pace) <= columns)
		fprintf(f, " %s", pace);
	else if (used + terminal_width(times) <= columns)
		fprintf(f, " %s", times);
	free(head);
	free(count);
	free(pace);
	free(times);
}

void
progress_start(struct progress *p, FILE *file, bool redraw, int total)
{
	*p = (struct progress){ .file = file,
		.redraw = redraw,
		.total = total,
		.start_ns = clock_monotonic_ns() };
	progress_show(p, 0, "");
}

/* A bar that is not redrawn (file, pipe) is printed once, when complete. */
void
progress_show(const struct progress *p, int done, const char *text)
{
	int columns;

	if (p->file == NULL || (!p->redraw && done < p->total))
		return;
	if (p->redraw)
		fputc('\r', p->file);
	/* After a full line a terminal would clear its last column. */
	columns = terminal_columns(fileno(p->file));
	progress_print(p->file, done, p->total,
	    clock_monotonic_ns() - p->start_ns, text,
	    columns > 1 && p->redraw ? columns - 1 : columns);
	if (p->redraw)
		fputs("\033[K", p->file); /* clear the rest of a longer line */
	if (done == p->total)
		fputc('\n', p->file);
	(void)fflush(p->file);
}

void
progress_stop(const struct progress *p)
{
	if (p->file == NULL || !p->redraw)
		return;
	fputc('\n', p->file);
	(void)fflush(p->file);
}
