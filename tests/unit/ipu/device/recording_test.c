/*
 * Recordings: what was seen is seen again; files that are cut off, damaged or
 * something else are refused with one sentence.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "ipu/device/device.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

#define COMMAND "/usr/bin/python3 train.py --key s3cret"
#define SECOND INT64_C(1000000000)

enum { FILE_MAX = 1 << 20 };

static char path[256];

static const char *
new_path(const char *name)
{
	(void)snprintf(path, sizeof(path), "%s/%s.rec", tap_directory(), name);
	return path;
}

/* Work of half a second, up to now. */
static void
work(const struct attachment *a, int index)
{
	struct ipu_slot *slot = attach_slot(a, index);
	const int64_t now_ns = clock_real_ns();

	/* A session of two seconds: the program may have just attached. */
	slot->attached_ns = now_ns - 2 * SECOND;
	atomic_fetch_add(&slot->busy_ns, SECOND / 2);
	atomic_fetch_add(&slot->session_busy_ns, SECOND / 2);
	busy_ring_add(&slot->ring, now_ns - SECOND / 2, now_ns);
	atomic_store(&slot->last_busy_ns, (uint64_t)now_ns);
	atomic_store(&slot->memory_bytes, 1 << 20);
}

/* Add the present look to the file; *seen is what it shows. */
static void
add_look(struct recording *r, struct sample *seen)
{
	struct error e;

	memset(seen, 0, sizeof(*seen));
	must(device_look_open(&seen->look, false, &e), &e);
	sample_read(seen);
	must(recording_add(r, &seen->look, &e), &e);
}

/* Whether two looks show the same IPUs and the same holders. */
static bool
shows_same(const struct sample *a, const struct sample *b, const char *command)
{
	const struct sample_ipu *x = a->ipus, *y = b->ipus;
	int i;

	if (a->now_ns != b->now_ns || a->ipu_count != b->ipu_count ||
	    a->holder_count != b->holder_count)
		return false;
	for (i = 0; i < a->ipu_count; i++, x++, y++)
		if (x->partition != y->partition || x->holder != y->holder ||
		    x->routing_id != y->routing_id ||
		    x->soc_errors != y->soc_errors ||
		    x->memory_bytes != y->memory_bytes ||
		    memcmp(&x->sensors, &y->sensors, sizeof(x->sensors)) != 0)
			return false;
	for (i = 0; i < a->holder_count; i++)
		if (a->holders[i].pid != b->holders[i].pid ||
		    !b->holders[i].is_here ||
		    strcmp(a->holders[i].user, b->holders[i].user) != 0 ||
		    strcmp(b->holders[i].command, command) != 0)
			return false;
	return strcmp(a->look.view.partition->name,
		   b->look.view.partition->name) == 0;
}

/* Read the next look of the file as a sample. */
static void
next_look(struct recording *r, struct sample *s)
{
	struct error e;

	memset(s, 0, sizeof(*s));
	if (recording_step(r, &e) != 1)
		must(-1, &e);
	must(recording_look(r, false, &s->look, &e), &e);
	sample_read(s);
}

/* Three looks: a program, more work in another partition's presence, none. */
static void
test_again(bool commands, const char *command)
{
	const char *file = new_path(commands ? "whole" : "names");
	struct sample seen[3], again;
	struct recording *r;
	struct attachment a;
	struct error e;
	int i;

	r = recording_create(file, commands, &e);
	ok(r != NULL, "create a file");
	must(attach(&a, 8, -1, COMMAND, &e), &e);
	work(&a, 1);
	add_look(r, &seen[0]);
	ok(seen[0].ipus[1].sensors.recent > 0.4, "an IPU works");
	work(&a, 2);
	add_partition(commands ? "b" : "c", commands ? 16 : 24, 8);
	add_look(r, &seen[1]);
	attach_end(&a);
	add_look(r, &seen[2]);
	recording_close(r);
	r = recording_open(file, &e);
	ok(r != NULL, "open it");
	for (i = 0; i < 3; i++) {
		next_look(r, &again);
		ok(shows_same(&seen[i], &again, command),
		    "it shows what was seen");
		sample_release(&again);
		sample_release(&seen[i]);
	}
	is_int(recording_step(r, &e), 0, "the end");
	recording_close(r);
}

/* A look without a change takes a few bytes; a working IPU a few more. */
static void
test_size(void)
{
	struct recording *r;
	struct attachment a;
	struct sample s;
	struct error e;
	char *text;
	size_t sizes[4];
	int i;

	must(attach(&a, 8, -1, COMMAND, &e), &e);
	r = recording_create(new_path("size"), false, &e);
	for (i = 0; i < 4; i++) {
		if (i == 3)
			work(&a, 0);
		add_look(r, &s);
		sample_release(&s);
		text = file_read(path, FILE_MAX, &sizes[i], &e);
		free(text);
	}
	recording_close(r);
	attach_end(&a);
	ok(sizes[2] - sizes[1] < 64, "no change: less than 64 bytes");
	ok(sizes[3] - sizes[2] < 160, "an IPU: less than 100 bytes more");
}

