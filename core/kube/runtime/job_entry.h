/*
 * The directory of one IPUJob:
 *
 *	object.json	what was asked for, with its defaults
 *	status.json	what became of it, by its runner alone
 *	record.json	its place in the order, and the like
 *	events		what happened, one JSON object per line
 *	lock		locked by its runner, for as long as that lives
 *	wake		a FIFO, by which the runner is told to look again
 *	over		exists when nothing is left to be done for it
 *	exec		a socket, by which pods run commands in each other
 *	pods/POD/	of each pod: pod.json, and what its container has
 *
 * Objects are whole or missing.  A process that changes object.json holds the
 * store's lock, and wakes the runner.
 */
#ifndef CORE_KUBE_RUNTIME_JOB_ENTRY_H
#define CORE_KUBE_RUNTIME_JOB_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/kube/runtime/job_store.h"
#include "core/kube/yaml/yaml.h"

#define JOB_OBJECT "object.json"
#define JOB_STATUS "status.json"

struct job_entry {
	struct directory directory;
	char *space;
	char *name;
	int64_t order; /* in which jobs were made */
};

/* Opens it, -1: ERROR_NOT_FOUND; to be closed in any case. */
int job_entry_open(const struct job_store *, const char *space,
    const char *name, struct job_entry *, struct error *);
void job_entry_close(struct job_entry *);

/* Makes one with that object, the last in the order; the store is taken.  -1:
   ERROR_EXISTS. */
int job_entry_make(struct job_store *, const char *space, const char *name,
    const struct yaml_node *object, struct job_entry *, struct error *);

/* Removes it with its pods; the store is taken, and it has no runner. */
int job_entry_remove(const struct job_store *, struct job_entry *,
    struct error *);

/* All jobs of a namespace, NULL: of all, in the order in which they were made:
   their number, and *out, to be released; or -1. */
long job_entry_list(const struct job_store *, const char *space,
    struct job_entry **out, struct error *);
void job_entry_free_list(struct job_entry *, long count);

/* An object of the entry, such as JOB_OBJECT; NULL: as of job_store_read().
   The same of a pod; and the path of the pod's directory, to be freed. */
struct yaml_node *job_entry_read(const struct job_entry *, struct yaml_arena *,
    const char *file, struct error *);
int job_entry_write(const struct job_entry *, const char *file,
    const struct yaml_node *, struct error *);
struct yaml_node *job_entry_read_pod(const struct job_entry *,
    struct yaml_arena *, const char *pod, struct error *);
int job_entry_write_pod(const struct job_entry *, const char *pod,
    const struct yaml_node *, struct error *);
int job_entry_remove_pod(const struct job_entry *, const char *pod,
    struct error *);
char *job_entry_pod_path(const struct job_entry *, const char *pod);

/* The names of its pods, sorted; as job_store_names(). */
long job_entry_pods(const struct job_entry *, char ***names, struct error *);

/* Makes this process its runner: the descriptor that says so, which children
   must not keep; -1: ERROR_BUSY.  And whether it has a runner. */
int job_entry_take(const struct job_entry *, struct error *);
bool job_entry_is_taken(const struct job_entry *);

/* A descriptor of the runner that can be read after job_entry_wake(); what is
   read says nothing.  A FIFO: a user has few inotify(7) instances and many
   jobs. */
int job_entry_listen(const struct job_entry *, struct error *);
void job_entry_wake(const struct job_entry *);

/* The same for a pod's process, to be opened before it enters its place: each
   byte that is written wakes the runner.  -1: the FIFO is missing. */
int job_entry_open_waker(const char *pod_directory);

/* Whether its runner said that it is over, and nothing was asked for since: its
   objects need not be read then. */
bool job_entry_is_over(const struct job_entry *);
void job_entry_set_over(const struct job_entry *, bool over);

/* Adds an event; one that cannot be written is lost.  All of them, a list. */
void job_entry_add_event(const struct job_entry *, const struct yaml_node *);
struct yaml_node *job_entry_events(const struct job_entry *,
    struct yaml_arena *);

#endif
