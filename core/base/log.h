/*
 * A daemon's log: lines on stderr, which its supervisor keeps.
 *
 *	2026-11-21T06:44:00Z vipu-server[12]: listening on 127.0.0.1:8090
 *
 * If stderr is journald's (JOURNAL_STREAM names that very file), a line begins
 * with its level, as "<6>", without time, name and pid, which the journal adds.
 * The functions escape control characters, so that foreign text adds no line.
 * A daemon never waits for a reader: lines that stderr has no room for are
 * lost, and a later line gives their number.
 *
 * Source: err(3) for the names; sd-daemon(3), "<6>"; systemd.exec(5),
 * JOURNAL_STREAM.
 */
#ifndef CORE_BASE_LOG_H
#define CORE_BASE_LOG_H

#include <stdbool.h>

#include "core/base/error.h"

/* Set the name in front of each line (not copied: it must stay valid), and
   whether log_debug() prints. */
void log_open(const char *name, bool debug);

/* Log a failure, with ": " and the text of errno after it. */
void log_warn(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Log a failure without errno. */
void log_warnx(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Log an event. */
void log_info(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Log a detail, if log_open() was told to. */
void log_debug(const char *, ...) __attribute__((format(printf, 1, 2)));

/*
 * Log like log_warnx() what outsiders can cause as often as they like: at most
 * LOG_FOREIGN_BURST lines at once, and LOG_FOREIGN_PER_S more each second.  The
 * rest is counted; log_foreign_rest(), which the caller must call from time to
 * time, logs that number as soon as a line is allowed again.
 */
enum { LOG_FOREIGN_BURST = 100, LOG_FOREIGN_PER_S = 5 };
void log_foreign(const char *, ...) __attribute__((format(printf, 1, 2)));
void log_foreign_rest(void);

#endif
