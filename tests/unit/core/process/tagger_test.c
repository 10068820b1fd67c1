/*
 * Tagged lines: whole lines whatever the chunks, "\r", ends without newline,
 * bytes of every value, long lines, a sink's owner, terminals; a random stream
 * beside a plain model; all of it with tags of several lengths, and tags that
 * tell the time.
 */
#include <sys/mman.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/process/tagger.h"
#include "tests/unit/tap.h"

enum { STREAMS = 2, CHUNKS = 6 };

struct rig {
	struct sink sink;
	struct stream streams[STREAMS];
	int writers[STREAMS];
	int file;
};

/* Of no bytes, of about as many as are copied at once, and of many. */
static const char *const formats[] = { TAG_FORMAT_DEFAULT, "", "%i",
	"%i is a tag of thirty-one bytes:", "%i is a tag of thirty-two bytes: ",
	"%i is one of thirty-three bytes: |", "%h%i%h| " };

static const char *format = TAG_FORMAT_DEFAULT;

static struct tag_values
values_of(int stream)
{
	static char host[TAG_FORMAT_HOST_MAX + 1];

	memset(host, 'h', sizeof(host) - 1);
	return (struct tag_values){ .instance = stream,
		.host = host,
		.stream = "stdout" };
}

static void
rig_init(struct rig *r)
{
	struct tag_values values;
	int fds[2], i;

	r->file = memfd_create("sink", 0);
	tagger_sink_init(&r->sink, r->file);
	for (i = 0; i < STREAMS; i++) {
		if (pipe2(fds, O_CLOEXEC) != 0)
			abort();
		(void)fcntl(fds[0], F_SETFL, O_NONBLOCK);
		values = values_of(i);
		tagger_stream_init(&r->streams[i], &r->sink, format, &values,
		    fds[0]);
		r->writers[i] = fds[1];
	}
}

/* One read, and what is read is taken in. */
static long
read_once(struct stream *st, int64_t now_ms)
{
	const char *data;
	const long n = tagger_stream_read(st, &data);

	if (n > 0)
		tagger_stream_take(st, (size_t)n, now_ms);
	return n;
}

/* Write to a stream and let it read, in parts that a pipe takes. */
static void
feed(struct rig *r, int stream, const char *data, size_t size)
{
	size_t n;

	for (; size > 0; data += n, size -= n) {
		n = size < 60000 ? size : 60000;
		if (write(r->writers[stream], data, n) != (ssize_t)n)
			abort();
		while (read_once(&r->streams[stream], 0) > 0)
			;
	}
}

/* End both streams; all that went out. */
static char *
rig_finish(struct rig *r, size_t *size)
{
	char *text;
	char path[64];
	int i;

	for (i = 0; i < STREAMS; i++) {
		(void)close(r->writers[i]);
		while (read_once(&r->streams[i], 0) > 0)
			;
		is_int(r->streams[i].fd, -1, "the stream has ended");
		tagger_stream_release(&r->streams[i]);
	}
	is_int(tagger_sink_flush(&r->sink), 0, "written");
	tagger_sink_release(&r->sink);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", r->file);
	text = file_read(path, (size_t)1 << 30, size, NULL);
	(void)close(r->file);
	return text;
}

struct row {
	const char *name;
	struct {
		int stream;
		const char *text;
	} chunks[CHUNKS];
	const char *wanted;
};

#define T0 "[1,0]<stdout>:"
#define T1 "[1,1]<stdout>:"

