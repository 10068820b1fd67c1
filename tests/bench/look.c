/*
 * One look at a whole pod (ipu/device/sample.h): the snapshot, all slots at one
 * moment, and the values of every IPU.
 *
 *	look LOOKS [HOLDERS]	the median of its processor time in ms
 *
 * With HOLDERS as many programs, of which each holds an equal part of the IPUs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/device_internal.h"

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Of this program, so that others who run beside it do not count. */
static int64_t
processor_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void
fail(const struct error *e)
{
	fprintf(stderr, "look: %s\n", e->text);
	exit(1);
}

/* A child that holds a part of the IPUs until this program has ended. */
static void
hold_part(int part, int parts, const int gone[2], const int ready[2])
{
	const struct ipu_holder self = { getpid(), getuid(), "python3 t.py" };
	struct registry r;
	struct ipu_slot words;
	struct error e;
	int i, who, size;
	char c = 0;

	(void)close(gone[1]);
	if (state_open_attacher(&r, &e) != 0)
		fail(&e);
	size = registry_ipu_count(&r) / parts;
	if (registry_attach(&r, part * size, size, &who, &e) != 0)
		fail(&e);
	ipu_holder_describe(&self, 0, &words);
	for (i = part * size; i < (part + 1) * size; i++)
		ipu_holder_write(registry_slot(&r, i), &words);
	(void)registry_announce(&r, part * size, size);
	(void)!write(ready[1], &c, 1);
	(void)!read(gone[0], &c, 1);
	_exit(0);
}

static void
hold(int holders)
{
	int gone[2], ready[2], i;
	char c;

	if (pipe(gone) != 0 || pipe(ready) != 0)
		exit(1);
	for (i = 0; i < holders; i++) {
		if (fork() == 0)
			hold_part(i, holders, gone, ready);
		if (read(ready[0], &c, 1) != 1)
			exit(1);
	}
}

/* How many IPUs are held; -1: the state cannot be read. */
static int
look(struct error *e)
{
	struct sample s = { .now_ns = 0 };
	int i, held = 0;

	if (device_look_open(&s.look, true, e) != 0)
		return -1;
	sample_read(&s);
	for (i = 0; i < s.holder_count; i++)
		held += s.holders[i].ipu_count;
	sample_release(&s);
	return held;
}

int
main(int argc, char **argv)
{
	struct error e;
	long long looks = 1, holders = 0;
	int64_t *took, before;
	int i;

	if (argc < 2 ||
	    parse_number("LOOKS", argv[1], 1, 10000, &looks, &e) != 0 ||
	    (argc > 2 &&
		parse_number("HOLDERS", argv[2], 1, 65536, &holders, &e) != 0))
		return 2;
	if (holders > 0)
		hold((int)holders);
	took = xcalloc((size_t)looks, sizeof(*took));
	for (i = 0; i < looks; i++) {
		before = processor_ns();
		if (look(&e) < 0)
			fail(&e);
		took[i] = processor_ns() - before;
	}
	qsort(took, (size_t)looks, sizeof(*took), compare);
	printf("%.2f\n", (double)took[looks / 2] / 1e6);
	return 0;
}
