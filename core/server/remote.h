/*
 * A controller on a server, over a connection: the shared functions of both
 * tables of operations, and the tables.  Private to core/server.
 */
#ifndef CORE_SERVER_REMOTE_H
#define CORE_SERVER_REMOTE_H

#include "core/control/operations.h"
#include "core/server/server.h"

struct remote {
	struct rpc_client *client;
	char where[SERVER_ADDRESS_TEXT_SIZE];
	struct caller caller;
	struct rpc_metadata_row metadata[CALLER_METADATA_ROWS];
	struct rpc_stream *lease; /* lease of an owned partition, or NULL */
};

/* Members of both tables, for controller_close() and so on.  _hold: with a
   lease, wait until `fd` is readable; -1: the lease ended before.  _leave:
   leave the connection to a forked process. */
void remote_close(struct controller *);
int remote_version(struct controller *, char version[CONTROLLER_VERSION_SIZE],
    struct error *);
int remote_hold(struct controller *, int fd, struct error *);
void remote_leave(struct controller *);

/*
 * Call the server and wait.  0: it overwrites *reply, which the caller then
 * releases.  -1, nothing to release: the server refused, with its code and
 * text; ERROR_DAMAGED, not such a message; ERROR_UNAVAILABLE, connection lost.
 */
int remote_ask(struct controller *, const char *path, const pb_msgdesc_t *,
    const void *request, const pb_msgdesc_t *, void *reply, struct error *);
/* Do the same with a time limit (0: unlimited): ERROR_TIMED_OUT. */
int remote_ask_within(struct controller *, const char *path,
    const pb_msgdesc_t *, const void *request, const pb_msgdesc_t *,
    void *reply, int64_t timeout_ms, struct error *);

/* Begin a call with many answers, or return NULL; the caller ends it with
   rpc_stream_drop().  _next waits for an answer.  1: *reply has it, to be
   released; 0: the server ended the call; -1: as remote_ask(). */
struct rpc_stream *remote_begin(struct controller *, const char *path,
    const pb_msgdesc_t *, const void *request, struct error *);
int remote_next(struct controller *, struct rpc_stream *, const pb_msgdesc_t *,
    void *reply, struct error *);

/* Refuse an impossible answer: the existing text of the error, which says why,
   becomes "the answer of HOST:PORT is not valid: TEXT", and its code
   ERROR_DAMAGED.  Returns -1. */
int remote_refuse(const struct controller *, struct error *);

/* A vipu-server supports everything that the embedded controller does, through
   package ipubox.v1: config/sdk/proto/ipubox_v1.proto. */
#define REMOTE_IPUBOX_SERVICE "ipubox.v1.ControllerService"
extern const struct controller_operations remote_ipubox_operations;

/* Members of that table, in remote_ipubox_pod.c.  `change` is called again, up
   to 5 times in all, if the pod changed meanwhile.  _users returns a count or
   -1; after a count the caller frees *out. */
int remote_ipubox_pod_change(struct controller *,
    int (*change)(struct inventory *, void *, struct error *), void *,
    struct error *);
int remote_ipubox_pod_test(struct controller *, const char *cluster, bool force,
    struct cluster_test *results, struct error *);
int remote_ipubox_pod_inject(struct controller *, const struct injection *,
    struct error *);
int remote_ipubox_pod_user(struct controller *, const char *name, struct user *,
    struct error *);
int remote_ipubox_pod_users(struct controller *, struct user **out,
    struct error *);
int remote_ipubox_pod_create_user(struct controller *, const char *name,
    const struct user_change *, struct error *);
int remote_ipubox_pod_update_user(struct controller *, const char *name,
    const struct user_change *, struct error *);
int remote_ipubox_pod_remove_user(struct controller *, const char *name,
    struct error *);

/*
 * All other servers of the published contract, package virmgrpc
 * (config/sdk/proto/virmgrpc.proto), can only list, create, remove and reset
 * partitions.
 */
extern const struct controller_operations remote_virm_operations;

/*
 * Write a new partition's IPUoF files into the directory, and record that in
 * the partition.  Does nothing if the directory is "" or the partition is
 * relocatable.  -1: not written; the partition was removed from the server.
 * Files of a server's partitions are on the caller's host and belong to the
 * caller, which may be another user than the server's.
 */
int remote_files_write(struct controller *, const struct pod *,
    struct partition *, const char *directory, struct error *);

/* Remove this caller's files of a partition that was removed or became
   relocatable; controller_leftover() reports a file that cannot be removed. */
void remote_files_remove(struct controller *, const struct partition *);

/* Check before an unforced removal that a partition's files can be removed.  0
   also if their place is not known. */
int remote_files_check_removal(struct controller *, const char *partition,
    struct error *);

/* Get a snapshot by ask(), with or without agents, fill in the directories of
   this caller's files, and if it is complete, remove the files of partitions
   that are gone. */
int remote_files_list(struct controller *,
    int (*ask)(struct controller *, bool agents, struct snapshot *,
	struct error *),
    bool agents, struct snapshot *, struct error *);

#endif
