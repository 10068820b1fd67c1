/*
 * Tagged lines: whole lines whatever the chunks, "\r", ends without newline,
 * bytes of every value, long lines; a random stream beside a plain model.
 */
#include <sys/mman.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/file.h"
#include "core/process/tagger.h"
#include "tests/unit/tap.h"

enum { STREAMS = 2, CHUNKS = 6, LONG_LINE = 3 * 1024 * 1024 };

struct rig {
	struct sink	sink;
	struct stream	streams[STREAMS];
	int		writers[STREAMS];
	int		file;
};

static void
rig_init(struct rig *r)
{
	int	fds[2], i;

	r->file = memfd_create("sink", 0);
	tagger_sink_init(&r->sink, r->file);
	for (i = 0; i < STREAMS; i++) {
		if (pipe2(fds, O_CLOEXEC) != 0)
			abort();
		(void)fcntl(fds[0], F_SETFL, O_NONBLOCK);
		tagger_stream_init(&r->streams[i], &r->sink, i, "stdout",
		    fds[0]);
		r->writers[i] = fds[1];
	}
}

/* Write to a stream and let it read, in parts that a pipe takes. */
static void
feed(struct rig *r, int stream, const char *data, size_t size)
{
	size_t	n;

	for (; size > 0; data += n, size -= n) {
		n = size < 60000 ? size : 60000;
		if (write(r->writers[stream], data, n) != (ssize_t)n)
			abort();
		while (tagger_stream_read(&r->streams[stream]) > 0)
			;
	}
}

