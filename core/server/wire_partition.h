/*
 * Partitions, what is asked of one, and where one lies, as messages of
 * ipubox.v1, and back.  Messages that are filled are zeroed before;
 * rpc_message_release() frees what they hold.  Back, ERROR_INVALID says what
 * cannot be.
 */
#ifndef CORE_SERVER_WIRE_PARTITION_H
#define CORE_SERVER_WIRE_PARTITION_H

#include <ipubox_v1.pb.h>

#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

/* A partition as a message. */
void	wire_partition_put(const struct partition *, ipubox_v1_Partition *);

/*
 * With its pod all of it is checked; without one, NULL, as where it is told
 * alone, its placement and allocation are only within the limits of pods.
 */
int	wire_partition_get(const ipubox_v1_Partition *, const struct pod *,
	    struct partition *, struct error *);

/* Where it lies in a pod, both ways. */
void	wire_partition_put_placement(const struct placement *,
	    ipubox_v1_Placement *);
int	wire_partition_get_placement(const ipubox_v1_Placement *,
	    const struct pod *, struct placement *, struct error *);

/* A request, which is still to be checked: request_check(). */
void	wire_partition_put_request(const struct partition_request *,
	    ipubox_v1_PartitionRequest *);
int	wire_partition_get_request(const ipubox_v1_PartitionRequest *,
	    struct partition_request *, struct error *);

/* How long somebody waits, -1: for ever, as in struct wait_options. */
void	wire_partition_put_wait(int64_t wait_ms, ipubox_v1_Wait *);
int	wire_partition_get_wait(const ipubox_v1_Wait *, int64_t *wait_ms,
	    struct error *);

/* What it goes with: enum owner_kind, and a text for a person. */
void	wire_partition_put_owner(int kind, const char *text,
	    ipubox_v1_Owner *);
int	wire_partition_get_owner(const ipubox_v1_Owner *, int *kind,
	    char text[OWNER_TEXT_SIZE], struct error *);

#endif
