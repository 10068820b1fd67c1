/*
 * A poprun that answers as none does, for tests/cli/sdk-job.t:
 *
 *	sdk_poprun DIRECTORY WAY PROGRAM [ARGUMENT ...]
 *
 * runs the program as instance 0 of 2.  It greets whoever connects as it
 * should, and answers the next message in that way.  The mailbox is refused,
 * unless the way is one of the mailbox's.
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	HEAD = 16,
	/* Kinds of messages. */
	MAILBOX = 6,
	WAKE = 7,
	DONE = 128,
	ERROR = 129,
	WOKEN = 130,
	/* Where in a mailbox. */
	REQUEST = 0,
	ANSWER = 64,
	PROGRAM_SLEEPS = 128,
	POPRUN_SLEEPS = 192,
	MESSAGE = 4096,
	REPLY = MESSAGE + 65536,
	MAILBOX_BYTES = REPLY + 65536
};

static void
put(unsigned char *at, uint32_t value, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t
get(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	    (uint32_t)at[3] << 24;
}

/* A message of the program, and the descriptor with it or -1; 0: there is
   none. */
static int
take(int fd, unsigned char *message, int *passed)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { .iov_base = message, .iov_len = HEAD };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };

	if (recvmsg(fd, &m, MSG_WAITALL) != HEAD)
		return 0;
	*passed = -1;
	if (CMSG_FIRSTHDR(&m) != NULL)
		memcpy(passed, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	return get(message) == HEAD ||
	    recv(fd, message + HEAD, get(message) - HEAD, MSG_WAITALL) ==
	    (ssize_t)(get(message) - HEAD);
}

static void
answer(int fd, const unsigned char *question, uint32_t kind, const void *body,
    uint32_t size)
{
	unsigned char message[256] = { 0 };

	put(message, HEAD + size, 4);
	put(message + 4, kind, 2);
	memcpy(message + 8, question + 8, 4);
	memcpy(message + HEAD, body, size);
	(void)send(fd, message, HEAD + size, MSG_NOSIGNAL);
}

/* The sum of three floats that are 2 each, a byte at a time. */
static void
answer_slowly(int fd, const unsigned char *question)
{
	static const float sum[3] = { 2, 2, 2 };
	unsigned char message[HEAD + sizeof(sum)] = { 0 };
	size_t i;

	put(message, sizeof(message), 4);
	put(message + 4, DONE, 2);
	memcpy(message + 8, question + 8, 4);
	memcpy(message + HEAD, sum, sizeof(sum));
	for (i = 0; i < sizeof(message); i++)
		(void)send(fd, message + i, 1, MSG_NOSIGNAL);
}

static void
answer_in_way(int fd, const char *way, unsigned char *question)
{
	static const char refusal[] = "\1\0\0\0what is that?";

	if (strcmp(way, "slowly") == 0) {
		answer_slowly(fd, question);
	} else if (strcmp(way, "request") == 0) {
		question[8] ^= 0x55;
		answer(fd, question, DONE, "", 0);
	} else if (strcmp(way, "kind") == 0) {
		answer(fd, question, 77, "", 0);
	} else if (strcmp(way, "body") == 0) {
		answer(fd, question, DONE, "1234", 4);
	} else if (strcmp(way, "error") == 0) {
		answer(fd, question, ERROR, "\1", 2);
	} else if (strcmp(way, "refusal") == 0) {
		answer(fd, question, ERROR, refusal, sizeof(refusal) - 1);
	} else if (strcmp(way, "size") == 0) {
		(void)send(fd, "\3\0\0\0garbage, garbage", 20, MSG_NOSIGNAL);
	} else if (strcmp(way, "huge") == 0) {
		(void)send(fd, "\0\0\2\0garbage, garbage", 20, MSG_NOSIGNAL);
	} else if (strcmp(way, "half") == 0) {
		(void)send(fd, "\40\0\0\0\200\0\0\0", 8, MSG_NOSIGNAL);
	}
}

static uint64_t *
word(unsigned char *mailbox, int at)
{
	return (uint64_t *)(void *)(mailbox + at);
}

/* The sum of three floats, in the mailbox. */
static void
reply(unsigned char *mailbox, uint32_t size)
{
	static const float sum[3] = { 2, 2, 2 };
	unsigned char *at = mailbox + REPLY;

	put(at, size, 4);
	put(at + 4, DONE, 2);
	memcpy(at + 8, mailbox + MESSAGE + 8, 4);
	memcpy(at + HEAD, sum, sizeof(sum));
	__atomic_store_n(word(mailbox, ANSWER), get(mailbox + MESSAGE + 8),
	    __ATOMIC_SEQ_CST);
}

static void
wait_for(unsigned char *mailbox, int at, uint64_t value)
{
	while (__atomic_load_n(word(mailbox, at), __ATOMIC_SEQ_CST) != value)
		(void)sched_yield();
}

