/*
 * What the files of this library share.  It is C99 and C++11 at once, and needs
 * a compiler and a libc only.  Nothing here is for programs.
 */
#ifndef POPDIST_INTERNAL_H
#define POPDIST_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* before the first header of the system */
#endif

#include <sys/types.h>
#include <sys/uio.h>

#include <stddef.h>
#include <stdint.h>

#include "../include/ipubox.h"
#include "../include/popdist.h"

#define POPDIST_HIDDEN	__attribute__((visibility("hidden")))
#define POPDIST_PRINTF	__attribute__((format(printf, 2, 3)))

#ifdef __cplusplus
extern "C" {
#endif

/* popdist_error.c: the calling thread's error.  All return -1. */
POPDIST_HIDDEN int	popdist_fail(int code, const char *format, ...)
			    POPDIST_PRINTF;
/* The same, followed by errno's text. */
POPDIST_HIDDEN int	popdist_fail_errno(int code, const char *format, ...)
			    POPDIST_PRINTF;
/* The same, and set the word that ipubox_error_word() returns. */
POPDIST_HIDDEN int	popdist_fail_word(int code, const char *word,
			    const char *text);

/* popdist_context.c */
struct popdist_context {
	int	is_set, uniform;
	int	num_total_replicas, num_local_replicas, num_ipus_per_replica;
	int	replica_index_offset, local_instance_index;
	int	num_instances, instance_index;	/* 0: not uniform */
};

POPDIST_HIDDEN int	popdist_read_context(struct popdist_context *);
/* Read a variable, which must be at least `min`.  If it is not set, the value
   is `otherwise`; if that is -1, the variable must be set. */
POPDIST_HIDDEN int	popdist_read_variable(const char *name, int min,
			    int otherwise, int *value);
/* Convert POPDIST_TIMEOUT from seconds to milliseconds; 0: no limit. */
#define POPDIST_TIMEOUT_MAX_MS	4000000000U
POPDIST_HIDDEN int	popdist_read_timeout(const char *text, uint32_t *ms);

/*
 * popdist_lane.c: a connection to poprun, which one thread uses at a time.
 * Threads that take part at once have one each, so none ever waits for
 * another one's operation.
 */
enum {
	POPDIST_INLINE_MAX = 32 * 1024,	/* larger vectors go through memory */
	POPDIST_NAME_MAX = 255,
	POPDIST_HEAD_BYTES = 16
};

enum popdist_kind {
	POPDIST_HELLO = 1, POPDIST_MEMORY, POPDIST_OPERATION,
	POPDIST_COMMUNICATOR, POPDIST_LEAVE, POPDIST_MAILBOX, POPDIST_WAKE,
	POPDIST_DONE = 128, POPDIST_ERROR, POPDIST_WOKEN
};

struct popdist_member {
	int		 instance;
	const char	*group;			/* "": all instances */
	int		 member, members;	/* index in the group, and its
						   size */
};

struct popdist_lane {
	struct popdist_lane	*next;		/* next in the pool */
	int			 fd;		/* -1: closed */
	int			 busy;		/* a thread uses it */
	uint32_t		 request;	/* number of the last message */
	unsigned char		*memory;	/* shared with poprun, or
						   NULL */
	size_t			 memory_bytes;
	unsigned char		*mailbox;	/* for small messages, or
						   NULL */
	unsigned char		*buffer;	/* a message from poprun */
	/* Called when the socket's time limit ends a wait.  A result other
	   than 0 ends the connection; without the function it ends, too. */
	int			(*look)(void *context);
	void			*context;
};

/* A message: the head, for which `bytes` begins with free room, the body after
   it, `more`, and a descriptor or -1. */
struct popdist_message {
	enum popdist_kind	 kind;
	int			 flags;
	unsigned char		*bytes;		/* head and body */
	size_t			 body_bytes;
	const void		*more;
	size_t			 more_bytes;
	int			 descriptor;
};

/* Write or read a number of a message, little endian; _get reads at most 4
   bytes. */
POPDIST_HIDDEN unsigned char	*popdist_put(unsigned char *at, uint64_t value,
				    int bytes);
POPDIST_HIDDEN uint32_t	popdist_get(const unsigned char *at, int bytes);
POPDIST_HIDDEN int	popdist_lane_open(struct popdist_lane *,
			    const char *directory, int instance, int instances);
/* The same with a connected socket, which the lane takes over; without a
   mailbox. */
POPDIST_HIDDEN int	popdist_lane_use(struct popdist_lane *, int fd,
			    const struct popdist_member *);
/* Tell poprun that this member leaves, and close.  The wait for its answer is
   short, because it may have been stopped. */
enum { POPDIST_FOR_GOOD = 1 };			/* flag: and will not return */
POPDIST_HIDDEN void	popdist_lane_leave(struct popdist_lane *, int flags);
POPDIST_HIDDEN void	popdist_lane_close(struct popdist_lane *);
/*
 * Send a message and wait for its answer.  0: DONE, with *body_bytes bytes at
 * lane->buffer + POPDIST_HEAD_BYTES.  -1: the lane is closed if it cannot be
 * used any more.
 */
POPDIST_HIDDEN int	popdist_lane_ask(struct popdist_lane *,
			    struct popdist_message *, size_t *body_bytes);
/* Give the lane at least so many bytes of shared memory. */
POPDIST_HIDDEN int	popdist_lane_memory(struct popdist_lane *, size_t);
/* _share: return memory that two processes can map, and its descriptor; or
   NULL.  _pass: pass it to poprun by that kind of message. */
POPDIST_HIDDEN unsigned char	*popdist_lane_share(size_t bytes, int *fd);
POPDIST_HIDDEN int	popdist_lane_pass(struct popdist_lane *,
			    enum popdist_kind, int fd, size_t bytes);

/* popdist_mailbox.c: give the lane a mailbox if possible. */
POPDIST_HIDDEN void	popdist_mailbox_open(struct popdist_lane *);
POPDIST_HIDDEN void	popdist_mailbox_close(struct popdist_lane *);
/* Ask through the mailbox.  Returns the size of the answer in the lane's
   buffer; 0: no answer comes. */
POPDIST_HIDDEN size_t	popdist_mailbox_ask(struct popdist_lane *,
			    const struct iovec parts[2]);

/* popdist_backend.c */
struct popdist_place {			/* where an operation goes */
	struct popdist_lane	*lane;		/* NULL: this is the only
						   member */
	const char		*communicator;	/* "": all instances */
	int			 instance, instances;
	uint32_t		 position;	/* in the communicator */
	uint32_t		 members;	/* number of them */
	uint32_t		 timeout_ms;
};

/* Take a lane for the calling thread, and give it back.  `communicator` may be
   NULL. */
POPDIST_HIDDEN int	popdist_take_place(struct popdist_place *,
			    const char *communicator);
POPDIST_HIDDEN void	popdist_give_place(struct popdist_place *);

/* popdist_call.c: one call of a program. */
enum popdist_operation {
	POPDIST_BARRIER = 1, POPDIST_SUM, POPDIST_GATHER, POPDIST_BROADCAST
};

struct popdist_call {
	enum popdist_operation	 operation;
	int			 type;
	size_t			 count;
	const void		*in;
	void			*out;
	int			 root;
	const char		*id;		/* NULL: "default" */
	size_t			 id_bytes;
	size_t			 bytes;		/* size of a vector */
	size_t			 sent;		/* bytes that go to poprun */
	size_t			 result;	/* bytes that come back */
};

/* _check: check what does not depend on the members.  _run: check the rest, and
   perform the operation; only after _check. */
POPDIST_HIDDEN int	popdist_call_check(struct popdist_call *);
POPDIST_HIDDEN int	popdist_call_run(struct popdist_call *,
			    const struct popdist_place *);

/*
 * ipubox_child.c: an `ipubox __device`, a child of the program that holds a
 * device for it.  One thread uses it at a time.
 */
enum { IPUBOX_LINE_MAX = 8192 };

struct ipubox_child {
	int	fd;			/* -1: there is none */
	pid_t	pid, owner;		/* owner: who started it */
	size_t	used, taken;		/* bytes in the buffer, and of those
					   the lines that were read */
	char	buffer[IPUBOX_LINE_MAX];
};

POPDIST_HIDDEN int	ipubox_child_start(struct ipubox_child *);
/* End the child; the device is free afterwards. */
POPDIST_HIDDEN void	ipubox_child_end(struct ipubox_child *);
/* Send a line of request and read a line of answer, without its "ok", which is
   valid until the next line is read. */
POPDIST_HIDDEN int	ipubox_child_ask(struct ipubox_child *,
			    const char *request, char **answer);
/* Read the next line of a long answer. */
POPDIST_HIDDEN int	ipubox_child_line(struct ipubox_child *, char **line);

#ifdef __cplusplus
}
#endif

#endif
