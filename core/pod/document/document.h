/*
 * A whole pod with its partitions as one text: ipubox-pod(5).
 */
#ifndef CORE_POD_DOCUMENT_DOCUMENT_H
#define CORE_POD_DOCUMENT_DOCUMENT_H

#include "core/base/error.h"
#include "core/pod/document/pod_file.h"
#include "core/pod/pod.h"

struct document {
	struct pod			 pod;
	struct partition_section	*partitions;	/* in their order */
	int				 partition_count;
};

/*
 * Reads a text: the pod as pod_file_parse() does, and its partitions.  Each
 * request is checked and has its place: those that name a first IPU lie there,
 * and the others get the lowest place that is left, in the order of the text.
 * A refusal is "ORIGIN:LINE: text".  Release the document also after a failure.
 */
int	document_parse(struct document *, const char *origin,
	    const char *text, struct error *);
void	document_release(struct document *);

#endif
