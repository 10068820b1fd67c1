/*
 * core/collective/collective_relay: programs that meet at poprun, one beside it
 * and one behind a relay, as if that were on another host; and such as are all
 * behind relays, which add large vectors up among themselves.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "core/base/text.h"
#include "core/collective/collective.h"
#include "core/link/link.h"
#include "tests/unit/shared_util.h"
#include "tests/unit/tap.h"

enum { INSTANCES = 2, MANY = 3 * 1000 * 1000, LOOK_MS = 20 };

/* What each child finds wrong, as its exit status. */
enum {
	GOOD,
	NO_JOIN,
	BAD_BARRIER,
	BAD_SUM,
	BAD_GATHER,
	BAD_BROADCAST,
	BAD_REFUSAL
};

/* From messages of a few bytes to memory that is sent in many. */
static const size_t counts[] = { 1, 100, 8000, 8192, 20000, MANY };

static float
value(int instance, size_t i)
{
	return (float)(i % 1000) * 0.25F + (float)instance * 3.0F;
}

static void
fill(float *data, size_t count, int instance)
{
	size_t i;

	for (i = 0; i < count; i++)
		data[i] = value(instance, i);
}

static bool
try_sum(struct collective_client *c, float *data, size_t count, int own)
{
	size_t i;

	fill(data, count, own);
	if (collective_client_sum(c, "sum", ELEMENT_FLOAT, data, count, NULL) !=
	    0)
		return false;
	for (i = 0; i < count; i++)
		if (data[i] != value(0, i) + value(1, i))
			return false;
	return true;
}

static bool
try_gather(struct collective_client *c, float *data, float *all, size_t count,
    int own)
{
	size_t i;

	fill(data, count, own);
	if (collective_client_gather(c, "all", ELEMENT_FLOAT, data, all, count,
		NULL) != 0)
		return false;
	for (i = 0; i < count; i++)
		if (all[i] != value(0, i) || all[count + i] != value(1, i))
			return false;
	return true;
}

static bool
try_broadcast(struct collective_client *c, float *data, size_t count, int own,
    int root)
{
	size_t i;

	fill(data, count, own);
	if (collective_client_broadcast(c, "one", ELEMENT_FLOAT, data, count,
		root, NULL) != 0)
		return false;
	for (i = 0; i < count; i++)
		if (data[i] != value(root, i))
			return false;
	return true;
}

/* What the others bring is of another size: refused, and the next is well. */
static bool
try_refusal(struct collective_client *c, float *data, int own)
{
	struct error e;

	return collective_client_sum(c, "odd", ELEMENT_FLOAT, data,
		   20000 + (size_t)own, &e) == -1 &&
	    try_sum(c, data, 20000, own);
}

static int
be_program(const char *directory, int own)
{
	const struct collective_member m = { .directory = directory,
		.instance = own,
		.group = "",
		.member = own,
		.members = INSTANCES,
		.timeout_ms = 30000 };
	float *data = xcalloc(MANY, sizeof(*data));
	float *all = xcalloc(INSTANCES * MANY, sizeof(*all));
	struct collective_client *c = collective_client_open(&m, NULL);
	int status = c == NULL ? NO_JOIN : GOOD;
	size_t i;

	if (status == GOOD && collective_client_barrier(c, "b", NULL) != 0)
		status = BAD_BARRIER;
	for (i = 0; status == GOOD && i < ARRAY_SIZE(counts); i++)
		if (!try_sum(c, data, counts[i], own))
			status = BAD_SUM;
		else if (!try_gather(c, data, all, counts[i], own))
			status = BAD_GATHER;
		else if (!try_broadcast(c, data, counts[i], own, 0) ||
		    !try_broadcast(c, data, counts[i], own, 1))
			status = BAD_BROADCAST;
	if (status == GOOD && !try_refusal(c, data, own))
		status = BAD_REFUSAL;
	collective_client_close(c, false);
	free(data);
	free(all);
	return status;
}

static pid_t
start_program(const char *directory, int own)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(be_program(directory, own));
	return pid;
}

/* Visitors are the server's. */
static void
hear(void *server, const struct link_hub_event *event)
{
	if (event->kind == LINK_HUB_VISITOR)
		collective_server_adopt(server, event->fd);
}

static pid_t
start_relay(const struct link_hub *hub, const char *directory, int instance,
    bool chained)
{
	unsigned char secret[LINK_SECRET_BYTES];
	struct error e = { .text = "" };
	pid_t pid;

	(void)hex_parse(link_hub_secret(hub), secret, sizeof(secret));
	pid = collective_relay_start(
	    &(struct collective_relay){ .directory = directory,
		.address = link_hub_address(hub),
		.secret = secret,
		.instance = instance,
		.chained = chained },
	    &e);
	if (pid == -1)
		printf("# %s\n", e.text);
	return pid;
}

