/*
 * Waiting for IPUs: in order, past those who were killed or gave up, and
 * never for what cannot come.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/control/queue.h"
#include "core/pod/document/document.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

enum { WAITERS = 10 };

/* A child that wants IPUs; its words come through `said`. */
struct child {
	pid_t pid;
	FILE *said;
};

static int64_t fake_ms, fake_real_ms;

/* A second passes between two looks at the clock ... */
static int64_t
fake_monotonic(void)
{
	return fake_ms += 1000;
}

/* ... in which somebody sets the host's clock back by a minute. */
static int64_t
fake_now(void)
{
	return fake_real_ms -= 60000;
}

static struct partition_request
request(const char *name, int size)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, name, sizeof(r.name));
	r.size = size;
	r.relocatable = true; /* without files */
	return r;
}

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

static void
make(const char *name, int size)
{
	struct partition_request r = request(name, size);
	struct controller *c = open_controller();
	struct error e = { .text = "" };

	is_int(create_partition(c, &r, NULL, &e), 0, "made");
	controller_close(c);
}

static void
unmake(const char *name)
{
	struct controller *c = open_controller();
	struct error e = { .text = "" };

	is_int(remove_partition(c, name, false, NULL, &e), 0, "removed");
	controller_close(c);
}

static void
say(void *context, const char *text)
{
	dprintf(*(int *)context, "%s\n", text);
}

/* Create, waiting, and say how it ended. */
static void
child_main(int fd, const struct partition_request *r, int64_t wait_ms,
    int fault)
{
	struct wait_options wait_options = { .wait_ms = wait_ms,
		.notify = say,
		.context = &fd };
	struct controller *c = open_controller();
	struct error e = { .text = "" };

	if (fault != 0)
		fault_arm(1, fault);
	if (queue_create(c, r, NULL, &wait_options, NULL, &e) == 0)
		dprintf(fd, "got %s\n", r->name);
	else
		dprintf(fd, "failed: %s\n", e.text);
	controller_close(c);
	_exit(0);
}

static struct child
start(const struct partition_request *r, int64_t wait_ms, int fault)
{
	struct child child;
	int fds[2];

	if (pipe(fds) != 0 || (child.pid = fork()) == -1) {
		perror("pipe or fork");
		exit(1);
	}
	if (child.pid == 0) {
		(void)close(fds[0]);
		child_main(fds[1], r, wait_ms, fault);
	}
	(void)close(fds[1]);
	child.said = fdopen(fds[0], "r");
	return child;
}

static struct child
start_waiter(const char *name, int size)
{
	struct partition_request r = request(name, size);

	return start(&r, -1, 0);
}

