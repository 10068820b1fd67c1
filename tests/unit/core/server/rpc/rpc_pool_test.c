/* Blocks of memory that are kept for the next one. */
#include "core/server/rpc/rpc_frame.h"

#include <stdint.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static struct rpc_pool pool;

static void
sizes(void)
{
	static const size_t wanted[] = { 0, 1, 64, 65, 2048, 2049, 70000 };
	unsigned char *memory;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		memory = pool.mem.malloc(wanted[i], &pool);
		is_int((uintptr_t)memory % 16, 0, "a block of any type");
		memset(memory, 0xa5, wanted[i]);
		pool.mem.free(memory, &pool);
		memory = pool.mem.calloc(1, wanted[i], &pool);
		ok(wanted[i] == 0 ||
			(memory[0] == 0 && memory[wanted[i] - 1] == 0),
		    "zeros");
		pool.mem.free(memory, &pool);
	}
	ok(pool.mem.malloc(SIZE_MAX, &pool) == NULL, "too much");
	ok(pool.mem.calloc(SIZE_MAX / 8, 9, &pool) == NULL, "times too much");
	pool.mem.free(NULL, &pool);
}

static void
reuse(void)
{
	void *first = pool.mem.malloc(100, &pool);
	void *second = pool.mem.malloc(100, &pool);

	pool.mem.free(first, &pool);
	ok(pool.mem.malloc(128, &pool) == first, "the next of its size");
	ok(pool.mem.realloc(first, 65, &pool) == first, "less stays there");
	memset(first, 7, 128);
	first = pool.mem.realloc(first, 5000, &pool);
	is_int(((unsigned char *)first)[127], 7, "more has what was there");
	pool.mem.free(first, &pool);
	pool.mem.free(second, &pool);
	first = pool.mem.realloc(NULL, 10, &pool);
	ok(first != NULL, "from nothing");
	pool.mem.free(first, &pool);
}

/* What many calls needed at once is not kept for ever. */
static void
limit(void)
{
	enum { COUNT = 1000, SIZE = 1024 };
	static void *all[COUNT];
	int i;

	for (i = 0; i < COUNT; i++)
		all[i] = pool.mem.malloc(SIZE, &pool);
	for (i = 0; i < COUNT; i++)
		pool.mem.free(all[i], &pool);
	ok(pool.kept_bytes <= RPC_POOL_KEPT_MAX, "so much is kept");
	ok(pool.kept_bytes > RPC_POOL_KEPT_MAX / 2, "and not much less");
	rpc_pool_release(&pool);
	is_int((long)pool.kept_bytes, 0, "all is given back");
}

int
main(void)
{
	rpc_pool_init(&pool);
	sizes();
	reuse();
	limit();
	return tap_done();
}
