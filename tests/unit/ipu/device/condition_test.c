/* How IPUs, devices and partitions fare, in words. */
#include "ipu/device/device.h"

#include <bsd/string.h>

#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

#define NOW_MS INT64_C(1700000000000)

/* Two machines in one cluster, and a partition of all their IPUs. */
static struct agent agents[2];
static struct cluster cluster = { .agent_count = 2, .ild_count = 1 };
static struct pod pod = { .agent_count = 2,
	.cluster_count = 1,
	.agents = agents,
	.clusters = &cluster };
static struct partition partition;

static void
reset(void)
{
	memset(agents, 0, sizeof(agents));
	memset(&partition, 0, sizeof(partition));
	(void)strlcpy(agents[0].name, "ag01", sizeof(agents[0].name));
	(void)strlcpy(agents[0].address, "10.1.5.1", sizeof(agents[0].address));
	(void)strlcpy(agents[1].name, "ag02", sizeof(agents[1].name));
	(void)strlcpy(agents[1].address, "10.1.5.2", sizeof(agents[1].address));
	(void)strlcpy(partition.name, "pt", sizeof(partition.name));
	partition.placement = (struct placement){ .ild_count = 1,
		.per_ild = 8 };
	partition.state = PS_ACTIVE;
	partition.operation = POS_IDLE;
}

static void
check(const struct condition *c, enum condition_kind kind, const char *word,
    const char *text, const char *error_state)
{
	is_int(c->kind, kind, "kind");
	is_str(c->word, word, "word");
	is_str(c->text, text, "text");
	is_str(c->error_state, error_state, "error state");
}

static void
test_partition(void)
{
	struct condition c;

	reset();
	condition_of_partition(&c, &partition, &pod, NOW_MS);
	check(&c, CONDITION_GOOD, "available", "available", "no errors");
	partition.state = PS_PENDING;
	condition_of_partition(&c, &partition, &pod, NOW_MS);
	check(&c, CONDITION_PARTITION, "PENDING",
	    "partition pt is in state PENDING", "partition PENDING");
	is_int(c.tone, TONE_WARNING, "it becomes active by itself");
	partition.state = PS_REMOVED;
	condition_of_partition(&c, &partition, &pod, NOW_MS);
	check(&c, CONDITION_PARTITION, "REMOVING",
	    "partition pt is in state REMOVING", "partition REMOVING");
	is_int(c.tone, TONE_WARNING, "it goes by itself");
	partition.state = PS_ERROR;
	(void)strlcpy(partition.last_error, "a\033b",
	    sizeof(partition.last_error));
	condition_of_partition(&c, &partition, &pod, NOW_MS);
	check(&c, CONDITION_PARTITION, "ERROR",
	    "partition pt is in state ERROR: a\\x1bb", "partition ERROR");
	is_int(c.tone, TONE_BAD, "it stays so");
	partition.state = 77;
	condition_of_partition(&c, &partition, &pod, NOW_MS);
	is_str(c.word, "UNKNOWN", "a state that nobody knows");
	agents[1].state = MACHINE_DOWN;
	condition_of_partition(&c, &partition, &pod, NOW_MS);
	check(&c, CONDITION_MACHINE, "machine down",
	    "IPU-Machine ag02 (10.1.5.2) is down", "machine down");
	is_int(c.tone, TONE_BAD, "it stays down");
}

/* A reboot ends by itself, at a time that is known. */
static void
test_reboot(void)
{
	struct condition c;
	struct ipu_status s = { .ipu = 0 };

	reset();
	agents[0].state = MACHINE_REBOOTING;
	agents[0].up_ms = NOW_MS + 1;
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS);
	check(&c, CONDITION_MACHINE, "machine rebooting",
	    "IPU-Machine ag01 (10.1.5.1) reboots", "machine rebooting");
	is_int(c.tone, TONE_WARNING, "a reboot ends");
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS + 1);
	check(&c, CONDITION_GOOD, "available", "available", "no errors");
	s.ipu = 4;
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS);
	is_int(c.kind, CONDITION_GOOD, "another machine's IPU");
}