static const struct row rows[] = {
	{ "nothing", { { 0, NULL } }, "" },
	{ "a line", { { 0, "one\n" } }, T0 "one\n" },
	{ "empty lines", { { 0, "\n\na\n\n" } },
	    T0 "\n" T0 "\n" T0 "a\n" T0 "\n" },
	{ "no newline at the end", { { 0, "one\ntwo" } },
	    T0 "one\n" T0 "two\n" },
	{ "pieces of a line",
	    { { 0, "o" }, { 0, "n" }, { 0, "e\nt" }, { 0, "wo\n" } },
	    T0 "one\n" T0 "two\n" },
	{ "no tag in the midst of a line",
	    { { 0, "on" }, { 1, "other\n" }, { 0, "e\n" } },
	    T1 "other\n" T0 "one\n" },
	{ "redraws", { { 0, "10%\r20%\r30%\n" } },
	    T0 "10%\r" T0 "20%\r" T0 "30%\n" },
	{ "a redraw goes out at once",
	    { { 0, "10%\r" }, { 1, "x\n" }, { 0, "20%\n" } },
	    T0 "10%\r" T1 "x\n" T0 "20%\n" },
	{ "CR LF is one end", { { 0, "a\r\nb\r\n" } }, T0 "a\r\n" T0 "b\r\n" },
	{ "CR LF in two chunks", { { 0, "a\r" }, { 0, "\nb\n" } },
	    T0 "a\r\n" T0 "b\n" },
	{ "CR LF with another between",
	    { { 0, "a\r" }, { 1, "x\n" }, { 0, "\nb\n" } },
	    T0 "a\r" T1 "x\n" T0 "\n" T0 "b\n" },
	{ "CR at the end", { { 0, "100%\r" } }, T0 "100%\r\n" },
	{ "a held piece with CR", { { 0, "ab" }, { 0, "c\rd" }, { 0, "\n" } },
	    T0 "abc\r" T0 "d\n" },
	{ "lengths around a word", { { 0, "1234567\n12345678\n123456789\n" } },
	    T0 "1234567\n" T0 "12345678\n" T0 "123456789\n" },
	{ "high bytes", { { 0, "\x8a\x8d\xff\x80\x0b\x0c\x0e\x09\n" } },
	    T0 "\x8a\x8d\xff\x80\x0b\x0c\x0e\x09\n" },
};

/* The text with tags of the format in the places of T0 and T1. */
static char *
retag(const char *text)
{
	const size_t usual = strlen(T0);
	struct tag_values values;
	char *copy, tag[TAG_FORMAT_SIZE];
	size_t size;
	FILE *out = open_memstream(&copy, &size);
	int i;

	while (*text != '\0') {
		i = strncmp(text, T0, usual) == 0 ? 0 :
		    strncmp(text, T1, usual) == 0 ? 1 :
						    -1;
		if (i == -1) {
			(void)fputc(*text++, out);
			continue;
		}
		values = values_of(i);
		(void)tag_format_expand(format, &values, 0, tag);
		(void)fputs(tag, out);
		text += usual;
	}
	(void)fclose(out);
	return copy;
}

static void
test_row(const struct row *row)
{
	struct rig r;
	char *got, *wanted = retag(row->wanted);
	size_t size;
	int i;

	rig_init(&r);
	for (i = 0; i < CHUNKS && row->chunks[i].text != NULL; i++)
		feed(&r, row->chunks[i].stream, row->chunks[i].text,
		    strlen(row->chunks[i].text));
	got = rig_finish(&r, &size);
	is_str(got, wanted, row->name);
	free(got);
	free(wanted);
}

/* What should come out, one byte at a time. */
static char *
model(const char *data, size_t size, size_t *out_size)
{
	char *text, *tag = retag(T0);
	FILE *out = open_memstream(&text, out_size);
	bool start = true;
	size_t i;

	for (i = 0; i < size; i++) {
		if (start)
			(void)fputs(tag, out);
		(void)fputc(data[i], out);
		start = data[i] == '\n' ||
		    (data[i] == '\r' && (i + 1 == size || data[i + 1] != '\n'));
	}
	if (size > 0 && data[size - 1] != '\n')
		(void)fputc('\n', out);
	(void)fclose(out);
	free(tag);
	return text;
}

