/*
 * What stands before each line of an instance's output: a format, as
 * "[1,%i]<%s>:", in which some words stand for what differs from tag to tag:
 *
 *	%i	index of the instance
 *	%l	its local index, among the instances of its host
 *	%h	its host, as the topology calls it
 *	%s	stdout or stderr
 *	%t	when the line comes out, as 10:30:00, at this place of the world
 *	%T	the same as 2026-11-22T10:30:00.250+01:00 (ISO 8601)
 *	%r	how often the job was started again
 *	%%	a percent sign
 *
 * All else stands for itself.  A format may be empty: then there are no tags.
 */
#ifndef CORE_PROCESS_TAG_FORMAT_H
#define CORE_PROCESS_TAG_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

/* As mpirun --tag-output has it; existing parsers rely on each byte of it. */
#define TAG_FORMAT_DEFAULT "[1,%i]<%s>:"

enum {
	TAG_FORMAT_HOST_MAX = 253, /* bytes of a host's name (DNS) */
	TAG_FORMAT_MAX = 512,	   /* bytes of a tag: such a name, and as much
				      beside it */
	TAG_FORMAT_SIZE = TAG_FORMAT_MAX + 1
};

/* What the words of a format stand for, but for the time. */
struct tag_values {
	int instance;
	int local_index;
	int restarts;
	const char *host;
	const char *stream;
};

/*
 * Refuse a format with a word that is not known, with a control character or a
 * byte that is not UTF-8, or with tags that might be longer than
 * TAG_FORMAT_MAX, whatever the values are.  The text begins with `what`, the
 * option, and names the character, counted from 1, and what would help.
 */
int tag_format_check(const char *what, const char *format, struct error *);

/*
 * Make a tag of a format that was checked; `real_ms` is the time since the
 * epoch.  Returns its bytes; a NUL byte stands behind them.  Control characters
 * of a host's name are escaped.
 */
size_t tag_format_expand(const char *format, const struct tag_values *,
    int64_t real_ms, char tag[TAG_FORMAT_SIZE]);

/* For how many ms a tag stays the same, from a multiple of them on; 0: for
   ever, since there is no time in it. */
int tag_format_tick_ms(const char *format);

/* Columns of a screen that the tag takes, the same at all times. */
int tag_format_columns(const char *format, const struct tag_values *);

#endif
