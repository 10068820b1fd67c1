/*
 * The embedded controller from within: what the files of core/control that
 * change the state share.  Private to core/control and its tests.
 *
 * Every change reads:
 *
 *	transaction_begin	takes the lock, lets happen what was due by now
 *	login_find		checks the caller, and finds the partition
 *	hold_all		lets no program attach meanwhile
 *	...			changes it by the rules of core/pod
 *	tick_run		lets happen what follows from it at once
 *	hold_none
 *	transaction_end
 */
#ifndef CORE_CONTROL_CONTROLLER_INTERNAL_H
#define CORE_CONTROL_CONTROLLER_INTERNAL_H

#include "core/control/operations.h"

/*
 * login_caller lets the caller in; login_check looks whether it still is, and
 * whether it is limited to some allocations; login_limit takes out of a
 * snapshot what it may not see, which is then no longer for a change;
 * login_find returns the index of a partition that it may touch.
 * All of them refuse a caller that is not let in (ERROR_UNAUTHENTICATED).
 */
int login_caller(struct controller *, const struct caller *, struct error *);
int login_check(struct controller *, bool *limited, struct error *);
int login_limit(struct controller *, struct snapshot *, struct error *);
int login_find(struct controller *, const struct snapshot *,
    const char *partition, struct error *);

/* Begin a change, with a snapshot that is true, and end it. */
int transaction_begin(struct controller *, struct snapshot *, struct error *);
void transaction_end(struct controller *, struct snapshot *);

/*
 * Plan, or make, a partition under the lock, of a checked request; the owner
 * may be NULL.  1: its IPUs are not free now, and the text says who has them.
 */
int create_plan(struct controller *, const struct snapshot *,
    const struct partition_request *, struct partition *planned,
    struct error *);
int create_under_lock(struct controller *, struct snapshot *,
    const struct partition_request *, const struct partition_owner *,
    struct partition *created, struct error *);

/*
 * Hold every IPU of the partition, so that no program attaches while it
 * changes.  ERROR_BUSY: a program is attached, and the text names it.
 * hold_none() ends it always.
 */
int hold_all(struct controller *, const struct snapshot *,
    const struct partition *, struct error *);
/* The same refusal, and nothing is held. */
int hold_check(struct controller *, const struct snapshot *,
    const struct partition *, struct error *);
void hold_none(struct controller *, const struct snapshot *,
    const struct partition *);

/*
 * Under the lock: remove the partition or, with `going`, store that it goes;
 * its files first, by force also without them.  -1: nothing has changed; with
 * ERROR_UNCONFIRMED it may be gone.
 */
int discard_partition(struct controller *, const struct pod *,
    const struct partition *, const struct partition *going, bool force,
    struct error *);

/* 0: no user has the allocation.  -1: the text names the users that have it, or
   a user cannot be read.  The caller has the lock. */
int users_allocation_unused(struct controller *, const char *allocation,
    struct error *);

/* The functions of its table: see struct controller_operations. */
int transaction_embedded_list(struct controller *, struct snapshot *,
    struct error *);
int create_embedded(struct controller *, const struct partition_request *,
    const struct partition_owner *, struct partition *created, struct error *);
int queue_embedded(struct controller *, const struct partition_request *,
    const struct partition_owner *, const struct wait_options *,
    struct partition *created, struct error *);
int adopt_embedded(struct controller *, const char *name,
    const struct partition_owner *, struct partition *adopted, struct error *);
int remove_embedded(struct controller *, const char *name,
    const struct partition *expected, bool force, struct partition *removed,
    struct error *);
int reset_embedded(struct controller *, const char *name, bool relocatable,
    bool force, struct partition *after, struct error *);
bool reset_embedded_is_needed(struct controller *, const struct snapshot *,
    const struct partition *);
int pod_change_embedded(struct controller *,
    int (*change)(struct inventory *, void *, struct error *), void *,
    struct error *);
int cluster_test_embedded(struct controller *, const char *cluster, bool force,
    struct cluster_test *results, struct error *);
int inject_embedded(struct controller *, const struct injection *,
    struct error *);
int users_embedded_get(struct controller *, const char *name, struct user *,
    struct error *);
int users_embedded_create(struct controller *, const char *name,
    const struct user_change *, struct error *);
int users_embedded_update(struct controller *, const char *name,
    const struct user_change *, struct error *);
int users_embedded_remove(struct controller *, const char *name,
    struct error *);

#endif
