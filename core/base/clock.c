/*
 * The only place that asks the system for the time.
 */
#include "core/base/clock.h"

#include <time.h>
#include <unistd.h>

static int64_t
read_ns(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t
clock_real_ms(void)
{
	return read_ns(CLOCK_REALTIME) / 1000000;
}

int64_t
clock_real_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

int64_t
clock_monotonic_ms(void)
{
	return read_ns(CLOCK_MONOTONIC) / 1000000;
}

int64_t
clock_monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t
clock_boot_ticks(void)
{
	return read_ns(CLOCK_BOOTTIME) / (1000000000 / sysconf(_SC_CLK_TCK));
}

struct timespec
clock_real_after_ms(int64_t ms)
{
	const int64_t then_ns = clock_real_ns() + ms * 1000000;

	return (struct timespec){ .tv_sec = (time_t)(then_ns / 1000000000),
		.tv_nsec = (long)(then_ns % 1000000000) };
}

void
clock_text(int64_t real_s, char text[CLOCK_TEXT_SIZE])
{
	const time_t t = (time_t)real_s;
	struct tm tm;

	if (gmtime_r(&t, &tm) == NULL ||
	    strftime(text, CLOCK_TEXT_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		text[0] = '\0';
}

void
clock_sleep_ms(int64_t ms)
{
	struct timespec left = { .tv_sec = (time_t)(ms / 1000),
		.tv_nsec = (long)(ms % 1000) * 1000000 };

	(void)nanosleep(&left, NULL);
}
