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

/* The look that is asked for. */
enum moment_kind { MOMENT_LAST, MOMENT_AFTER, MOMENT_LOOP };

struct recorded_moment {
	enum moment_kind kind;
	int64_t after_ns; /* since the first look, of MOMENT_AFTER */
	char *path;	  /* owned */
};

/* Split "FILE@WHEN"; another word after the '@' belongs to the file's name. */
static void
moment_parse(struct recorded_moment *m, const char *text)
{
	char *at;
	double seconds;

	memset(m, 0, sizeof(*m));
	m->path = xstrdup(text);
	at = strrchr(m->path, '@');
	if (at == NULL)
		return;
	if (strcmp(at + 1, "loop") == 0)
		m->kind = MOMENT_LOOP;
	else if (parse_real("", at + 1, 0.0, 1e9, &seconds, NULL) == 0) {
		m->kind = MOMENT_AFTER;
		m->after_ns = (int64_t)(seconds * 1e9);
	} else
		return;
	*at = '\0';
}

/* Read up to the first look that is at least after_ns after the first one of
   the file, or up to the last (-1: always).  Sets the time between the first
   look and the one read last. */
static int
read_until(struct recording *r, int64_t after_ns, int64_t *length_ns,
    struct error *e)
{
	int64_t first_ns = 0;
	int status;

	*length_ns = 0;
	for (;;) {
		status = recording_step(r, e);
		if (status != 1)
			break;
		if (first_ns == 0)
			first_ns = recording_now_ns(r);
		*length_ns = recording_now_ns(r) - first_ns;
		if (after_ns >= 0 && *length_ns >= after_ns)
			return 0;
	}
	if (status == 0 && first_ns == 0)
		return error_set_code(e, ERROR_INVALID,
		    "the recording has no look yet");
	return status;
}

/* Read the file up to its moment. */
static struct recording *
open_at(const char *path, int64_t after_ns, int64_t *length_ns, struct error *e)
{
	struct recording *r = recording_open(path, e);

	if (r != NULL && read_until(r, after_ns, length_ns, e) != 0) {
		recording_close(r);
		return NULL;
	}
	return r;
}

int
replay_show(const char *what, const char *text, bool all, struct device_look *l,
    struct error *e)
{
	struct recording *r;
	struct recorded_moment m;
	int64_t length_ns;
	int status = -1;

	moment_parse(&m, text);
	r = open_at(m.path, m.kind == MOMENT_AFTER ? m.after_ns : -1,
	    &length_ns, e);
	if (r != NULL && m.kind == MOMENT_LOOP) {
		recording_close(r);
		r = open_at(m.path, clock_real_ns() % (length_ns + SECOND_NS),
		    &length_ns, e);
	}
	if (r != NULL)
		status = recording_look(r, all, l, e);
	recording_close(r);
	free(m.path);
	return status == 0 ? 0 : error_prefix(e, "%s", what);
}
