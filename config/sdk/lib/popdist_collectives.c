/*
 * The collectives: check the arguments, bring this instance's vector to poprun,
 * which does the sums, and take the result.
 */
#include "popdist_internal.h"

#include <string.h>

enum operation { BARRIER = 1, SUM, GATHER, BROADCAST };

enum {
	IN_MEMORY = 1,			/* the flag */
	OPERATION_BYTES = 40,		/* without name, id and vector */
	PAGE = 4096			/* where a result begins */
};

/* One call of a program. */
struct call {
	enum operation	 operation;
	int		 type;
	size_t		 count;
	const void	*in;
	void		*out;
	int		 root;
	const char	*id;
	size_t		 id_bytes;
	size_t		 bytes;		/* of a vector */
	size_t		 sent;		/* of it, that go to poprun */
	size_t		 result;	/* bytes that come back */
};

static const char *
call_name(enum operation operation)
{
	static const char *const	names[] = { "", "barrier", "all-reduce",
	    "all-gather", "broadcast" };

	return names[operation];
}

/* Bytes of an element; 0: there is no such type. */
static size_t
type_bytes(int type)
{
	static const unsigned char	bytes[] = { 0, 2, 4, 8, 1, 2, 4, 8, 1 };

	return type < 0 || type > POPDIST_BOOL ? 0 : bytes[type];
}

/* What can be said without knowing who takes part. */
static int
check_call(struct call *c)
{
	const char	*name = call_name(c->operation);
	const size_t	 size = type_bytes(c->type);

	if (c->id == NULL)
		c->id = "default";
	c->id_bytes = strlen(c->id);
	if (c->id_bytes == 0 || c->id_bytes > POPDIST_NAME_MAX)
		return popdist_fail(POPDIST_INVALID, "%s: an id must have 1 to "
		    "%d bytes, not %lu", name, POPDIST_NAME_MAX,
		    (unsigned long)c->id_bytes);
	if (c->operation == BARRIER)
		return 0;
	if (size == 0)
		return popdist_fail(POPDIST_INVALID, "%s '%s': %d is not a "
		    "type of elements", name, c->id, c->type);
	if (c->operation == SUM && c->type == POPDIST_BOOL)
		return popdist_fail(POPDIST_INVALID, "%s '%s': bool cannot be "
		    "added up", name, c->id);
	if (c->count > SIZE_MAX / 4 / size)
		return popdist_fail(POPDIST_INVALID, "%s '%s': %lu elements "
		    "are too many", name, c->id, (unsigned long)c->count);
	if (c->out == NULL && c->count > 0)
		return popdist_fail(POPDIST_INVALID, "%s '%s': the vector is "
		    "missing", name, c->id);
	c->bytes = c->count * size;
	return 0;
}

/* How many bytes go and come for this instance. */
static int
size_call(struct call *c, const struct popdist_place *place)
{
	const int	is_root = c->root == place->instance;

	if (c->root < 0 || c->root >= place->instances)
		return popdist_fail(POPDIST_INVALID, "%s '%s': instance %d "
		    "does not exist", call_name(c->operation), c->id, c->root);
	c->sent = c->operation == BROADCAST && !is_root ? 0 : c->bytes;
	c->result = c->bytes;
	if (c->operation != GATHER)
		return 0;
	if (c->bytes > SIZE_MAX / 4 / place->members)
		return popdist_fail(POPDIST_INVALID, "%s '%s': %lu elements "
		    "of each instance are too many", call_name(c->operation),
		    c->id, (unsigned long)c->count);
	c->result = c->bytes * place->members;
	return 0;
}

/* Who is the only member has the result already. */
static int
answer_alone(const struct call *c)
{
	if (c->in != c->out && c->bytes > 0)
		(void)memmove(c->out, c->in, c->bytes);
	return 0;
}

