/*
 * The messages of poprun itself, on stderr unless a file is given: log lines
 * "HH:MM:SS.mmm PID POPRUN [L] text", where L is the level's first letter, and
 * errors and warnings without that head.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_LOG_H
#define CORE_LAUNCH_PLAN_JOB_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/terminal.h"

/* The levels of POPRUN_LOG_LEVEL, which calls LOG_ERROR "ERR". */
enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_TRACE };

/* Set the level: from the number of -v flags (1: LOG_INFO, 2: LOG_DEBUG, more:
   LOG_TRACE); without flags from POPRUN_LOG_LEVEL; by default LOG_WARN.  -1:
   the variable is not a level; LOG_WARN is set. */
int job_log_init(int flags, struct error *);
/* Return true if lines of that level are printed. */
bool job_log_wants(enum log_level);
/* Colour "POPRUN ERROR:" red and "POPRUN WARNING:" yellow from now on, if
   terminal_has_colour() says so for stderr. */
void job_log_set_colour(enum terminal_colour);
/* Log a line to stderr, or (_print) to a file, if its level is wanted.  All
   functions but job_log_print_text() add the newline. */
void job_log_line(enum log_level, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print(FILE *, enum log_level, const char *, ...)
    __attribute__((format(printf, 3, 4)));
/* Print "POPRUN ERROR: text" at every level.  Returns EXIT_FAILURE. */
int job_log_error(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Print "POPRUN WARNING: text" at every level. */
void job_log_warning(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Print the same, or (_text) whole lines unchanged, to a file; NULL: to
   stderr. */
void job_log_print_error(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_warning(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_text(FILE *, const char *);
/* From now on also write the messages of all these functions, of every level,
   to fd, which is taken over.  A write error ends that, with a warning that
   names the file poprun.log in `directory`. */
void job_log_keep(int fd, const char *directory);

#endif
