/*
 * The messages of poprun itself: lines "HH:MM:SS.mmm PID POPRUN [L] text",
 * errors and warnings on stderr.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_LOG_H
#define CORE_LAUNCH_PLAN_JOB_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/terminal.h"

/* The levels of POPRUN_LOG_LEVEL. */
enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_TRACE };

/* Set the level from the number of -v flags and POPRUN_LOG_LEVEL.  Returns 0,
   or -1 if that is not a level. */
int job_log_init(int flags, struct error *);
bool job_log_wants(enum log_level);
/* Colour "POPRUN ERROR:" on stderr red, and "POPRUN WARNING:" yellow. */
void job_log_set_colour(enum terminal_colour);
/* Log a line to stderr, or print it to a file, if its level is wanted. */
void job_log_line(enum log_level, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print(FILE *, enum log_level, const char *, ...)
    __attribute__((format(printf, 3, 4)));
/* Print "POPRUN ERROR: text".  Returns EXIT_FAILURE. */
int job_log_error(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Print "POPRUN WARNING: text" at every level. */
void job_log_warning(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Print the same, or whole lines unchanged, to a file; NULL: to stderr. */
void job_log_print_error(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_warning(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_text(FILE *, const char *);
/* Also write messages of every level to fd, which is taken over.  A failure is
   reported once, with the name of its directory. */
void job_log_keep(int fd, const char *directory);

#endif