static void
test_random(unsigned seed)
{
	enum { SIZE = 300000 };
	static const char alphabet[] = "abc\n\r\0\xff\x8a";
	struct rig r;
	char *data = xmalloc(SIZE), *got, *wanted;
	size_t i, n, got_size, wanted_size;

	for (i = 0; i < SIZE; i++) {
		seed = seed * 1103515245 + 12345;
		/* Short lines first, then long ones. */
		n = seed >> 16;
		data[i] = n % 997 < (i < SIZE / 2 ? 997 : 5) ?
		    alphabet[n % 8] :
		    (char)(n % 256 | 0x40);
	}
	rig_init(&r);
	for (i = 0; i < SIZE; i += n) {
		seed = seed * 1103515245 + 12345;
		n = (seed >> 16) % 5000 + 1;
		if (n > SIZE - i)
			n = SIZE - i;
		feed(&r, 0, data + i, n);
	}
	got = rig_finish(&r, &got_size);
	wanted = model(data, SIZE, &wanted_size);
	ok(got_size == wanted_size && memcmp(got, wanted, got_size) == 0,
	    "as the model");
	free(got);
	free(wanted);
	free(data);
}

/* A period that no buffer's size is a multiple of, and NUL bytes in it. */
static char *
long_line(size_t size)
{
	char *line = xmalloc(size + 1);
	size_t i, n;

	for (i = 0; i < 9973; i++)
		line[i] = i % 100 == 0 ? '\0' : (char)('a' + i * i % 26);
	for (; i < size; i += n) {
		n = i < size - i ? i : size - i;
		memcpy(line + i, line, n);
	}
	line[size] = '\n';
	return line;
}

/*
 * A line of `size` bytes comes out whole, behind one tag, and no more of it is
 * held than hold_max.
 */
static void
test_long_line(size_t size, bool newline)
{
	struct rig r;
	char *line = long_line(size), *got, *tag = retag(T0);
	const size_t tag_size = strlen(tag);
	size_t got_size;

	rig_init(&r);
	feed(&r, 0, line, size + newline);
	ok(r.streams[0].room < 2 * (size_t)TAGGER_HOLD_MAX,
	    "memory is bounded");
	is_int(r.sink.owner == &r.streams[0],
	    !newline && size > TAGGER_HOLD_MAX, "who owns the sink");
	got = rig_finish(&r, &got_size);
	is_int((long long)got_size, (long long)(tag_size + size + 1),
	    "one tag, and one newline");
	ok(got_size == tag_size + size + 1 && memcmp(got, tag, tag_size) == 0 &&
		memcmp(got + tag_size, line, size + 1) == 0,
	    "each byte once");
	free(got);
	free(line);
	free(tag);
}

/* What is behind the long line: its rest, and lines of both streams. */
static void
check_behind(struct rig *r, size_t skipped, const char *wanted)
{
	size_t size;
	char *got = rig_finish(r, &size), *tag = retag(T0);
	char *behind = retag(wanted);

	is_str(got + strlen(tag) + skipped, behind, "what comes behind");
	free(behind);
	free(tag);
	free(got);
}

