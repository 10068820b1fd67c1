/*
 * Who waits is told, and does not look again and again: every poll(2) of this
 * program that would end by itself after a while is made to wait for ever (by
 * the linker's --wrap, see the Makefile).  A waiter that nobody tells would
 * wait until the alarm.
 */
#include <sys/inotify.h>
#include <sys/wait.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/control/control.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum {
	LOOK_MS = 1000, /* from here on it is looking, not waiting for what is
			   to come at once */
	POLLS_MAX = 12, /* of a waiter, from its start to its end */
	ALARM_S = 20
};

static int polls;

int __real_poll(struct pollfd *, nfds_t, int);
int __wrap_poll(struct pollfd *, nfds_t, int);

int
__wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	polls++;
	return __real_poll(fds, count, timeout_ms >= LOOK_MS ? -1 : timeout_ms);
}

/* A child that wants a partition, and says when it waits and has it. */
struct waiter {
	pid_t pid;
	FILE *said;
};

static struct controller *
open_controller(void)
{
	struct error e;
	struct controller *c = embedded_controller_open(NULL, &e);

	if (c == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	return c;
}

static struct partition_request
request(const char *name, int size)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	r.size = size;
	r.relocatable = true;
	return r;
}

static void
say(void *context, const char *text)
{
	(void)text;
	dprintf(*(int *)context, "waits\n");
}

static struct waiter
start(const char *name, int size)
{
	struct partition_request r = request(name, size);
	struct wait_options wait_options = { .wait_ms = -1, .notify = say };
	struct controller *c;
	struct waiter w;
	struct error e = { .text = "" };
	int fds[2];

	if (pipe(fds) != 0 || (w.pid = fork()) == -1)
		abort();
	if (w.pid == 0) {
		(void)close(fds[0]);
		(void)alarm(ALARM_S);
		wait_options.context = &fds[1];
		c = open_controller();
		polls = 0;
		if (queue_create(c, &r, NULL, &wait_options, NULL, &e) != 0)
			dprintf(fds[1], "failed: %s\n", e.text);
		else
			dprintf(fds[1], "%s\n",
			    polls <= POLLS_MAX ? "has it" : "looked too often");
		_exit(0);
	}
	(void)close(fds[1]);
	w.said = fdopen(fds[0], "r");
	return w;
}

static void
says(struct waiter *w, const char *wanted, const char *name)
{
	char line[1024] = "";

	if (fgets(line, sizeof(line), w->said) == NULL)
		(void)strlcpy(line, "(nothing)", sizeof(line));
	line[strcspn(line, "\n")] = '\0';
	is_str(line, wanted, name);
}

static void
ends(struct waiter *w)
{
	(void)fclose(w->said);
	(void)waitpid(w->pid, NULL, 0);
}

static void
make(const char *name, int size)
{
	struct partition_request r = request(name, size);
	struct controller *c = open_controller();

	is_int(create_partition(c, &r, NULL, NULL), 0, "a partition");
	controller_close(c);
}

static void
unmake(const char *name)
{
	struct controller *c = open_controller();

	is_int(remove_partition(c, name, false, NULL, NULL), 0,
	    "it is removed");
	controller_close(c);
}

static void
inject(enum fault fault)
{
	const struct injection in = { .target = "ag01", .fault = fault };
	struct controller *c = open_controller();

	is_int(inject_fault(c, &in, NULL), 0, "a machine changes");
	controller_close(c);
}

static void
test_removed(void)
{
	struct waiter first, second;

	make_state("removed");
	make("a", 64);
	first = start("b", 64);
	says(&first, "waits", "one waits");
	second = start("c", 32);
	says(&second, "waits", "and another behind it");
	unmake("a");
	says(&first, "has it", "the first one is told");
	unmake("b");
	says(&second, "has it", "and then the second one");
	ends(&first);
	ends(&second);
}

static void
test_given_up(void)
{
	struct waiter first, second;

	make_state("given-up");
	make("a", 4);
	first = start("b", 64);
	says(&first, "waits", "one waits for all");
	second = start("c", 32);
	says(&second, "waits", "another waits for what is free");
	(void)kill(first.pid, SIGKILL);
	says(&second, "has it", "and is told when the first one is killed");
	ends(&first);
	ends(&second);
}

static void
test_machine(void)
{
	struct waiter w;

	make_state("machine");
	inject(FAULT_DOWN);
	w = start("a", 64);
	says(&w, "waits", "one waits for a machine");
	inject(FAULT_UP);
	says(&w, "has it", "and is told when it is up");
	ends(&w);
}

/* As poprun waits until a program gives its IPUs back. */
static void
test_registry(void)
{
	struct registry_watch watch;
	struct registry r;
	struct holder h;

	make_state("registry");
	h = hold_ipus(0, 4);
	open_registry(&r);
	registry_watch_init(&watch, &r);
	release_ipus(&h, SIGKILL);
	registry_watch_wait(&watch);
	is_int(registry_held(&r, 0, 4), -1, "the end of a program is told");
	registry_watch_release(&watch);
	registry_close(&r);
}

int
main(void)
{
	const int notified = inotify_init1(IN_CLOEXEC);

	(void)alarm(2 * ALARM_S);
	if (notified == -1) {
		tap_skip("those who wait are told", "no inotify(7) here");
		return tap_done();
	}
	(void)close(notified);
	test_removed();
	test_given_up();
	test_machine();
	test_registry();
	return state_util_done();
}
