/*
 * The collectives of a program.
 */
#include "popdist_internal.h"

#include <string.h>

static int
run(struct popdist_call *c, const char *communicator)
{
	struct popdist_place	place;
	int			status;

	if (popdist_call_check(c) != 0 ||
	    popdist_take_place(&place, communicator) != 0)
		return -1;
	status = popdist_call_run(c, &place);
	popdist_give_place(&place);
	return status;
}

int
popdist_synchronize(const char *communicator, const char *id)
{
	struct popdist_call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = POPDIST_BARRIER;
	c.id = id;
	return run(&c, communicator);
}

int
popdist_all_reduce_sum(void *data, size_t count, int type,
    const char *communicator, const char *id)
{
	struct popdist_call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = POPDIST_SUM;
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
	struct popdist_call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = POPDIST_GATHER;
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
	struct popdist_call	c;

	(void)memset(&c, 0, sizeof(c));
	c.operation = POPDIST_BROADCAST;
	c.type = type;
	c.count = count;
	c.in = c.out = data;
	c.root = root;
	c.id = id;
	return run(&c, communicator);
}