/* Both programs run to their ends, while the hub lets the relay in. */
static void
run_job(struct link_hub *hub, const char *own, const char *far)
{
	struct pollfd p = { .fd = link_hub_fd(hub), .events = POLLIN };
	const pid_t pids[] = { start_program(own, 0), start_program(far, 1) };
	int status, left = INSTANCES, i;

	while (left > 0) {
		(void)poll(&p, 1, LOOK_MS);
		link_hub_continue(hub);
		for (i = 0; i < INSTANCES; i++)
			if (waitpid(pids[i], &status, WNOHANG) == pids[i]) {
				left--;
				is_int(WIFEXITED(status) ? WEXITSTATUS(status) :
							   -1,
				    GOOD,
				    i == 0 ? "the program beside poprun" :
					     "the program behind the relay");
			}
	}
}

static void
check_relay(const struct link_reach *reach)
{
	char *place = shared_new(), *far;
	struct error e = { .text = "" };
	struct collective_server *server;
	struct link_hub *hub;
	pid_t relay;

	far = xasprintf("%s/far", place);
	if (mkdir(far, 0700) != 0 ||
	    (server = collective_server_new(place, INSTANCES, &e)) == NULL)
		abort();
	hub = link_hub_new(INSTANCES, place, reach, hear, server, &e);
	relay = hub != NULL ? start_relay(hub, far, 1, false) : -1;
	ok(relay != -1, "a relay");
	if (relay != -1 && collective_server_start(server) == 0)
		run_job(hub, place, far);
	if (relay != -1 && kill(relay, SIGTERM) == 0)
		(void)waitpid(relay, NULL, 0);
	link_hub_free(hub);
	collective_server_free(server);
	(void)shared_remove(far);
	(void)shared_remove(place);
}

/* ---- a chain ---- */

enum { LINKS = 3, LARGE = 8 * 1000 * 1000, ROUNDS = 3 };

/* What is added up: a type, and elements around the border. */
static const struct sum_row {
	int type;
	size_t count;
} sum_rows[] = { { ELEMENT_FLOAT, 32767 }, { ELEMENT_FLOAT, 32768 },
	{ ELEMENT_FLOAT, 40001 }, { ELEMENT_DOUBLE, 16384 },
	{ ELEMENT_DOUBLE, 99999 }, { ELEMENT_INT8, 131073 },
	{ ELEMENT_INT16, 70001 }, { ELEMENT_INT64, 20000 },
	{ ELEMENT_HALF, 80000 }, { ELEMENT_FLOAT, MANY } };

/* Bytes of a vector: of every type some number, and no two alike. */
static void
fill_bytes(unsigned char *data, int type, size_t count, int instance)
{
	const size_t bytes = count * element_size(type);
	size_t i;
	double real;
	float small;

	for (i = 0; i < bytes; i++)
		data[i] =
		    (unsigned char)(i * 7 + i / 251 + (size_t)instance * 13);
	for (i = 0; i < count && type == ELEMENT_FLOAT; i++) {
		small = 1.0F / (float)(i % 977 + 1 + (size_t)instance);
		memcpy(data + i * sizeof(small), &small, sizeof(small));
	}
	for (i = 0; i < count && type == ELEMENT_DOUBLE; i++) {
		real = 1.0 / (double)(i % 977 + 1 + (size_t)instance);
		memcpy(data + i * sizeof(real), &real, sizeof(real));
	}
}

/* The same bits as of all vectors in one place. */
static bool
try_row(struct collective_client *c, const struct sum_row *row, int own)
{
	const size_t bytes = row->count * element_size(row->type);
	unsigned char *all[LINKS], *data = xcalloc(bytes, 1);
	const void *vectors[LINKS];
	bool good;
	int i;

	for (i = 0; i < LINKS; i++) {
		vectors[i] = all[i] = xcalloc(bytes, 1);
		fill_bytes(all[i], row->type, row->count, i);
	}
	memcpy(data, all[own], bytes);
	good = collective_client_sum(c, "row", row->type, data, row->count,
		   NULL) == 0;
	element_sum(row->type, vectors, LINKS, row->count, all[0]);
	good = good && memcmp(data, all[0], bytes) == 0;
	for (i = 0; i < LINKS; i++)
		free(all[i]);
	free(data);
	return good;
}

/* Others bring one more element, be it the one that makes a chain of it. */
static bool
try_other_sizes(struct collective_client *c, int own)
{
	static const size_t sizes[] = { 32767, 32768, 50000 };
	float *data = xcalloc(60000, sizeof(*data));
	struct error e;
	bool good = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		good = good &&
		    collective_client_sum(c, "odd", ELEMENT_FLOAT, data,
			sizes[i] + (own == 1), &e) == -1 &&
		    strstr(e.text, "brings") != NULL;
	free(data);
	return good;
}

static struct collective_client *
join_chain(const char *directory, int own, const char *group)
{
	const struct collective_member m = { .directory = directory,
		.instance = own,
		.group = group,
		.member = own,
		.members = LINKS,
		.timeout_ms = 30000 };

	return collective_client_open(&m, NULL);
}

