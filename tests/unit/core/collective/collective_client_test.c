/*
 * core/collective/collective_client: alone, and beside a poprun that answers as
 * a table says, in whatever way it likes.
 */
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/formats/element.h"
#include "core/collective/collective.h"
#include "core/collective/collective_message.h"
#include "tests/unit/tap.h"

enum { LARGE = 20000, MESSAGE_SIZE = COLLECTIVE_MESSAGE_MAX };

/* What the other end does with an operation. */
enum deed {
	ECHOES,	       /* the vector is its own sum */
	ECHOES_SLOWLY, /* byte by byte */
	REFUSES,       /* an error with a sentence */
	ENDS,	       /* closes the connection */
	ENDS_WITHIN,   /* in the middle of an answer */
	SHORTENS,      /* a result that is too short */
	CONFUSES,      /* the number of another message */
	RAVES,	       /* bytes that are not a head */
	WAITS	       /* and says nothing */
};

struct poprun {
	int listener;
	enum deed deed;
	pthread_t thread;
	int memory; /* that it was given, -1: none */
	int left;   /* flags of LEAVE, -1: nobody left */
};

static const char sentence[] =
    "all-reduce 'x': instance 2 (pid 4711) was killed by signal 9 (Killed)";

static void
put(int fd, const unsigned char *message, size_t size, size_t step)
{
	size_t n;

	for (; size > 0; size -= n, message += n) {
		n = size < step ? size : step;
		if (send(fd, message, n, MSG_NOSIGNAL) != (ssize_t)n)
			return;
	}
}

/* One whole message and the descriptor with it, if any. */
static bool
take(int fd, unsigned char *message, struct collective_head *h, int *passed)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec part = { message, COLLECTIVE_HEAD_BYTES };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = sizeof(control.room) };
	struct cmsghdr *c;
	ssize_t n = recvmsg(fd, &m, MSG_WAITALL);

	if (n != COLLECTIVE_HEAD_BYTES ||
	    collective_message_get_head(h, message, NULL) != 0)
		return false;
	c = CMSG_FIRSTHDR(&m);
	if (c != NULL && c->cmsg_type == SCM_RIGHTS)
		memcpy(passed, CMSG_DATA(c), sizeof(int));
	return h->size == COLLECTIVE_HEAD_BYTES ||
	    recv(fd, message + COLLECTIVE_HEAD_BYTES,
		h->size - COLLECTIVE_HEAD_BYTES, MSG_WAITALL) > 0;
}

/* The head of an answer with so many bytes. */
static size_t
put_done(unsigned char *message, uint32_t request, size_t bytes)
{
	const struct collective_head h = {
		.size = (uint32_t)(COLLECTIVE_HEAD_BYTES + bytes),
		.kind = COLLECTIVE_DONE,
		.request = request
	};

	collective_message_put_head(message, &h);
	return COLLECTIVE_HEAD_BYTES;
}

/* False: the connection is over. */
static bool
answer_call(const struct poprun *p, int fd, const struct collective_head *h,
    const struct collective_call *c)
{
	const size_t bytes = c->data_bytes - (p->deed == SHORTENS ? 1 : 0);
	unsigned char message[MESSAGE_SIZE];
	size_t size = put_done(message,
	    h->request + (p->deed == CONFUSES ? 1 : 0), bytes);

	if (bytes > 0)
		memcpy(message + size, c->data, bytes);
	if (p->deed == REFUSES) {
		size = collective_message_put_error(message, h->request,
		    COLLECTIVE_GONE, sentence);
		put(fd, message, size, size);
		return true;
	}
	if (p->deed == RAVES)
		memset(message, 0xff, COLLECTIVE_HEAD_BYTES);
	if (p->deed == WAITS)
		return true;
	if (p->deed != ENDS)
		put(fd, message, p->deed == ENDS_WITHIN ? size : size + bytes,
		    p->deed == ECHOES_SLOWLY ? 1 : MESSAGE_SIZE);
	return p->deed != ENDS && p->deed != ENDS_WITHIN;
}

static bool
answer(struct poprun *p, int fd)
{
	unsigned char message[MESSAGE_SIZE];
	const unsigned char *body = message + COLLECTIVE_HEAD_BYTES;
	struct collective_head h;
	struct collective_call c;
	size_t size;

	if (!take(fd, message, &h, &p->memory))
		return false;
	if (h.kind == COLLECTIVE_OPERATION)
		return collective_message_get_call(&c, body,
			   h.size - COLLECTIVE_HEAD_BYTES, NULL) == 0 &&
		    answer_call(p, fd, &h, &c);
	if (h.kind == COLLECTIVE_LEAVE)
		p->left = h.flags;
	size = h.kind == COLLECTIVE_HELLO ?
	    collective_message_put_welcome(message, h.request, 1) :
	    put_done(message, h.request, 0);
	put(fd, message, size, size);
	return true;
}

