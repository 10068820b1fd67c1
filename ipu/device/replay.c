/*
 * Shows one look of a recording: the file's name may be followed by a moment.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "ipu/device/recording.h"

#define SECOND_NS INT64_C(1000000000)

/* Kinds of moments without a time after the first look. */
enum { MOMENT_NONE = -1, MOMENT_LOOP = -2 };

/* Split "FILE@WHEN"; another word after the '@' belongs to the file's name.
   Returns the time after the first look, or the kind of moment. */
static int64_t
split(char *text)
{
	char *at = strrchr(text, '@');
	double seconds = 0.0;
	int64_t after_ns = MOMENT_LOOP;

	if (at == NULL)
		return MOMENT_NONE;
	if (strcmp(at + 1, "loop") != 0) {
		if (parse_real("", at + 1, 0.0, 1e9, &seconds, NULL) != 0)
			return MOMENT_NONE;
		after_ns = (int64_t)(seconds * 1e9);
	}
	*at = '\0';
	return after_ns;
}

/* Read the file up to the first look that is at least after_ns after its first
   one, or up to the last (negative: always).  Sets the time between the first
   look and the one read last. */
static struct recording *
open_at(const char *path, int64_t after_ns, int64_t *length_ns, struct error *e)
{
	struct recording *r = recording_open(path, e);
	int64_t first_ns = 0;
	int status = -1;

	*length_ns = 0;
	while (r != NULL && (status = recording_step(r, e)) == 1) {
		if (first_ns == 0)
			first_ns = recording_now_ns(r);
		*length_ns = recording_now_ns(r) - first_ns;
		if (after_ns >= 0 && *length_ns >= after_ns)
			return r;
	}
	if (status == 0 && first_ns != 0)
		return r;
	if (status == 0)
		(void)error_set_code(e, ERROR_INVALID,
		    "the recording has no look yet");
	recording_close(r);
	return NULL;
}

struct recording *
replay_open(const char *what, const char *text, bool from_start,
    struct error *e)
{
	char *path = xstrdup(text);
	int64_t after_ns = split(path), length_ns;
	struct recording *r;

	if (after_ns == MOMENT_NONE && from_start)
		after_ns = 0;
	r = open_at(path, after_ns, &length_ns, e);
	if (r != NULL && after_ns == MOMENT_LOOP) {
		recording_close(r);
		r = open_at(path, clock_real_ns() % (length_ns + SECOND_NS),
		    &length_ns, e);
	}
	if (r == NULL)
		(void)error_prefix(e, "%s", what);
	free(path);
	return r;
}

int
replay_show(const char *what, const char *text, bool all, struct device_look *l,
    struct error *e)
{
	struct recording *r = replay_open(what, text, false, e);
	int status = -1;

	if (r != NULL && (status = recording_look(r, all, l, e)) != 0)
		(void)error_prefix(e, "%s", what);
	recording_close(r);
	return status;
}
