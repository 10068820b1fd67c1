/*
 * A neighbour writes nonsense into both files of the registry, and cuts them,
 * while others read and change the state: nobody crashes, and no file of the
 * state is lost.  When the neighbour is gone the state works again.
 */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/state/mirror_copy.h"
#include "core/state/state_internal.h"
#include "ipu/device/device.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { PATIENCE_MS = 60000, CHUNK = 32, READERS = 2, WRITERS = 2 };

/* What got through, counted by all processes. */
struct tally {
	_Atomic int read;
	_Atomic int created;
	_Atomic int removed;
	_Atomic int attached;
};

static struct tally *tally;
static uint64_t seed;
static int64_t end_ms;

/* xorshift64*: the same numbers for the same seed. */
static uint32_t
draw(uint32_t below)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (uint32_t)((seed * 0x2545f4914f6cdd1d) >> 33) % below;
}

/* Not before all got somewhere, which takes longer on a busy machine. */
static bool
is_over(void)
{
	int64_t now = clock_monotonic_ms();
	bool all = tally->read > 0 && tally->created > 0 &&
	    tally->removed > 0 && tally->attached > 0;

	return now >= end_ms && (all || now >= end_ms + PATIENCE_MS);
}

/* Some bytes anywhere, more often in the header, where all the counts are. */
static void
write_nonsense(int fd, off_t size)
{
	unsigned char bytes[CHUNK];
	uint32_t length = 1 + draw(CHUNK), i;
	off_t at = draw(3) == 0 ?
	    (off_t)draw((uint32_t)size) :
	    (off_t)draw((uint32_t)sizeof(struct registry_header));

	for (i = 0; i < length; i++)
		bytes[i] = draw(2) == 0 ? (unsigned char)draw(256) :
					  (unsigned char)(draw(2) * 255);
	(void)!pwrite(fd, bytes, length, at);
}

/* A count that leads behind its array, as 5000 partitions. */
static void
write_count(int fd)
{
	static const uint32_t counts[] = { 5000, 0, 0x7fffffff, UINT32_MAX,
		1 << 30 };
	const uint32_t count = counts[draw(ARRAY_SIZE(counts))];
	const size_t first = offsetof(struct registry_header, agent_count);

	(void)!pwrite(fd, &count, sizeof(count), (off_t)(first + 4 * draw(5)));
}

/*
 * A lie with the right checksum, which all the checks let pass: the partitions
 * expired long ago, or are something else than their files say.
 */
static void
write_lie(int fd)
{
	struct registry_places at;
	struct partition *p;
	struct registry r = { .fd = fd };
	struct mirror m;

	if (mirror_copy_try(&m, &r, NULL) != MIRROR_COPY_GOOD)
		return;
	if (m.header.partition_high > 0) {
		p = &m.partitions[draw(m.header.partition_high)];
		p->expires_ms = 1 + draw(1000);
		p->num_gcds = 1 << draw(2);
		m.header.checksum = mirror_copy_checksum(&m.header,
		    mirror_copy_sum(&m));
		registry_layout_locate(&m.header, &at);
		(void)!pwrite(fd, m.partitions,
		    m.header.partition_high * sizeof(*m.partitions),
		    (off_t)at.partitions);
		(void)!pwrite(fd, &m.header.checksum, sizeof(m.header.checksum),
		    offsetof(struct registry_header, checksum));
	}
	mirror_copy_release(&m);
}

static void
cut_and_grow(int fd, off_t size)
{
	(void)!ftruncate(fd, (off_t)draw((uint32_t)size));
	if (draw(2) == 0)
		(void)!ftruncate(fd, size);
}

/* One file after the other, opened again: another may be there by then. */
static int
be_hostile(int number)
{
	char path[SLOTS_PATH_SIZE];
	struct stat st;
	int fd;

	(void)number;
	while (!is_over()) {
		(void)snprintf(path, sizeof(path), "%s%s", test_paths.registry,
		    draw(2) == 0 ? "" : ".slots");
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd == -1)
			continue;
		if (fstat(fd, &st) == 0 && st.st_size > 0) {
			switch (draw(8)) {
			case 0:
				cut_and_grow(fd, st.st_size);
				break;
			case 1:
			case 2:
				write_count(fd);
				break;
			case 3:
				write_lie(fd);
				break;
			default:
				write_nonsense(fd, st.st_size);
			}
		}
		(void)close(fd);
		/* Others are to get somewhere between two of these. */
		clock_sleep_ms(draw(3));
	}
	return 0;
}

