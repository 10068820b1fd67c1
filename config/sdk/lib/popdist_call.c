/*
 * One collective: check the arguments, bring this instance's vector to poprun,
 * which does the sums, and take the result.  ipubox's own programs use this
 * file as well.
 */
#include "popdist_internal.h"

#include <string.h>

enum {
	IN_MEMORY = 1,			/* flag of an operation */
	OPERATION_BYTES = 40,		/* without name, id and vector */
	PAGE = 4096			/* where a result begins */
};

static const char *
call_name(enum popdist_operation operation)
{
	static const char *const	names[] = { "", "barrier", "all-reduce",
	    "all-gather", "broadcast" };

	return names[operation];
}

/* Return the bytes of an element; 0: the type is unknown. */
static size_t
type_bytes(int type)
{
	static const unsigned char	bytes[] = { 0, 2, 4, 8, 1, 2, 4, 8, 1 };

	return type < 0 || type > POPDIST_BOOL ? 0 : bytes[type];
}

int
popdist_call_check(struct popdist_call *c)
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
	if (c->operation == POPDIST_BARRIER)
		return 0;
	if (size == 0)
		return popdist_fail(POPDIST_INVALID, "%s '%s': %d is not a "
		    "type of elements", name, c->id, c->type);
	if (c->operation == POPDIST_SUM && c->type == POPDIST_BOOL)
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

/* Compute how many bytes this instance sends and receives. */
static int
size_call(struct popdist_call *c, const struct popdist_place *place)
{
	const int	is_root = c->root == place->instance;

	if (c->root < 0 || c->root >= place->instances)
		return popdist_fail(POPDIST_INVALID, "%s '%s': instance %d "
		    "does not exist", call_name(c->operation), c->id, c->root);
	c->sent = c->operation == POPDIST_BROADCAST && !is_root ? 0 : c->bytes;
	c->result = c->bytes;
	if (c->operation != POPDIST_GATHER)
		return 0;
	if (c->bytes > SIZE_MAX / 4 / place->members)
		return popdist_fail(POPDIST_INVALID, "%s '%s': %lu elements "
		    "of each instance are too many", call_name(c->operation),
		    c->id, (unsigned long)c->count);
	c->result = c->bytes * place->members;
	return 0;
}

/* Copy the vector of the only member: it is the result. */
static int
answer_alone(const struct popdist_call *c)
{
	if (c->in != c->out && c->bytes > 0)
		(void)memmove(c->out, c->in, c->bytes);
	return 0;
}

/* Send OPERATION, followed by the vector unless the memory has it, and take the
   answer. */
static int
ask(const struct popdist_call *c, const struct popdist_place *place,
    int in_memory, uint64_t result_at)
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

/* Exchange vectors through the memory: one copy in, one out. */
static int
ask_by_memory(const struct popdist_call *c, const struct popdist_place *place)
{
	struct popdist_lane	*lane = place->lane;
	size_t			 at = 0;

	/* The result must not overlap this instance's part. */
	if (c->operation == POPDIST_GATHER)
		at = (c->bytes + PAGE - 1) / PAGE * PAGE;
	if (popdist_lane_memory(lane, at + c->result) != 0)
		return -1;
	if (c->sent > 0)
		(void)memcpy(lane->memory, c->in, c->sent);
	if (ask(c, place, 1, at) != 0)
		return -1;
	/* The root of a broadcast has the result already. */
	if (c->operation != POPDIST_BROADCAST || c->sent == 0)
		(void)memcpy(c->out, lane->memory + at, c->result);
	return 0;
}

static int
ask_by_message(const struct popdist_call *c, const struct popdist_place *place)
{
	if (ask(c, place, 0, 0) != 0)
		return -1;
	if (c->result > 0)
		(void)memcpy(c->out, place->lane->buffer + POPDIST_HEAD_BYTES,
		    c->result);
	return 0;
}

int
popdist_call_run(struct popdist_call *c, const struct popdist_place *place)
{
	/* Without `in`, this instance's part is already in its place. */
	if (c->operation == POPDIST_GATHER && c->in == NULL && c->count > 0)
		c->in = (const char *)c->out + c->bytes * place->position;
	if (size_call(c, place) != 0)
		return -1;
	if (place->lane == NULL)
		return answer_alone(c);
	if (c->result <= POPDIST_INLINE_MAX)
		return ask_by_message(c, place);
	return ask_by_memory(c, place);
}
