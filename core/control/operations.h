/*
 * The internals of a controller for its implementations: fields, and the table
 * of operations.  embedded_controller.c has the embedded one, core/server those
 * of a server.  Each function of core/control that is named here makes the
 * checks that every controller needs, then calls the table.
 */
#ifndef CORE_CONTROL_OPERATIONS_H
#define CORE_CONTROL_OPERATIONS_H

#include "core/control/control.h"

struct remote;

struct controller {
	const struct controller_operations *operations;
	int64_t (*now_ms)(void);       /* ms since the epoch */
	int64_t (*monotonic_ms)(void); /* for durations */
	void (*sleep_ms)(int64_t);
	bool admin;		  /* may do everything; a server decides that
				     for itself */
	struct error left;	  /* controller_leftover(), or "" */
	struct versions versions; /* release named in IPUoF files */
	/* Embedded controller only. */
	struct state state;
	struct user user;	/* the caller; its name is "" without one */
	bool shares_partitions; /* settings_share_partitions() */
	/* Server only. */
	struct remote *remote;	    /* its connection, else NULL */
	const char *where;	    /* controller_where(), else NULL */
	char files[DIRECTORY_SIZE]; /* controller_set_files() */
};

/* Set the clock and sleep of this host and the default release; the caller then
   sets the table. */
void controller_init(struct controller *);

struct controller_operations {
	/* controller_close(), transaction_list(), and
	   transaction_list_partitions(). */
	void (*close)(struct controller *);
	int (*list)(struct controller *, struct snapshot *, struct error *);
	int (*list_partitions)(struct controller *, bool agents,
	    struct snapshot *, struct error *);

	/* reader_open_of() */
	int (*open_registry)(struct controller *, struct registry *,
	    struct error *);
	/* controller_list_ipus(), but 0: listed; -1: refused.  NULL: its
	   listing is empty, because the pod has all of it. */
	int (*list_ipus)(struct controller *, char **agents, size_t agent_count,
	    struct ipu_listing *, struct error *);

	/* create_owned_partition() and queue_create(), for a checked request;
	   the owner may be NULL.  So may `created`, `adopted` and `after`, but
	   not `removed`. */
	int (*create)(struct controller *, const struct partition_request *,
	    const struct partition_owner *, struct partition *created,
	    struct error *);
	int (*queue)(struct controller *, const struct partition_request *,
	    const struct partition_owner *, const struct wait_options *,
	    struct partition *created, struct error *);
	/* queue_list(); NULL: the server does not report waiters. */
	long (*list_waiting)(struct controller *, struct ticket **out,
	    struct error *);
	/* adopt_partition(); NULL: partitions never outlive their owners. */
	int (*adopt)(struct controller *, const char *name,
	    const struct partition_owner *, struct partition *adopted,
	    struct error *);

	/* remove_begin() or, unless `expected` is NULL, remove_begin_same(). */
	int (*remove)(struct controller *, const char *name,
	    const struct partition *expected, bool force,
	    struct partition *removed, struct error *);
	/* remove_check() */
	int (*check_unused)(struct controller *, const struct snapshot *,
	    const struct partition *, struct error *);
	/* reset_partition() */
	int (*reset)(struct controller *, const char *name, bool relocatable,
	    bool force, struct partition *after, struct error *);
	/* ipuof_config(); NULL: it makes ipuof_text() of the pod itself. */
	char *(*ipuof)(struct controller *, const struct partition *, int gcd,
	    struct error *);

	/* pod_change_run(), cluster_test_run(), inject_fault() */
	int (*change_pod)(struct controller *,
	    int (*change)(struct inventory *, void *, struct error *), void *,
	    struct error *);
	int (*test_cluster)(struct controller *, const char *cluster,
	    bool force, struct cluster_test *results, struct error *);
	int (*inject)(struct controller *, const struct injection *,
	    struct error *);

	/* users_get(), users_list(), and their changes */
	int (*get_user)(struct controller *, const char *name, struct user *,
	    struct error *);
	int (*list_users)(struct controller *, struct user **out,
	    struct error *);
	int (*create_user)(struct controller *, const char *name,
	    const struct user_change *, struct error *);
	int (*update_user)(struct controller *, const char *name,
	    const struct user_change *, struct error *);
	int (*remove_user)(struct controller *, const char *name,
	    struct error *);

	/* Server only: controller_version(), controller_hold(),
	   controller_leave(), which then calls close(). */
	int (*version)(struct controller *,
	    char version[CONTROLLER_VERSION_SIZE], struct error *);
	int (*hold)(struct controller *, int fd, struct error *);
	void (*leave)(struct controller *);
};

#endif
