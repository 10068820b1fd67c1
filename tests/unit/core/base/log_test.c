/* The lines of a daemon, and a reader that stops to read. */
#include "core/base/log.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tests/unit/tap.h"

static int reader;

/* What is in the pipe, after "TIME NAME[PID]: " of its first line. */
static const char *
said(void)
{
	static char text[1 << 17];
	ssize_t n = read(reader, text, sizeof(text) - 1);
	char *at;

	text[n < 0 ? 0 : n] = '\0';
	at = strstr(text, "]: ");
	return strncmp(text, "20", 2) == 0 && text[10] == 'T' &&
		strncmp(text + 19, "Z test[", 7) == 0 && at != NULL ?
	    at + 3 :
	    text;
}

static void
lines(void)
{
	log_info("listening on %s", "here");
	is_str(said(), "listening on here\n", "something happened");
	log_warnx("a\x1b[2J%s", "\nb");
	is_str(said(), "a\\x1b[2J\\x0ab\n", "one line, escaped");
	errno = ENOENT;
	log_warn("cannot open %s", "f");
	is_str(said(), "cannot open f: No such file or directory\n",
	    "the words of errno");
	log_debug("not said");
	is_str(said(), "", "no more than is wanted");
	log_open("test", true);
	log_debug("said");
	is_str(said(), "said\n", "more");
}

/* The lines of a text. */
static int
count_lines(const char *text)
{
	int count = 0;

	for (; (text = strchr(text, '\n')) != NULL; text++)
		count++;
	return count;
}

/* Who makes lines without end fills no log, and others' lines are there. */
static void
foreign(void)
{
	const char *text;
	int64_t until_ms;
	int i, count;

	for (i = 0; i < 3000; i++)
		log_foreign("from elsewhere, number %d", i);
	log_info("our own");
	text = said();
	count = count_lines(text);
	ok(count > LOG_FOREIGN_BURST && count < 2 * LOG_FOREIGN_BURST,
	    "so many lines and no more");
	ok(strstr(text, "our own\n") != NULL, "our own come all the same");
	until_ms = clock_monotonic_ms() + 5000;
	do {
		log_foreign_rest();
		text = said();
	} while (text[0] == '\0' && clock_monotonic_ms() < until_ms);
	ok(strstr(text, " more lines like the last ones are left out\n") !=
		NULL,
	    "how many were left out is told");
	log_foreign_rest();
	is_str(said(), "", "once");
}

/* It returns, whatever the reader does. */
static void
no_reader(void)
{
	const char *text;
	int i;

	for (i = 0; i < 5000; i++)
		log_info("a line that nobody reads, number %d", i);
	text = said();
	ok(strstr(text, "number 0\n") != NULL, "the first lines are there");
	ok(strstr(text, "number 4999\n") == NULL, "the last ones are lost");
	log_info("behind them");
	text = said();
	ok(strstr(text,
	       " lines are lost here because the log was not read\n") != NULL,
	    "that is told");
	ok(strstr(text, "behind them\n") != NULL, "and what follows");
}

/* JOURNAL_STREAM is inherited also where stderr leads elsewhere. */
static void
journal(void)
{
	struct stat st;
	char stream[48];

	(void)setenv("JOURNAL_STREAM", "8:1", 1);
	log_open("test", false);
	log_info("to a pipe");
	is_str(said(), "to a pipe\n", "the stream of another process");
	(void)fstat(STDERR_FILENO, &st);
	(void)snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev,
	    (uintmax_t)st.st_ino);
	(void)setenv("JOURNAL_STREAM", stream, 1);
	log_open("test", false);
	log_info("to the journal");
	is_str(said(), "<6>to the journal\n", "a level for the journal");
}

int
main(void)
{
	int fds[2];

	(void)unsetenv("JOURNAL_STREAM");
	if (pipe(fds) != 0 || dup2(fds[1], STDERR_FILENO) == -1)
		return 1;
	reader = fds[0];
	(void)fcntl(reader, F_SETFL, O_NONBLOCK);
	log_open("test", false);
	lines();
	foreign();
	no_reader();
	journal();
	return tap_done();
}