/* The owner is who holds too much; its line may end at "\r", or be broken. */
static void
test_owner(void)
{
	enum { SIZE = 100000 };
	char *line = long_line(SIZE);
	struct rig r;

	memset(line, 'x', SIZE);
	rig_init(&r);
	r.streams[0].hold_max = TAGGER_READ;
	is_int(tagger_sink_patience(&r.sink, 5000), -1, "nobody owns it");
	feed(&r, 0, line, SIZE);
	ok(r.sink.owner == &r.streams[0], "it is owned");
	feed(&r, 0, "y\rz\n", 4);
	ok(r.sink.owner == NULL, "up to a return");
	feed(&r, 1, "other\n", 6);
	check_behind(&r, SIZE, "y\r" T0 "z\n" T1 "other\n");

	rig_init(&r);
	r.streams[0].hold_max = TAGGER_READ;
	feed(&r, 0, line, SIZE);
	is_int(write(r.writers[0], "y", 1), 1, "one byte more");
	(void)read_once(&r.streams[0], 10000);
	is_int(tagger_sink_patience(&r.sink, 10000), TAGGER_SILENCE_MS,
	    "others wait");
	is_int(tagger_sink_patience(&r.sink, 10999), 1, "still");
	is_int(tagger_sink_patience(&r.sink, 11000), 0, "no more");
	is_int(tagger_sink_patience(&r.sink, 99999), 0, "and no more");
	tagger_sink_break(&r.sink);
	is_int(tagger_sink_patience(&r.sink, 11000), -1, "its line is broken");
	tagger_sink_break(&r.sink);
	feed(&r, 1, "other\n", 6);
	feed(&r, 0, "rest\n", 5);
	check_behind(&r, SIZE, "y\n" T1 "other\n" T0 "rest\n");
	free(line);
}

/* As rows above, the sink being a terminal. */
#define CLEAR "\033[K"
static const struct row screen_rows[] = {
	{ "no piece, no clearing", { { 0, "a\nb\n" } }, T0 "a\n" T0 "b\n" },
	{ "what is drawn over is cleared",
	    { { 0, "long\rs\r" }, { 0, "end\nmore\n" } },
	    T0 "long\r" CLEAR T0 "s\r" CLEAR T0 "end\n" T0 "more\n" },
	{ "by another too", { { 0, "10%\r" }, { 1, "x\ny\n" }, { 0, "20%\r" } },
	    T0 "10%\r" CLEAR T1 "x\n" T1 "y\n" T0 "20%\r\n" },
	{ "CR LF clears nothing", { { 0, "a\r\nb\r" }, { 0, "\nc\n" } },
	    T0 "a\r\n" T0 "b\r\n" T0 "c\n" },
	{ "the last state stays", { { 0, "99%\r" } }, T0 "99%\r\n" },
};

static void
test_screen_row(const struct row *row)
{
	struct screen screen = { .writer = NULL };
	struct rig r;
	char *got, *wanted = retag(row->wanted);
	size_t size;
	int i;

	rig_init(&r);
	r.sink.screen = &screen;
	for (i = 0; i < CHUNKS && row->chunks[i].text != NULL; i++)
		feed(&r, row->chunks[i].stream, row->chunks[i].text,
		    strlen(row->chunks[i].text));
	got = rig_finish(&r, &size);
	is_str(got, wanted, row->name);
	free(got);
	free(wanted);
}

/* stdout and stderr on one terminal: in the order in which they came, and
   what one draws over of the other is cleared. */
static void
test_shared_screen(void)
{
	struct screen screen = { .writer = NULL };
	struct rig r;
	struct sink errors;
	char *got, *wanted;
	size_t size;

	rig_init(&r);
	tagger_sink_init(&errors, r.file);
	r.sink.screen = errors.screen = &screen;
	r.streams[1].sink = &errors;
	feed(&r, 1, "10%\r", 4);
	feed(&r, 0, "line\n", 5);
	feed(&r, 1, "\n20%\r", 5);
	tagger_sink_put(&r.sink, "note\n", 5);
	feed(&r, 1, "30%\n", 4);
	(void)tagger_sink_flush(&errors);
	got = rig_finish(&r, &size);
	wanted = retag(T1 "10%\r" CLEAR T0 "line\n" T1 "\n" T1 "20%\r" CLEAR
			  "note\n" T1 "30%\n");
	is_str(got, wanted, "both on one terminal");
	tagger_sink_release(&errors);
	free(wanted);
	free(got);
}

static void
test_full_sink(void)
{
	struct sink s;

	tagger_sink_init(&s, open("/dev/full", O_WRONLY | O_CLOEXEC));
	tagger_sink_put(&s, "x\n", 2);
	is_int(tagger_sink_flush(&s), -1, "a full disk");
	ok(s.error != 0, "is remembered");
	tagger_sink_put(&s, "y\n", 2);
	is_int(tagger_sink_flush(&s), -1, "and stays an error");
	(void)close(s.fd);
	tagger_sink_release(&s);
}

