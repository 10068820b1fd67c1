/*
 * What comes over a link.  The first byte says to which side it goes and
 * whether both ends have proved themselves before; the second, in pieces of
 * which size.  It is refused with a reason, or every message keeps the rules.
 */
#include <sys/socket.h>

#include <string.h>
#include <unistd.h>

#include "core/link/link.h"
#include "tests/fuzz/fuzz.h"

enum { GRANTED = 100, CREDIT_MAX = 1 << 30 };

static const unsigned char secret[LINK_SECRET_BYTES] = "secret";

struct seen {
	size_t data[LINK_STREAMS];
	bool ended[LINK_STREAMS];
};

static void
check_message(const struct link_message *m, struct seen *seen, bool to_poprun)
{
	static unsigned char body[LINK_BODY_MAX];
	uint32_t number;
	size_t used = 0;

	require(m->size <= LINK_BODY_MAX);
	memcpy(body, m->body, m->size); /* all of it is there */
	while (link_get(m, &used, &number))
		continue;
	require(m->size - used < sizeof(number));
	require(m->kind != LINK_CREDIT);
	if (m->kind != LINK_DATA && m->kind != LINK_END_OF_STREAM)
		return;
	require(m->stream >= 0 && m->stream < LINK_STREAMS);
	require((m->stream != 0) == to_poprun);
	require(!seen->ended[m->stream]);
	if (m->kind == LINK_END_OF_STREAM)
		seen->ended[m->stream] = true;
	seen->data[m->stream] += m->kind == LINK_DATA ? m->size : 0;
	require(seen->data[m->stream] <= GRANTED);
}

/* Everything that has come; false: the link is over. */
static bool
take(struct link *l, struct seen *seen, bool to_poprun)
{
	struct error e = { .text = "" };
	struct link_message m;
	int round, found;

	for (round = 0; round < 3; round++)
		while ((found = link_receive(l, &m, &e)) != 0) {
			if (found == -1) {
				require(e.text[0] != '\0');
				require(e.code != ERROR_NONE);
				require(link_receive(l, &m, NULL) == -1);
				require(link_room(l, 0) == 0);
				return false;
			}
			require(link_is_open(l));
			check_message(&m, seen, to_poprun);
		}
	require(link_room(l, to_poprun ? 0 : 1) <= LINK_BODY_MAX);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen seen = { .data = { 0 } }, none = { .data = { 0 } };
	struct link *l, *other;
	size_t piece, at;
	bool to_poprun, open, good = true;
	int fds[2];

	if (size < 2)
		return 0;
	to_poprun = (data[0] & 1) != 0;
	open = (data[0] & 2) != 0;
	piece = data[1] == 0 ? size : data[1];
	require(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
	l = link_new(fds[0], to_poprun ? LINK_POPRUN : LINK_PROCESS, secret, 3);
	other = link_new(fds[1], to_poprun ? LINK_PROCESS : LINK_POPRUN, secret,
	    3);
	if (open) {
		for (at = 0; at < 3; at++)
			require(take(l, &seen, to_poprun) &&
			    take(other, &none, !to_poprun));
		require(link_is_open(l) && link_is_open(other));
		link_grant(l, to_poprun ? 1 : 0, GRANTED);
		if (to_poprun)
			link_grant(l, 2, GRANTED);
	}
	for (at = 2; at < size && good; at += piece) {
		if (piece > size - at)
			piece = size - at;
		require(send(link_fd(other), data + at, piece, MSG_NOSIGNAL) ==
		    (ssize_t)piece);
		good = take(l, &seen, to_poprun);
	}
	require(open || !link_is_open(l));
	link_free(other);
	require(!take(l, &seen, to_poprun));
	link_free(l);
	return 0;
}
