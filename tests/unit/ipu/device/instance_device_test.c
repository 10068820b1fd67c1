/* PopDist's getDeviceId: which device an instance has, and who may have it. */
#include "ipu/device/device.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

/* Instances by offset, local replicas and IPUs per replica, on p8 with 8. */
static const struct place_row {
	int offset, local, ipus;
	bool uniform;
	int id; /* -1: none */
	const char *reason;
} place_rows[] = {
	{ 0, 1, 1, true, 0, "" },
	{ 3, 1, 1, true, 3, "" },
	{ 0, 2, 1, true, 8, "" },
	{ 2, 2, 1, true, 9, "" },
	{ 4, 2, 2, true, -1,
	    "no device is left for instance 2: partition p8 has 2 of 4 "
	    "IPU(s), one for each instance" },
	{ 2, 2, 2, true, 13, "" },
	{ 0, 2, 4, true, 14, "" },
	/* 2, 1 and 1 replicas of one IPU: they take IPUs 0 and 1, 2, 3. */
	{ 0, 2, 1, false, 8, "" },
	{ 2, 1, 1, false, 2, "" },
	{ 3, 1, 1, false, 3, "" },
	/* 1, 2 and 1: the pair would begin in the middle of two pairs. */
	{ 1, 2, 1, false, -1, "no device with 2 IPU(s) starts at replica 1" },
	{ 8, 1, 1, true, -1,
	    "no device is left for instance 8: partition p8 has 8 of 1 "
	    "IPU(s), one for each instance" },
	{ 0, 3, 1, true, -1,
	    "the number of IPUs in a device is a power of two; for 3 use 4" },
	{ 0, 65536, 2, true, -1, "no device has 131072 IPUs" },
	{ 0, 65536, 65536, true, -1, "no device has 4294967296 IPUs" },
};

static void
make_partition_p8(void)
{
	struct partition p = make_partition("p8", 0, 8);
	struct state s;
	struct error e;

	p.reconfigurable = 1;
	use_state("instance_device");
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &p, &e) == 0,
	    "a partition");
	state_unlock(&s);
	state_close(&s);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "p8", 1);
}

static void
test_places(void)
{
	const struct place_row *r;
	struct popdist p = { .is_set = true };
	struct error e;
	int id;

	for (r = place_rows; r < place_rows + ARRAY_SIZE(place_rows); r++) {
		e = (struct error){ .text = "" };
		p.replica_index_offset = r->offset;
		p.num_local_replicas = r->local;
		p.uniform = r->uniform;
		p.num_ipus_per_replica = 1;
		id = -1;
		if (instance_device_find(&p, r->ipus, &id, &e) != 0)
			is_str(e.text, r->reason, "the reason");
		is_int(id, r->id, "the device");
	}
	p = (struct popdist){ .is_set = true,
		.num_local_replicas = 1,
		.num_ipus_per_replica = 4,
		.replica_index_offset = 1 };
	ok(instance_device_find(&p, 0, &id, &e) == 0 && id == 13,
	    "as many IPUs as the environment says");
}

/* Outside poprun the first free one; under it that of the instance, free or
   not. */
static void
test_free(void)
{
	struct attachment first, third, all;
	struct popdist p = { .num_local_replicas = 1,
		.num_ipus_per_replica = 1 };
	struct error e = { .text = "" };
	int id;

	ok(attach(&first, 1, 0, "first", &e) == 0 &&
		attach(&third, 2, 9, "third", &e) == 0,
	    "IPUs 0, 2 and 3 are held");
	ok(instance_device_find(&p, 1, &id, &e) == 0 && id == 1, "IPU 1");
	ok(instance_device_find(&p, 2, &id, &e) == 0 && id == 10, "4 and 5");
	ok(instance_device_find(&p, 4, &id, &e) == 0 && id == 13, "4 to 7");
	ok(instance_device_find(&p, 8, &id, &e) == -1, "no eight");
	ok(strstr(e.text, "IPU 0 of partition p8 is held by ") == e.text &&
		strstr(e.text, ": first") != NULL,
	    "it says who holds them");
	p.is_set = true;
	ok(instance_device_find(&p, 1, &id, &e) == 0 && id == 0,
	    "an instance's own, though it is held");
	attach_end(&third);
	attach_end(&first);
	ok(attach(&all, 8, 14, "all", &e) == 0, "all are held");
	p.is_set = false;
	ok(instance_device_find(&p, 1, &id, &e) == -1, "none is free");
	attach_end(&all);
}

int
main(void)
{
	make_partition_p8();
	test_places();
	test_free();
	return tap_done();
}
