/* What a program says of its IPUs, and what is believed of it. */
#include "ipu/device/lease.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

#define SECOND INT64_C(1000000000)
#define GRANTED (1000 * SECOND)

/* What the IPU's slot says after the program said so, at that moment. */
struct counters_case {
	const char *name;
	uint64_t busy_ns, bytes, last_ns;
	int64_t at_ns;
	uint64_t wanted_busy_ns, wanted_bytes, wanted_last_ns;
};

static const struct counters_case cases[] = {
	{ "nothing", 0, 0, 0, GRANTED + SECOND, 0, 0, 0 },
	{ "work", SECOND / 2, 4096, GRANTED + 5, GRANTED + SECOND, SECOND / 2,
	    4096, GRANTED + 5 },
	{ "all of the time", SECOND, 0, 0, GRANTED + SECOND, SECOND, 0, 0 },
	{ "more than the time", SECOND + 1, 0, 0, GRANTED + SECOND, SECOND, 0,
	    0 },
	{ "centuries", UINT64_MAX, UINT64_MAX, UINT64_MAX, GRANTED + SECOND,
	    SECOND, (uint64_t)2 << 44, 0 },
	{ "work before it had the IPU", 0, 0, GRANTED - 1, GRANTED + SECOND, 0,
	    0, 0 },
	{ "work to come", 0, 0, GRANTED + SECOND + 1, GRANTED + SECOND, 0, 0,
	    0 },
	{ "a month, with more bytes than fit the sum of its seconds", 0,
	    UINT64_MAX, 0, GRANTED + 30 * 86400 * SECOND, 0, UINT64_MAX, 0 },
	{ "a clock that was set back", SECOND, 0, 0, GRANTED - SECOND, 0, 0,
	    0 },
};

static void
test_once(void)
{
	const struct counters_case *c;
	struct lease_counters said;
	struct lease_meter meter;
	struct ipu_slot slot;

	for (c = cases; c < cases + ARRAY_SIZE(cases); c++) {
		memset(&slot, 0, sizeof(slot));
		atomic_store(&slot.busy_ns, 7);
		meter = (struct lease_meter){ .granted_ns = GRANTED };
		said = (struct lease_counters){ .busy_ns = c->busy_ns,
			.exchange_bytes = c->bytes,
			.host_bytes = c->bytes,
			.last_busy_ns = c->last_ns };
		lease_counters_take(&said, &meter, c->at_ns, &slot);
		is_int((long long)atomic_load(&slot.busy_ns),
		    (long long)c->wanted_busy_ns + 7, c->name);
		is_int((long long)atomic_load(&slot.session_busy_ns),
		    (long long)c->wanted_busy_ns, "in this session");
		is_int((long long)atomic_load(&slot.exchange_bytes),
		    (long long)c->wanted_bytes, "bytes exchanged");
		is_int((long long)atomic_load(&slot.host_bytes),
		    (long long)c->wanted_bytes, "bytes of the host");
		is_int((long long)atomic_load(&slot.last_busy_ns),
		    (long long)c->wanted_last_ns, "and when last");
	}
}

/* Counters go on; what falls counts as nothing. */
static void
test_again(void)
{
	struct lease_counters said = { .busy_ns = 100 };
	struct lease_meter meter = { .granted_ns = GRANTED };
	struct ipu_slot slot;

	memset(&slot, 0, sizeof(slot));
	lease_counters_take(&said, &meter, GRANTED + SECOND, &slot);
	lease_counters_take(&said, &meter, GRANTED + SECOND, &slot);
	is_int((long long)atomic_load(&slot.busy_ns), 100, "told twice");
	said.busy_ns = 10;
	lease_counters_take(&said, &meter, GRANTED + SECOND, &slot);
	said.busy_ns = 150;
	lease_counters_take(&said, &meter, GRANTED + SECOND, &slot);
	is_int((long long)atomic_load(&slot.busy_ns), 150,
	    "less, and then more");
}

static void
test_errors(void)
{
	struct lease_counters said = {
		.soc_error = SOC_BIT(SOC_IPUSOFTERR) | 1 | SOC_BIT(31),
	};
	struct lease_meter meter = { .granted_ns = GRANTED };
	struct ipu_slot slot;

	memset(&slot, 0, sizeof(slot));
	lease_counters_take(&said, &meter, GRANTED, &slot);
	is_int(atomic_load(&slot.soc_error), SOC_BIT(SOC_IPUSOFTERR),
	    "an error that there is");
	atomic_store(&slot.soc_error, 0);
	lease_counters_take(&said, &meter, GRANTED, &slot);
	is_int(atomic_load(&slot.soc_error), 0,
	    "what was taken away does not come back");
	said.soc_error |= SOC_BIT(SOC_NMLINKDN0);
	lease_counters_take(&said, &meter, GRANTED, &slot);
	is_int(atomic_load(&slot.soc_error), SOC_BIT(SOC_NMLINKDN0),
	    "a new one does");
}

/* Work of single seconds: only of those in which it had the IPU. */
static void
test_ring(void)
{
	struct lease_counters said;
	struct lease_meter meter = { .granted_ns = GRANTED };
	struct ipu_slot slot, program;

	memset(&slot, 0, sizeof(slot));
	memset(&program, 0, sizeof(program));
	busy_ring_add(&program.ring, GRANTED - 2 * SECOND,
	    GRANTED + 2 * SECOND);
	lease_counters_read(&said, &program);
	lease_counters_take(&said, &meter, GRANTED + 5 * SECOND, &slot);
	is_int(busy_ring_second(&slot.ring, 999), 0, "the second before");
	is_int(busy_ring_second(&slot.ring, 1000), SECOND, "the first one");
	is_int(busy_ring_second(&slot.ring, 1001), SECOND, "the next one");
	is_int(busy_ring_second(&slot.ring, 1002), 0, "and none behind");
	memset(&said, 0xff, sizeof(said));
	lease_counters_take(&said, &meter, GRANTED + 5 * SECOND, &slot);
	is_int(busy_ring_second(&slot.ring, 1000), SECOND,
	    "nonsense changes nothing");
	is_int(busy_ring_second(&slot.ring, 1004), 0, "and adds nothing");
}

int
main(void)
{
	test_once();
	test_again();
	test_errors();
	test_ring();
	return tap_done();
}
