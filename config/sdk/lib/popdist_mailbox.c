/*
 * The mailbox of a connection to poprun: memory in which a message and its
 * answer change hands without a system call, as ipubox-link(7) describes it.
 * Both sides look for a short while, and give the processor away meanwhile;
 * then they sleep, and whoever has something for the other one wakes it through
 * the socket.
 */
#include "popdist_internal.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	/* Where in the mailbox. */
	REQUEST = 0,			/* numbers of 64 bits */
	ANSWER = 64,
	PROGRAM_SLEEPS = 128,
	POPRUN_SLEEPS = 192,
	MESSAGE = 4096,
	MESSAGE_BYTES = 64 * 1024,
	REPLY = MESSAGE + MESSAGE_BYTES,
	MAILBOX_BYTES = REPLY + MESSAGE_BYTES,
	LOOKING_NS = 100 * 1000,	/* for so long; then sleep */
	LOOKS = 8			/* from one look at the clock to the
					   next */
};

static uint64_t *
word(const struct popdist_lane *lane, int at)
{
	return (uint64_t *)(void *)(lane->mailbox + at);
}

static void
write_word(const struct popdist_lane *lane, int at, uint64_t value)
{
	__atomic_store_n(word(lane, at), value, __ATOMIC_SEQ_CST);
}

static uint64_t
read_word(const struct popdist_lane *lane, int at)
{
	return __atomic_load_n(word(lane, at), __ATOMIC_SEQ_CST);
}

/* Where there is no memory for it, all messages go over the socket. */
void
popdist_mailbox_open(struct popdist_lane *lane)
{
	unsigned char	*memory;
	int		 fd;

	memory = popdist_lane_share(MAILBOX_BYTES, &fd);
	if (memory == NULL)
		return;
	if (popdist_lane_pass(lane, POPDIST_MAILBOX, fd, MAILBOX_BYTES) == 0)
		lane->mailbox = memory;
	else
		(void)munmap(memory, MAILBOX_BYTES);
	(void)close(fd);
}

void
popdist_mailbox_close(struct popdist_lane *lane)
{
	if (lane->mailbox != NULL)
		(void)munmap(lane->mailbox, MAILBOX_BYTES);
	lane->mailbox = NULL;
}

static int64_t
now_ns(void)
{
	struct timespec	t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Whether the answer has come, after a while of looking for it. */
static int
look(const struct popdist_lane *lane)
{
	int64_t	until = 0, now;
	int	i;

	for (;;) {
		for (i = 0; i < LOOKS; i++) {
			if (read_word(lane, ANSWER) == lane->request)
				return 1;
			(void)sched_yield();
		}
		now = now_ns();
		if (until == 0)
			until = now + LOOKING_NS;
		if (now >= until)
			return 0;
	}
}

/* A message without a body, which nobody answers. */
static void
wake_poprun(const struct popdist_lane *lane)
{
	unsigned char	bytes[POPDIST_HEAD_BYTES], *at = bytes;
	ssize_t		n;

	at = popdist_put(at, sizeof(bytes), 4);
	at = popdist_put(at, POPDIST_WAKE, 2);
	at = popdist_put(at, 0, 2);
	at = popdist_put(at, lane->request, 4);
	(void)popdist_put(at, 0, 4);
	/* The socket is empty but for this, so it goes whole. */
	do
		n = send(lane->fd, bytes, sizeof(bytes), MSG_NOSIGNAL);
	while (n == -1 && errno == EINTR);
}

/* Wait for poprun to wake us.  -1: the connection is over. */
static int
sleep_once(const struct popdist_lane *lane)
{
	unsigned char	bytes[POPDIST_HEAD_BYTES];
	size_t		used = 0;
	ssize_t		n;

	while (used < sizeof(bytes)) {
		n = recv(lane->fd, bytes + used, sizeof(bytes) - used, 0);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		used += (size_t)n;
	}
	return 0;
}

/*
 * poprun looks whether we sleep after it has answered, and we look for the
 * answer after we have said that we sleep: one of us sees the other one.  A
 * wake-up may be for an answer that was seen without it.
 */
static int
sleep_until_answered(const struct popdist_lane *lane)
{
	int	status = 0;

	write_word(lane, PROGRAM_SLEEPS, 1);
	while (status == 0 && read_word(lane, ANSWER) != lane->request)
		status = sleep_once(lane);
	write_word(lane, PROGRAM_SLEEPS, 0);
	return status;
}

size_t
popdist_mailbox_ask(struct popdist_lane *lane, const struct iovec parts[2])
{
	unsigned char	*at = lane->mailbox + MESSAGE;
	uint32_t	 size;

	(void)memcpy(at, parts[0].iov_base, parts[0].iov_len);
	if (parts[1].iov_len > 0)
		(void)memcpy(at + parts[0].iov_len, parts[1].iov_base,
		    parts[1].iov_len);
	write_word(lane, REQUEST, lane->request);
	if (read_word(lane, POPRUN_SLEEPS) != 0)
		wake_poprun(lane);
	if (!look(lane) && sleep_until_answered(lane) != 0)
		return 0;
	size = popdist_get(lane->mailbox + REPLY, 4);
	if (size < POPDIST_HEAD_BYTES || size > MESSAGE_BYTES)
		return 0;
	(void)memcpy(lane->buffer, lane->mailbox + REPLY, size);
	return size;
}
