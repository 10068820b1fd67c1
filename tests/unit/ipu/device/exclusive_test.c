/*
 * A device for oneself for a moment: who is in the way, what others see
 * meanwhile, and that the slots are as before in the end.  And what is printed
 * of the IPU's surroundings.
 */
#include "ipu/device/device.h"

#include <bsd/string.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/pod/pod.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static struct registry reader;
static struct visible_devices view;

static void
prepare(void)
{
	struct partition p = make_partition("p8", 0, 8);
	struct state s;
	struct error e;

	p.reconfigurable = 1;
	p.num_replicas = 2;
	p.sync_type = ST_GS2_DEFAULT;
	use_state("exclusive");
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &p, &e) == 0,
	    "a partition");
	state_unlock(&s);
	state_close(&s);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "p8", 1);
	ok(state_open_reader(&reader, &e) == 0 &&
		visible_devices_open(&view, &reader, &e) == 0,
	    "a view");
}

static struct device
device_of(int id)
{
	struct device d;

	if (device_by_id(view.partition, -1, id, &d) != 0)
		abort();
	return d;
}

/* What a program that was killed leaves behind. */
static void
leave_words(int ipu)
{
	struct registry r;
	struct ipu_slot *slot;
	struct error e;

	if (state_open_attacher(&r, &e) != 0)
		abort();
	slot = registry_slot(&r, ipu);
	slot->pid = 4711;
	(void)strlcpy(slot->user, "mia", sizeof(slot->user));
	(void)strlcpy(slot->command, "train.py", sizeof(slot->command));
	atomic_store(&slot->session_busy_ns, 77);
	atomic_store(&slot->exchange_bytes, 123456);
	atomic_store(&slot->host_bytes, 654321);
	atomic_store(&slot->soc_error, SOC_BIT(SOC_IPUSOFTERR));
	registry_close(&r);
}

static void
check_left(const char *name)
{
	struct ipu_slot slot;

	slots_read(&reader.slots, 5, &slot);
	ok(slot.pid == 4711 && strcmp(slot.command, "train.py") == 0 &&
		slot.session_busy_ns == 77 && slot.exchange_bytes == 123456 &&
		slot.soc_error == SOC_BIT(SOC_IPUSOFTERR),
	    name);
}

static void
test_taken(void)
{
	struct exclusive x, second;
	struct device pair = device_of(10), one = device_of(5);
	struct ipu_slot holder;
	struct error e = { .text = "" };

	leave_words(5);
	is_int(exclusive_begin(&x, &view, &pair, "gc-info", &e), 0, e.text);
	is_int(exclusive_ipu(&x, 1), 5, "its second IPU");
	ok(x.before[1].pid == 4711 && x.before[0].pid == 0,
	    "the slots as they were");
	ok(registry_holder(&reader, 5, &holder) && holder.pid == getpid() &&
		strcmp(holder.command, "gc-info") == 0,
	    "others see who has it");
	ok(!registry_holder(&reader, 3, &holder), "and nothing more");
	is_int(exclusive_begin(&second, &view, &one, "gc-info", &e), -1,
	    "not twice");
	ok(e.code == ERROR_NO_ROOM &&
		strncmp(e.text,
		    "device 5 is in use: IPU 5 of partition p8 is held by ",
		    51) == 0,
	    e.text);
	exclusive_end(&x);
	ok(!registry_holder(&reader, 5, &holder), "given back");
	check_left("and as it was, errors as well");
}

/* All or none: the first IPU is free again where the second is held. */
static void
test_refused(void)
{
	struct exclusive x;
	struct attachment a;
	struct device four = device_of(12), pair = device_of(8);
	struct error e = { .text = "" };
	struct ipu_slot holder;

	is_int(attach(&a, 1, 3, "job", &e), 0, "a program on IPU 3");
	is_int(exclusive_begin(&x, &view, &four, "gc-info", &e), -1,
	    "four with it");
	ok(e.code == ERROR_NO_ROOM &&
		strstr(e.text, "IPU 3 of partition p8 is held by ") != NULL,
	    e.text);
	ok(!registry_holder(&reader, 2, &holder), "IPU 2 is free again");
	is_int(exclusive_begin(&x, &view, &pair, "gc-info", &e), 0,
	    "two without it");
	exclusive_end(&x);
	attach_end(&a);
}

