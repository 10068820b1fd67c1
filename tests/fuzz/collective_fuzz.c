/*
 * What programs send to the collectives of a job of three.  Each step is a
 * byte, and bytes that it takes: raw bytes on a connection, or messages that
 * are whole, memory, an end, time that passes.  Whatever comes, every answer is
 * a message, and nothing is touched that is not there.
 */
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/collective/collective_connection.h"
#include "core/collective/collective_service.h"
#include "core/collective/collective_table.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/set_util.h"

enum {
	CONNECTIONS = 4,
	INSTANCES = 3,
	MEMORY_BYTES = 8192,
	PID = 100,
	MESSAGE = 4096,
	MAILBOX_BYTES = MESSAGE + 2 * COLLECTIVE_MESSAGE_MAX
};

struct job {
	struct collective_service service;
	struct collective_connection *connections[CONNECTIONS];
	int ends[CONNECTIONS]; /* of programs */
	int epoll;
	int64_t now_ms;
};

/* The input, from the front. */
struct input {
	const uint8_t *at;
	size_t left;
};

static uint8_t
next(struct input *in)
{
	if (in->left == 0)
		return 0;
	in->left--;
	return *in->at++;
}

/* The message in the mailbox, if there is one. */
static void
look(struct job *job, struct collective_connection *c)
{
	struct collective_head h;
	const unsigned char *body;
	struct error e;
	int found;

	if (c->over)
		return;
	found = collective_connection_next_mail(c, &h, &body, &e);
	if (found == 1)
		collective_service_take(&job->service, c, &h, body);
	else if (found == -1)
		collective_service_reject(c, 0, e.text);
}

/* As collective_server.c does it. */
static void
serve(struct job *job, int i)
{
	struct collective_connection *c = job->connections[i];
	enum collective_state state = COLLECTIVE_PROGRESS;
	struct collective_head h;
	const unsigned char *body;
	struct error e;
	int found = 1;

	look(job, c);
	while (state == COLLECTIVE_PROGRESS && !c->over) {
		state = collective_connection_receive(c);
		while (!c->over &&
		    (found = collective_connection_next(c, &h, &body, &e)) == 1)
			collective_service_take(&job->service, c, &h, body);
		if (found == -1)
			collective_service_reject(c, 0, e.text);
	}
	if (state != COLLECTIVE_ENDED && !c->over)
		return;
	if (c->guest != NULL)
		collective_table_lose(job->service.table, c->guest,
		    job->now_ms);
	collective_connection_free(c);
	job->connections[i] = NULL;
}

/* All that a program has been answered: whole messages, of two kinds. */
static void
read_answers(int fd)
{
	static unsigned char bytes[1 << 20];
	struct collective_head h;
	ssize_t n;
	size_t at = 0, size = 0;

	while ((n = recv(fd, bytes + size, sizeof(bytes) - size,
		    MSG_DONTWAIT)) > 0)
		size += (size_t)n;
	for (; at + COLLECTIVE_HEAD_BYTES <= size; at += h.size) {
		require(collective_message_get_head(&h, bytes + at, NULL) == 0);
		require(h.kind >= COLLECTIVE_DONE);
	}
}

static void
open_connection(struct job *job, int i)
{
	int fds[2];

	if (job->connections[i] != NULL)
		return;
	if (job->ends[i] != -1)
		(void)close(job->ends[i]);
	require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
	job->ends[i] = fds[1];
	job->connections[i] = collective_connection_new(fds[0], PID + i,
	    job->epoll);
}

static void
send_hello(struct job *job, int i, uint8_t how)
{
	struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.members = INSTANCES,
		.instance = how % INSTANCES,
		.member = how % INSTANCES };
	unsigned char bytes[COLLECTIVE_CALL_MAX];

	if (how >= 128)
		(void)memcpy(h.group, "g", 2);
	(void)!write(job->ends[i], bytes,
	    collective_message_put_hello(bytes, how, &h));
}