/* At a time, the piece alone; what goes out has the time of its end. */
static void
feed_at(struct rig *r, int64_t real_ms, const char *text)
{
	tagger_stream_stamp(&r->streams[0], real_ms);
	feed(r, 0, text, strlen(text));
}

static void
test_time(void)
{
	char *got, *line;
	struct rig r;
	size_t size;

	format = "%t ";
	rig_init(&r);
	ok(tagger_stream_is_timed(&r.streams[0]), "a time is in it");
	feed_at(&r, 0, "zero\n");
	feed_at(&r, 1000, "a\nb\n");
	feed_at(&r, 1999, "c\n");
	feed_at(&r, 2000, "d");
	feed_at(&r, 3000, "e\rf\r");
	feed_at(&r, 4000, "\ng\n");
	/* A clock that was set back. */
	feed_at(&r, 1000, "h\n");
	feed_at(&r, 86399000, "no end");
	got = rig_finish(&r, &size);
	is_str(got,
	    "00:00:00 zero\n00:00:01 a\n00:00:01 b\n00:00:01 c\n"
	    "00:00:03 de\r00:00:03 f\r\n00:00:04 g\n00:00:01 h\n"
	    "23:59:59 no end\n",
	    "seconds");
	free(got);

	format = "%T ";
	rig_init(&r);
	feed_at(&r, 1001, "a\n");
	feed_at(&r, 1002, "b\n");
	got = rig_finish(&r, &size);
	is_str(got,
	    "1970-01-01T00:00:01.001+00:00 a\n"
	    "1970-01-01T00:00:01.002+00:00 b\n",
	    "milliseconds");
	free(got);

	/* Too long to be held: its time is that of its beginning. */
	format = "%t ";
	rig_init(&r);
	line = long_line(TAGGER_HOLD_MAX + 1);
	tagger_stream_stamp(&r.streams[0], 1000);
	feed(&r, 0, line, TAGGER_HOLD_MAX + 1);
	feed_at(&r, 2000, "z\nnext\n");
	got = rig_finish(&r, &size);
	ok(memcmp(got, "00:00:01 ", 9) == 0, "the beginning's");
	is_str(got + 9 + TAGGER_HOLD_MAX + 1, "z\n00:00:02 next\n",
	    "no other in the line");
	free(line);
	free(got);

	format = "[%i] ";
	rig_init(&r);
	ok(!tagger_stream_is_timed(&r.streams[0]), "no time is in it");
	feed_at(&r, 5000, "a\n");
	got = rig_finish(&r, &size);
	is_str(got, "[0] a\n", "it stays");
	free(got);
}

static void
test_format(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_row(&rows[i]);
	for (i = 0; i < ARRAY_SIZE(screen_rows); i++)
		test_screen_row(&screen_rows[i]);
	test_shared_screen();
	for (i = 1; i <= 5; i++)
		test_random((unsigned)i);
	test_long_line(TAGGER_HOLD_MAX, true);
	test_long_line(TAGGER_HOLD_MAX + 1, true);
	test_long_line((size_t)3 * TAGGER_HOLD_MAX + 70000, true);
	test_long_line((size_t)2 * TAGGER_HOLD_MAX + 70000, false);
	test_owner();
}

int
main(void)
{
	static const int sizes[] = { 14, 0, 1, 31, 32, 33, 509 };
	char *tag;
	size_t i;

	if (setenv("TZ", "UTC0", 1) != 0)
		abort();
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		format = formats[i];
		tag = retag(T0);
		is_int((long long)strlen(tag), sizes[i], format);
		free(tag);
		test_format();
	}
	test_time();
	test_full_sink();
	return tap_done();
}
