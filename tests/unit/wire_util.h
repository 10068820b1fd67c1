/*
 * What the tests of messages share: a pod, what is in it, and a way through
 * bytes.
 */
#ifndef TESTS_UNIT_WIRE_UTIL_H
#define TESTS_UNIT_WIRE_UTIL_H

#include <pb.h>

#include <stdbool.h>

#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * A message through its bytes: `to` is what a peer gets.  Both are released by
 * the caller.
 */
void wire_through(const pb_msgdesc_t *, const void *from, void *to);

/* The same, and the sender's is released. */
#define THROUGH(type, m, out) \
	do { \
		wire_through(type##_fields, &(m), &(out)); \
		rpc_message_release(type##_fields, &(m)); \
	} while (0)

/*
 * Two clusters, the first over two ILDs, and a machine in none; a partition in
 * the first one that has something in each of its fields; a snapshot of that
 * pod with two of them.  The caller releases them.
 */
void wire_make_pod(struct pod *);
struct partition wire_make_partition(const char *name, int first_ild, int ilds,
    int offset, int per_ild);
void wire_make_snapshot(struct snapshot *);

/* Pods of the same names, machines and wires. */
bool wire_pods_equal(const struct pod *, const struct pod *);

/* Put another text, or NULL, in place of one of a message, which goes. */
void wire_replace_text(char **text, const char *by);

#endif
