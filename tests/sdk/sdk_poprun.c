/*
 * A poprun that answers as none does, for tests/cli/sdk-job.t:
 *
 *	sdk_poprun DIRECTORY WAY PROGRAM [ARGUMENT ...]
 *
 * runs the program as instance 0 of 2.  It greets whoever connects as it
 * should, and answers the next message in that way.
 */
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 16, DONE = 128, ERROR = 129 };

static void
put(unsigned char *at, uint32_t value, int bytes)
{
	int	i;

	for (i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t
get(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	    (uint32_t)at[3] << 24;
}

/* A message of the program; 0: there is none. */
static int
take(int fd, unsigned char *message)
{
	if (recv(fd, message, HEAD, MSG_WAITALL) != HEAD)
		return 0;
	return recv(fd, message + HEAD, get(message) - HEAD, MSG_WAITALL) ==
	    (ssize_t)(get(message) - HEAD);
}

static void
answer(int fd, const unsigned char *question, uint32_t kind, const void *body,
    uint32_t size)
{
	unsigned char	message[256] = { 0 };

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
	static const float	sum[3] = { 2, 2, 2 };
	unsigned char		message[HEAD + sizeof(sum)] = { 0 };
	size_t			i;

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
	static const char	refusal[] = "\1\0\0\0what is that?";

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

static void
serve(int listener, const char *way)
{
	unsigned char	message[65536];
	int		fd;

	for (;;) {
		fd = accept(listener, NULL, NULL);
		if (strcmp(way, "close") != 0 && take(fd, message)) {
			answer(fd, message, DONE, "\1\0\0\0\1\0\0\0", 8);
			if (take(fd, message))
				answer_in_way(fd, way, message);
			/* Slow answers are good ones: then it goes on. */
			if (strcmp(way, "slowly") == 0)
				while (take(fd, message))
					answer_slowly(fd, message);
		}
		(void)close(fd);
	}
}

int
main(int argc, char **argv)
{
	struct sockaddr_un	address = { .sun_family = AF_UNIX,
	    .sun_path = "collectives" };
	int			listener, here;

	here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (argc < 4 || chdir(argv[1]) != 0 || bind(listener,
	    (const struct sockaddr *)&address, sizeof(address)) != 0 ||
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
