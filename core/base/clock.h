/*
 * This host's clocks as numbers, and a sleep.  Rules take their time as a
 * parameter; these are for the edges that know what time it is.
 */
#ifndef CORE_BASE_CLOCK_H
#define CORE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/*
 * Since the epoch (CLOCK_REALTIME): what is stored and shown.  It jumps when
 * somebody sets the clock, so no duration is taken from it.
 */
int64_t clock_real_ms(void);
int64_t clock_real_ns(void);

/* Since some moment (CLOCK_MONOTONIC): for durations and time limits. */
int64_t clock_monotonic_ms(void);
int64_t clock_monotonic_ns(void);

/* The moment so long from now, of CLOCK_REALTIME: what
   pthread_cond_timedwait(3) takes. */
struct timespec clock_real_after_ms(int64_t ms);

/* "2024-11-05T09:26:40Z", of seconds since the epoch: RFC 3339, in UTC. */
enum { CLOCK_TEXT_SIZE = 32 };
void clock_text(int64_t real_s, char text[CLOCK_TEXT_SIZE]);

/* Sleep so long, or until a signal was caught. */
void clock_sleep_ms(int64_t ms);

#endif
