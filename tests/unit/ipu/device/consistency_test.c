/*
 * Snapshots, and gc-monitor as it is run from $IPUBOX, beside programs that
 * change the pod all the time: one that creates and removes partitions, two
 * that take turns on the same IPUs.  Nobody ever sees a state that never was,
 * or is kept waiting.
 */
#include <sys/wait.h>

#include <bsd/string.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "ipu/device/device.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum {
	STEADY_FIRST = 56,
	STEADY_IPUS = 8,
	BOUND_MS = 5000, /* of one look, on a busy machine as well */
	SEEN_MS = 30000	 /* a holder is seen within */
};

/* Partitions come and go below IPU 56; a name tells the size. */
static const struct {
	const char *name;
	int first, size;
} changing[] = { { "c8", 0, 8 }, { "c16", 0, 16 }, { "c4", 8, 4 },
	{ "c32", 0, 32 } };

static pid_t children[3];

/* Each takes IPUs of the one before it, in its place. */
static _Noreturn void
change_partitions(void)
{
	struct partition p;
	struct state s;
	struct error e;
	int i;

	for (i = 0;; i = (i + 1) % 4) {
		p = make_partition(changing[i].name, changing[i].first,
		    changing[i].size);
		if (state_open(&s, &e) != 0)
			continue;
		if (state_lock(&s, &e) == 0) {
			(void)state_remove_partition(&s,
			    changing[(i + 3) % 4].name, &e);
			(void)state_add_partition(&s, &p, &e);
		}
		state_unlock(&s);
		state_close(&s);
	}
}

/* Attach to the steady partition under that letter, and end, without end. */
static _Noreturn void
take_turns(char letter)
{
	struct attachment a;
	char command[SLOT_COMMAND_SIZE];

	memset(command, letter, sizeof(command));
	command[sizeof(command) - 1] = '\0';
	for (;;) {
		if (attach(&a, STEADY_IPUS, -1, command, NULL) == 0)
			attach_end(&a);
	}
}

static void
start(int index)
{
	(void)fflush(stdout);
	if ((children[index] = fork()) == -1)
		abort();
	if (children[index] != 0)
		return;
	if (index == 0)
		change_partitions();
	take_turns(index == 1 ? 'a' : 'b');
}

static void
stop_all(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		(void)kill(children[i], SIGKILL);
		(void)waitpid(children[i], NULL, 0);
	}
}

/* The size that belongs to a name, 0 for another name. */
static int
size_of(const char *name)
{
	int i;

	for (i = 0; i < 4; i++)
		if (strcmp(changing[i].name, name) == 0)
			return changing[i].size;
	return strcmp(name, "steady") == 0 ? STEADY_IPUS : 0;
}

/* Whether each partition has its IPUs, and the others are free. */
static bool
is_whole(const struct snapshot *s)
{
	int sizes[3] = { 0 }, ipu, i;

	if (s->partition_count < 1 || s->partition_count > 2)
		return false;
	for (ipu = 0; ipu < pod_ipu_count(&s->pod); ipu++)
		if (s->owner[ipu] >= 0)
			sizes[s->owner[ipu]]++;
		else if (s->owner[ipu] != OWNER_FREE)
			return false;
	for (i = 0; i < s->partition_count; i++)
		if (sizes[i] != size_of(s->partitions[i].name) ||
		    sizes[i] != partition_size(&s->partitions[i]))
			return false;
	return true;
}

/* Whether a holder is one of the two, with no word of the other. */
static bool
is_one_holder(const struct ipu_status *s)
{
	const char *command = s->holder.command;
	const int letter = command[0];

	return s->ipu >= STEADY_FIRST && (letter == 'a' || letter == 'b') &&
	    strspn(command, letter == 'a' ? "a" : "b") ==
	    SLOT_COMMAND_SIZE - 1 &&
	    command[SLOT_COMMAND_SIZE - 1] == '\0' &&
	    s->holder.pid == (int32_t)children[letter == 'a' ? 1 : 2] &&
	    s->holder.host[0] != '\0' && s->holder.attached_ns > 0;
}

/* One look as gc-monitor takes it; how many IPUs are held, -1: it is wrong. */
static int
look_once(struct registry *r)
{
	const int64_t now_ns = clock_real_ns();
	struct snapshot s;
	struct ipu_status status;
	struct error e;
	int ipu, held = 0;

	if (snapshot_take(r, &s, &e) != 0) {
		printf("# %s\n", e.text);
		return -1;
	}
	snapshot_freeze(&s, r, now_ns);
	for (ipu = 0; ipu < pod_ipu_count(&s.pod) && held >= 0; ipu++) {
		status_read(&status, r, &s.pod, ipu, now_ns, false);
		if (!status.attached)
			continue;
		held = is_one_holder(&status) ? held + 1 : -1;
		if (held == -1)
			printf("# IPU %d: pid %d: %s\n", ipu, status.holder.pid,
			    status.holder.command);
	}
	if (!is_whole(&s))
		held = -1;
	snapshot_release(&s);
	return held;
}

