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

#endif