static int
be_link(const char *directory, int own)
{
	struct collective_client *c = join_chain(directory, own, ""),
				 *other = join_chain(directory, own, "other");
	int status = GOOD, round;
	size_t i;

	if (c == NULL || other == NULL)
		return NO_JOIN;
	for (round = 0; status == GOOD && round < ROUNDS; round++)
		for (i = 0; status == GOOD && i < ARRAY_SIZE(sum_rows); i++)
			if (!try_row(round % 2 == 0 ? c : other, &sum_rows[i],
				own))
				status = BAD_SUM;
	if (status == GOOD && !try_other_sizes(c, own))
		status = BAD_REFUSAL;
	if (status == GOOD && !try_row(c, &sum_rows[2], own))
		status = BAD_SUM;
	collective_client_close(c, false);
	collective_client_close(other, false);
	return status;
}

/* Sums until one fails, which says who is gone; a byte for each before. */
static int
be_link_until(const char *directory, int own, int said)
{
	struct collective_client *c = join_chain(directory, own, "");
	float *data = xcalloc(LARGE, sizeof(*data));
	struct error e = { .text = "" };

	if (c == NULL)
		return NO_JOIN;
	while (collective_client_sum(c, "grads", ELEMENT_FLOAT, data, LARGE,
		   &e) == 0)
		(void)!write(said, "!", 1);
	if (own == 1)
		return GOOD;
	if (strstr(e.text, "instance 1") != NULL)
		return GOOD;
	printf("# %d: %s\n", own, e.text);
	(void)fflush(stdout);
	return BAD_REFUSAL;
}

/* A job whose programs are all behind relays. */
struct chain_job {
	char *place, *far[LINKS];
	struct collective_server *server;
	struct link_hub *hub;
	pid_t relays[LINKS], programs[LINKS];
};

static void
begin_chain(struct chain_job *j)
{
	const struct link_reach reach = { .address = "127.0.0.1" };
	struct error e;
	int i;

	j->place = shared_new();
	j->server = collective_server_new(j->place, LINKS, &e);
	if (j->server == NULL)
		abort();
	j->hub = link_hub_new(LINKS, j->place, &reach, hear, j->server, &e);
	for (i = 0; i < LINKS; i++) {
		j->far[i] = xasprintf("%s/far%d", j->place, i);
		if (mkdir(j->far[i], 0700) != 0)
			abort();
		j->relays[i] = start_relay(j->hub, j->far[i], i, true);
		if (j->relays[i] == -1)
			abort();
	}
	if (collective_server_start(j->server) != 0)
		abort();
}

static void
end_chain(struct chain_job *j)
{
	int i;

	for (i = 0; i < LINKS; i++) {
		if (kill(j->relays[i], SIGKILL) == 0)
			(void)waitpid(j->relays[i], NULL, 0);
		(void)shared_remove(j->far[i]);
	}
	link_hub_free(j->hub);
	collective_server_free(j->server);
	(void)shared_remove(j->place);
}

/* Until all programs have ended, each well. */
static void
await_links(struct chain_job *j, const char *what)
{
	struct pollfd p = { .fd = link_hub_fd(j->hub), .events = POLLIN };
	int left = LINKS, status, i;

	while (left > 0) {
		(void)poll(&p, 1, LOOK_MS);
		link_hub_continue(j->hub);
		for (i = 0; i < LINKS; i++) {
			if (waitpid(j->programs[i], &status, WNOHANG) !=
			    j->programs[i])
				continue;
			collective_server_ended(j->server, i, j->programs[i],
			    status);
			left--;
			is_int(WIFEXITED(status) ? WEXITSTATUS(status) : -1,
			    GOOD, what);
		}
	}
}

static void
check_chain(void)
{
	struct chain_job j;
	int i;

	begin_chain(&j);
	for (i = 0; i < LINKS; i++) {
		j.programs[i] = fork();
		if (j.programs[i] == 0)
			_exit(be_link(j.far[i], i));
	}
	await_links(&j, "a program in a chain");
	end_chain(&j);
}

/* The relay in the middle is killed while sums go through it. */
static void
check_broken_chain(void)
{
	struct chain_job j;
	struct pollfd p;
	int said[2], i, sums = 0;
	char c;

	begin_chain(&j);
	if (pipe(said) != 0)
		abort();
	for (i = 0; i < LINKS; i++) {
		j.programs[i] = fork();
		if (j.programs[i] == 0)
			_exit(be_link_until(j.far[i], i, said[1]));
	}
	while (sums < 2 * LINKS) {
		p = (struct pollfd){ .fd = link_hub_fd(j.hub),
			.events = POLLIN };
		(void)poll(&p, 1, 1);
		link_hub_continue(j.hub);
		p = (struct pollfd){ .fd = said[0], .events = POLLIN };
		if (poll(&p, 1, 0) == 1 && read(said[0], &c, 1) == 1)
			sums++;
	}
	(void)kill(j.relays[1], SIGKILL);
	await_links(&j, "a program of a chain that broke");
	end_chain(&j);
	(void)close(said[0]);
	(void)close(said[1]);
}

int
main(void)
{
	(void)alarm(60);
	(void)signal(SIGPIPE, SIG_IGN);
	check_relay(NULL);
	check_relay(&(struct link_reach){ .address = "127.0.0.1" });
	check_chain();
	check_broken_chain();
	return tap_done();
}
