/*
 * Internals of the embedded controller, shared by the files of core/control
 * that change the state.  Private to core/control and its tests.
 *
 * A change of a partition reads:
 *
 *	transaction_begin	takes the lock, lets due events happen
 *	login_find_change	checks the caller, and finds the partition
 *	hold_all		prevents programs from attaching meanwhile
 *	...			changes it by the rules of core/pod
 *	hold_release
 *	tick_run		lets immediate consequences happen
 *	transaction_end
 */
#ifndef CORE_CONTROL_CONTROLLER_INTERNAL_H
#define CORE_CONTROL_CONTROLLER_INTERNAL_H

#include "core/control/operations.h"

/*
 * login_caller admits the caller.  login_check checks the caller again, and
 * sets whether it is limited to some allocations.  login_limit removes from a
 * snapshot what the caller may not see; do not base changes on the result.
 * login_find returns the index of a partition that the caller may use, or -1
 * (ERROR_NOT_FOUND).  login_find_change also refuses partitions of other users
 * (ERROR_DENIED).  All return -1 for a caller that is not admitted
 * (ERROR_UNAUTHENTICATED).
 */
int login_caller(struct controller *, const struct caller *, struct error *);
int login_check(struct controller *, bool *limited, struct error *);
int login_limit(struct controller *, struct snapshot *, struct error *);
int login_find(struct controller *, const struct snapshot *,
    const char *partition, struct error *);
int login_find_change(struct controller *, const struct snapshot *,
    const char *partition, struct error *);

/* Begin a change: take the lock and an up-to-date snapshot.  After -1 nothing
   has to be ended.  _end releases both. */
int transaction_begin(struct controller *, struct snapshot *, struct error *);
void transaction_end(struct controller *, struct snapshot *);

/* Plan, or create, a partition from a checked request, between _begin and _end;
   the owner may be NULL.  0: *planned, without a state, or *created is the
   partition; 1: its IPUs are not free now, and the text names their holders;
   -1: refused, or not stored.  After creating, the snapshot is only good for
   transaction_end(). */
int create_plan(struct controller *, const struct snapshot *,
    const struct partition_request *, struct partition *planned,
    struct error *);
int create_under_lock(struct controller *, struct snapshot *,
    const struct partition_request *, const struct partition_owner *,
    struct partition *created, struct error *);

/* Hold every IPU of the partition against programs.  ERROR_BUSY: one is
   attached, and the text names it.  Call hold_release() even after -1. */
int hold_all(struct controller *, const struct snapshot *,
    const struct partition *, struct error *);
/* Check for the same refusal without holding anything. */
int hold_check(struct controller *, const struct snapshot *,
    const struct partition *, struct error *);
void hold_release(struct controller *, const struct snapshot *,
    const struct partition *);
/* Write "user mia (python3) is attached to ag01:2", as the caller may see it.
   False: the IPU has no known holder. */
enum { HOLD_TEXT_SIZE = HOLDER_TEXT_SIZE + NAME_SIZE + 32 };
bool hold_describe(struct controller *, const struct snapshot *, int ipu,
    char text[HOLD_TEXT_SIZE]);
/* Tell the attached programs, after a change by force, that their IPUs are
   lost.  They keep their locks until they end. */
void hold_take_away(struct controller *, const struct pod *,
    const struct partition *);

/* Remove the partition's files, then the partition from the state; the caller
   has the lock.  With `force` a file that cannot be removed stays.  If `going`
   is not NULL, store it in place of the partition: the removal takes time.  -1:
   nothing has changed; with ERROR_UNCONFIRMED the partition may be gone. */
int discard_partition(struct controller *, const struct pod *,
    const struct partition *, const struct partition *going, bool force,
    struct error *);

/* Check that no user has the allocation; the caller has the lock.  -1:
   ERROR_BUSY, and the text names the users, or a user cannot be read. */
int users_allocation_unused(struct controller *, const char *allocation,
    struct error *);

/* Functions of the embedded controller's struct controller_operations. */
int transaction_embedded_list(struct controller *, struct snapshot *,
    struct error *);
int create_embedded(struct controller *, const struct partition_request *,
    const struct partition_owner *, struct partition *created, struct error *);
int queue_embedded(struct controller *, const struct partition_request *,
    const struct partition_owner *, const struct wait_options *,
    struct partition *created, struct error *);
long queue_embedded_list(struct controller *, struct ticket **out,
    struct error *);
int adopt_embedded(struct controller *, const char *name,
    const struct partition_owner *, struct partition *adopted, struct error *);
int remove_embedded(struct controller *, const char *name,
    const struct partition *expected, bool force, struct partition *removed,
    struct error *);
int reset_embedded(struct controller *, const char *name, bool relocatable,
    bool force, struct partition *after, struct error *);
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
