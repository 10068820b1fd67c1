/* Messages and descriptors from one end of a socket to the other. */
#include "core/process/process.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "tests/unit/tap.h"

enum { INSTANCES = 3 };

static int ours, theirs;

static void
add(struct packet *p, int instance)
{
	p->messages[p->count++] =
	    (struct supervisor_message){ .kind = SUPERVISOR_STARTED,
		    .instance = instance,
		    .pid = 100 + instance };
}

/* A pipe for each instance, whose read end is sent: its write end. */
static void
send_instances(int writers[INSTANCES])
{
	struct packet p;
	int fds[2], i;

	packet_init(&p);
	for (i = 0; i < INSTANCES; i++) {
		if (pipe2(fds, O_CLOEXEC) != 0)
			_exit(1);
		p.files[p.file_count++] = fds[0];
		writers[i] = fds[1];
		add(&p, i);
	}
	is_int(packet_send(&p, ours), 0, "sent");
	ok(p.count == 0 && p.file_count == 0, "it is empty again");
	ok(fcntl(fds[0], F_GETFD) == -1 && errno == EBADF,
	    "the sender has no descriptor of it");
}

static void
test_files(void)
{
	struct packet p;
	char byte;
	int writers[INSTANCES], i;

	send_instances(writers);
	is_int(packet_receive(&p, theirs), 0, "received");
	is_int((long long)p.count, INSTANCES, "all messages");
	is_int((long long)p.file_count, INSTANCES, "all descriptors");
	for (i = 0; i < INSTANCES; i++) {
		is_int(p.messages[i].instance, i, "in their order");
		is_int(p.messages[i].pid, 100 + i, "with their values");
		byte = (char)('a' + i);
		ok(write(writers[i], &byte, 1) == 1 &&
			read(p.files[i], &byte, 1) == 1 && byte == 'a' + i,
		    "and so are the pipes");
		ok(fcntl(p.files[i], F_GETFD) == FD_CLOEXEC, "close-on-exec");
		(void)close(p.files[i]);
		(void)close(writers[i]);
	}
}

static void
test_room(void)
{
	struct packet p;
	int i;

	packet_init(&p);
	is_int(packet_send(&p, ours), 0, "an empty one is not sent");
	for (i = 0; i < PACKET_MESSAGES; i++) {
		ok(packet_has_room(&p, 0), "there is room");
		add(&p, i);
	}
	ok(!packet_has_room(&p, 0), "it is full");
	is_int(packet_send(&p, ours), 0, "sent");
	is_int(packet_receive(&p, theirs), 0, "received");
	is_int((long long)p.count, PACKET_MESSAGES, "all of them");
	is_int((long long)p.file_count, 0, "and no descriptor");
	p.file_count = PACKET_FILES - 1;
	ok(!packet_has_room(&p, 2), "no room for two descriptors");
}

/* A receiver who may open no more learns that some are missing. */
static void
test_cut(void)
{
	struct packet p;
	struct rlimit limit, few;
	int writers[INSTANCES], i;

	send_instances(writers);
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		_exit(1);
	few = limit;
	few.rlim_cur = 0;
	if (setrlimit(RLIMIT_NOFILE, &few) != 0)
		_exit(1);
	is_int(packet_receive(&p, theirs), 0, "received");
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	is_int((long long)p.count, INSTANCES, "all messages");
	is_int((long long)p.file_count, 0, "no descriptor");
	for (i = 0; i < INSTANCES; i++)
		(void)close(writers[i]);
}

/* The last packet of an end arrives, even if that end closes before it has read
   everything. */
static void
test_unread(void)
{
	struct packet p;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		_exit(1);
	packet_init(&p);
	add(&p, 1);
	is_int(packet_send(&p, ends[0]), 0, "a packet that stays unread");
	add(&p, 2);
	is_int(packet_send(&p, ends[1]), 0, "the last one of the other end");
	(void)close(ends[1]);
	is_int(packet_receive(&p, ends[0]), 0, "which arrives");
	is_int(p.messages[0].instance, 2, "whole");
	is_int(packet_receive(&p, ends[0]), -1, "then the end");
	(void)close(ends[0]);
}

/* The last test: one side goes. */
static void
test_end(void)
{
	struct packet p;

	(void)close(ours);
	is_int(packet_receive(&p, theirs), -1, "the other side is gone");
	is_int((long long)p.count, 0, "nothing came");
	add(&p, 0);
	is_int(packet_send(&p, theirs), EPIPE, "nobody listens");
	add(&p, 0);
	is_int(packet_send(&p, -1), 0, "no socket: dropped");
}

int
main(void)
{
	int sockets[2];

	(void)alarm(60);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
		return 1;
	ours = sockets[0];
	theirs = sockets[1];
	test_files();
	test_room();
	test_cut();
	test_unread();
	test_end();
	return tap_done();
}
