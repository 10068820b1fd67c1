/*
 * Drawing the bar.  Its form is tqdm's, so that who knows the tutorial's
 * output reads it without thinking.
 */
#include "applets/train/progress.h"


#include "core/base/clock.h"

enum { WIDTH = 10 };		/* of the bar, in characters */

/* "MM:SS", from an hour on "H:MM:SS", as tqdm. */
static void
print_time(FILE *f, double seconds)
{
	const long	s = (long)seconds;

	if (s >= 3600)
		fprintf(f, "%ld:", s / 3600);
	fprintf(f, "%02ld:%02ld", s / 60 % 60, s % 60);
}

/* Whole blocks, then one of eighths: 10 characters show 80 steps. */
static void
progress_print_bar(FILE *f, int done, int total)
{
	static const char *const eighths[] = { " ", "\u258f", "\u258e",
	    "\u258d", "\u258c", "\u258b", "\u258a", "\u2589" };
	const int	filled = done * WIDTH * 8 / total;
	int		i;

	for (i = 0; i < WIDTH; i++) {
		if (i < filled / 8)
			fputs("\u2588", f);
		else
			fputs(eighths[i == filled / 8 ? filled % 8 : 0], f);
	}
}

/*
 * The rest is what it would take at the rate so far; below one step a second
 * the rate is said as its inverse, "2.00s/it".
 */
void
progress_print(FILE *f, int done, int total, int64_t elapsed_ns,
    const char *text)
{
	const double	elapsed = (double)elapsed_ns / 1e9;
	const double	rate = elapsed > 0 ? done / elapsed : 0;

	if (*text != '\0')
		fprintf(f, "%s: ", text);
	fprintf(f, "%3d%%|", done * 100 / total);
	progress_print_bar(f, done, total);
	fprintf(f, "| %d/%d [", done, total);
	print_time(f, elapsed);
	if (rate == 0) {
		fputs("<?, ?it/s]", f);
		return;
	}
	fputc('<', f);
	print_time(f, (total - done) / rate);
	if (rate < 1)
		fprintf(f, ", %5.2fs/it]", 1 / rate);
	else
		fprintf(f, ", %5.2fit/s]", rate);
}

void
progress_start(struct progress *p, FILE *file, bool redraw, int total)
{
	*p = (struct progress){
		.file = file,
		.redraw = redraw,
		.total = total,
		.start_ns = clock_monotonic_ns()
	};
	progress_show(p, 0, "");
}

/*
 * A bar that is not redrawn (a file, a pipe) is printed once, when it is full.
 */
void
progress_show(const struct progress *p, int done, const char *text)
{
	if (p->file == NULL || (!p->redraw && done < p->total))
		return;
	if (p->redraw)
		fputc('\r', p->file);
	progress_print(p->file, done, p->total, clock_monotonic_ns() -
	    p->start_ns, text);
	if (p->redraw)
		fputs("\033[K", p->file);	/* the rest of a longer line */
	if (done == p->total)
		fputc('\n', p->file);
	(void)fflush(p->file);
}
