/*
 * The relay: one loop over poll(2).  Read relay_run(), then relay_pump().  Sums
 * that go from relay to relay are those of relay_chain.c.
 */
#include "core/collective/collective.h"

#include <sys/prctl.h>
#include <sys/socket.h>

#include <bsd/sys/queue.h>
#include <bsd/unistd.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/collective/relay_chain.h"
#include "core/link/link.h"
#include "core/process/process.h"

enum {
	DIAL_MS = 30000,
	PAIRS_MAX = 128 /* as many as poprun accepts */
};

struct relay {
	const struct collective_relay *config;
	int listener;
	struct relay_chain *chain; /* NULL: not chained */
	TAILQ_HEAD(, relay_pair) pairs;
	size_t count;
};

/* ---- connections ---- */

/* Accept a program of this user; refuse others, and too many. */
static void
relay_let_in(struct relay *r, int fd)
{
	struct relay_pair *p;
	struct ucred peer;
	socklen_t size = sizeof(peer);
	int poprun = -1;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	    peer.uid == geteuid() && r->count < PAIRS_MAX)
		poprun = link_dial(r->config->address, r->config->secret,
		    LINK_HUB_VISITORS + r->config->instance,
		    clock_monotonic_ms() + DIAL_MS, NULL);
	if (poprun == -1) {
		(void)close(fd);
		return;
	}
	p = xcalloc(1, sizeof(*p));
	p->program = collective_connection_new(fd, peer.pid, -1);
	p->poprun = collective_connection_new(poprun, 0, -1);
	TAILQ_INIT(&p->sums);
	TAILQ_INSERT_TAIL(&r->pairs, p, link);
	r->count++;
}

static void
relay_close(struct relay *r, struct relay_pair *p)
{
	TAILQ_REMOVE(&r->pairs, p, link);
	r->count--;
	relay_chain_close(p);
	/* Output waiting for poprun is in the program's memory, so free it
	   first. */
	collective_connection_free(p->poprun);
	collective_connection_free(p->program);
	free(p);
}

/* ---- messages ---- */

/* Pass a message on unchanged; its head is in front of the body. */
static void
relay_pass(struct collective_connection *to, const struct collective_head *h,
    const unsigned char *body)
{
	const unsigned char *whole = body - COLLECTIVE_HEAD_BYTES;
	struct iovec part = { .iov_len = h->size };

	/* sendmsg(2) does not write to it. */
	memcpy(&part.iov_base, &whole, sizeof(whole));
	collective_connection_put(to, &part, 1);
}

/* Map the program's memory here; poprun makes as much for itself. */
static void
relay_take_memory(struct relay_pair *p, const struct collective_head *h,
    const unsigned char *body)
{
	struct error e;
	uint64_t bytes = 0;

	if (h->kind == COLLECTIVE_MAILBOX)
		(void)error_set(&e, "a mailbox needs poprun on the same host");
	else if (collective_message_get_memory(&bytes, body,
		     h->size - COLLECTIVE_HEAD_BYTES, &e) == 0 &&
	    collective_connection_map(p->program, COLLECTIVE_MEMORY, bytes,
		&e) == 0) {
		relay_pass(p->poprun, h, body);
		return;
	}
	collective_connection_refuse(p->program, h->request, COLLECTIVE_NO_ROOM,
	    e.text);
}

/* Pass a call on, after the contents of its vector.  poprun refuses a call with
   a vector outside of the memory. */
static void
relay_take_call(const struct relay *r, struct relay_pair *p,
    const struct collective_head *h, const unsigned char *body)
{
	const struct collective_connection *c = p->program;
	struct collective_call call;
	size_t size;

	if ((h->flags & COLLECTIVE_IN_MEMORY) == 0 ||
	    collective_message_get_call(&call, body,
		h->size - COLLECTIVE_HEAD_BYTES, NULL) != 0 ||
	    (size = element_size(call.type)) == 0 || call.count == 0 ||
	    (call.operation == COLLECTIVE_BROADCAST &&
		call.root != p->member) ||
	    call.vector > c->memory_bytes ||
	    call.count > (c->memory_bytes - call.vector) / size)
		relay_pass(p->poprun, h, body);
	else if (r->chain == NULL ||
	    call.result > c->memory_bytes - call.count * size ||
	    !relay_chain_take_call(r->chain, p, h->request, &call))
		collective_connection_transfer(p->poprun, c->memory,
		    call.vector, call.count * size,
		    body - COLLECTIVE_HEAD_BYTES, h->size);
}

static void
relay_take_program(const struct relay *r, struct relay_pair *p,
    const struct collective_head *h, const unsigned char *body)
{
	struct collective_hello hello;

	switch (h->kind) {
	case COLLECTIVE_MEMORY:
	case COLLECTIVE_MAILBOX:
		relay_take_memory(p, h, body);
		break;
	case COLLECTIVE_OPERATION:
		relay_take_call(r, p, h, body);
		break;
	case COLLECTIVE_HELLO:
		if (collective_message_get_hello(&hello, body,
			h->size - COLLECTIVE_HEAD_BYTES, NULL) == 0 &&
		    hello.version == COLLECTIVE_VERSION) {
			p->member = hello.member;
			p->members = hello.members;
		}
		relay_pass(p->poprun, h, body);
		break;
	case COLLECTIVE_WAKE:
		break;
	default:
		relay_pass(p->poprun, h, body);
		break;
	}
}