static void
test_ipu(void)
{
	struct condition c;
	struct ipu_status s = { .ipu = 5, .attached = true };

	reset();
	(void)strlcpy(s.holder.user, "mia", sizeof(s.holder.user));
	(void)strlcpy(s.holder.host, "host1", sizeof(s.holder.host));
	(void)strlcpy(s.holder.command, "/usr/bin/python3 train.py --key x",
	    sizeof(s.holder.command));
	s.holder.pid = 4711;
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS);
	check(&c, CONDITION_BUSY, "in use",
	    "in use by user mia (python3 on host1)", "no errors");
	is_int(c.tone, TONE_WARNING, "its holder ends");
	ok(strstr(c.text, "4711") == NULL, "no process id");
	s.soc_errors = SOC_BIT(SOC_IPUSOFTERR);
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS);
	check(&c, CONDITION_ERROR, "IPUSOFTERR",
	    "SoC error IPUSOFTERR; IPU_RESET clears it", "IPUSOFTERR");
	is_int(c.tone, TONE_BAD, "an error stays");
	s.soc_errors |= SOC_BIT(SOC_NMLINKDN0);
	condition_of_ipu(&c, &s, NULL, &pod, NOW_MS);
	check(&c, CONDITION_ERROR, "errors",
	    "SoC errors IPUSOFTERR, NMLINKDN0; PARTITION_RESET clears them",
	    "IPUSOFTERR, NMLINKDN0");
	partition.state = PS_ERROR;
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS);
	check(&c, CONDITION_PARTITION, "ERROR",
	    "partition pt is in state ERROR", "IPUSOFTERR, NMLINKDN0");
	agents[1].state = MACHINE_DOWN;
	condition_of_ipu(&c, &s, NULL, &pod, NOW_MS);
	is_str(c.error_state, "machine down", "nobody can read them");
}

/* The longest names and every error at once. */
static void
test_room(void)
{
	struct condition c;
	struct ipu_status s = { .ipu = 0, .soc_errors = UINT32_MAX };

	reset();
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS);
	ok(strstr(c.error_state, "MCUSOFTERR") != NULL, "the last name");
	ok(strstr(c.text, "FULL_RESET clears them") != NULL, "the end");
	memset(partition.name, 'n', sizeof(partition.name) - 1);
	memset(partition.last_error, 'e', sizeof(partition.last_error) - 1);
	partition.state = PS_ERROR;
	condition_of_ipu(&c, &s, &partition, &pod, NOW_MS);
	ok(strstr(c.text, ": eee") != NULL && c.text[strlen(c.text) - 1] == 'e',
	    "all of the reason");
}

/* The heaviest counts, whatever the order; errors add up. */
static void
test_join(void)
{
	static const struct {
		uint32_t errors[2];
		bool attached[2];
		enum condition_kind kind;
		const char *word;
		const char *error_state;
	} rows[] = {
		{ { 0, 0 }, { false, false }, CONDITION_GOOD, "available",
		    "no errors" },
		{ { 0, 0 }, { false, true }, CONDITION_BUSY, "in use",
		    "no errors" },
		{ { 0, 1 << SOC_IPUSOFTERR }, { true, false }, CONDITION_ERROR,
		    "IPUSOFTERR", "IPUSOFTERR" },
		{ { 1 << SOC_SOC0PGMERR, 1 << SOC_IPUSOFTERR },
		    { false, false }, CONDITION_ERROR, "errors",
		    "SOC0PGMERR, IPUSOFTERR" },
	};
	struct condition device, one;
	size_t i;
	int k, order;

	reset();
	for (i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		condition_init(&device);
		order = (int)(i % 2);
		for (k = 0; k < 2; k++) {
			condition_of_ipu(&one,
			    &(struct ipu_status){ .ipu = k,
				.soc_errors = rows[i / 2].errors[k ^ order],
				.attached = rows[i / 2].attached[k ^ order] },
			    &partition, &pod, NOW_MS);
			condition_join(&device, &one);
		}
		is_int(device.kind, rows[i / 2].kind, "joined kind");
		is_str(device.word, rows[i / 2].word, "joined word");
		is_str(device.error_state, rows[i / 2].error_state,
		    "joined errors");
	}
}

int
main(void)
{
	test_partition();
	test_reboot();
	test_ipu();
	test_room();
	test_join();
	return tap_done();
}