/* The child's next line, "" at its end. */
static const char *
heard(struct child *c)
{
	static char line[1024];

	if (fgets(line, sizeof(line), c->said) == NULL)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static int
end(struct child *c)
{
	int status;

	(void)fclose(c->said);
	(void)waitpid(c->pid, &status, 0);
	return status;
}

static long
count_tickets(void)
{
	struct ticket *tickets;
	long count = ticket_read(directory_at(test_paths.directory), &tickets,
	    NULL);

	free(tickets);
	return count;
}

static void
test_at_once(void)
{
	struct partition_request r = request("p", 4);
	struct wait_options wait_options = { .wait_ms = -1 };
	struct controller *c;
	struct partition p;
	struct error e = { .text = "" };

	make_state("at_once");
	c = open_controller();
	is_int(queue_create(c, &r, NULL, &wait_options, &p, &e), 0,
	    "free IPUs are given at once");
	is_str(p.name, "p", "these");
	is_int(count_tickets(), 0, "no ticket");
	is_int(queue_create(c, &r, NULL, &wait_options, &p, &e), -1,
	    "a name that is taken is not waited for");
	is_str(e.text, "partition p already exists", "why");
	r = request("q", 128);
	r.num_gcds = 2;
	is_int(queue_create(c, &r, NULL, &wait_options, &p, &e), -1,
	    "nor is what is too large");
	is_str(e.text, "size 128: cluster cl0 has 64 IPUs", "the rule");
	r = request("q", 3);
	is_int(queue_create(c, &r, NULL, &wait_options, &p, &e), -1,
	    "nor what is no size");
	is_int(count_tickets(), 0, "nobody waits");
	controller_close(c);
	check_in_step("all is well");
}

/*
 * Ten of them, each of which holds the whole pod for a while; the tickets of
 * the dead are removed by those who live.
 */
static void
test_order(void)
{
	struct child children[WAITERS];
	char name[16], wanted[160];
	int i;

	make_state("order");
	make("first", 64);
	for (i = 0; i < WAITERS; i++) {
		(void)snprintf(name, sizeof(name), "p%d", i);
		children[i] = start_waiter(name, 64);
		(void)snprintf(wanted, sizeof(wanted),
		    "waiting for 64 IPUs; 0 IPUs are free; taken by first "
		    "(64)");
		if (i == 1)
			(void)strlcat(wanted, "; 1 waits before this one",
			    sizeof(wanted));
		else if (i > 1)
			(void)snprintf(wanted + strlen(wanted),
			    sizeof(wanted) - strlen(wanted),
			    "; %d wait before this one", i);
		is_str(heard(&children[i]), wanted, "who waits says so");
	}
	is_int(count_tickets(), WAITERS, "a ticket each");
	(void)kill(children[3].pid, SIGKILL);
	(void)end(&children[3]);
	(void)kill(children[5].pid, SIGINT);
	is_int(WTERMSIG(end(&children[5])), SIGINT, "one gives up by ^C");
	unmake("first");
	for (i = 0; i < WAITERS; i++) {
		if (i == 3 || i == 5)
			continue;
		(void)snprintf(wanted, sizeof(wanted), "got p%d", i);
		is_str(heard(&children[i]), wanted, "the next one's turn");
		is_str(heard(&children[i]), "", "one line");
		is_int(end(&children[i]), 0, "done");
		(void)snprintf(name, sizeof(name), "p%d", i);
		unmake(name);
	}
	is_int(count_tickets(), 0, "nobody waits");
	check_in_step("all is well");
}

/* The first of the line is killed while the IPUs are free for the next. */
static void
test_killed_first(void)
{
	struct child large, small;

	make_state("killed");
	make("half", 32);
	large = start_waiter("large", 64);
	(void)heard(&large);
	small = start_waiter("small", 16);
	is_str(heard(&small), "waiting for 16 IPUs; 1 waits before this one",
	    "16 are free, but it is not its turn");
	(void)kill(large.pid, SIGKILL);
	(void)end(&large);
	is_str(heard(&small), "got small", "its turn");
	(void)end(&small);
	is_int(count_tickets(), 0, "the dead one's ticket is gone");
}

/* Who waits for another cluster's or allocation's is in nobody's way. */
static void
test_contention(void)
{
	static const struct {
		const char *name;
		const char *mine, *my_part, *its, *its_part;
		bool contends;
	} rows[] = {
		{ "any and any", "", "", "", "", true },
		{ "a cluster and any", "c1", "", "", "", true },
		{ "the same cluster", "c1", "", "c1", "", true },
		{ "two clusters", "c1", "", "c2", "", false },
		{ "two allocations", "", "a", "", "b", false },
		{ "the same allocation", "", "a", "", "a", true },
		{ "an allocation and any", "", "a", "", "", true },
		{ "a cluster and its allocation", "c1", "", "", "a", true },
		{ "and another's", "c2", "", "", "a", false },
	};
	static const char text[] =
	    "[pod]\nname = two\n"
	    "[cluster c1]\nagents = m[1-4]\n"
	    "[cluster c2]\nagents = n[1-4]\n"
	    "[allocation a]\ncluster = c1\nagents = m1,m2\n"
	    "[allocation b]\ncluster = c1\nagents = m3,m4\n"
	    "[allocation c]\ncluster = c2\nagents = n[1-4]\n";
	struct pod pod;
	struct partition_request r = request("p", 4);
	struct ticket all[3] = { { .number = 1 }, { .number = 2, .live = true },
		{ .number = 7, .live = true } };
	struct error e;
	size_t i;

	is_int(pod_file_parse(&pod, "two", text, &e), 0,
	    "a pod of two clusters");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		(void)strlcpy(r.cluster, rows[i].mine, NAME_SIZE);
		(void)strlcpy(r.allocation, rows[i].my_part, NAME_SIZE);
		(void)strlcpy(all[1].cluster, rows[i].its, NAME_SIZE);
		(void)strlcpy(all[1].allocation, rows[i].its_part, NAME_SIZE);
		is_int(ticket_contends(&pod, &all[1], &r), rows[i].contends,
		    rows[i].name);
	}
	r.cluster[0] = r.allocation[0] = '\0';
	is_int(ticket_count_before(&pod, all, 3, &r, 0), 2, "two live ones");
	is_int(ticket_count_before(&pod, all, 3, &r, 7), 1,
	    "one before the 7th");
	is_int(ticket_count_before(&pod, all, 3, &r, 2), 0, "the dead one not");
	pod_release(&pod);
}

/* The time is up: the reason is that of a create that does not wait. */
static void
test_time_out(void)
{
	struct partition_request r = request("q", 16);
	struct wait_options wait_options = { .wait_ms = 3000 };
	struct controller *c;
	struct child child;
	struct error e = { .text = "" };

	make_state("time_out");
	make("all", 64);
	child = start_waiter("other", 32);
	(void)heard(&child);
	c = open_controller();
	fake_real_ms = clock_real_ms();
	c->now_ms = fake_now;
	c->monotonic_ms = fake_monotonic;
	is_int(queue_create(c, &r, NULL, &wait_options, NULL, &e), -1,
	    "no IPUs came");
	is_int(e.code, ERROR_TIMED_OUT, "and the time is up");
	ok(fake_ms >= 3000 && fake_ms <= 8000,
	    "after three seconds, though the host's clock went back");
	is_str(e.text,
	    "waited 3 s: size 16: no aligned group of that size is free; 0 "
	    "IPUs are free; taken by all (64); 1 waits before this one",
	    "who has them");
	is_int(count_tickets(), 1, "its ticket is gone, the other's not");
	wait_options.wait_ms = 0;
	is_int(queue_create(c, &r, NULL, &wait_options, NULL, &e), -1,
	    "no time at all");
	is_int(count_tickets(), 1, "is tidy too");
	controller_close(c);
	unmake("all");
	is_str(heard(&child), "got other", "the other one waits on");
	(void)end(&child);
	check_in_step("all is well");
}

