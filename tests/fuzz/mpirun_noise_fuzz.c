/*
 * mpirun's words: what is said is one line, nothing is passed on twice, and a
 * text of which nothing is known comes out whole, but for empty lines.
 */
#include <stdbool.h>
#include <string.h>

#include "core/job/job.h"
#include "tests/fuzz/fuzz.h"

struct seen {
	size_t passed; /* bytes */
	bool said;
};

/* Of these letters alone no word is made that anything is known of. */
static bool
may_be_known(const char *data, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (data[i] != '-' && data[i] != '\n' && data[i] != 'x')
			return true;
	return false;
}

/* Empty lines, which are left out between paragraphs. */
static size_t
empty_lines(const char *data, size_t size)
{
	size_t i, lines = 0;

	for (i = 0; i < size; i++)
		lines += data[i] == '\n' && (i == 0 || data[i - 1] == '\n');
	return lines;
}

static void
count(void *context, enum mpirun_noise_kind kind, const char *text, size_t size)
{
	struct seen *seen = context;

	require(size > 0);
	if (kind == MPIRUN_NOISE_PASS) {
		seen->passed += size;
		return;
	}
	require(size == strlen(text) && memchr(text, '\n', size) == NULL);
	seen->said = true;
}

/* As it is read: line by line. */
static void
read_lines(struct mpirun_noise *m, const char *data, size_t size)
{
	const char *end;
	size_t line;

	for (; size > 0; data += line, size -= line) {
		end = memchr(data, '\n', size);
		line = end == NULL ? size : (size_t)(end - data) + 1;
		mpirun_noise_line(m, data, line);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mpirun_noise *m;
	struct strvec hosts;
	struct seen seen = { .passed = 0 };

	strvec_init(&hosts);
	m = mpirun_noise_new(&hosts, count, &seen);
	read_lines(m, (const char *)data, size);
	mpirun_noise_end(m, size % 2 == 0);
	require(seen.passed <= size);
	require(may_be_known((const char *)data, size) ||
	    (seen.passed + empty_lines((const char *)data, size) >= size &&
		!seen.said));
	mpirun_noise_free(m);
	strvec_release(&hosts);
	return 0;
}