/* The number of looks that can be read, with the error in *e. */
static int
count_looks(const char *file, int *status, struct error *e)
{
	struct recording *r = recording_open(file, e);
	int n = 0;

	if (r == NULL) {
		*status = -1;
		return 0;
	}
	while ((*status = recording_step(r, e)) == 1)
		n++;
	recording_close(r);
	return n;
}

static void
write_file(const char *file, const char *text, size_t size)
{
	const int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd == -1 || file_put(fd, text, size) != 0)
		abort();
	(void)close(fd);
}

/* Cut off at every length, and with every byte changed. */
static void
test_damage(void)
{
	struct error e;
	size_t size, i;
	char *text = file_read(new_path("names"), FILE_MAX, &size, &e);
	const size_t step = (size_t)tap_amount(5, 1);
	int status, n, ends = 0, clear = 0, harmed = 0;

	(void)new_path("damaged");
	for (i = 0; i < size; i++) {
		write_file(path, text, i);
		n = count_looks(path, &status, &e);
		if (status == 0)
			ends++;
		else
			clear += n < 3 &&
			    strstr(e.text,
				i < 8 ?
				    "is not a recording" :
				    "is cut off: the file ends in it") != NULL;
	}
	is_int(ends, 3, "whole only at the end of a look");
	is_int(clear, (long long)size - 3, "else one clear sentence");
	for (i = 0; i < size; i += step) {
		text[i] ^= 0x40;
		write_file(path, text, size);
		(void)count_looks(path, &status, &e);
		harmed += status > 0;
		text[i] ^= 0x40;
	}
	is_int(harmed, 0, "a changed byte does no harm");
	free(text);
}

static void
refused(const char *file, const char *wanted)
{
	struct recording *r;
	struct error e = { .text = "" };

	r = recording_open(file, &e);
	ok(r == NULL && strstr(e.text, wanted) != NULL, e.text);
	recording_close(r);
}

static void
test_refused(void)
{
	struct recording *r;
	struct device_look l;
	struct error e;

	refused("/dev/null", "/dev/null is not a regular file");
	refused(tap_directory(), "is not a regular file");
	refused("/nowhere", "cannot read /nowhere: No such file");
	write_file(new_path("other"), "hello, world\n", 13);
	refused(path, "is not a recording of this version");
	r = recording_create(path, false, &e);
	ok(r == NULL && e.code == ERROR_EXISTS, "a file is not replaced");
	write_file(path, "ipurec1\n", 8);
	ok(replay_show("--replay", path, false, &l, &e) == -1 &&
		strcmp(e.text, "--replay: the recording has no look yet") == 0,
	    "an empty recording");
}

/* A moment after the file's name. */
static void
test_moments(void)
{
	static const char *const whens[] = { "", "@0", "@1000", "@loop" };
	const char *file = new_path("names");
	struct device_look l;
	struct error e;
	char text[300];
	int64_t at[4];
	size_t i;

	for (i = 0; i < 4; i++) {
		(void)snprintf(text, sizeof(text), "%s%s", file, whens[i]);
		must(replay_show("--replay", text, false, &l, &e), &e);
		at[i] = l.registry.frozen_ns;
		device_look_close(&l);
	}
	ok(at[1] < at[0], "@0 is the first look, nothing the last");
	ok(at[2] == at[0], "after the end: the last");
	ok(at[3] >= at[1] && at[3] <= at[0], "@loop: one of them");
	(void)setenv("IPUBOX_REPLAY", text, 1);
	(void)snprintf(text, sizeof(text), "%s@x", file);
	ok(device_look_open(&l, false, &e) == 0, "by the variable");
	device_look_close(&l);
	(void)setenv("IPUBOX_REPLAY", text, 1);
	ok(device_look_open(&l, false, &e) == -1 &&
		strstr(e.text, "IPUBOX_REPLAY: cannot read ") == e.text,
	    "another word belongs to the name");
	(void)unsetenv("IPUBOX_REPLAY");
}

int
main(void)
{
	(void)unsetenv("GCDA_MONITOR");
	make_state("recording");
	add_partition("a", 0, 8);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "a", 1);
	test_again(false, "python3");
	test_again(true, COMMAND);
	test_size();
	test_damage();
	test_refused();
	test_moments();
	return state_util_done();
}