static void
set_machine(int index, int state)
{
	struct controller *c = open_controller();
	struct snapshot s;
	struct error e = { .text = "" };
	struct agent agent;

	is_int(transaction_begin(c, &s, &e), 0, "a change");
	agent = s.pod.agents[index];
	agent.state = state;
	is_int(state_update_agent(&c->state, index, &agent, &e), 0,
	    "a machine");
	transaction_end(c, &s);
	controller_close(c);
}

static void
test_machine(void)
{
	struct child child;

	make_state("machine");
	set_machine(2, MACHINE_DOWN);
	child = start_waiter("all", 64);
	is_str(heard(&child),
	    "waiting for 64 IPUs; 60 IPUs are free, and the largest size that "
	    "would fit now is 32; down: ag03",
	    "for a machine");
	set_machine(2, MACHINE_UP);
	is_str(heard(&child), "got all", "it came back");
	(void)end(&child);
}

/* Where nobody tells of changes it looks now and then. */
static void
test_blind(void)
{
	struct partition_request r = request("q", 64);
	struct child child;

	make_state("blind");
	make("all", 64);
	child = start(&r, -1, EMFILE);
	(void)heard(&child);
	unmake("all");
	is_str(heard(&child), "got q", "without inotify");
	(void)end(&child);
}

/* Thousands of IPUs for many at once: each gets its own, none fails. */
static void
test_many(void)
{
	struct child children[16];
	char name[16], wanted[32];
	int i;

	make_state("many");
	make("all", 64);
	for (i = 0; i < 16; i++) {
		(void)snprintf(name, sizeof(name), "p%d", i);
		children[i] = start_waiter(name, 4);
	}
	for (i = 0; i < 16; i++)
		(void)heard(&children[i]);
	unmake("all");
	for (i = 0; i < 16; i++) {
		(void)snprintf(wanted, sizeof(wanted), "got p%d", i);
		is_str(heard(&children[i]), wanted, "all at once");
		is_int(end(&children[i]), 0, "done");
	}
	is_int(count_partitions(NULL), 16, "16 partitions");
	is_int(count_tickets(), 0, "nobody waits");
	check_in_step("all is well");
}

/* Killed at each point of taking a ticket and of being served. */
static void
test_kills(void)
{
	struct partition_request r = request("p", 4);
	struct wait_options wait_options = { .wait_ms = 0 };
	struct controller *c;
	struct error e = { .text = "" };
	int status, n, taken = 0;
	pid_t pid;

	make_state("kills");
	make("all", 64);
	for (n = 1;; n++) {
		if ((pid = fork()) == 0) {
			c = open_controller();
			fault_arm(n, 0);
			(void)queue_create(c, &r, NULL, &wait_options, NULL,
			    &e);
			_exit(0);
		}
		(void)waitpid(pid, &status, 0);
		if (WIFEXITED(status))
			break;
		taken += count_tickets() == 1;
		is_int(count_partitions(&e), 1, "killed at a point");
	}
	ok(taken > 0, "a ticket was left now and then");
	unmake("all");
	c = open_controller();
	is_int(queue_create(c, &r, NULL, &wait_options, NULL, &e), 0,
	    "what they left is in nobody's way");
	controller_close(c);
	is_int(count_tickets(), 0, "and gone");
	check_in_step("all is well");
}

/* No room for a ticket: the reason, and nothing is left. */
static void
test_full_disk(void)
{
	struct partition_request r = request("p", 4);
	struct wait_options wait_options = { .wait_ms = 0 };
	struct controller *c;
	struct error e = { .text = "" };
	int n;

	make_state("full");
	make("all", 64);
	c = open_controller();
	for (n = 1; e.code != ERROR_TIMED_OUT || fault_count() >= n; n++) {
		fault_arm(n, ENOSPC);
		is_int(queue_create(c, &r, NULL, &wait_options, NULL, &e), -1,
		    "refused");
	}
	fault_arm(0, 0);
	controller_close(c);
	is_int(count_partitions(&e), 1, "nothing else is there");
	check_in_step("all is well");
}

int
main(void)
{
	test_at_once();
	test_contention();
	test_order();
	test_killed_first();
	test_time_out();
	test_machine();
	test_blind();
	test_many();
	test_kills();
	test_full_disk();
	return state_util_done();
}
