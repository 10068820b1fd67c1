/*
 * A controller on a server, over a connection: what both of its tables of
 * operations share, and the tables.  Private to core/server.
 */
#ifndef CORE_SERVER_REMOTE_H
#define CORE_SERVER_REMOTE_H

#include <pb.h>

#include "core/control/operations.h"
#include "core/server/rpc/rpc.h"
#include "core/server/server.h"

struct remote {
	struct rpc_client *client;
	char where[SERVER_ADDRESS_TEXT_SIZE];
	struct caller caller;
	struct rpc_metadata_row metadata[CALLER_METADATA_ROWS];
	struct rpc_stream *lease; /* of a partition that goes with the
				     connection, or NULL */
};

/* Functions of both tables; remote_version() tells what the server says. */
void remote_close(struct controller *);
int remote_version(struct controller *, char version[CONTROLLER_VERSION_SIZE],
    struct error *);
int remote_hold(struct controller *, int fd, struct error *);
void remote_leave(struct controller *);

/*
 * Ask and wait.  The reply, which is of that type and zeroed, is the caller's
 * to release where it is there: 0.  -1: the server refused, with its code and
 * its sentence; ERROR_DAMAGED: what it answers is not such a message.
 */
int remote_ask(struct controller *, const char *path, const pb_msgdesc_t *,
    const void *request, const pb_msgdesc_t *, void *reply, struct error *);
/* The same, at most so long: ERROR_TIMED_OUT; 0: without a limit. */
int remote_ask_within(struct controller *, const char *path,
    const pb_msgdesc_t *, const void *request, const pb_msgdesc_t *,
    void *reply, int64_t timeout_ms, struct error *);

/* The same for a call of many answers: begin it, and take the next one.
   1: the next one; 0: it has ended; -1 as above. */
struct rpc_stream *remote_begin(struct controller *, const char *path,
    const pb_msgdesc_t *, const void *request, struct error *);
int remote_next(struct controller *, struct rpc_stream *, const pb_msgdesc_t *,
    void *reply, struct error *);

/*
 * The server said what cannot be: "the answer of HOST:PORT is refused: TEXT",
 * ERROR_DAMAGED.
 */
int remote_distrust(const struct controller *, struct error *);

/*
 * A vipu-server does all that the embedded controller does, over package
 * ipubox.v1: config/sdk/proto/ipubox_v1.proto.
 */
#define REMOTE_IPUBOX_SERVICE "ipubox.v1.ControllerService"
extern const struct controller_operations remote_ipubox_operations;

/* Functions of that table, in remote_ipubox_pod.c. */
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
 * Any other server of the published contract, package virmgrpc
 * (config/sdk/proto/virmgrpc.proto): its partitions can be listed, created,
 * removed and reset, and nothing else.
 */
extern const struct controller_operations remote_virm_operations;

/*
 * IPUoF files of a server's partitions are on the caller's host and are the
 * caller's, who may be another user than the server's.  This writes those of a
 * new partition into the directory, which the partition has from now on here;
 * where that fails the partition is removed again.
 */
int remote_files_write(struct controller *, const struct pod *,
    struct partition *, const char *directory, struct error *);

/* Removes the files that this caller has of a partition that is gone, or has no
   files any more; controller_left() tells of a file that stays. */
void remote_files_remove(struct controller *, const struct partition *);

/* Checks, before a partition is removed without force, that its files can be
   removed with it. */
int remote_files_check_removal(struct controller *, const char *partition,
    struct error *);

/* Asks for a snapshot, and fills in the directories of this caller's files;
   files of partitions that are gone are removed. */
int remote_files_list(struct controller *,
    int (*ask)(struct controller *, struct snapshot *, struct error *),
    struct snapshot *, struct error *);

#endif
