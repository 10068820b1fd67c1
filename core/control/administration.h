/*
 * Requests of an administrator to a controller: changing and testing the pod,
 * injecting faults, and managing users.
 *
 * Source: V-IPU administrator guide.
 */
#ifndef CORE_CONTROL_ADMINISTRATION_H
#define CORE_CONTROL_ADMINISTRATION_H

#include "core/pod/edit/edit.h"

struct controller;

/* ---- the pod ---- */

/* Change the pod's composition.  change() works on a copy of the pod and its
   partitions, and may reallocate their arrays; the result is stored
   completely or not at all.  -1: the caller is a user and no administrator,
   change() or new_pod_replace() refused, or a user has an allocation that
   would be removed. */
int pod_change_run(struct controller *,
    int (*change)(struct inventory *, void *, struct error *), void *,
    struct error *);

struct cluster_test {
	struct wiring_result result;
	int64_t duration_ns; /* measured */
};

/* Run all tests of a cluster, and set results[WIRING_TESTS].  Meanwhile no
   program can attach to the cluster and no partition changes.  Without `force`
   it is refused while a program is attached to an IPU of the cluster, or a
   partition in it is active or pending; the reason names these.  -1: nothing
   was tested. */
int cluster_test_run(struct controller *, const char *cluster, bool force,
    struct cluster_test *results, struct error *);

enum fault {
	FAULT_DOWN,	   /* the machine does not answer */
	FAULT_UP,	   /* it answers again, and its faults are cleared */
	FAULT_REBOOT,	   /* it does not answer for `value` seconds */
	FAULT_FAIL_CONFIG, /* the next `value` configurations fail */
	FAULT_SLOW,	   /* each configuration and removal takes `value` ms */
	FAULT_SOC_ERROR	   /* an IPU gets these errors too; 0 clears all */
};

/* Word of each enum fault, such as "fail-config"; ends with NULL. */
extern const char *const inject_words[];

struct injection {
	const char *target; /* "ag01", for selection_agents(); for SOC_ERROR
			       "ag01:0", for selection_ipu() */
	enum fault fault;
	int value;	     /* see enum fault; other faults ignore it */
	uint32_t soc_errors; /* bits, for FAULT_SOC_ERROR only */
};

/* Inject a fault and let its immediate consequences happen.  -1: a target is
   missing, and nothing has changed; or the disk failed, and of several
   machines, which change one after the other, the earlier ones keep the
   fault. */
int inject_fault(struct controller *, const struct injection *, struct error *);

/* Apply the fault to *agent only, at a time since the epoch; stores nothing,
   and leaves IPUs alone. */
void inject_apply(const struct injection *, int64_t now_ms, struct agent *);

/* ---- users ---- */

/* Find a user by name.  ERROR_NOT_FOUND: the text suggests a near name. */
int users_get(struct controller *, const char *name, struct user *,
    struct error *);

/* List users by name.  Returns their number or -1; the caller frees *out. */
int users_list(struct controller *, struct user **out, struct error *);

/* Changes to a user, made in this order; NULL: none.  Lists are "A,B". */
struct user_change {
	const char *allocations; /* replaces all allocations */
	const char *add;
	const char *remove;
	const char *key; /* a new access key */
};

/* Create, change or remove a user.  The change for users_create() must have a
   key: without one the stored user cannot be read.  ERROR_EXISTS: _create, the
   user exists.  ERROR_NOT_FOUND: _update and _remove, the user is missing;
   _create and _update, a new allocation is missing. */
int users_create(struct controller *, const char *name,
    const struct user_change *, struct error *);
int users_update(struct controller *, const char *name,
    const struct user_change *, struct error *);
int users_remove(struct controller *, const char *name, struct error *);

/* Fill in a user with access to the whole pod, named `name` or, if NULL, as the
   user of this process.  Stores nothing.  `key` receives the new key; *user
   only has its hash.  -1: that user has no name, the name is not valid for a
   user, or the pod has more than USER_ALLOCATIONS_MAX allocations. */
int users_make_first(struct user *, const char *name, const struct pod *,
    char key[ACCESS_KEY_SIZE], struct error *);

#endif
