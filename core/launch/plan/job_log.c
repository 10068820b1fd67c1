/*
 * poprun's log in the real tool's format, on stderr, each line written at once.
 */
#include <bsd/string.h>

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/launch/plan/plan.h"

static enum log_level level = LOG_WARN;

static bool coloured;

/* The file that gets every level: job_log_keep(). */
static int kept_fd = -1;
static char kept_directory[PATH_MAX];

static const char *const level_names[] = { "OFF", "ERR", "WARN", "INFO",
	"DEBUG", "TRACE" };
static const char level_letters[] = "-EWIDT";

/* -v on the command line wins over POPRUN_LOG_LEVEL. */
int
job_log_init(int flags, struct error *e)
{
	const char *name = getenv("POPRUN_LOG_LEVEL");
	size_t i;

	level = LOG_WARN;
	if (flags > 0) {
		level = flags == 1 ? LOG_INFO :
		    flags == 2	   ? LOG_DEBUG :
				     LOG_TRACE;
		return 0;
	}
	if (name == NULL || *name == '\0')
		return 0;
	for (i = 0; i < ARRAY_SIZE(level_names); i++)
		if (strcasecmp(name, level_names[i]) == 0) {
			level = (enum log_level)i;
			return 0;
		}
	return suggest_refuse("POPRUN_LOG_LEVEL", name,
	    "TRACE, DEBUG, INFO, WARN, ERR or OFF", e);
}

void
job_log_set_colour(enum terminal_colour colour)
{
	coloured = terminal_has_colour(STDERR_FILENO, colour);
}

bool
job_log_wants(enum log_level wanted)
{
	return wanted <= level;
}

__attribute__((format(printf, 3, 0))) static void
print_line(FILE *out, enum log_level line_level, const char *fmt, va_list ap)
{
	const int64_t now_ns = clock_real_ns();
	const time_t now_s = (time_t)(now_ns / 1000000000);
	struct tm tm;
	char when[16];

	if (localtime_r(&now_s, &tm) == NULL)
		memset(&tm, 0, sizeof(tm));
	(void)strftime(when, sizeof(when), "%H:%M:%S", &tm);
	fprintf(out, "%s.%03ld %ld POPRUN [%c] ", when, now_ns / 1000000 % 1000,
	    (long)getpid(), level_letters[line_level]);
	vfprintf(out, fmt, ap);
	fputc('\n', out);
}

/* End the line, escaped for a terminal because it may quote anything. */
static char *
close_line(struct memstream *line)
{
	size_t size;
	char *text = memstream_close(line, &size);
	char *shown = xmalloc(4 * size + 1);

	text_escape(text, "\n\t", shown, 4 * size + 1);
	free(text);
	return shown;
}

void
job_log_keep(int fd, const char *directory)
{
	kept_fd = fd;
	(void)strlcpy(kept_directory, directory, sizeof(kept_directory));
}

/* Write to the kept file, if any; a write error ends it. */
static void
keep_text(const char *text)
{
	const int fd = kept_fd;

	if (fd == -1 || file_put(fd, text, strlen(text)) == 0)
		return;
	kept_fd = -1;
	job_log_warning("cannot write %s/poprun.log: %s; the file ends there",
	    kept_directory, strerror(errno));
	(void)close(fd);
}

/* Print a line in one write, so that it does not mix with other output. */
static void
write_line(struct memstream *line, bool wanted)
{
	char *text = close_line(line);

	if (wanted)
		(void)!write(STDERR_FILENO, text, strlen(text));
	keep_text(text);
	free(text);
}

void
job_log_print(FILE *out, enum log_level line_level, const char *fmt, ...)
{
	struct memstream line;
	char *text;
	va_list ap;

	if (!job_log_wants(line_level) && kept_fd == -1)
		return;
	va_start(ap, fmt);
	print_line(memstream_open(&line), line_level, fmt, ap);
	va_end(ap);
	text = close_line(&line);
	if (job_log_wants(line_level))
		fputs(text, out);
	keep_text(text);
	free(text);
}

void
job_log_line(enum log_level line_level, const char *fmt, ...)
{
	struct memstream line;
	va_list ap;

	if (!job_log_wants(line_level) && kept_fd == -1)
		return;
	(void)memstream_open(&line);
	va_start(ap, fmt);
	print_line(line.file, line_level, fmt, ap);
	va_end(ap);
	write_line(&line, job_log_wants(line_level));
}

/* Print to a file, NULL: to stderr, in one write. */
static void
show_text(FILE *out, const char *text)
{
	if (out != NULL)
		fputs(text, out);
	else
		(void)!write(STDERR_FILENO, text, strlen(text));
}

void
job_log_print_text(FILE *out, const char *text)
{
	show_text(out, text);
	keep_text(text);
}

/* The kept file gets the same line without colours. */
__attribute__((format(printf, 4, 0))) static void
print_message(FILE *out, enum terminal_tone tone, const char *head,
    const char *fmt, va_list ap)
{
	struct memstream line;
	char *text, *shown;

	(void)memstream_open(&line);
	vfprintf(line.file, fmt, ap);
	fputc('\n', line.file);
	text = close_line(&line);
	shown = xasprintf("%s%s%s %s", terminal_begin(tone, coloured), head,
	    terminal_end(tone, coloured), text);
	show_text(out, shown);
	free(shown);
	shown = xasprintf("%s %s", head, text);
	keep_text(shown);
	free(shown);
	free(text);
}

int
job_log_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message(NULL, TONE_BAD, "POPRUN ERROR:", fmt, ap);
	va_end(ap);
	return EXIT_FAILURE;
}

void
job_log_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message(NULL, TONE_WARNING, "POPRUN WARNING:", fmt, ap);
	va_end(ap);
}

void
job_log_print_error(FILE *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message(out, TONE_BAD, "POPRUN ERROR:", fmt, ap);
	va_end(ap);
}

void
job_log_print_warning(FILE *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message(out, TONE_WARNING, "POPRUN WARNING:", fmt, ap);
	va_end(ap);
}
