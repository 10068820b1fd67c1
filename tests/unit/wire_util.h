/*
 * Shared by the tests of messages: a pod, its contents, and encoding.
 */
#ifndef TESTS_UNIT_WIRE_UTIL_H
#define TESTS_UNIT_WIRE_UTIL_H

#include <pb.h>

#include <stdbool.h>

#include "core/pod/pod.h"
#include "core/state/state.h"

/* Encode `from` and decode it into `to`.  The caller releases both. */
void wire_through(const pb_msgdesc_t *, const void *from, void *to);

/* Do the same and release the sender's message. */
#define THROUGH(type, m, out) \
	do { \
		wire_through(type##_fields, &(m), &(out)); \
		rpc_message_release(type##_fields, &(m)); \
	} while (0)

/* Make a pod of two clusters, the first over two ILDs, with a machine in
   neither; a partition in the first one with every field set; a snapshot of
   that pod with two partitions.  The caller releases them. */
void wire_make_pod(struct pod *);
struct partition wire_make_partition(const char *name, int first_ild, int ilds,
    int offset, int per_ild);
void wire_make_snapshot(struct snapshot *);

/* Whether both pods have the same names, machines and wires. */
bool wire_pods_equal(const struct pod *, const struct pod *);

/* Replace a text of a message by another, or NULL, and free the old one. */
void wire_replace_text(char **text, const char *by);

#endif
