/*
 * Control: what may happen to partitions, to the pod and to its users, by one
 * interface, struct controller.  The embedded controller works on the state
 * directory of this host; core/server has controllers on a server, and opens
 * the one that is meant (server_open_controller()).
 *
 * Read embedded_controller_open() and transaction_list() first, then create.h.
 */
#ifndef CORE_CONTROL_CONTROL_H
#define CORE_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/control/access.h"	 /* what a user may see */
#include "core/control/administration.h" /* the pod and its users */
#include "core/control/config.h"	 /* options of its clients */
#include "core/control/create.h"	 /* creating a partition */
#include "core/control/ipuof.h"		 /* the text of IPUoF files */
#include "core/control/ipuof_files.h"	 /* where they stand */
#include "core/control/lifecycle.h"	 /* states of a partition */
#include "core/control/queue.h"		 /* waiting for IPUs */
#include "core/pod/pod.h"
#include "core/state/state.h"

struct controller;

/*
 * Opens the embedded controller over this user's state directory, which is
 * asked in the name of the caller (access.h).  NULL: the caller named by the
 * environment and the configuration files (config.h).  Refused,
 * with NULL: no user in secure mode, a user who is unknown or has another key
 * (ERROR_UNAUTHENTICATED).  The caller closes it.  server_open_controller()
 * opens controllers on a server as well.
 */
struct controller *embedded_controller_open(const struct caller *,
    struct error *);
/* NULL is fine. */
void controller_close(struct controller *);

/*
 * Return where the server is, "HOST:PORT", which lives as long as the
 * controller, or NULL for the embedded one; and tell, of a server only, the
 * version that it says of itself.
 */
enum { CONTROLLER_VERSION_SIZE = 64 };
const char *controller_where(const struct controller *);
int controller_version(struct controller *,
    char version[CONTROLLER_VERSION_SIZE], struct error *);

/*
 * A partition with an owner that was created at a server lasts as long as the
 * connection.  Keeps that until the descriptor is readable; controller_close()
 * ends it.  -1, ERROR_UNAVAILABLE: the connection was lost.
 */
int controller_hold(struct controller *, int fd, struct error *);
/* Closes it in this process alone: a process that was forked holds it. */
void controller_leave(struct controller *);

/*
 * Appends to an error that says that something was not found where it was
 * looked for, on a line of its own: the state directory, or the server.
 * Returns -1.
 */
int controller_append_place(const struct controller *, struct error *);

/*
 * Sets the directory of this caller's IPUoF files of a server's partitions.
 * They stand on the caller's host, and go when it removes their partition.  "":
 * as ipuof_files_directory() says.  The embedded controller ignores it: each
 * of its partitions has its own.
 */
void controller_set_files(struct controller *, const char *directory);

/*
 * Returns a text about an IPUoF file of a removed partition that could not be
 * removed, or NULL: none stayed, or the controller is NULL.  It lives as long
 * as the controller.
 */
const char *controller_left(const struct controller *);

/* ---- looking ---- */

/*
 * Takes a consistent snapshot of all partitions that the caller may see, and of
 * what they refer to, after what was due by now has happened.  0: the caller
 * releases it.
 */
int transaction_list(struct controller *, struct snapshot *, struct error *);

/*
 * The same for callers that need the partitions alone.  A server of another
 * make tells nothing else: machines and allocations are then as many as its
 * partitions need.
 */
int transaction_list_partitions(struct controller *, struct snapshot *,
    struct error *);

/*
 * Lets happen what is due by now, without a long wait for a program that
 * changes the state.  -1: it could not, and stays due.
 */
int transaction_catch_up(struct controller *);

/*
 * What a server of another make says of its IPUs, as the published contract has
 * it (ListIPUAttributes): names and values, whatever they are.  The embedded
 * controller and vipu-server tell the pod itself, of which
 * ipu/device/attributes.h says the same.  Both texts can be printed.
 */
struct told_attribute {
	char *key, *value;
};

struct told_ipu {
	char agent[NAME_SIZE];
	uint32_t number; /* in its machine */
	size_t count;
	struct told_attribute *attributes; /* by name */
};

/* Machine by machine, as the server lists them; in each by number. */
struct ipu_listing {
	size_t count;
	struct told_ipu *ipus;
};

/*
 * Asks for the IPUs of the named machines, or of all.  1: they are in the
 * listing, which the caller frees; 0: this controller tells the pod itself, see
 * transaction_list(), and nothing was asked; -1: the server refused, or its
 * answer is not valid (ERROR_DAMAGED).
 */
