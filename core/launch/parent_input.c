/*
 * Passes data from the link to the program's standard input, and tells poprun
 * how much of it the program takes.  At most a window of it waits here.  If the
 * program has closed its input, nothing more is written and poprun is told.
 */
#include "core/launch/parent.h"

#include <sys/epoll.h>

#include <fcntl.h>
#include <unistd.h>

enum { WINDOW_BYTES = 64 * 1024 };

void
parent_input_init(struct parent_input *i)
{
	*i = (struct parent_input){ .epoll = -1 };
	link_output_init(&i->pipe, -1, 0, WINDOW_BYTES);
}

static void
parent_input_tell(struct link *l, size_t taken)
{
	unsigned char body[sizeof(uint32_t)];
	size_t used = 0;

	link_put(body, &used, (uint32_t)taken);
	link_send(l, LINK_INPUT_TAKEN, 0, body, used);
}

int
parent_input_open(struct parent_input *i, struct link *l, bool reads,
    int *input)
{
	if (!reads) {
		*input = open("/dev/null", O_RDONLY | O_CLOEXEC);
		return 0;
	}
	i->epoll = epoll_create1(EPOLL_CLOEXEC);
	link_output_init(&i->pipe, i->epoll, 0, WINDOW_BYTES);
	i->pipe.counted = true;
	if (i->epoll == -1 || (*input = link_output_open(&i->pipe)) == -1)
		return -1;
	if (i->pipe.counted)
		parent_input_tell(l, 0);
	link_grant(l, 0, WINDOW_BYTES);
	return 0;
}

void
parent_input_release(struct parent_input *i)
{
	link_output_release(&i->pipe);
	if (i->epoll != -1)
		(void)close(i->epoll);
	parent_input_init(i);
}

/* Report what the program has taken, and grant credit for what the pipe has
   taken, or report that its reader is gone. */
static void
parent_input_answer(struct parent_input *i, struct link *l)
{
	const size_t taken = i->pipe.counted ? link_output_taken(&i->pipe) : 0;
	size_t more;

	if (taken > i->reported &&
	    (i->pipe.broken || i->pipe.begin == i->pipe.end)) {
		parent_input_tell(l, taken - i->reported);
		i->reported = taken;
	}
	if (i->pipe.broken) {
		if (!i->close_reported)
			link_send(l, LINK_INPUT_CLOSED, 0, NULL, 0);
		i->close_reported = true;
		link_output_release(&i->pipe);
	} else if ((more = link_output_grant(&i->pipe)) > 0)
		link_grant(l, 0, more);
}

void
parent_input_take(struct parent_input *i, struct link *l,
    const struct link_message *m)
{
	if (m->kind == LINK_DATA)
		link_output_take(&i->pipe, m->body, m->size);
	else
		link_output_end(&i->pipe);
	parent_input_answer(i, l);
}

void
parent_input_end(struct parent_input *i, struct link *l)
{
	if (i->pipe.fd == -1)
		return;
	i->pipe.broken = true;
	parent_input_answer(i, l);
}

struct pollfd
parent_input_poll(const struct parent_input *i)
{
	return (struct pollfd){ .fd = i->epoll, .events = POLLIN };
}

void
parent_input_continue(struct parent_input *i, struct link *l)
{
	link_output_continue(&i->pipe);
	parent_input_answer(i, l);
}