static void
send_call(struct job *job, int i, struct input *in)
{
	static unsigned char bytes[COLLECTIVE_MESSAGE_MAX];
	const uint8_t how = next(in), count = next(in);
	struct collective_call c = { .operation = how % 5,
		.type = how / 8 % 10,
		.count = count,
		.root = how / 64,
		.timeout_ms = how % 3 == 0 ? 10 : 0,
		.vector = next(in),
		.result = next(in) * 32 };
	const bool in_memory = count % 2 == 1;
	unsigned char *mailbox = job->connections[i]->mailbox;
	size_t size;

	c.id[0] = (char)(next(in) % 3 + 'a');
	c.communicator[0] = (char)(how % 7 == 0 ? 'h' : '\0');
	if (!in_memory && c.operation != COLLECTIVE_BARRIER)
		c.data_bytes = next(in) * (size_t)count;
	size = collective_message_put_call(bytes, how, in_memory, &c);
	memset(bytes + size, how, c.data_bytes);
	size += c.data_bytes;
	if (mailbox == NULL || next(in) % 2 == 0) {
		(void)!write(job->ends[i], bytes, size);
		return;
	}
	memcpy(mailbox + MESSAGE, bytes, size);
	/* Its number, and some that are not. */
	bits_put_le64(mailbox, how);
	mailbox[MESSAGE + 1] ^= next(in) == 1;
}

/* Messages that are short, and memory. */
static void
send_other(struct job *job, int i, uint8_t how)
{
	static const uint32_t members[] = { 0, 2, 1 };
	unsigned char bytes[COLLECTIVE_CALL_MAX];
	size_t size;
	int fd;

	switch (how % 4) {
	case 0:
		(void)!write(job->ends[i], bytes,
		    set_util_put(bytes, how, "h", members, 1 + how / 4 % 3));
		break;
	case 1:
		collective_message_put_head(bytes,
		    &(struct collective_head){ .size = COLLECTIVE_HEAD_BYTES,
			.kind = COLLECTIVE_LEAVE,
			.flags = how / 4 % 2,
			.request = how });
		(void)!write(job->ends[i], bytes, COLLECTIVE_HEAD_BYTES);
		break;
	default:
		fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
		require(fd != -1 &&
		    ftruncate(fd,
			how % 4 == 2 ? MEMORY_BYTES : MAILBOX_BYTES) == 0);
		if (how < 250)
			(void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
		if (job->connections[i]->received_fd != -1)
			(void)close(job->connections[i]->received_fd);
		job->connections[i]->received_fd = fd;
		size = collective_message_put_memory(bytes, how,
		    how >= 128	     ? how * 64 :
			how % 4 == 2 ? MEMORY_BYTES :
				       MAILBOX_BYTES);
		if (how % 4 == 3)
			bits_put_le16(bytes + 4, COLLECTIVE_MAILBOX);
		(void)!write(job->ends[i], bytes, size);
		break;
	}
}

static void
step(struct job *job, struct input *in)
{
	const uint8_t what = next(in), how = next(in);
	const int i = what % CONNECTIONS;
	size_t size;

	if (what / CONNECTIONS % 8 == 6) {
		collective_table_ended(job->service.table, how % INSTANCES,
		    PID + how / 16, how % 2 == 0 ? SIGKILL : 0);
		return;
	}
	if (what / CONNECTIONS % 8 == 7) {
		job->now_ms += how;
		collective_table_expire(job->service.table, job->now_ms);
		return;
	}
	open_connection(job, i);
	switch (what / CONNECTIONS % 8) {
	case 0:
		size = how < in->left ? how : in->left;
		(void)!write(job->ends[i], in->at, size);
		in->at += size;
		in->left -= size;
		break;
	case 1:
		(void)shutdown(job->ends[i], SHUT_WR);
		break;
	case 2:
		send_other(job, i, how);
		break;
	case 3:
		send_hello(job, i, how);
		break;
	default:
		send_call(job, i, in);
		break;
	}
	serve(job, i);
	read_answers(job->ends[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .at = data, .left = size };
	struct job job = { .now_ms = 1 };
	int i;

	(void)signal(SIGPIPE, SIG_IGN);
	job.epoll = epoll_create1(EPOLL_CLOEXEC);
	collective_service_init(&job.service, INSTANCES);
	for (i = 0; i < CONNECTIONS; i++)
		job.ends[i] = -1;
	while (in.left > 0)
		step(&job, &in);
	collective_service_release(&job.service);
	for (i = 0; i < CONNECTIONS; i++) {
		if (job.connections[i] != NULL)
			collective_connection_free(job.connections[i]);
		if (job.ends[i] != -1)
			(void)close(job.ends[i]);
	}
	(void)close(job.epoll);
	return 0;
}