static void
relay_take_poprun(struct relay_pair *p, const struct collective_head *h,
    const unsigned char *body)
{
	if (h->kind != COLLECTIVE_BYTES) {
		if (!relay_chain_take_answer(p, h, body))
			relay_pass(p->program, h, body);
	} else if (collective_message_get_bytes(body,
		       h->size - COLLECTIVE_HEAD_BYTES, p->program->memory,
		       p->program->memory_bytes, NULL) != 0)
		p->over = true;
}

/* Handle whole messages from one side while the other has room. */
static void
relay_pump(const struct relay *r, struct relay_pair *p,
    struct collective_connection *from, const struct collective_connection *to)
{
	struct collective_head h;
	const unsigned char *body;
	int found = 1;

	while (!p->over && !collective_connection_is_full(to) &&
	    (found = collective_connection_next(from, &h, &body, NULL)) == 1)
		if (from == p->program)
			relay_take_program(r, p, &h, body);
		else
			relay_take_poprun(p, &h, body);
	if (found == -1)
		p->over = true;
}

/* ---- the loop ---- */

/* Read from each side only while the other has room. */
static void
relay_watch(const struct relay_pair *p, struct pollfd fds[2])
{
	const struct collective_connection *sides[] = { p->program, p->poprun };
	int i;

	for (i = 0; i < 2; i++) {
		fds[i] = (struct pollfd){ .fd = sides[i]->fd };
		if (!collective_connection_is_full(sides[1 - i]))
			fds[i].events |= POLLIN;
		if (send_queue_waiting(&sides[i]->out) > 0)
			fds[i].events |= POLLOUT;
	}
}

static void
relay_serve(const struct relay *r, struct relay_pair *p,
    const struct pollfd fds[2])
{
	struct collective_connection *sides[] = { p->program, p->poprun };
	int i;

	for (i = 0; i < 2; i++) {
		if ((fds[i].revents & POLLIN) != 0 ?
			collective_connection_receive(sides[i]) ==
			    COLLECTIVE_ENDED :
			(fds[i].revents & (POLLHUP | POLLERR)) != 0)
			p->over = true;
		collective_connection_flush(sides[i]);
	}
	relay_chain_settle(p);
	relay_pump(r, p, p->program, p->poprun);
	relay_pump(r, p, p->poprun, p->program);
}

/* Pass on what arrived before a connection's end. */
static void
relay_run(struct relay *r)
{
	struct pollfd fds[2 + 2 * PAIRS_MAX];
	struct relay_pair *p, *next;
	uint64_t sums;
	nfds_t i;
	int fd;

	for (;;) {
		fds[0] = (struct pollfd){ r->listener, POLLIN, 0 };
		fds[1] = (struct pollfd){
			r->chain != NULL ? relay_chain_fd(r->chain) : -1,
			POLLIN, 0
		};
		i = 2;
		TAILQ_FOREACH(p, &r->pairs, link) {
			relay_watch(p, &fds[i]);
			i += 2;
		}
		if (poll(fds, i, -1) <= 0)
			continue;
		if (fds[1].revents != 0)
			(void)!read(fds[1].fd, &sums, sizeof(sums));
		i = 2;
		TAILQ_FOREACH_SAFE(p, &r->pairs, link, next) {
			relay_serve(r, p, &fds[i]);
			i += 2;
			if (p->over)
				relay_close(r, p);
		}
		if (fds[0].revents != 0 &&
		    (fd = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC)) != -1)
			relay_let_in(r, fd);
	}
}

/* Close everything of the caller but the listener.  The engine waits until its
   process's output has no more writers, and others until the locks of the job's
   directory are gone. */
static void
relay_drop_files(struct relay *r)
{
	int none, fd;

	(void)dup2(r->listener, STDERR_FILENO + 1);
	r->listener = STDERR_FILENO + 1;
	closefrom(r->listener + 1);
	none = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (none == -1)
			(void)close(fd);
		else
			(void)dup2(none, fd);
}

static void
relay_become(struct relay *r, pid_t caller)
{
	sigset_t all;

	relay_drop_files(r);
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0L, 0L, 0L);
	if (getppid() != caller)
		_exit(1);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGTERM, SIG_DFL);
	(void)sigemptyset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	title_set("ipubox-relay");
	if (r->config->chained)
		r->chain = relay_chain_new(r->config->secret, NULL);
	relay_run(r);
}

pid_t
collective_relay_start(const struct collective_relay *config, struct error *e)
{
	struct relay r = { .config = config };
	const pid_t caller = getpid();
	char *path = xasprintf("%s/collectives", config->directory);
	pid_t pid;

	TAILQ_INIT(&r.pairs);
	(void)unlink(path);
	free(path);
	r.listener = link_address_listen(config->directory, "collectives",
	    &path, e);
	if (r.listener == -1)
		return -1;
	pid = fork();
	if (pid == 0)
		relay_become(&r, caller);
	if (pid == -1)
		(void)error_set_errno(e, "cannot start a relay");
	(void)close(r.listener);
	free(path);
	return pid;
}
