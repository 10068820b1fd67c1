/*
 * What a daemon says: a line each on stderr, which its supervisor keeps.
 *
 *	2026-11-21T06:44:00Z vipu-server[12]: listening on 127.0.0.1:8090
 *
 * If stderr is journald's (JOURNAL_STREAM names that very file) a line begins
 * with its level, as "<6>", and has no time, name or pid: the journal has them.
 * What came from elsewhere is escaped, so that a line stays one.  Where nobody
 * reads them lines are lost, and a later one says how many: a daemon does not
 * wait.
 *
 * Source: err(3), whose names these are; sd-daemon(3), "<6>"; systemd.exec(5),
 * JOURNAL_STREAM.
 */
#ifndef CORE_BASE_LOG_H
#define CORE_BASE_LOG_H

#include <stdbool.h>

#include "core/base/error.h"

/* The name in front of each line, kept by the caller; whether log_debug()
   says anything. */
void log_open(const char *name, bool debug);

/* Something failed, with the words of errno behind it, or without them. */
void log_warn(const char *, ...) __attribute__((format(printf, 1, 2)));
void log_warnx(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Something happened. */
void log_info(const char *, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *, ...) __attribute__((format(printf, 1, 2)));

/*
 * What somebody else can make happen as often as he likes: LOG_FOREIGN_BURST
 * lines at once, and LOG_FOREIGN_PER_S more each second.  The rest is counted,
 * and log_foreign_rest(), which is called now and then, says how many they
 * were as soon as there is room for a line again.
 */
enum { LOG_FOREIGN_BURST = 100, LOG_FOREIGN_PER_S = 5 };
void log_foreign(const char *, ...) __attribute__((format(printf, 1, 2)));
void log_foreign_rest(void);

#endif
