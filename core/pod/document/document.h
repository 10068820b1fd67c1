/*
 * A whole pod with its partitions as one text: ipubox-pod(5).
 */
#ifndef CORE_POD_DOCUMENT_DOCUMENT_H
#define CORE_POD_DOCUMENT_DOCUMENT_H

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/pod.h"
#include "core/pod/request.h"

/* A partition as the text asks for it. */
struct document_partition {
	struct partition_request	request;	/* checked */
	int				line;
};

struct document {
	const char			*origin;	/* not copied */
	struct pod			 pod;
	struct document_partition	*partitions;	/* in their order */
	int				 partition_count;
};

/*
 * Read a text: the pod as pod_file_parse() does, and what can be said of each
 * partition without the others.  Where they lie is the plan's work.  A refusal
 * is "ORIGIN:LINE: text".  Release it also after a failure.
 */
int	document_parse(struct document *, const char *origin,
	    const char *text, struct error *);
void	document_release(struct document *);

/*
 * The text of a pod and its partitions, in this order; reading it gives the
 * same again.  How machines fare and partitions came to be is not in it.  The
 * caller frees it.
 */
char	*document_text(const struct pod *, const struct partition *,
	    int partition_count);

/* "ag01:0", the partition's first IPU, into first[NAME_SIZE + 8]. */
void	document_text_place(const struct pod *, const struct placement *,
	    char *first, size_t size);

#endif
