/*
 * The directory of one IPUJob:
 *
 *	object.json	the manifest, with its defaults
 *	status.json	the status; only its runner writes it
 *	record.json	its place in the order of creation
 *	events		the latest ones, one JSON object per line
 *	lock		locked by its runner while that lives
 *	wake		a FIFO that wakes the runner
 *	over		exists once the job is finished
 *	exec		a socket through which pods run commands in each other
 *	pods/POD/	pod.json and the files of the pod's container
 *
 * An object is complete or missing, never half written.  A process that changes
 * object.json holds the store's lock, and wakes the runner.
 */
#ifndef CORE_KUBE_RUNTIME_JOB_ENTRY_H
#define CORE_KUBE_RUNTIME_JOB_ENTRY_H

#include "core/kube/runtime/job_store.h"

#define JOB_OBJECT "object.json"
#define JOB_STATUS "status.json"

struct job_entry {
	struct directory directory;
	char *space; /* namespace */
	char *name;
	int64_t order; /* of creation; 0: unreadable */
};

/* Open the entry of a job; the caller closes it in any case.  -1: the job is
   missing (ERROR_NOT_FOUND), or cannot be opened. */
int job_entry_open(const struct job_store *, const char *space,
    const char *name, struct job_entry *, struct error *);
void job_entry_close(struct job_entry *);

/* Create an entry with that object, the last in the order, and open it.  The
   caller must hold the store's lock, and closes the entry in any case.  -1,
   ERROR_EXISTS: the job has an entry. */
int job_entry_make(struct job_store *, const char *space, const char *name,
    const struct yaml_node *object, struct job_entry *, struct error *);

/* Remove an entry, which must not have a runner, and its pods.  The caller must
   hold the store's lock, and closes the entry in any case. */
int job_entry_remove(const struct job_store *, struct job_entry *,
    struct error *);

/* List all jobs of a namespace (NULL: of all) in order of creation.  Returns
   their number and *out, for job_entry_free_list(); or -1, and *out must not be
   used. */
long job_entry_list(const struct job_store *, const char *space,
    struct job_entry **out, struct error *);
void job_entry_free_list(struct job_entry *, long count);

/* Read or write an object such as JOB_OBJECT; _read fails like
   job_store_read().  _read_pod, _write_pod: the object of a pod that has a
   directory; _remove_pod: remove that directory; _pod_path: return its path,
   which the caller frees. */
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

/* List the names of the job's pods, sorted.  Returns their number, and the
   caller calls directory_names_free(); or -1. */
long job_entry_pods(const struct job_entry *, char ***names, struct error *);

/* Make this process the job's runner until the returned descriptor is closed,
   which children must not keep; -1: the job has a runner (ERROR_BUSY), or the
   file cannot be opened.  _is_locked: whether it has one. */
int job_entry_lock(const struct job_entry *, struct error *);
bool job_entry_is_locked(const struct job_entry *);

/* Open the runner's descriptor, which is readable after job_entry_wake(); the
   bytes have no meaning.  It is a FIFO, because a user has few inotify(7)
   instances and many jobs. */
int job_entry_listen(const struct job_entry *, struct error *);
void job_entry_wake(const struct job_entry *);

/* Open the FIFO for a pod's process before it enters its sandbox: each byte
   written to it wakes the runner.  -1, with errno: usually the runner does not
   listen. */
int job_entry_open_waker(const char *pod_directory);

/* Whether the job has the mark of one that is over, so that its objects need
   not be read.  _set_over: set the mark, as its runner does, or remove it, as a
   deletion does before it changes JOB_OBJECT; ignores errors. */
bool job_entry_is_over(const struct job_entry *);
void job_entry_set_over(const struct job_entry *, bool over);

/* Add an event; ignores write errors.  _events: return the list of the events
   that are kept, oldest first. */
void job_entry_add_event(const struct job_entry *, const struct yaml_node *);
struct yaml_node *job_entry_events(const struct job_entry *,
    struct yaml_arena *);

#endif