/* One connection, from its beginning to its end. */
static void *
poprun_main(void *argument)
{
	struct poprun *p = argument;
	const int fd = accept(p->listener, NULL, NULL);

	while (answer(p, fd))
		continue;
	(void)close(fd);
	return NULL;
}

static void
poprun_start(struct poprun *p, const char *directory, enum deed deed)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const int below = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)snprintf(a.sun_path, sizeof(a.sun_path),
	    "/proc/self/fd/%d/collectives", below);
	(void)unlink(a.sun_path);
	*p = (struct poprun){ .deed = deed,
		.memory = -1,
		.left = -1,
		.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	if (bind(p->listener, (const struct sockaddr *)&a, sizeof(a)) != 0 ||
	    listen(p->listener, 1) != 0)
		abort();
	(void)close(below);
	(void)pthread_create(&p->thread, NULL, poprun_main, p);
}

static void
poprun_end(struct poprun *p)
{
	(void)pthread_join(p->thread, NULL);
	(void)close(p->listener);
	if (p->memory != -1)
		(void)close(p->memory);
}

static struct collective_client *
join(const char *directory)
{
	const struct collective_member m = { .directory = directory,
		.group = "",
		.instance = 1,
		.member = 1,
		.members = 2 };

	return collective_client_open(&m, NULL);
}

/* What is the same whether anybody is asked or not. */
static void
check_refusals(struct collective_client *c)
{
	char id[COLLECTIVE_NAME_MAX + 2];
	struct error e;
	float value = 1;

	memset(id, 'x', sizeof(id));
	id[sizeof(id) - 1] = '\0';
	is_int(collective_client_barrier(c, "", &e), -1, "no id");
	is_str(e.text, "the id of a collective must have 1 to 255 bytes, not 0",
	    "the reason");
	is_int(collective_client_sum(c, id, ELEMENT_FLOAT, &value, 1, NULL), -1,
	    "an id that is too long");
	is_int(collective_client_sum(c, "x", ELEMENT_BOOL, &value, 1, &e), -1,
	    "a sum of bool");
	is_str(e.text, "'x': bool cannot be added up", "the reason");
	is_int(collective_client_sum(c, "x", 77, &value, 1, &e), -1,
	    "a type that there is not");
	is_int(collective_client_gather(c, "x", ELEMENT_FLOAT, &value, &value,
		   SIZE_MAX / 4, &e),
	    -1, "more than there is");
	is_int(e.code, ERROR_NO_ROOM, "has no room");
	is_int(collective_client_broadcast(c, "x", ELEMENT_FLOAT, &value, 1, 2,
		   &e),
	    -1, "a root that there is not");
	is_str(e.text, "'x': root 2 must be a number from 0 to 1",
	    "the reason");
	is_int(collective_client_broadcast(c, "x", ELEMENT_FLOAT, &value, 1, -1,
		   NULL),
	    -1, "nor -1");
}

static void
check_alone(void)
{
	struct collective_client *c = join(NULL);
	const double in = 2.5;
	double out = 0, value = 1.5;

	is_int(collective_client_barrier(c, "x", NULL), 0, "alone");
	is_int(collective_client_sum(c, "x", ELEMENT_DOUBLE, &value, 1, NULL),
	    0, "the sum of one");
	ok(value == 1.5, "is itself");
	is_int(collective_client_gather(c, "x", ELEMENT_DOUBLE, &in, &out, 1,
		   NULL),
	    0, "what one gathers");
	ok(out == in, "is its own");
	is_int(collective_client_gather(c, "x", ELEMENT_DOUBLE, NULL, NULL, 0,
		   NULL),
	    0, "nothing at all");
	is_int(collective_client_broadcast(c, "x", ELEMENT_DOUBLE, &value, 1, 1,
		   NULL),
	    0, "a broadcast");
	check_refusals(c);
	collective_client_close(c, true);
	collective_client_close(NULL, true);
}

