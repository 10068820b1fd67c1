/*
 * The arithmetic and the copies of a collective operation, where its vectors
 * and results lie in memory.  Sums go through the members in their order.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_WORK_H
#define CORE_COLLECTIVE_COLLECTIVE_WORK_H

#include <stddef.h>

/* What a member brings and gets. */
struct collective_share {
	const unsigned char	*vector;
	unsigned char		*result;	/* NULL: elsewhere */
};

/*
 * Add up `count` elements of each of `members`, into each result.  Where all
 * fit into `out`, of `room` bytes, they stand there as well; else there has to
 * be a result for all.  A result may be where its member's vector is.
 */
void	collective_work_sum(int type, size_t count,
	    const struct collective_share *, size_t members,
	    unsigned char *out, size_t room);

/*
 * Each result becomes the vectors of all, of so many bytes, one behind the
 * other.  A vector may begin where its member's result does: then it is moved,
 * and the part says where to.
 */
void	collective_work_gather(size_t bytes, struct collective_share *,
	    size_t members);

/* Each result becomes the vector of the root. */
void	collective_work_broadcast(size_t bytes, const struct collective_share *,
	    size_t members, size_t root);

#endif
