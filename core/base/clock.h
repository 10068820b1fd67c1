/*
 * This host's clocks as numbers, and a sleep.  Rules take their time as a
 * parameter; only the edges of the program ask these clocks.
 */
#ifndef CORE_BASE_CLOCK_H
#define CORE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Return the time since the epoch (CLOCK_REALTIME), for storing and showing.
   It jumps when the clock is set, so never compute durations from it. */
int64_t clock_real_ms(void);
int64_t clock_real_ns(void);

/* Return the time since an arbitrary moment (CLOCK_MONOTONIC), for durations
   and time limits. */
int64_t clock_monotonic_ms(void);
int64_t clock_monotonic_ns(void);

/* Return the time since the system's start (CLOCK_BOOTTIME) in the ticks of
   proc(5), of which a second has sysconf(_SC_CLK_TCK). */
int64_t clock_boot_ticks(void);

/* Return what CLOCK_REALTIME will be `ms` from now, for
   pthread_cond_timedwait(3). */
struct timespec clock_real_after_ms(int64_t ms);

/* Write seconds since the epoch as "2024-11-05T09:26:40Z" (RFC 3339, UTC); ""
   if the year is out of range. */
enum { CLOCK_TEXT_SIZE = 32 };
void clock_text(int64_t real_s, char text[CLOCK_TEXT_SIZE]);

/* Sleep for `ms`, or until a signal was caught. */
void clock_sleep_ms(int64_t ms);

#endif
