/*
 * The numbers of a mailbox, and what stands behind them.  Each side writes its
 * bytes first, then its number; it says that it sleeps first, then looks once
 * more: so one of the two always sees the other one.
 */
#include "core/collective/collective_mailbox.h"

#include <sys/mman.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* Where in the memory, numbers of 64 bits on a cache line each. */
enum {
	REQUEST = 0, ANSWER = 64, PROGRAM_SLEEPS = 128, POPRUN_SLEEPS = 192,
	MESSAGE = COLLECTIVE_MAILBOX_PAGE,
	REPLY = MESSAGE + COLLECTIVE_MESSAGE_MAX
};

static _Atomic uint64_t *
mailbox_word(const struct collective_mailbox *m, int at)
{
	return (_Atomic uint64_t *)(void *)(m->memory + at);
}

void
collective_mailbox_open(struct collective_mailbox *m, unsigned char *memory)
{
	*m = (struct collective_mailbox){
		.memory = memory, .message = xmalloc(COLLECTIVE_MESSAGE_MAX)
	};
	m->taken = atomic_load(mailbox_word(m, REQUEST));
}

void
collective_mailbox_release(struct collective_mailbox *m)
{
	if (m->memory != NULL)
		(void)munmap(m->memory, COLLECTIVE_MAILBOX_BYTES);
	free(m->message);
	*m = (struct collective_mailbox){ .memory = NULL };
}

bool
collective_mailbox_has(const struct collective_mailbox *m)
{
	return !m->waits && atomic_load(mailbox_word(m, REQUEST)) != m->taken;
}

/* The program can still write there, so what is looked at is a copy. */
int
collective_mailbox_take(struct collective_mailbox *m,
    struct collective_head *h, const unsigned char **body, struct error *e)
{
	m->taken = atomic_load(mailbox_word(m, REQUEST));
	memcpy(m->message, m->memory + MESSAGE, COLLECTIVE_HEAD_BYTES);
	if (collective_message_get_head(h, m->message, e) != 0)
		return -1;
	if (h->request != (uint32_t)m->taken)
		return error_set_code(e, ERROR_INVALID, "the message in the "
		    "mailbox has another number than the mailbox says");
	*body = m->message + COLLECTIVE_HEAD_BYTES;
	memcpy(m->message + COLLECTIVE_HEAD_BYTES,
	    m->memory + MESSAGE + COLLECTIVE_HEAD_BYTES,
	    h->size - COLLECTIVE_HEAD_BYTES);
	m->waits = true;
	return 0;
}

bool
collective_mailbox_waits(const struct collective_mailbox *m, uint32_t number)
{
	return m->waits && (uint32_t)m->taken == number;
}

bool
collective_mailbox_answer(struct collective_mailbox *m,
    const struct iovec *parts, size_t count)
{
	unsigned char	*at = m->memory + REPLY;
	size_t		 i;

	for (i = 0; i < count; i++) {
		if (parts[i].iov_len > 0)
			memcpy(at, parts[i].iov_base, parts[i].iov_len);
		at += parts[i].iov_len;
	}
	m->waits = false;
	atomic_store(mailbox_word(m, ANSWER), m->taken);
	return atomic_load(mailbox_word(m, PROGRAM_SLEEPS)) != 0;
}

void
collective_mailbox_sleep(struct collective_mailbox *m, bool sleeps)
{
	atomic_store(mailbox_word(m, POPRUN_SLEEPS), sleeps ? 1 : 0);
}
