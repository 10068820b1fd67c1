/*
 * All links of a job at poprun: it listens, lets in who knows the secret, one
 * connection per instance, and tells what arrives.  What an instance writes
 * goes into a pipe per stream, whose read end the caller gets: so the rest of
 * poprun sees no difference between an instance that it started itself and one
 * on another host.  What it reads comes from a descriptor as well.
 *
 * Who reads a pipe need not tell how far: the hub grants an instance as much as
 * went into the pipe, and keeps what the pipe has no room for, which is never
 * more than a stream's window.  So link_hub_continue() is to be called until
 * the pipes have been read to their ends.
 */
#ifndef CORE_PROCESS_LINK_HUB_H
#define CORE_PROCESS_LINK_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/process/link.h"
#include "core/process/link_address.h"

/* The variables by which a process finds its job: an address, and the secret as
   hexadecimal digits. */
#define LINK_ADDRESS_VARIABLE	"IPUBOX_LINK"
#define LINK_SECRET_VARIABLE	"IPUBOX_LINK_SECRET"

enum {
	LINK_HUB_GUESTS = 64,		/* connections that have not proved
					   themselves, besides one for each
					   instance */
	LINK_HUB_GUEST_MS = 10000	/* the time they have for that */
};

enum link_hub_kind {
	LINK_HUB_OPEN,		/* the instance's process is there */
	LINK_HUB_MESSAGE,	/* `message`, of kinds from LINK_STARTED on */
	LINK_HUB_LOST,		/* its link is over; `reason` */
	LINK_HUB_VISITOR	/* a connection of that instance that is no
				   link: `fd`, the caller's from now on */
};

/* Who proves to be so many more than an instance is a visitor of that one; in a
   job of no instances there are visitors alone, with any number. */
enum { LINK_HUB_VISITORS = 1 << 20 };

struct link_hub_event {
	enum link_hub_kind		 kind;
	int				 instance;
	const struct link_message	*message;
	const struct error		*reason;
	int				 fd;
};

struct link_hub;

/*
 * Listen on a socket in the job's directory; or, where `reach` is not NULL, so
 * that other hosts may connect (link_address_listen_reach()).  A secret is
 * made.  NULL: that cannot be done.  link_hub_free() also removes the socket.
 * Events come during link_hub_continue(); what they call may send, and ask for
 * outputs.  SIGPIPE has to be ignored.
 */
struct link_hub	*link_hub_new(int instances, const char *directory,
		    const struct link_reach *reach,
		    void (*event)(void *context,
		    const struct link_hub_event *), void *context,
		    struct error *);
void	link_hub_free(struct link_hub *);

/* The same in a forked process, where poprun goes on: the socket stays. */
void	link_hub_forget(struct link_hub *);

/* As link_address_connect() takes it, and the secret's digits: for the
   variables above. */
const char	*link_hub_address(const struct link_hub *);
const char	*link_hub_secret(const struct link_hub *);

/* Another secret than the one that was made, before anything else. */
void	link_hub_set_secret(struct link_hub *, const unsigned char *);

/* Readable when there is something to do; and do it, without waiting. */
int	link_hub_fd(const struct link_hub *);
void	link_hub_continue(struct link_hub *);

/* Close the connections that have not proved themselves by `now_ms`, of
   clock_monotonic_ms().  link_hub_continue() does that. */
void	link_hub_expire(struct link_hub *, int64_t now_ms);

/*
 * The read end of what the instance writes to stream 1 or 2, made when asked
 * for first, and the caller's from then on; it ends with the stream or the
 * link.  Until then the instance may write nothing.  -1 and errno.
 */
int	link_hub_output(struct link_hub *, int instance, int stream);

/* Whether anything waits because its pipe is full. */
bool	link_hub_holds_output(const struct link_hub *);

/*
 * The instance reads from this descriptor, the hub's from now on, at its own
 * pace; before it is there nothing is read.  Once for an instance.
 */
void	link_hub_input(struct link_hub *, int instance, int fd);

/* To one instance, or to all that are there (-1). */
void	link_hub_send(struct link_hub *, int instance, enum link_kind,
	    const void *body, size_t);

#endif
