/*
 * The output of a container, line by line with its time in Kubernetes' format,
 * in rotated files:
 *
 *	2026-11-23T14:19:35.123456789Z stdout F a whole line
 *	2026-11-23T14:19:35.223456789Z stderr P part of one, more follows
 *
 *	LOG, LOG.1, LOG.2 ...			the newest first
 *
 * Source: the log format of CRI (kubelet-cri-logging.md).
 */
#ifndef CORE_KUBE_RUNTIME_CONTAINER_LOG_H
#define CORE_KUBE_RUNTIME_CONTAINER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/error.h"

enum {
	CONTAINER_LOG_BYTES = 10 * 1024 * 1024, /* of a file */
	CONTAINER_LOG_FILES = 5			/* including the newest */
};

enum container_stream { CONTAINER_STDOUT, CONTAINER_STDERR };

/* A log open for writing, by one process at a time. */
struct container_log;
struct container_log *container_log_open(const char *path, struct error *);
/* Add output that arrived at that time of clock_real_ns().  -1: a line cannot
   be written, as on a full disk: it and the rest of these bytes are lost. */
int container_log_add(struct container_log *, enum container_stream,
    const char *bytes, size_t size, int64_t now_ns, struct error *);
void container_log_close(struct container_log *); /* NULL is fine */

/* Remove a log with all its files. */
void container_log_remove(const char *path);

/* The part of a log to print. */
struct container_view {
	int64_t since_ns;   /* 0: from the beginning */
	long tail;	    /* number of last lines, -1: all */
	int64_t limit;	    /* bytes, -1: all */
	bool timestamps;    /* print the time before each line */
	const char *prefix; /* before each line, or NULL */
};

/* A reader's position; all zero: the beginning. */
struct container_place {
	ino_t inode;	 /* the file of the log that was read last */
	off_t offset;	 /* in that file */
	bool within;	 /* part of a line was printed */
	int64_t printed; /* bytes */
};

/* Print the log from the position, which moves to the log's end.  `tail` has an
   effect only if the position is all zero.  Returns 0, also if the log is
   missing or cannot be read; 1: the limit is reached; -1: `out` failed. */
int container_log_print(const char *path, const struct container_view *,
    struct container_place *, FILE *out, struct error *);

#endif
