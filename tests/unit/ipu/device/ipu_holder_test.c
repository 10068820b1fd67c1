/*
 * IPUs that one process holds for another: who is shown, and whose end counts.
 */
#include "ipu/device/device_internal.h"

#include <sys/wait.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/state/state.h"
#include "ipu/device/device.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum {
	RELEASE_MS = 30, /* far below what attaching waits */
	TRIES = 10 /* over within RELEASE_MS unless attaching waits, and enough
		      for a machine that stands still for seconds */
};

static void
make_p4(void)
{
	struct partition p = make_partition("p4", 0, 4);
	struct state s;
	struct error e;

	p.reconfigurable = 1;
	use_state("ipu_holder");
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &p, &e) == 0,
	    "a partition");
	state_unlock(&s);
	state_close(&s);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "p4", 1);
}

static bool
is_gone(int ipu)
{
	struct registry reader;
	bool gone;

	if (state_open_reader(&reader, NULL) != 0)
		return false;
	gone = ipu_holder_is_gone(&reader, ipu);
	registry_close(&reader);
	return gone;
}

static void
test_shown(void)
{
	const struct ipu_holder other = { .pid = getppid(),
		.uid = getuid(),
		.command = "train.py\033 --steps 3" };
	struct attachment a, b;
	struct error e = { .text = "" };
	char pid[32];

	(void)snprintf(pid, sizeof(pid), ", pid %d on ", (int)getppid());
	ok(attach_for(&a, 2, 4, &other, &e) == 0, "attach for another");
	ok(attach(&b, 1, 1, "x", &e) == -1 && e.code == ERROR_NO_ROOM,
	    "its IPUs are held");
	ok(strstr(e.text, pid) != NULL &&
		strstr(e.text, ": train.py\\x1b --steps 3") != NULL,
	    "and the other is named");
	ok(!is_gone(1), "the other process is there");
	ok(!is_gone(2), "nobody has IPU 2");
	attach_end(&a);
	ok(attach(&b, 1, 1, "x", &e) == 0, "free again");
	attach_end(&b);
}

/* A process that has ended, and was waited for. */
static pid_t
make_dead(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	(void)waitpid(pid, NULL, 0);
	return pid;
}

/* In a process of its own: hold all for one that is dead, until it is heard. */
static void
hold_for(pid_t dead, int told)
{
	const struct ipu_holder holder = { .pid = dead, .command = "dead" };
	struct attachment a;
	struct error e;

	if (attach_for(&a, 4, 6, &holder, &e) != 0)
		_exit(1);
	(void)!write(told, "h", 1);
	(void)poll(NULL, 0, RELEASE_MS);
	attach_end(&a);
	_exit(0);
}

static void
test_gone(void)
{
	const pid_t dead = make_dead();
	const struct ipu_holder holder = { .pid = dead, .command = "dead" };
	struct attachment a;
	struct error e = { .text = "" };
	char byte;
	pid_t pid;
	int told[2], status, tries = TRIES;

	ok(attach_for(&a, 1, 3, &holder, &e) == 0 && is_gone(3),
	    "held for a process that is gone");
	attach_end(&a);
	ok(!is_gone(3), "and given back");
	ok(pipe(told) == 0, "a pipe");
	if ((pid = fork()) == 0)
		hold_for(dead, told[1]);
	ok(read(told[0], &byte, 1) == 1, "another process holds all for it");
	while (attach(&a, 2, 4, "next", &e) != 0 && --tries > 0)
		continue;
	ok(tries > 0, "the next program waits for it");
	if (tries > 0)
		attach_end(&a);
	ok(waitpid(pid, &status, 0) == pid && status == 0, "it has ended");
}

int
main(void)
{
	make_p4();
	test_shown();
	test_gone();
	return tap_done();
}