/* What gc-info, gc-monitor and vipu list do. */
static int
be_reader(int number)
{
	struct registry r;
	struct snapshot s;
	struct ipu_slot slot;
	struct error e;
	int i;

	(void)number;
	while (!is_over()) {
		if (reader_open(&r, &e) != 0)
			continue;
		if (snapshot_take(&r, &s, &e) == 0) {
			if (tally->read++ % 2 == 0)
				snapshot_freeze(&s, &r, clock_real_ns());
			for (i = 0; i < pod_ipu_count(&s.pod); i += 7) {
				(void)registry_holder(&r, i, &slot);
				(void)registry_faults(&r, i);
			}
			snapshot_release(&s);
		}
		registry_close(&r);
	}
	return 0;
}

/* Partitions come, change and go; each may fail. */
static int
be_writer(int number)
{
	struct partition_request r;
	struct partition p;
	struct controller *c;
	struct error e;

	request_init(&r);
	(void)snprintf(r.name, sizeof(r.name), "w%d", number);
	r.size = 4;
	r.relocatable = true;
	while (!is_over()) {
		if ((c = embedded_controller_open(NULL, &e)) == NULL)
			continue;
		tally->created += create_partition(c, &r, &p, &e) == 0;
		(void)reset_partition(c, r.name, false, true, NULL, &e);
		tally->removed += remove_partition(c, r.name, true, NULL, &e) ==
		    0;
		controller_close(c);
	}
	return 0;
}

/* A program that attaches and counts, as train does. */
static int
be_program(int number)
{
	struct attachment a;
	struct error e;
	int i;

	(void)number;
	while (!is_over()) {
		if (attach(&a, 4, -1, "program", &e) != 0)
			continue;
		tally->attached++;
		for (i = 0; i < 1000 && attach_check(&a, &e) == 0; i++)
			(void)atomic_fetch_add(&attach_slot(&a, i % 4)->busy_ns,
			    1);
		attach_end(&a);
	}
	return 0;
}

static pid_t
start(int (*work)(int), int number)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	seed += (uint64_t)number * 7919 + 1;
	_exit(work(number));
}

static char *
read_kept(const char *name)
{
	char path[512];
	size_t size;

	(void)snprintf(path, sizeof(path), "%s/partitions/%s.ini",
	    test_paths.directory, name);
	return file_read(path, 1 << 20, &size, NULL);
}

/* All at once, until the time is over; who was ended by what. */
static void
run_all(void)
{
	pid_t pids[READERS + WRITERS + 2];
	int i, n = 0, status, good = 0;

	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tally == MAP_FAILED)
		exit(1);
	end_ms = clock_monotonic_ms() + tap_amount(800, 3000);
	pids[n++] = start(be_hostile, 0);
	pids[n++] = start(be_program, 1);
	for (i = 0; i < READERS; i++)
		pids[n++] = start(be_reader, 2 + i);
	for (i = 0; i < WRITERS; i++)
		pids[n++] = start(be_writer, 10 + i);
	for (i = 0; i < n; i++) {
		(void)waitpid(pids[i], &status, 0);
		good += status == 0;
		if (status != 0)
			printf("# process %d of %d: wait status %d\n", i, n,
			    status);
	}
	is_int(good, n, "nobody crashes beside a hostile neighbour");
	printf("# %d read, %d created, %d removed, %d attached\n", tally->read,
	    tally->created, tally->removed, tally->attached);
	ok(tally->read > 0 && tally->created > 0 && tally->removed > 0 &&
		tally->attached > 0,
	    "and all got somewhere");
}

int
main(void)
{
	static const char *const kept[] = { "kept1", "kept2" };
	struct state s;
	struct error e = { .text = "" };
	char *before[2], *after;
	size_t i;

	seed = (uint64_t)clock_real_ns() | 1;
	printf("# seed %llu\n", (unsigned long long)seed);
	make_state("hostile");
	add_partition(kept[0], 0, 4);
	add_partition(kept[1], 8, 4);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", kept[0], 1);
	for (i = 0; i < ARRAY_SIZE(kept); i++)
		before[i] = read_kept(kept[i]);
	run_all();
	for (i = 0; i < ARRAY_SIZE(kept); i++) {
		after = read_kept(kept[i]);
		ok(before[i] != NULL && after != NULL &&
			strcmp(before[i], after) == 0,
		    "no file is lost");
		free(before[i]);
		free(after);
	}
	is_int(state_open(&s, &e), 0, "when it is gone the state works");
	is_str(e.text, "", "without a word");
	state_close(&s);
	check_in_step("in step with the files");
	return state_util_done();
}
