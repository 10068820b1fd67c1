/*
 * What poprun itself says: lines "HH:MM:SS.mmm PID POPRUN [L] text" on stderr,
 * errors and warnings.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_LOG_H
#define CORE_LAUNCH_PLAN_JOB_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/terminal.h"

/* As POPRUN_LOG_LEVEL names them. */
enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_TRACE };

/* How many v were given; -1: POPRUN_LOG_LEVEL is not a level. */
int job_log_init(int flags, struct error *);
bool job_log_wants(enum log_level);
/* Whether "POPRUN ERROR:" on stderr is red, and "POPRUN WARNING:" yellow. */
void job_log_set_colour(enum terminal_colour);
void job_log_line(enum log_level, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print(FILE *, enum log_level, const char *, ...)
    __attribute__((format(printf, 3, 4)));
/* "POPRUN ERROR: text". Returns EXIT_FAILED. */
int job_log_error(const char *, ...) __attribute__((format(printf, 1, 2)));
/* "POPRUN WARNING: text", whatever the level. */
void job_log_warning(const char *, ...) __attribute__((format(printf, 1, 2)));
/* The same into a file, NULL: to stderr; and whole lines as they are. */
void job_log_print_error(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_warning(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_text(FILE *, const char *);
/* All of it, of every level, goes to that file of the directory as well. */
void job_log_keep(int fd, const char *directory);

#endif
