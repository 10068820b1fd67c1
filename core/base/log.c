/*
 * A daemon's log.  Each line is written by one write(2), so that lines of
 * several processes in one file do not mix.
 */
#include "core/base/log.h"

#include <sys/stat.h>

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"

/* The numbers of syslog(3). */
enum log_priority {
	LOG_PRIORITY_WARNING = 4,
	LOG_PRIORITY_INFO = 6,
	LOG_PRIORITY_DEBUG = 7
};

/* The state of this process's log. */
static struct {
	const char *name;
	bool debug;
	bool journal;
	unsigned long lost;	/* lines lost because the log could not be
				   written */
	unsigned long left_out; /* foreign lines above the rate */
	int64_t used;		/* the bucket's content, in thousandths of a
				   line, */
	int64_t since_ms;	/* at this time */
} speaker = { .name = "ipubox" };

/* The variable is "DEVICE:INODE" of the journal's stream.  Processes inherit
   it from a service or a desktop's terminal, so compare it with the actual
   stderr. */
static bool
log_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat st;
	char own[48];

	if (stream == NULL || fstat(STDERR_FILENO, &st) != 0)
		return false;
	(void)snprintf(own, sizeof(own), "%ju:%ju", (uintmax_t)st.st_dev,
	    (uintmax_t)st.st_ino);
	return strcmp(stream, own) == 0;
}

void
log_open(const char *name, bool debug)
{
	speaker.name = name;
	speaker.debug = debug;
	speaker.journal = log_is_journal();
}

/* Return true if a line can be written without waiting for a stopped reader. */
static bool
log_may_write(void)
{
	struct pollfd fd = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLOUT) != 0;
}

/* A log that cannot be written cannot report that either. */
static void
log_write_line(enum log_priority priority, struct error *text)
{
	char line[sizeof(text->text) + 128], now[CLOCK_TEXT_SIZE];
	char *at;
	int len;

	/* A reason may have two lines. */
	for (at = text->text; (at = strchr(at, '\n')) != NULL;)
		*at = ' ';
	if (speaker.journal)
		len = snprintf(line, sizeof(line), "<%d>%s\n", (int)priority,
		    text->text);
	else {
		clock_text(clock_real_ms() / 1000, now);
		len = snprintf(line, sizeof(line), "%s %.64s[%ld]: %s\n", now,
		    speaker.name, (long)getpid(), text->text);
	}
	if (len > 0)
		(void)!write(STDERR_FILENO, line, (size_t)len);
}

static void
log_write(enum log_priority priority, struct error *text)
{
	struct error lost;

	if (!log_may_write()) {
		speaker.lost++;
		return;
	}
	if (speaker.lost > 0) {
		(void)error_set(&lost,
		    "%lu lines are lost here because the log was not read",
		    speaker.lost);
		speaker.lost = 0;
		log_write_line(LOG_PRIORITY_WARNING, &lost);
	}
	if (log_may_write())
		log_write_line(priority, text);
	else
		speaker.lost++;
}

void
log_warn(const char *format, ...)
{
	const int number = errno;
	struct error text, reason;
	va_list list;

	va_start(list, format);
	(void)error_set_list(&text, format, list);
	va_end(list);
	(void)error_set_reason(&reason, number);
	(void)error_append(&text, ": %s", reason.text);
	log_write(LOG_PRIORITY_WARNING, &text);
}

void
log_warnx(const char *format, ...)
{
	struct error text;
	va_list list;

	va_start(list, format);
	(void)error_set_list(&text, format, list);
	va_end(list);
	log_write(LOG_PRIORITY_WARNING, &text);
}

/* Take a line from a bucket that refills over time.  Returns false if it is
   empty. */
static bool
log_foreign_spend(void)
{
	const int64_t now_ms = clock_monotonic_ms();

	speaker.used -= (now_ms - speaker.since_ms) * LOG_FOREIGN_PER_S;
	speaker.since_ms = now_ms;
	if (speaker.used < 0)
		speaker.used = 0;
	if (speaker.used > (LOG_FOREIGN_BURST - 1) * 1000)
		return false;
	speaker.used += 1000;
	return true;
}

void
log_foreign(const char *format, ...)
{
	struct error text;
	va_list list;

	if (speaker.left_out > 0)
		log_foreign_rest();
	if (speaker.left_out > 0 || !log_foreign_spend()) {
		speaker.left_out++;
		return;
	}
	va_start(list, format);
	(void)error_set_list(&text, format, list);
	va_end(list);
	log_write(LOG_PRIORITY_WARNING, &text);
}

void
log_foreign_rest(void)
{
	struct error text;

	if (speaker.left_out == 0 || !log_foreign_spend())
		return;
	(void)error_set(&text, "%lu more lines like the last ones are left out",
	    speaker.left_out);
	speaker.left_out = 0;
	log_write(LOG_PRIORITY_WARNING, &text);
}

void
log_info(const char *format, ...)
{
	struct error text;
	va_list list;

	va_start(list, format);
	(void)error_set_list(&text, format, list);
	va_end(list);
	log_write(LOG_PRIORITY_INFO, &text);
}

void
log_debug(const char *format, ...)
{
	struct error text;
	va_list list;

	if (!speaker.debug)
		return;
	va_start(list, format);
	(void)error_set_list(&text, format, list);
	va_end(list);
	log_write(LOG_PRIORITY_DEBUG, &text);
}