/* On a busy machine the program sleeps already, as poprun would see. */
static void
wake_sleeper(int fd, unsigned char *mailbox, const unsigned char *question)
{
	if (__atomic_load_n(word(mailbox, PROGRAM_SLEEPS), __ATOMIC_SEQ_CST) !=
	    0)
		answer(fd, question, WOKEN, "", 0);
}

/* Messages in the mailbox, whose numbers follow that of `question`. */
static void
use_mailbox(int fd, const char *way, unsigned char *mailbox,
    const unsigned char *question)
{
	const uint32_t number = get(question + 8) + 1;
	unsigned char message[65536];
	int passed;

	__atomic_store_n(word(mailbox, POPRUN_SLEEPS),
	    strcmp(way, "mailbox-sleep") == 0, __ATOMIC_SEQ_CST);
	answer(fd, question, DONE, "", 0);
	/* It wakes one who sleeps, and another time one who does not. */
	if (strcmp(way, "mailbox-sleep") == 0 && take(fd, message, &passed) &&
	    get(message + 4) == WAKE)
		answer(fd, message, WOKEN, "", 0);
	wait_for(mailbox, REQUEST, number);
	if (strcmp(way, "mailbox-small") == 0) {
		reply(mailbox, 3);
	} else if (strcmp(way, "mailbox-huge") == 0) {
		reply(mailbox, 1U << 31);
	} else if (strcmp(way, "mailbox-body") == 0) {
		reply(mailbox, HEAD + 4);
		wake_sleeper(fd, mailbox, question);
		(void)take(fd, message, &passed);
	} else if (strcmp(way, "mailbox-end") != 0) {
		wait_for(mailbox, PROGRAM_SLEEPS, 1);
		answer(fd, question, WOKEN, "", 0);
		__atomic_store_n(word(mailbox, POPRUN_SLEEPS), 0,
		    __ATOMIC_SEQ_CST);
		reply(mailbox, HEAD + 12);
		answer(fd, question, WOKEN, "", 0);
		wait_for(mailbox, REQUEST, number + 1);
		reply(mailbox, HEAD + 12);
		wake_sleeper(fd, mailbox, question);
		/* It leaves by the socket. */
		if (take(fd, message, &passed))
			answer(fd, message, DONE, "", 0);
	}
}

/* What becomes of a mailbox that the program offers. */
static int
take_mailbox(int fd, const char *way, const unsigned char *question, int passed)
{
	static const char no_room[] = "\11\0\0\0there is no room";
	void *mailbox;

	if (question[4] != MAILBOX)
		return 0;
	if (strncmp(way, "mailbox", strlen("mailbox")) != 0) {
		answer(fd, question, ERROR, no_room, sizeof(no_room) - 1);
		return 0;
	}
	mailbox = mmap(NULL, MAILBOX_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
	    passed, 0);
	if (mailbox != MAP_FAILED) {
		use_mailbox(fd, way, mailbox, question);
		(void)munmap(mailbox, MAILBOX_BYTES);
	}
	return 1;
}

static void
serve_one(int fd, const char *way)
{
	unsigned char message[65536];
	int passed;

	if (strcmp(way, "close") == 0 || !take(fd, message, &passed))
		return;
	answer(fd, message, DONE, "\1\0\0\0\1\0\0\0", 8);
	if (!take(fd, message, &passed) ||
	    take_mailbox(fd, way, message, passed) ||
	    !take(fd, message, &passed))
		return;
	answer_in_way(fd, way, message);
	/* Slow answers are good ones: then it goes on. */
	if (strcmp(way, "slowly") == 0)
		while (take(fd, message, &passed))
			answer_slowly(fd, message);
}

static void
serve(int listener, const char *way)
{
	int fd;

	for (;;) {
		fd = accept(listener, NULL, NULL);
		serve_one(fd, way);
		(void)close(fd);
	}
}

int
main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX,
		.sun_path = "collectives" };
	int listener, here;

	here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (argc < 4 || chdir(argv[1]) != 0 ||
	    bind(listener, (const struct sockaddr *)&address,
		sizeof(address)) != 0 ||
	    listen(listener, 5) != 0 || fchdir(here) != 0)
		return 2;
	if (fork() == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(STDOUT_FILENO);
		serve(listener, argv[2]);
	}
	(void)setenv("IPUBOX_JOB_DIR", argv[1], 1);
	(void)setenv("POPDIST_NUM_TOTAL_REPLICAS", "2", 1);
	(void)setenv("POPDIST_NUM_LOCAL_REPLICAS", "1", 1);
	(void)setenv("POPDIST_REPLICA_INDEX_OFFSET", "0", 1);
	(void)execvp(argv[3], argv + 3);
	return 127;
}
