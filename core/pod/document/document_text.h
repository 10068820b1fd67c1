/*
 * A pod and its partitions written as one text: ipubox-pod(5).
 */
#ifndef CORE_POD_DOCUMENT_DOCUMENT_TEXT_H
#define CORE_POD_DOCUMENT_DOCUMENT_TEXT_H

#include "core/pod/partition.h"
#include "core/pod/pod.h"

/*
 * The text of a pod and its partitions, in this order; reading it gives the
 * same again.  How machines fare and partitions came to be is not in it.  The
 * caller frees it.
 */
char	*document_text(const struct pod *, const struct partition *,
	    int partition_count);

#endif