/* End both streams; all that went out. */
static char *
rig_finish(struct rig *r, size_t *size)
{
	char	*text;
	char	 path[64];
	int	 i;

	for (i = 0; i < STREAMS; i++) {
		(void)close(r->writers[i]);
		while (tagger_stream_read(&r->streams[i]) > 0)
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
	const char	*name;
	struct {
		int		 stream;
		const char	*text;
	} chunks[CHUNKS];
	const char	*wanted;
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
	{ "pieces of a line", { { 0, "o" }, { 0, "n" }, { 0, "e\nt" },
	    { 0, "wo\n" } }, T0 "one\n" T0 "two\n" },
	{ "no tag in the midst of a line", { { 0, "on" }, { 1, "other\n" },
	    { 0, "e\n" } }, T1 "other\n" T0 "one\n" },
	{ "redraws", { { 0, "10%\r20%\r30%\n" } },
	    T0 "10%\r" T0 "20%\r" T0 "30%\n" },
	{ "a redraw goes out at once", { { 0, "10%\r" }, { 1, "x\n" },
	    { 0, "20%\n" } }, T0 "10%\r" T1 "x\n" T0 "20%\n" },
	{ "CR LF is one end", { { 0, "a\r\nb\r\n" } },
	    T0 "a\r\n" T0 "b\r\n" },
	{ "CR LF in two chunks", { { 0, "a\r" }, { 0, "\nb\n" } },
	    T0 "a\r\n" T0 "b\n" },
	{ "CR LF with another between", { { 0, "a\r" }, { 1, "x\n" },
	    { 0, "\nb\n" } }, T0 "a\r" T1 "x\n" T0 "\n" T0 "b\n" },
	{ "CR at the end", { { 0, "100%\r" } }, T0 "100%\r\n" },
	{ "a held piece with CR", { { 0, "ab" }, { 0, "c\rd" }, { 0, "\n" } },
	    T0 "abc\r" T0 "d\n" },
	{ "lengths around a word", { { 0, "1234567\n12345678\n123456789\n" } },
	    T0 "1234567\n" T0 "12345678\n" T0 "123456789\n" },
	{ "high bytes", { { 0, "\x8a\x8d\xff\x80\x0b\x0c\x0e\x09\n" } },
	    T0 "\x8a\x8d\xff\x80\x0b\x0c\x0e\x09\n" }
};

static void
test_row(const struct row *row)
{
	struct rig	r;
	char		*got;
	size_t		 size;
	int		 i;

	rig_init(&r);
	for (i = 0; i < CHUNKS && row->chunks[i].text != NULL; i++)
		feed(&r, row->chunks[i].stream, row->chunks[i].text,
		    strlen(row->chunks[i].text));
	got = rig_finish(&r, &size);
	is_str(got, row->wanted, row->name);
	free(got);
}

/* A line of 3 MB while another stream writes comes out in one piece. */
static void
test_long_line(void)
{
	static const char	tag[] = T0;
	struct rig		r;
	char			*line = xmalloc(LONG_LINE), *got, *at;
	size_t			 size, half = LONG_LINE / 2;

	memset(line, 'x', LONG_LINE);
	line[LONG_LINE - 1] = '\n';
	rig_init(&r);
	feed(&r, 0, line, half);
	feed(&r, 1, "short\n", 6);
	feed(&r, 0, line + half, LONG_LINE - half);
	got = rig_finish(&r, &size);
	at = got + strlen(T1 "short\n");
	is_int((long long)size, (long long)(LONG_LINE + strlen(T0) +
	    strlen(T1 "short\n")), "size");
	ok(strncmp(got, T1 "short\n", strlen(T1 "short\n")) == 0 &&
	    strncmp(at, tag, strlen(tag)) == 0 &&
	    memcmp(at + strlen(tag), line, LONG_LINE) == 0,
	    "a line of 3 MB is whole");
	free(got);
	free(line);
}

/* What should come out, one byte at a time. */
static char *
model(const char *data, size_t size, size_t *out_size)
{
	char	*text;
	FILE	*out = open_memstream(&text, out_size);
	bool	 start = true;
	size_t	 i;

	for (i = 0; i < size; i++) {
		if (start)
			(void)fputs(T0, out);
		(void)fputc(data[i], out);
		start = data[i] == '\n' || (data[i] == '\r' &&
		    (i + 1 == size || data[i + 1] != '\n'));
	}
	if (size > 0 && data[size - 1] != '\n')
		(void)fputc('\n', out);
	(void)fclose(out);
	return text;
}

static void
test_random(unsigned seed)
{
	enum { SIZE = 300000 };
	static const char	alphabet[] = "abc\n\r\0\xff\x8a";
	struct rig		r;
	char			*data = xmalloc(SIZE), *got, *wanted;
	size_t			 i, n, got_size, wanted_size;

	for (i = 0; i < SIZE; i++) {
		seed = seed * 1103515245 + 12345;
		/* Short lines first, then long ones. */
		n = seed >> 16;
		data[i] = n % 997 < (i < SIZE / 2 ? 997 : 5) ?
		    alphabet[n % 8] : (char)(n % 256 | 0x40);
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

/*
 * A line of `size` bytes, the newline not counted, is broken so that each byte
 * comes out once, and no more of it is held than the longest piece.
 */
static void
test_broken_line(size_t size, bool newline)
{
	static const char	tag[] = T0;
	const size_t		longest = TAGGER_LINE_MAX;
	struct rig		r;
	char			*line = xmalloc(size + 1), *got, *at;
	size_t			 got_size, i, n;
	bool			 equal = true;

	/* A period that no buffer's size is a multiple of. */
	for (i = 0; i < 9973; i++)
		line[i] = (char)('a' + i * i % 26);
	for (; i < size; i += n) {
		n = i < size - i ? i : size - i;
		memcpy(line + i, line, n);
	}
	line[size] = '\n';
	rig_init(&r);
	feed(&r, 0, line, size + newline);
	ok(r.streams[0].room < longest + 2 * TAGGER_READ, "memory is bounded");
	at = got = rig_finish(&r, &got_size);
	for (i = 0; i < size && equal; i += n) {
		n = size - i < longest ? size - i : longest;
		equal = (size_t)(got + got_size - at) >= strlen(tag) + n + 1 &&
		    memcmp(at, tag, strlen(tag)) == 0 &&
		    memcmp(at + strlen(tag), line + i, n) == 0 &&
		    at[strlen(tag) + n] == '\n';
		at += strlen(tag) + n + 1;
	}
	ok(equal && at == got + got_size, "each byte once");
	free(got);
	free(line);
}

static void
test_full_sink(void)
{
	struct sink	s;

	tagger_sink_init(&s, open("/dev/full", O_WRONLY | O_CLOEXEC));
	tagger_sink_put(&s, "x\n", 2);
	is_int(tagger_sink_flush(&s), -1, "a full disk");
	ok(s.error != 0, "is remembered");
	tagger_sink_put(&s, "y\n", 2);
	is_int(tagger_sink_flush(&s), -1, "and stays an error");
	(void)close(s.fd);
	tagger_sink_release(&s);
}

int
main(void)
{
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_row(&rows[i]);
	test_long_line();
	for (i = 1; i <= 5; i++)
		test_random((unsigned)i);
	test_broken_line(TAGGER_LINE_MAX, true);
	test_broken_line(TAGGER_LINE_MAX + 1, true);
	test_broken_line((size_t)2 * TAGGER_LINE_MAX + 70000, false);
	test_full_sink();
	return tap_done();
}
