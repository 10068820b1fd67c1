/*
 * Carries out messages to the collectives and answers them.  Read
 * collective_service_take() first, then service_act().
 */
#include "core/collective/collective_service.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/collective/collective_lane.h"

enum {
	HELD_MAX = 64 * 1024 * 1024
}; /* most bytes of waiting vectors per connection */

/* ---- the operations, in memory ---- */

/* Adding member by member would read the whole memory once for each; a block
   stays in the cache until all are added. */
enum { BLOCK_BYTES = 32 * 1024 };

/* A member's contribution and result. */
struct share {
	const unsigned char *vector;
	unsigned char *result; /* NULL: not in its memory */
};

/* Add `count` elements of each of `members`, in their order, into each result.
   If all fit into `out`, of `room` bytes, the sum is left there as well; else
   every member needs a result.  A result may be at its member's vector. */
static void
add_up(int type, size_t count, const struct share *p, size_t members,
    unsigned char *out, size_t room)
{
	const size_t size = element_size(type), total = count * size;
	const size_t block = total <= room ? total :
	    room < BLOCK_BYTES		   ? room / size * size :
					     BLOCK_BYTES;
	const void **vectors = xcalloc(members, sizeof(*vectors));
	size_t at, n, i;

	for (at = 0; at < total; at += n) {
		n = total - at < block ? total - at : block;
		for (i = 0; i < members; i++)
			vectors[i] = p[i].vector + at;
		element_sum(type, vectors, members, n / size, out);
		for (i = 0; i < members; i++)
			if (p[i].result != NULL)
				memcpy(p[i].result + at, out, n);
	}
	free(vectors);
}

/* Set each result to the vectors of all, of `bytes` each, in member order.  A
   vector at the beginning of its result would be overwritten by the first
   member's, so it is first moved to its final place. */
static void
gather(size_t bytes, struct share *p, size_t members)
{
	size_t i, j;

	if (bytes == 0)
		return;
	for (i = 1; i < members; i++)
		if (p[i].vector == p[i].result) {
			memmove(p[i].result + i * bytes, p[i].vector, bytes);
			p[i].vector = p[i].result + i * bytes;
		}
	for (i = 0; i < members; i++)
		for (j = 0; j < members && p[i].result != NULL; j++)
			if (p[i].result + j * bytes != p[j].vector)
				memmove(p[i].result + j * bytes, p[j].vector,
				    bytes);
}

/* Set each result to the root's vector. */
static void
broadcast(size_t bytes, const struct share *p, size_t members, size_t root)
{
	size_t i;

	for (i = 0; i < members && bytes > 0; i++)
		if (p[i].result != NULL && p[i].result != p[root].vector)
			memmove(p[i].result, p[root].vector, bytes);
}

/* ---- answers ---- */

/* Answer with the result, unless it is in the program's memory; for another
   host it is sent there. */
static void
service_answer(const struct collective_request *r, struct iovec *results,
    size_t count)
{
	struct collective_connection *c = r->connection;
	const struct collective_head h = { .size = COLLECTIVE_HEAD_BYTES,
		.kind = COLLECTIVE_DONE,
		.request = r->number };
	unsigned char done[COLLECTIVE_HEAD_BYTES];
	uint64_t bytes = 0;
	size_t i;

	if (!c->is_far || !r->in_memory || r->result == NULL) {
		collective_connection_done(c, r->number, results,
		    r->in_memory ? 0 : count);
		return;
	}
	for (i = 0; i < count; i++)
		bytes += results[i].iov_len;
	collective_message_put_head(done, &h);
	collective_connection_transfer(c, c->memory,
	    (uint64_t)(r->result - c->memory), bytes, done, sizeof(done));
}

/* Carry out an operation of which all members have come. */
static void
service_carry_out(struct collective_service *s,
    const struct collective_event *event)
{
	const size_t bytes = event->operation == COLLECTIVE_CHAIN ?
	    COLLECTIVE_LANE_CARD_BYTES :
	    element_size(event->type) * (size_t)event->elements;
	struct share *parts = xcalloc(event->count, sizeof(*parts));
	struct iovec *results = xcalloc(event->count, sizeof(*results));
	size_t i, count = 1;

	for (i = 0; i < event->count; i++)
		parts[i] = (struct share){ .vector = event->requests[i]->vector,
			.result = event->requests[i]->result };
	results[0].iov_len = bytes;
	switch ((enum collective_operation)event->operation) {
	case COLLECTIVE_BARRIER:
		count = 0;
		break;
	case COLLECTIVE_SUM:
		add_up(event->type, (size_t)event->elements, parts,
		    event->count, s->scratch, COLLECTIVE_MESSAGE_MAX);
		results[0].iov_base = s->scratch;
		break;
	case COLLECTIVE_CHAIN:
	case COLLECTIVE_GATHER:
		gather(bytes, parts, event->count);
		for (count = 0; count < event->count; count++) {
			results[count].iov_len = bytes;
			memcpy(&results[count].iov_base, &parts[count].vector,
			    sizeof(parts[count].vector));
		}
		break;
	case COLLECTIVE_BROADCAST:
		broadcast(bytes, parts, event->count, event->root);
		memcpy(&results[0].iov_base, &parts[event->root].vector,
		    sizeof(parts[event->root].vector));
		break;
	}
	for (i = 0; i < event->count; i++)
		service_answer(event->requests[i], results, count);
	free(results);
	free(parts);
}

