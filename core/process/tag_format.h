/*
 * The tag before each line of an instance's output, from a format such as
 * "[1,%i]<%s>:", in which these words are replaced:
 *
 *	%i	index of the instance
 *	%l	its local index, among the instances of its host
 *	%h	its host, as the topology calls it
 *	%s	stdout or stderr
 *	%t	when the line is printed, as 10:30:00 local time
 *	%T	the same as 2026-11-22T10:30:00.250+01:00 (ISO 8601)
 *	%c	the same as Sun Nov 22 10:30:00 2026, as ctime(3) does
 *	%r	how often the job was restarted
 *	%%	a percent sign
 *
 * Other characters stand for themselves.  An empty format means no tags.
 */
#ifndef CORE_PROCESS_TAG_FORMAT_H
#define CORE_PROCESS_TAG_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

/* The format of mpirun --tag-output; parsers rely on every byte of it. */
#define TAG_FORMAT_DEFAULT "[1,%i]<%s>:"

/* That of mpirun --tag-output --timestamp-output. */
#define TAG_FORMAT_TIMESTAMP "%c" TAG_FORMAT_DEFAULT

enum {
	TAG_FORMAT_HOST_MAX = 253, /* bytes of a host's name (DNS) */
	TAG_FORMAT_MAX = 512,	   /* bytes of a tag: a host's name and as much
				      again */
	TAG_FORMAT_SIZE = TAG_FORMAT_MAX + 1
};

/* The values of a format's words, except the time. */
struct tag_values {
	int instance;
	int local_index;
	int restarts;
	const char *host;
	const char *stream; /* "stdout" or "stderr" */
};

/*
 * Return -1 for a format with an unknown word, a control character or a byte
 * that is not UTF-8, or with tags that might exceed TAG_FORMAT_MAX for some
 * values.  The error begins with `what`, the name of the option, and has the
 * place of the fault: the number of the character, from 1.
 */
int tag_format_check(const char *what, const char *format, struct error *);

/* Write the tag, NUL-terminated, for a format that tag_format_check() accepted.
   `real_ms` is the time since the epoch.  Returns the tag's length.  Control
   characters in a host's name are escaped. */
size_t tag_format_expand(const char *format, const struct tag_values *,
    int64_t real_ms, char tag[TAG_FORMAT_SIZE]);

/* Return a period in ms: a tag only changes when the time reaches a multiple of
   it.  0: it never changes, because it contains no time. */
int tag_format_tick_ms(const char *format);

/* Return the screen columns of the tag, the same at all times. */
int tag_format_columns(const char *format, const struct tag_values *);

#endif