static void
check_deeds(const char *directory)
{
	static const struct {
		enum deed deed;
		const char *wanted; /* NULL: it succeeds */
		enum error_code code;
		bool is_over; /* the next one fails too */
	} rows[] = {
		{ ECHOES, NULL, ERROR_NONE, false },
		{ ECHOES_SLOWLY, NULL, ERROR_NONE, false },
		{ REFUSES, sentence, ERROR_UNAVAILABLE, false },
		{ ENDS, "poprun has ended", ERROR_UNAVAILABLE, true },
		{ ENDS_WITHIN, "poprun has ended", ERROR_UNAVAILABLE, true },
		{ SHORTENS, "all-reduce 'x': poprun sent 7 bytes instead of 8",
		    ERROR_UNAVAILABLE, true },
		{ CONFUSES, "poprun sent an unexpected message",
		    ERROR_UNAVAILABLE, true },
		{ RAVES, "poprun sent an unexpected message", ERROR_UNAVAILABLE,
		    true },
	};
	struct collective_client *c;
	struct poprun p;
	struct error e;
	float values[2];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		poprun_start(&p, directory, rows[i].deed);
		c = join(directory);
		values[0] = 3;
		values[1] = -4;
		e = (struct error){ .text = "" };
		is_int(collective_client_sum(c, "x", ELEMENT_FLOAT, values, 2,
			   &e),
		    rows[i].wanted != NULL ? -1 : 0, "a sum");
		is_str(e.text, rows[i].wanted != NULL ? rows[i].wanted : "",
		    "what it says");
		is_int(e.code, rows[i].code, "its code");
		ok(values[0] == 3 && values[1] == -4, "the vector stays");
		if (rows[i].is_over) {
			is_int(collective_client_barrier(c, "y", &e), -1,
			    "and the next");
			is_str(e.text,
			    "the connection to poprun was lost earlier",
			    "is not tried");
		} else
			check_refusals(c);
		collective_client_close(c, i % 2 == 0);
		poprun_end(&p);
		is_int(p.left,
		    rows[i].is_over ? -1 :
			i % 2 == 0  ? COLLECTIVE_FOR_GOOD :
				      0,
		    "how it left");
	}
}

/* The vector goes through memory that its owner cannot take away. */
static void
check_large(const char *directory)
{
	struct collective_client *c;
	struct poprun p;
	float *values = xcalloc(LARGE, sizeof(*values));
	struct stat st;
	size_t i, same = 0;

	poprun_start(&p, directory, ECHOES);
	c = join(directory);
	for (i = 0; i < LARGE; i++)
		values[i] = (float)i;
	is_int(collective_client_sum(c, "x", ELEMENT_FLOAT, values, LARGE,
		   NULL),
	    0, "a large vector");
	for (i = 0; i < LARGE; i++)
		same += values[i] == (float)i;
	is_int((long long)same, LARGE, "is there and back");
	is_int(collective_client_sum(c, "x", ELEMENT_FLOAT, values, LARGE / 2,
		   NULL),
	    0, "half of it, in the same memory");
	ok(p.memory != -1 && fstat(p.memory, &st) == 0 &&
		(size_t)st.st_size >= LARGE * sizeof(*values),
	    "the memory that poprun was given");
	ok((fcntl(p.memory, F_GET_SEALS) & (F_SEAL_SHRINK | F_SEAL_GROW)) ==
		(F_SEAL_SHRINK | F_SEAL_GROW),
	    "keeps its size");
	is_int(ftruncate(p.memory, 0), -1, "and cannot be cut");
	collective_client_close(c, false);
	poprun_end(&p);
	free(values);
}

/* A socket below a directory whose path does not fit into its address. */
static void
check_long_path(const char *directory)
{
	char *path = xasprintf("%s/%0150d", directory, 0);
	struct poprun p;
	struct collective_client *c;

	if (mkdir(path, 0700) != 0)
		abort();
	poprun_start(&p, path, ECHOES);
	c = join(path);
	ok(c != NULL, "a long path");
	is_int(collective_client_barrier(c, "x", NULL), 0, "and a barrier");
	collective_client_close(c, true);
	poprun_end(&p);
	free(path);
}

static void
check_nobody(const char *directory)
{
	char *path = xasprintf("%s/nobody", directory);
	char *wanted = xasprintf("the collectives of this job: cannot connect "
				 "to %s/collectives: No such file or directory",
	    path);
	const struct collective_member m = { .directory = path,
		.group = "",
		.members = 2 };
	struct error e;

	ok(collective_client_open(&m, &e) == NULL, "nobody there");
	is_str(e.text, wanted, "the reason");
	is_int(e.code, ERROR_NOT_FOUND, "its code");
	free(wanted);
	free(path);
}

/* Called without a place for a reason first, whatever it says then. */
static int
look(const void *context, struct error *e)
{
	int *looks = *(int *const *)context;

	++*looks;
	return *looks <= 2 && e != NULL ?
	    0 :
	    error_set(e, "the sky falls, look %d", *looks);
}

static void
check_look(const char *directory)
{
	int looks = 0, *context = &looks;
	struct poprun p;
	const struct collective_member m = { .directory = directory,
		.group = "",
		.members = 2,
		.look = look,
		.context = &context };
	struct collective_client *c;
	struct error e;

	poprun_start(&p, directory, WAITS);
	c = collective_client_open(&m, NULL);
	looks = 0;
	is_int(collective_client_barrier(c, "x", &e), -1, "nobody comes");
	is_str(e.text, "the sky falls, look 3", "and the look ends it");
	collective_client_close(c, false);
	poprun_end(&p);
}

int
main(void)
{
	const char *directory = tap_directory();

	check_alone();
	check_deeds(directory);
	check_large(directory);
	check_long_path(directory);
	check_nobody(directory);
	check_look(directory);
	return tap_done();
}