/* Do what the table decided, and answer the waiting requests. */
static void
service_act(void *context, const struct collective_event *event)
{
	struct collective_request *r;
	size_t i;

	if (event->kind == COLLECTIVE_CARRY_OUT)
		service_carry_out(context, event);
	for (i = 0; i < event->count; i++) {
		r = event->requests[i];
		if (event->kind == COLLECTIVE_REFUSE)
			collective_connection_refuse(r->connection, r->number,
			    event->code, event->text);
		else if (event->kind == COLLECTIVE_CONFIRM)
			collective_connection_done(r->connection, r->number,
			    NULL, 0);
		collective_connection_settle(r);
	}
}

void
collective_service_init(struct collective_service *s, int instances)
{
	s->table = collective_table_new(instances, service_act, s);
	s->scratch = xmalloc(COLLECTIVE_MESSAGE_MAX);
}

void
collective_service_release(struct collective_service *s)
{
	collective_table_free(s->table);
	free(s->scratch);
}

void
collective_service_reject(struct collective_connection *c, uint32_t request,
    const char *text)
{
	collective_connection_refuse(c, request, COLLECTIVE_MALFORMED, text);
	c->over = true;
}

static int
service_take_hello(struct collective_service *s,
    struct collective_connection *c, const struct collective_head *h,
    const unsigned char *body, size_t size, struct error *e)
{
	struct collective_hello hello;
	enum collective_code code = COLLECTIVE_OTHER_VERSION;

	if (collective_message_get_hello(&hello, body, size, e) != 0)
		return -1;
	if (hello.version != COLLECTIVE_VERSION)
		(void)error_set(e,
		    "the program uses version %lu of the collectives, but "
		    "poprun uses version %d; install the libraries of this "
		    "poprun with ipubox --install-sdk",
		    (unsigned long)hello.version, COLLECTIVE_VERSION);
	else {
		/* A process in another namespace knows itself by another
		   number. */
		if (c->pid == 0)
			c->pid = (pid_t)hello.pid;
		c->guest = collective_table_join(s->table, &hello, c->pid,
		    &code, e);
	}
	if (c->guest != NULL)
		collective_connection_welcome(c, h->request);
	else
		collective_connection_refuse(c, h->request, code, e->text);
	return 0;
}

/* Map memory for vectors, or as a mailbox. */
static int
service_take_memory(struct collective_connection *c,
    const struct collective_head *h, const unsigned char *body, size_t size,
    struct error *e)
{
	uint64_t bytes;
	int status;

	if (collective_message_get_memory(&bytes, body, size, e) != 0)
		return -1;
	status = collective_connection_map(c, (enum collective_kind)h->kind,
	    bytes, e);
	if (status == 0)
		collective_connection_done(c, h->request, NULL, 0);
	else if (e->code == ERROR_INVALID)
		return -1;
	else
		collective_connection_refuse(c, h->request, COLLECTIVE_NO_ROOM,
		    e->text);
	return 0;
}

/* The bytes of a call's vector and result. */
struct call_sizes {
	size_t vector, result;
};

/* Compute them; -1: there cannot be so many. */
static int
service_measure(const struct collective_guest *guest,
    const struct collective_call *call, struct call_sizes *sizes,
    struct error *e)
{
	const size_t size = element_size(call->type);
	const size_t members = collective_table_size(guest, call->communicator);
	size_t bytes;

	*sizes = (struct call_sizes){ .vector = 0 };
	if (call->operation == COLLECTIVE_BARRIER || size == 0)
		return 0;
	if (call->count > SSIZE_MAX / size / (members + 1))
		return error_set_code(e, ERROR_INVALID,
		    "%llu elements are too many",
		    (unsigned long long)call->count);
	bytes = (size_t)call->count * size;
	if (call->operation == COLLECTIVE_CHAIN) {
		sizes->vector = COLLECTIVE_LANE_CARD_BYTES;
		sizes->result = members * COLLECTIVE_LANE_CARD_BYTES;
		return 0;
	}
	if (call->operation != COLLECTIVE_BROADCAST ||
	    collective_table_is_member(guest, call->root))
		sizes->vector = bytes;
	sizes->result = call->operation == COLLECTIVE_GATHER ?
	    bytes * members :
	    bytes;
	return 0;
}

/* Return true if these bytes at `offset` are inside the memory. */
static bool
service_is_inside(size_t memory_bytes, uint64_t offset, size_t bytes)
{
	return offset <= memory_bytes && bytes <= memory_bytes - offset;
}

