/*
 * Sums, gathers and broadcasts in memory.
 */
#include "core/collective/collective_work.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/element.h"

/* One element after the other would go through the memory once for each
   member; a block stays in the cache until all have it. */
enum { BLOCK_BYTES = 32 * 1024 };

void
collective_work_sum(int type, size_t count, const struct collective_share *p,
    size_t members, unsigned char *out, size_t room)
{
	const size_t	 size = element_size(type), total = count * size;
	const size_t	 block = total <= room ? total : room < BLOCK_BYTES ?
	    room / size * size : BLOCK_BYTES;
	const void	**vectors = xcalloc(members, sizeof(*vectors));
	size_t		 at, n, i;

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

/*
 * The vector of one that begins where its result does would be overwritten by
 * the first member's: so it moves to its own place in the result.
 */
void
collective_work_gather(size_t bytes, struct collective_share *p,
    size_t members)
{
	size_t	i, j;

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

void
collective_work_broadcast(size_t bytes, const struct collective_share *p,
    size_t members, size_t root)
{
	size_t	i;

	for (i = 0; i < members && bytes > 0; i++)
		if (p[i].result != NULL && p[i].result != p[root].vector)
			memmove(p[i].result, p[root].vector, bytes);
}