static void
test_snapshots(void)
{
	const int looks = tap_amount(2000, 100000);
	struct registry r;
	struct error e;
	const int64_t end = clock_monotonic_ms() + SEEN_MS;
	int64_t before = 0, took, longest = 0;
	int i, held, wrong = 0, seen = 0;

	must(state_open_reader(&r, &e), &e);
	/* On a busy machine the programs may not have had their turn. */
	for (i = 0; i < looks || (seen == 0 && before < end); i++) {
		before = clock_monotonic_ms();
		held = look_once(&r);
		took = clock_monotonic_ms() - before;
		longest = took > longest ? took : longest;
		wrong += held < 0;
		seen += held > 0;
	}
	registry_close(&r);
	is_int(wrong, 0, "every state that is seen was there");
	ok(seen > 0, "programs were seen as they held their IPUs");
	ok(longest < BOUND_MS, "and no look was kept waiting");
	printf("# %d looks, %d with a holder, the longest %d ms\n", i, seen,
	    (int)longest);
}

/* Whether the holder is one of the two, with no word of the other, and has all
   its IPUs. */
static bool
is_whole_holder(const struct sample_holder *h)
{
	const int letter = h->command[0];

	return (letter == 'a' || letter == 'b') &&
	    strspn(h->command, letter == 'a' ? "a" : "b") ==
	    SLOT_COMMAND_SIZE - 1 &&
	    h->pid == (int)children[letter == 'a' ? 1 : 2] && h->is_here &&
	    h->is_known && h->ipu_count >= 1 && h->ipu_count <= STEADY_IPUS;
}

/* Whether a sample has whole partitions and whole holders. */
static bool
is_whole_sample(const struct sample *s)
{
	const struct sample_ipu *ipu = s->ipus;
	int i, n = 0;

	for (i = 0; i < s->ipu_count; i++, ipu++) {
		n += ipu->holder != SAMPLE_NONE;
		if (s->look.view.snapshot.owner[i] != ipu->partition ||
		    (ipu->holder != SAMPLE_NONE && i < STEADY_FIRST))
			return false;
	}
	for (i = 0; i < s->holder_count; i++) {
		n -= s->holders[i].ipu_count;
		if (!is_whole_holder(&s->holders[i]))
			return false;
	}
	return n == 0 && is_whole(&s->look.view.snapshot);
}

/* What gc-monitor --query prints comes from samples. */
static void
test_samples(void)
{
	const int looks = tap_amount(1000, 100000);
	struct sample s;
	struct error e;
	int64_t before, took, longest = 0;
	int i, wrong = 0, failed = 0;

	for (i = 0; i < looks; i++) {
		before = clock_monotonic_ms();
		memset(&s, 0, sizeof(s));
		if (device_look_open(&s.look, true, &e) != 0) {
			failed++;
			continue;
		}
		sample_read(&s);
		wrong += !is_whole_sample(&s);
		sample_release(&s);
		took = clock_monotonic_ms() - before;
		longest = took > longest ? took : longest;
	}
	is_int(failed, 0, "each sample succeeds");
	is_int(wrong, 0, "and shows a state that was there");
	ok(longest < BOUND_MS, "and was not kept waiting");
	printf("# %d samples, the longest %d ms\n", i, (int)longest);
}

