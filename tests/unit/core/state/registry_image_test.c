/* An image of a registry shows what was told of it, to whoever reads one. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

/* An IPU with a holder, and one with errors. */
static void
fill(struct registry_image_ipu ipus[2])
{
	memset(ipus, 0, 2 * sizeof(*ipus));
	ipus[0].ipu = 5;
	ipus[0].is_held = true;
	ipus[0].slot.pid = 4242;
	(void)snprintf(ipus[0].slot.host, sizeof(ipus[0].slot.host), "node7");
	(void)snprintf(ipus[0].slot.command, sizeof(ipus[0].slot.command),
	    "train\033[2J");
	ipus[1].ipu = 63;
	ipus[1].slot.soc_error = 6;
	ipus[1].slot.pid = 7;
}

static void
test_readers(const struct snapshot *s, struct registry *r)
{
	struct snapshot shown;
	struct ipu_slot slot;
	struct error e = { .text = "" };

	is_int(snapshot_take(r, &shown, &e), 0, "a snapshot is taken of it");
	is_int(shown.partition_count, s->partition_count, "all partitions");
	is_str(shown.partitions[0].name, "p", "by their names");
	is_int(shown.owner[5], 0, "which have their IPUs");
	is_int(shown.pod.agent_count, s->pod.agent_count, "all machines");
	is_int(registry_held(r, 0, 64), 5, "the IPU is held");
	ok(registry_holder(r, 5, &slot), "by somebody");
	is_int(slot.pid, 4242, "who is told");
	is_str(slot.host, "node7", "with the host");
	is_str(slot.command, "train\\x1b[2J", "fit for a terminal");
	ok(!registry_holder(r, 63, &slot), "no other is");
	is_int(registry_faults(r, 63), 6, "which has errors");
	is_int(registry_faults(r, 62), 0, "and its neighbour none");
	snapshot_freeze(&shown, r, clock_real_ns());
	ok(registry_holder(r, 5, &slot), "the same where it is frozen");
	is_int(registry_faults(r, 63), 6, "errors, too");
	snapshot_release(&shown);
}

int
main(void)
{
	struct registry r, image;
	struct registry_image_ipu ipus[2];
	struct partition p;
	struct snapshot s;
	struct state st;
	struct error e = { .text = "" };
	int before, after;

	make_state("image");
	p = make_partition("p", 4, 4);
	must(state_open(&st, &e), &e);
	must(state_lock(&st, &e), &e);
	must(state_add_partition(&st, &p, &e), &e);
	state_unlock(&st);
	state_close(&st);
	open_registry(&r);
	must(snapshot_take(&r, &s, &e), &e);
	registry_close(&r);
	fill(ipus);
	before = open("/", O_RDONLY | O_CLOEXEC);
	(void)close(before);
	must(registry_image_open(&image, "far:8090", &s, ipus, 2, &e), &e);
	test_readers(&s, &image);
	is_str(image.path, "far:8090", "it says whose it is");
	registry_close(&image);
	after = open("/", O_RDONLY | O_CLOEXEC);
	(void)close(after);
	is_int(after, before, "no descriptor stays open");
	snapshot_release(&s);
	return tap_done();
}
