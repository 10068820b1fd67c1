/*
 * Time limits of gRPC calls as text: parsing, writing and adding.
 */
#include "core/server/rpc/rpc_status.h"

#include <stddef.h>
#include <stdio.h>

#include "core/base/alloc.h"

enum { DEADLINE_MAX = 99999999 }; /* largest number: eight digits */

/* Units from fine to coarse, in microseconds.  'n' (ns) is not among them: only
   rpc_deadline_parse() knows it. */
static const struct {
	char unit;
	int64_t us;
} deadline_units[] = {
	{ 'u', 1 },
	{ 'm', 1000 },
	{ 'S', 1000000 },
	{ 'M', 60000000 },
	{ 'H', 3600000000 },
};

int64_t
rpc_deadline_parse(const char *text)
{
	int64_t n = 0;
	size_t i, digits = 0;

	for (; *text >= '0' && *text <= '9'; text++, digits++)
		n = digits < RPC_DEADLINE_SIZE ? n * 10 + (*text - '0') : n;
	if (digits == 0 || digits > 8 || *text == '\0' || text[1] != '\0')
		return -1;
	if (*text == 'n')
		return (n + 999999) / 1000000;
	for (i = 0; i < ARRAY_SIZE(deadline_units); i++)
		if (*text == deadline_units[i].unit)
			return (n * deadline_units[i].us + 999) / 1000;
	return -1;
}

void
rpc_deadline_format(int64_t ms, char text[RPC_DEADLINE_SIZE])
{
	int64_t n = 0, unit;
	size_t i;

	if (ms < 0)
		ms = 0;
	for (i = 1; i < ARRAY_SIZE(deadline_units); i++) {
		unit = deadline_units[i].us / 1000;
		n = ms / unit + (ms % unit != 0);
		if (n <= DEADLINE_MAX)
			break;
	}
	/* No unit was coarse enough: write the most hours possible. */
	if (n > DEADLINE_MAX) {
		n = DEADLINE_MAX;
		i--;
	}
	(void)snprintf(text, RPC_DEADLINE_SIZE, "%d%c", (int)n,
	    deadline_units[i].unit);
}

int64_t
rpc_deadline_after(int64_t now_ms, int64_t timeout_ms)
{
	return timeout_ms > INT64_MAX - now_ms ?
	    INT64_MAX :
	    now_ms + timeout_ms;
}