/* Locate a call's vector and result, if they are in the memory. */
static int
service_find_memory(const struct collective_connection *c,
    const struct collective_call *call, const struct call_sizes *sizes,
    struct error *e)
{
	if (call->data_bytes != 0)
		return error_set_code(e, ERROR_INVALID,
		    "the vector is both in the memory and in the message");
	if ((sizes->vector == 0 ||
		service_is_inside(c->memory_bytes, call->vector,
		    sizes->vector)) &&
	    (sizes->result == 0 ||
		service_is_inside(c->memory_bytes, call->result,
		    sizes->result)))
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "a vector or a result lies outside the memory of %zu bytes",
	    c->memory_bytes);
}

/* Turn a call into a request for the table.  A call that cannot be answered
   fails for all members. */
static int
service_take_call(struct collective_service *s, struct collective_connection *c,
    const struct collective_head *h, const unsigned char *body, size_t size,
    struct error *e)
{
	const bool in_memory = (h->flags & COLLECTIVE_IN_MEMORY) != 0;
	struct collective_call call;
	struct collective_request *r;
	struct call_sizes sizes;
	const char *no_room = NULL;

	if (collective_message_get_call(&call, body, size, e) != 0 ||
	    service_measure(c->guest, &call, &sizes, e) != 0)
		return -1;
	if (call.operation == COLLECTIVE_CHAIN && (!c->is_far || in_memory))
		return error_set_code(e, ERROR_INVALID, "unknown operation %d",
		    call.operation);
	if (in_memory && service_find_memory(c, &call, &sizes, e) != 0)
		return -1;
	if (!in_memory && call.data_bytes != sizes.vector)
		return error_set_code(e, ERROR_INVALID,
		    "the vector has %zu bytes instead of %zu", call.data_bytes,
		    sizes.vector);
	r = collective_connection_ask(c, h->request, call.data_bytes,
	    in_memory);
	if (in_memory && sizes.vector > 0)
		r->vector = c->memory + call.vector;
	else if (call.data_bytes > 0)
		r->vector = memcpy(r->data, call.data, call.data_bytes);
	if (in_memory && sizes.result > 0)
		r->result = c->memory + call.result;
	if (!in_memory &&
	    sizes.result > COLLECTIVE_MESSAGE_MAX - COLLECTIVE_HEAD_BYTES)
		no_room = "the result is too large for a message";
	else if (c->held > HELD_MAX)
		no_room = "too many vectors of this program wait already";
	collective_table_call(s->table, c->guest, &call, r,
	    call.timeout_ms != 0 ? clock_monotonic_ms() : 0, no_room);
	return 0;
}

static int
service_take_set(struct collective_service *s, struct collective_connection *c,
    const struct collective_head *h, const unsigned char *body, size_t size,
    struct error *e)
{
	struct collective_set set;

	if (collective_message_get_set(&set, body, size, e) != 0)
		return -1;
	collective_table_register(s->table, c->guest, &set,
	    collective_connection_ask(c, h->request, 0, false));
	return 0;
}

static void
service_take_leave(struct collective_service *s,
    struct collective_connection *c, const struct collective_head *h)
{
	collective_table_leave(s->table, c->guest,
	    (h->flags & COLLECTIVE_FOR_GOOD) != 0);
	c->guest = NULL;
	collective_connection_done(c, h->request, NULL, 0);
}

void
collective_service_take(struct collective_service *s,
    struct collective_connection *c, const struct collective_head *h,
    const unsigned char *body)
{
	const size_t size = h->size - COLLECTIVE_HEAD_BYTES;
	struct error e;
	int status = 0;

	if ((c->guest == NULL) != (h->kind == COLLECTIVE_HELLO))
		status = error_set(&e, "a message of kind %d came %s hello",
		    h->kind, c->guest == NULL ? "before" : "after");
	else if (h->kind == COLLECTIVE_HELLO)
		status = service_take_hello(s, c, h, body, size, &e);
	else if (h->kind == COLLECTIVE_MEMORY || h->kind == COLLECTIVE_MAILBOX)
		status = service_take_memory(c, h, body, size, &e);
	else if (h->kind == COLLECTIVE_OPERATION)
		status = service_take_call(s, c, h, body, size, &e);
	else if (h->kind == COLLECTIVE_COMMUNICATOR)
		status = service_take_set(s, c, h, body, size, &e);
	else if (h->kind == COLLECTIVE_LEAVE)
		service_take_leave(s, c, h);
	else if (h->kind == COLLECTIVE_BYTES && c->is_far)
		status = collective_message_get_bytes(body, size, c->memory,
		    c->memory_bytes, &e);
	else if (h->kind != COLLECTIVE_WAKE) /* COLLECTIVE_WAKE has done its
						work */
		status = error_set(&e, "unknown kind of message: %d", h->kind);
	if (status != 0)
		collective_service_reject(c, h->request, e.text);
}