int controller_list_ipus(struct controller *, char **agents, size_t agent_count,
    struct ipu_listing *, struct error *);
void controller_free_ipus(struct ipu_listing *);

/* ---- a registry to look at ---- */

/*
 * As state_open_reader(), but what is due by now happens first.  A process that
 * may not change the state sees what the registry says.  The caller closes it
 * with registry_close().
 */
int reader_open(struct registry *, struct error *);

/*
 * Opens the registry of an embedded controller beside it: it shares the
 * controller's copy, and is closed before the controller.
 */
int reader_open_beside(struct controller *, struct registry *, struct error *);

/*
 * Opens what that controller shows its caller: of a server it is a copy in the
 * memory of this process, made at the moment of the call.
 */
int reader_open_of(struct controller *, struct registry *, struct error *);

/* ---- the caller ---- */

/*
 * Asks an open controller in the name of another caller from now on.  -1: that
 * caller is not let in (ERROR_UNAUTHENTICATED), and no caller is named then.
 */
int login_switch(struct controller *, const struct caller *, struct error *);

/* Returns the hash of the key of the caller, or "" where no user is named. */
const char *login_hash(const struct controller *);

/* Whether only users are let in. */
bool login_is_secure(const struct controller *);

/*
 * Counts the partitions that a command of this caller could see; `secure` as
 * pod.ini of the state says.  -1: the caller is not let in
 * (ERROR_UNAUTHENTICATED).  Nothing of the state is made or changed.
 */
int login_count_visible(const struct state_paths *, bool secure,
    const struct caller *, const struct snapshot *, struct error *);

/* ---- partitions ---- */

/*
 * Wait until a creation or a reset of a partition has come to its end, good or
 * bad: what it was before becomes what it is then.  ERROR_TIMED_OUT after
 * timeout_ms (-1: wait as long as it takes), ERROR_NOT_FOUND where it is gone;
 * the text says so where its time was over.
 */
int wait_configured(struct controller *, int64_t timeout_ms, struct partition *,
    struct error *);

/*
 * Looks at it without waiting: 1 while what was begun is going on, 0 when it
 * has come to its end, -1 as above.
 */
int wait_look(struct controller *, struct partition *, struct error *);

/* Wait until one that is being removed is gone, as long as it takes. */
int wait_removed(struct controller *, const struct partition *, struct error *);

/*
 * Remove.  Refused with ERROR_BUSY while a program is attached to one of its
 * IPUs (named with user, pid and command), unless forced; ERROR_NOT_FOUND where
 * there is none of that name for this caller.  Forced, a file of it that cannot
 * be removed stays.  *removed, when not NULL, is what it was.  Where one of its
 * machines is slow it takes that time, unless forced, and is waited for.
 */
int remove_partition(struct controller *, const char *name, bool force,
    struct partition *removed, struct error *);

/*
 * The same without waiting: 1 where the partition goes later, when its time has
 * come, and *removed is what it was.
 */
int remove_begin(struct controller *, const char *name, bool force,
    struct partition *removed, struct error *);
/* And of the same partition only, as remove_same(). */
int remove_begin_same(struct controller *, const struct partition *, bool force,
    struct partition *removed, struct error *);

/*
 * Remove the partition of that name if it is the same one still, by its
 * identity (ERROR_NOT_FOUND: another has its name now); never by force.
 */
int remove_same(struct controller *, const struct partition *, struct error *);

/*
 * Whether a removal would be refused now because a program is attached to one
 * of the partition's IPUs: ERROR_BUSY, and the text names it.
 */
int remove_check(struct controller *, const struct snapshot *,
    const struct partition *, struct error *);

/*
 * Configure the partition again, with fresh counts, and write its IPUoF files
 * again if one is missing, as far as they can be written; `relocatable` makes
 * it relocatable from now on, so that its IPUoF files go.  Refused with
 * ERROR_BUSY while a program is attached to it, unless forced: that program has
 * lost its IPUs then.  ERROR_NOT_FOUND where there is none of that name for
 * this caller, or its time was over.  *after, when not NULL, is what it became:
 * see wait_configured().
 */
int reset_partition(struct controller *, const char *name, bool relocatable,
    bool force, struct partition *after, struct error *);

/*
 * Whether a reset would find anything to do or to say: the partition is not
 * ACTIVE, its last operation had failures, a machine of it would fail or take
 * time to configure, one of its IPUs has an error or is held.
 */
bool reset_is_needed(struct controller *, const struct snapshot *,
    const struct partition *);

#endif