/* Hardware that does not answer, and a partition that is not configured. */
static void
test_trouble(void)
{
	struct agent *agent = &view.snapshot.pod.agents[1];
	struct partition *p = view.snapshot.partitions;
	struct exclusive x;
	struct device all = device_of(14), first = device_of(0);
	struct error e;

	agent->state = MACHINE_DOWN;
	is_int(exclusive_begin(&x, &view, &all, "gc-info", &e), -1, "down");
	ok(e.code == ERROR_UNAVAILABLE &&
		strstr(e.text,
		    "device 14: IPU-Machine ag02 (10.1.5.2) is down") != NULL,
	    e.text);
	is_int(exclusive_begin(&x, &view, &first, "gc-info", &e), 0,
	    "another machine");
	exclusive_end(&x);
	agent->state = MACHINE_UP;
	p->state = PS_PENDING;
	is_int(exclusive_begin(&x, &view, &first, "gc-info", &e), -1,
	    "pending");
	ok(e.code == ERROR_UNAVAILABLE &&
		strstr(e.text, "device 0: partition p8 is in state PENDING") !=
		    NULL,
	    e.text);
	p->state = PS_ACTIVE;
}

static char *
status_text(void (*print)(const struct soc_view *, FILE *), int routing_id)
{
	struct ipu_slot slot;
	struct soc_view v = { .pod = &view.snapshot.pod,
		.partition = view.partition,
		.slot = &slot,
		.versions = versions_at(0),
		.routing_id = routing_id,
		.ipu = routing_id };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	slots_read(&reader.slots, routing_id, &slot);
	print(&v, out);
	(void)fclose(out);
	return text;
}

static void
test_status(void)
{
	char *text = status_text(soc_status_exchange, 5);

	is_str(text,
	    "  CIUERRVR: 0x00000200\n  errors: IPUSOFTERR\n"
	    "  exchange bytes: 123456\n"
	    "  IPU-Links to ag01:3: 1 up\n"
	    "  IPU-Links to ag02:0: 2 up\n"
	    "  IPU-Links to ag02:3: 2 up\n",
	    "exchange block");
	free(text);
	view.snapshot.pod.agents[0].state = MACHINE_DOWN;
	text = status_text(soc_status_exchange, 5);
	ok(strstr(text, "  IPU-Links to ag01:3: 1 down\n") != NULL,
	    "a link whose other end is down");
	view.snapshot.pod.agents[0].state = MACHINE_UP;
	free(text);
	text = status_text(soc_status_sync, 5);
	is_str(text,
	    "  CIUERRVR: 0x00000200\n  errors: IPUSOFTERR\n"
	    "  tiles: at rest\n  partition sync type: c2-compatible\n"
	    "  GS1 group: 1\n  GS1 IPUs: 4-7\n  GS2: UNDEFINED\n"
	    "  GCD: 0 of 1\n",
	    "sync");
	free(text);
	text = status_text(soc_status_pci, 0);
	is_str(text,
	    "  CIUERRVR: 0x00000000\n  errors: none\n  pci id: 3\n"
	    "  IPU-M host: 10.1.5.1\n  link speed: 16 GT/s\n"
	    "  link width: 8\n  correctable errors: 0\n  host bytes: 0\n",
	    "PCIe");
	free(text);
	text = status_text(soc_status_pci, 5);
	ok(strstr(text, "\n  host bytes: 654321\n") != NULL, "host bytes");
	free(text);
}

/* Another partition of the same name has the same IPUs now. */
static void
test_replaced(void)
{
	struct partition p = *view.partition;
	struct exclusive x;
	struct device one = device_of(5);
	struct state s;
	struct error e = { .text = "" };

	p.id[0] ^= 1;
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_remove_partition(&s, "p8", &e) == 0 &&
		state_add_partition(&s, &p, &e) == 0,
	    "a new partition");
	state_unlock(&s);
	state_close(&s);
	is_int(exclusive_begin(&x, &view, &one, "gc-info", &e), -1, "not its");
	is_str(e.text, "partition p8 has been removed", "and why");
}

int
main(void)
{
	prepare();
	test_taken();
	test_refused();
	test_trouble();
	test_status();
	test_replaced();
	visible_devices_release(&view);
	registry_close(&reader);
	return state_util_done();
}