/* OPERATION, with the vector behind it or in the memory. */
static int
ask(const struct call *c, const struct popdist_place *place, int in_memory,
    uint64_t result_at)
{
	unsigned char		 bytes[POPDIST_HEAD_BYTES + OPERATION_BYTES +
				    2 * POPDIST_NAME_MAX], *at;
	const size_t		 name_bytes = strlen(place->communicator);
	const size_t		 expected = in_memory ? 0 : c->result;
	struct popdist_message	 message;
	size_t			 answer;

	at = bytes + POPDIST_HEAD_BYTES;
	*at++ = (unsigned char)c->operation;
	*at++ = (unsigned char)c->type;
	at = popdist_put(at, name_bytes, 2);
	at = popdist_put(at, c->id_bytes, 2);
	at = popdist_put(at, 0, 2);
	at = popdist_put(at, (uint64_t)c->root, 4);
	at = popdist_put(at, place->timeout_ms, 4);
	at = popdist_put(at, c->count, 8);
	at = popdist_put(at, 0, 8);
	at = popdist_put(at, result_at, 8);
	(void)memcpy(at, place->communicator, name_bytes);
	(void)memcpy(at + name_bytes, c->id, c->id_bytes);
	(void)memset(&message, 0, sizeof(message));
	message.kind = POPDIST_OPERATION;
	message.flags = in_memory ? IN_MEMORY : 0;
	message.bytes = bytes;
	message.body_bytes = OPERATION_BYTES + name_bytes + c->id_bytes;
	message.more = in_memory ? NULL : c->in;
	message.more_bytes = in_memory ? 0 : c->sent;
	message.descriptor = -1;
	if (popdist_lane_ask(place->lane, &message, &answer) != 0)
		return -1;
	if (answer == expected)
		return 0;
	popdist_lane_close(place->lane);
	return popdist_fail(POPDIST_UNAVAILABLE, "%s '%s': poprun sent %lu "
	    "bytes instead of %lu", call_name(c->operation), c->id,
	    (unsigned long)answer, (unsigned long)expected);
}

/* Through the memory: one copy in, one out. */
static int
ask_by_memory(const struct call *c, const struct popdist_place *place)
{
	struct popdist_lane	*lane = place->lane;
	size_t			 at = 0;

	/* What is gathered may not overlap this instance's part. */
	if (c->operation == GATHER)
		at = (c->bytes + PAGE - 1) / PAGE * PAGE;
	if (popdist_lane_memory(lane, at + c->result) != 0)
		return -1;
	if (c->sent > 0)
		(void)memcpy(lane->memory, c->in, c->sent);
	if (ask(c, place, 1, at) != 0)
		return -1;
	/* The root of a broadcast has it. */
	if (c->operation != BROADCAST || c->sent == 0)
		(void)memcpy(c->out, lane->memory + at, c->result);
	return 0;
}

static int
ask_by_message(const struct call *c, const struct popdist_place *place)
{
	if (ask(c, place, 0, 0) != 0)
		return -1;
	if (c->result > 0)
		(void)memcpy(c->out, place->lane->buffer + POPDIST_HEAD_BYTES,
		    c->result);
	return 0;
}

static int
run(struct call *c, const char *communicator)
{
	struct popdist_place	place;
	int			status;

	if (check_call(c) != 0 || popdist_take_place(&place, communicator) !=
	    0)
		return -1;
	/* In place: this instance's part stands where it will stand. */
	if (c->operation == GATHER && c->in == NULL && c->count > 0)
		c->in = (const char *)c->out + c->bytes * place.position;
	status = size_call(c, &place);
	if (status == 0 && place.lane == NULL)
		status = answer_alone(c);
	else if (status == 0 && c->result <= POPDIST_INLINE_MAX)
		status = ask_by_message(c, &place);
	else if (status == 0)
		status = ask_by_memory(c, &place);
	popdist_give_place(&place);
	return status;
}

int
popdist_synchronize(const char *communicator, const char *id)
{
	struct call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = BARRIER;
	c.id = id;
	return run(&c, communicator);
}

int
popdist_all_reduce_sum(void *data, size_t count, int type,
    const char *communicator, const char *id)
{
	struct call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = SUM;
	c.type = type;
	c.count = count;
	c.in = c.out = data;
	c.id = id;
	return run(&c, communicator);
}

int
popdist_all_gather(const void *data, void *all, size_t count, int type,
    const char *communicator, const char *id)
{
	struct call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = GATHER;
	c.type = type;
	c.count = count;
	c.in = data;
	c.out = all;
	c.id = id;
	return run(&c, communicator);
}

int
popdist_broadcast(void *data, size_t count, int type, int root,
    const char *communicator, const char *id)
{
	struct call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = BROADCAST;
	c.type = type;
	c.count = count;
	c.in = c.out = data;
	c.root = root;
	c.id = id;
	return run(&c, communicator);
}