/* What gc-monitor -c prints, in `out`; its status. */
static int
run_monitor(const char *ipubox, char *out, size_t size)
{
	char applet[] = "gc-monitor", csv[] = "-c";
	char all[] = "--all-partitions", bare[] = "--no-headers";
	char *arguments[] = { applet, csv, all, bare, NULL };
	size_t used = 0;
	ssize_t n;
	int ends[2], status;
	pid_t pid;

	(void)fflush(stdout);
	if (pipe(ends) != 0 || (pid = fork()) == -1)
		abort();
	if (pid == 0) {
		(void)dup2(ends[1], STDOUT_FILENO);
		(void)dup2(ends[1], STDERR_FILENO);
		(void)close(ends[0]);
		(void)close(ends[1]);
		(void)execv(ipubox, arguments);
		_exit(126);
	}
	(void)close(ends[1]);
	while (used < size - 1 &&
	    (n = read(ends[0], out + used, size - 1 - used)) > 0)
		used += (size_t)n;
	out[used] = '\0';
	(void)close(ends[0]);
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Whether the lines of each partition are as many as it has IPUs, and a line's
 * process is whole: its pid with its own command, or neither.
 */
static bool
lines_are_whole(char *text)
{
	char *line, *name = text, *last = text + strlen(text), word[40];
	int count = 0, i, wrong = 0, steady = 0;
	bool is_a, is_b;

	for (line = strsep(&text, "\n"); line != NULL && line < last;
	     line = strsep(&text, "\n")) {
		if (strncmp(line, name, strcspn(name, ",") + 1) != 0)
			count = 0;
		name = line;
		count++;
		(void)strlcpy(word, line, sizeof(word));
		word[strcspn(word, ",")] = '\0';
		steady += strcmp(word, "steady") == 0;
		wrong += size_of(word) == 0 || count > size_of(word);
		is_a = strstr(line, "aaaaaaaa") != NULL;
		is_b = strstr(line, "bbbbbbbb") != NULL;
		wrong += is_a && is_b;
		for (i = 1; i < 3; i++) {
			(void)snprintf(word, sizeof(word), ",%d,",
			    (int)children[i]);
			wrong += (strstr(line, word) != NULL) !=
			    (i == 1 ? is_a : is_b);
		}
		if (text == NULL || text == last ||
		    strncmp(text, name, strcspn(name, ",") + 1) != 0) {
			(void)strlcpy(word, line, sizeof(word));
			word[strcspn(word, ",")] = '\0';
			wrong += count != size_of(word);
		}
	}
	return wrong == 0 && steady == STEADY_IPUS;
}

static void
test_monitor(const char *ipubox)
{
	static char out[1 << 16], copy[1 << 16];
	const int runs = tap_amount(25, 1000);
	int64_t before, took, longest = 0;
	int i, failed = 0, wrong = 0;

	for (i = 0; i < runs; i++) {
		before = clock_monotonic_ms();
		failed += run_monitor(ipubox, out, sizeof(out)) != 0;
		took = clock_monotonic_ms() - before;
		longest = took > longest ? took : longest;
		memcpy(copy, out, sizeof(copy));
		if (lines_are_whole(out))
			continue;
		if (wrong++ == 0)
			printf("# %.2000s\n", copy);
	}
	is_int(failed, 0, "gc-monitor always succeeds");
	is_int(wrong, 0, "with all lines of each partition, and no other");
	ok(longest < BOUND_MS, "and was not kept waiting");
	printf("# %d runs, the longest %d ms\n", runs, (int)longest);
}

/* Who holds the lock and has not said who it is, is not who held it before. */
static void
test_dead_words(void)
{
	struct registry r, reader;
	struct ipu_slot slot;
	struct error e;
	struct holder h = hold_ipus(0, 4);
	int who;

	must(state_open_reader(&reader, &e), &e);
	ok(registry_holder(&reader, 3, &slot) && slot.pid == h.pid,
	    "a program holds the IPU");
	release_ipus(&h, SIGKILL);
	ok(!registry_holder(&reader, 3, &slot), "killed");
	open_registry(&r);
	is_int(registry_attach(&r, 0, 4, &who, &e), 0, "the next one comes");
	ok(!registry_holder(&reader, 3, &slot), "and is not the dead one");
	is_int(registry_held(&reader, 0, 64), 0, "though the IPU is held");
	registry_slot(&r, 3)->pid = 77;
	is_int(registry_announce(&r, 0, 4), 0, "it says who it is");
	ok(registry_holder(&reader, 3, &slot) && slot.pid == 77, "and is seen");
	registry_freeze(&reader, 0);
	is_int(registry_detach(&r, 0, 4), 0, "it ends");
	ok(registry_holder(&reader, 3, &slot), "what is frozen stays");
	registry_freeze(&reader, 0);
	ok(!registry_holder(&reader, 3, &slot), "until the next moment");
	registry_close(&r);
	registry_close(&reader);
}

/* A holder under a partition that came in the place of another is not shown. */
static void
test_other_partition(void)
{
	struct registry r;
	struct snapshot before;
	struct ipu_slot slot;
	struct state st;
	struct error e;
	struct holder h;

	add_partition("old", 0, 4);
	must(state_open_reader(&r, &e), &e);
	must(snapshot_take(&r, &before, &e), &e);
	must(state_open(&st, &e), &e);
	must(state_lock(&st, &e), &e);
	must(state_remove_partition(&st, "old", &e), &e);
	state_unlock(&st);
	state_close(&st);
	add_partition("new", 0, 4);
	h = hold_ipus(0, 4);
	ok(registry_holder(&r, 0, &slot), "the new partition is used");
	snapshot_freeze(&before, &r, 0);
	ok(!registry_holder(&r, 0, &slot), "which the old one never was");
	snapshot_release(&before);
	must(snapshot_take(&r, &before, &e), &e);
	snapshot_freeze(&before, &r, 0);
	ok(registry_holder(&r, 0, &slot), "the next look shows it");
	release_ipus(&h, SIGKILL);
	snapshot_release(&before);
	registry_close(&r);
}

int
main(void)
{
	const char *ipubox = getenv("IPUBOX");
	int i;

	make_state("dead");
	test_dead_words();
	test_other_partition();
	make_state("busy");
	add_partition("steady", STEADY_FIRST, STEADY_IPUS);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "steady", 1);
	for (i = 0; i < 3; i++)
		start(i);
	test_snapshots();
	test_samples();
	if (ipubox != NULL)
		test_monitor(ipubox);
	else
		tap_skip("gc-monitor", "IPUBOX names no program");
	stop_all();
	return state_util_done();
}
