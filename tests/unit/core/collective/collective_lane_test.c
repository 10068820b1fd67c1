/*
 * core/collective/collective_lane: sums of two processes, which are threads
 * here, beside strangers.
 */
#include "tests/unit/tap.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/collective/collective_lane.h"
#include "core/link/link.h"
#include "core/process/link_address.h"

enum { COUNT = 100000, LOOKS = 3 };

/* A process: its lanes, one of them, and how often it was asked. */
struct process {
	struct collective_lanes *lanes;
	struct collective_lane *lane;
	int asked, patience;
	float data[COUNT];
	int status;
	struct error why;
};

static struct process processes[2];
static struct collective_lane_card cards[2];

static int
look(const void *context, struct error *e)
{
	struct process *p = &processes[context == &processes[1]];

	return p->asked++ < p->patience ? 0 : error_set(e, "it is tired");
}

static void
listen_with(struct process *p, unsigned char secret)
{
	unsigned char bytes[LINK_SECRET_BYTES];

	memset(bytes, secret, sizeof(bytes));
	p->lanes = collective_lane_listen("127.0.0.1", NULL);
	is_int(collective_lane_admit(p->lanes, bytes, NULL), 0, "it listens");
	p->lane = collective_lane_open(p->lanes, look, p);
}

static void
stop(struct process *p)
{
	collective_lane_close(p->lane);
	collective_lane_stop(p->lanes);
}

static void *
run(void *context)
{
	struct process *p = context;
	const void *vector = p->data;
	void *result = p->data;
	const struct collective_lane_work work = { .type = ELEMENT_FLOAT,
		.bytes = sizeof(p->data),
		.vectors = &vector,
		.results = &result,
		.count = 1 };

	p->status = collective_lane_connect(p->lane, &p->why);
	if (p->status == 0)
		p->status = collective_lane_add(p->lane, &work, &p->why);
	return NULL;
}

static void
add_up(int patience)
{
	struct process *p;
	pthread_t other;
	int i;

	for (p = processes; p < processes + 2; p++) {
		p->asked = 0;
		p->patience = patience;
		for (i = 0; i < COUNT; i++)
			p->data[i] = (float)(i + (p - processes));
		is_int(collective_lane_take(p->lane, cards, 2), 0,
		    "it is one of them");
	}
	(void)pthread_create(&other, NULL, run, &processes[1]);
	(void)run(&processes[0]);
	(void)pthread_join(other, NULL);
}

static void
check_sum(const char *name)
{
	int i, wrong = 0;

	is_int(processes[0].status | processes[1].status, 0, name);
	for (i = 0; i < COUNT; i++)
		wrong += processes[0].data[i] != (float)(2 * i + 1) ||
		    processes[1].data[i] != (float)(2 * i + 1);
	is_int(wrong, 0, "both have the sum");
}

static void
begin(void)
{
	collective_lane_begin(processes[0].lane, &cards[0]);
	collective_lane_begin(processes[1].lane, &cards[1]);
}

/* A stranger that says nothing connects before the neighbour. */
static void
test_sums(void)
{
	const int64_t start_ms = clock_monotonic_ms();
	int stranger;

	listen_with(&processes[0], 1);
	listen_with(&processes[1], 1);
	begin();
	stranger = link_address_connect(cards[0].address, INT64_MAX, NULL);
	ok(stranger != -1, "a stranger connects");
	add_up(1000);
	check_sum("a sum, beside a stranger");
	ok(clock_monotonic_ms() - start_ms < 9000, "that holds up neither");
	is_int(cards[0].after | cards[1].before, 0, "they had none before");
	begin();
	ok(cards[0].after != 0 && cards[0].after == cards[1].before,
	    "they have a connection now");
	add_up(1000);
	check_sum("a sum over the same connection");
	(void)close(stranger);
	stop(&processes[0]);
	stop(&processes[1]);
}

static void
test_other_secret(void)
{
	listen_with(&processes[0], 1);
	listen_with(&processes[1], 2);
	begin();
	add_up(LOOKS);
	is_int(processes[1].status, -1, "another secret");
	is_int(processes[0].status, -1, "comes to nothing");
	is_str(processes[0].why.text, "it is tired", "as long as one waits");
	is_int(processes[0].asked, LOOKS + 1, "which is asked");
	begin();
	is_int(collective_lane_take(processes[0].lane, &cards[1], 1), -1,
	    "who has no card is not one of them");
	stop(&processes[0]);
	stop(&processes[1]);
}

int
main(void)
{
	(void)alarm(60);
	(void)signal(SIGPIPE, SIG_IGN);
	test_sums();
	test_other_secret();
	return tap_done();
}
