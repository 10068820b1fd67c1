/*
 * The verbs delete and scale.  To delete an IPUJob, mark it: its runner then
 * removes it.  The runner also removes the pods of a running job.  Other
 * objects are files, which are removed here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "applets/ipubox-job/job_watch.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"

/* Set metadata.deletionTimestamp, like the API server, and make sure that a
   runner sees it. */
static int
mark_deleted(struct job_call *c, struct founds *f, struct resource_found *found,
    struct error *e)
{
	struct yaml_node *object;
	char now[CLOCK_TEXT_SIZE];
	int status;

	if (job_store_lock(&c->store, e) != 0)
		return -1;
	object = job_entry_read(found->entry, f->arena, JOB_OBJECT, e);
	status = object != NULL ? 0 : -1;
	if (status == 0 &&
	    yaml_path(object, "metadata/deletionTimestamp") == NULL) {
		clock_text(clock_real_ms() / 1000, now);
		yaml_set_text(f->arena, yaml_get(object, "metadata"),
		    "deletionTimestamp", now);
		job_entry_set_over(found->entry, false);
		status = job_entry_write(found->entry, JOB_OBJECT, object, e);
		/* ERROR_UNCONFIRMED: a fast runner may have removed the
		   directory before it could be synced. */
		if (status != 0 && e->code == ERROR_UNCONFIRMED)
			status = 0;
		job_entry_wake(found->entry);
	}
	job_store_unlock(&c->store);
	/* The job was removed in the meantime, as wanted. */
	if (object == NULL && access(found->entry->directory.path, F_OK) != 0 &&
	    errno == ENOENT)
		return 0;
	if (status != 0)
		return -1;
	/* ERROR_NOT_FOUND: the runner has already removed the job. */
	status = runner_start(&c->store, found->entry, e);
	return status != 0 && e->code == ERROR_NOT_FOUND ? 0 : status;
}

/* Delete a pod: ask the runner if one holds the entry's lock, else remove the
   pod's directory. */
static int
delete_pod(const struct resource_found *found, struct error *e)
{
	char *name;
	int status;

	if (!job_entry_is_locked(found->entry))
		return job_entry_remove_pod(found->entry, found->name, e);
	name = xasprintf("delete-%s", found->name);
	status = file_replace_at(&found->entry->directory, name, "", 0, e);
	job_entry_wake(found->entry);
	free(name);
	return status;
}

static int
delete_stored(struct job_call *c, const struct resource_found *found,
    struct error *e)
{
	int status;

	if (job_store_lock(&c->store, e) != 0)
		return -1;
	status = job_store_remove(&c->store, found->space,
	    (enum job_kind)resource_types[found->type].kind, found->name, e);
	job_store_unlock(&c->store);
	return status;
}

static int
delete_found(struct job_call *c, struct founds *f, struct resource_found *found)
{
	struct error e;
	int status;

	if (c->dry_run != NULL)
		status = 0;
	else if (found->type == RESOURCE_IPUJOB)
		status = mark_deleted(c, f, found, &e);
	else if (found->type == RESOURCE_POD)
		status = delete_pod(found, &e);
	else if (found->type == RESOURCE_EVENT)
		status = error_set(&e,
		    "event %s cannot be deleted; it is removed with its job",
		    found->name);
	else
		status = delete_stored(c, found, &e);
	if (status != 0)
		return job_call_failed(&e);
	if (c->form == FORM_NAME)
		printf("%s/%s\n", resource_types[found->type].word,
		    found->name);
	else
		printf("%s \"%s\" deleted\n", resource_types[found->type].word,
		    found->name);
	(void)fflush(stdout);
	return EXIT_DONE;
}

/* Wait until the job's entry is gone, and restart a runner that ended before it
   removed it.  A deadline of 0 means no limit. */
static int
verb_delete_wait_gone(struct job_call *c, const struct resource_found *found,
    int64_t deadline_ms)
{
	struct job_watch *w = job_watch_open(&c->store, found->space);
	struct job_entry entry;
	struct error e = { .code = ERROR_NONE };
	int64_t left = 1000;
	int status = EXIT_DONE;

	for (;;) {
		const bool there = job_entry_open(&c->store, found->space,
				       found->name, &entry, &e) == 0;

		/* The runner may have been exiting when the job was marked, and
		   not have seen the mark. */
		if (there && !job_entry_is_locked(&entry))
			(void)runner_start(&c->store, &entry, &e);
		job_entry_close(&entry);
		if (!there) {
			if (e.code != ERROR_NOT_FOUND)
				status = job_call_failed(&e);
			break;
		}
		if (deadline_ms != 0)
			left = deadline_ms - clock_monotonic_ms();
		if (left <= 0) {
			status = job_call_refuse(
			    "timed out waiting for the condition on %s/%s",
			    "ipujobs", found->name);
			break;
		}
		if (job_watch_wait(w, left > 1000 ? 1000 : left) == -1)
			break;
	}
	job_watch_close(w);
	return status;
}

static int
delete_resources(struct job_call *c, const struct resources *r)
{
	struct founds f;
	struct error e;
	int64_t deadline_ms = c->timeout_ms > 0 ?
	    clock_monotonic_ms() + c->timeout_ms :
	    0;
	size_t i;
	int status = EXIT_DONE;

	if (founds_find(c, r, &f, &e) != 0) {
		founds_release(&f);
		return job_call_failed(&e);
	}
	if (f.count == 0 && f.missing == 0)
		printf("No resources found\n");
	for (i = 0; i < f.count; i++)
		if (delete_found(c, &f, &f.items[i]) != EXIT_DONE)
			status = EXIT_FAILED;
	for (i = 0; i < f.count && c->wait && c->dry_run == NULL &&
	     status == EXIT_DONE;
	     i++)
		if (f.items[i].type == RESOURCE_IPUJOB)
			status = verb_delete_wait_gone(c, &f.items[i],
			    deadline_ms);
	/* A job is missing before all of its files are removed. */
	if (c->has_store && c->wait && c->dry_run == NULL)
		job_store_tidy(&c->store);
	if (f.missing > 0)
		status = EXIT_FAILED;
	founds_release(&f);
	return status;
}

int
verb_delete(struct job_call *c)
{
	struct resources r;
	struct error e;
	int status = EXIT_DONE;

	if (c->count == 0 && c->files.count == 0)
		return job_call_misuse(c,
		    "You must provide one or more resources by argument or "
		    "filename.");
	if (resources_read(c, &r, &e) != 0) {
		if (e.code == ERROR_UNSUPPORTED)
			printf("No resources found\n");
		else
			status = job_call_failed(&e);
	} else if ((status = resources_check_named(c, &r)) == EXIT_DONE) {
		status = delete_resources(c, &r);
	}
	resources_free(&r);
	return status;
}

/* Set the job's number of instances.  Refuse if --current-replicas differs, or
   if the job is over. */
static int
scale_job(struct job_call *c, struct founds *f,
    const struct resource_found *found, struct error *e)
{
	struct yaml_node *object;
	int64_t now;
	int status = -1;

	if (job_store_lock(&c->store, e) != 0)
		return -1;
	object = job_entry_read(found->entry, f->arena, JOB_OBJECT, e);
	now = yaml_get_integer(object, "spec/jobInstances", 0);
	if (object == NULL)
		status = -1;
	else if (c->current_replicas != -1 && now != c->current_replicas)
		status = error_set(e,
		    "Expected replicas to be %lld, was %" PRId64,
		    c->current_replicas, now);
	else if (job_status_is_over(yaml_get(found->object, "status")))
		status = error_set(e,
		    "ipujob %s has ended and cannot be scaled; delete it and "
		    "create it again",
		    found->name);
	else {
		yaml_set_integer(f->arena, yaml_get(object, "spec"),
		    "jobInstances", c->replicas);
		status = job_entry_write(found->entry, JOB_OBJECT, object, e);
		job_entry_wake(found->entry);
	}
	job_store_unlock(&c->store);
	return status;
}

int
verb_scale(struct job_call *c)
{
	struct resources r;
	struct founds f;
	struct error e;
	size_t i;
	int status = EXIT_DONE;

	if (c->replicas == -1)
		return job_call_misuse(c,
		    "required flag(s) \"replicas\" not set");
	if (resources_read(c, &r, &e) != 0) {
		resources_free(&r);
		return job_call_failed(&e);
	}
	if (founds_find(c, &r, &f, &e) != 0)
		status = job_call_failed(&e);
	for (i = 0; i < f.count && status == EXIT_DONE; i++) {
		if (f.items[i].type != RESOURCE_IPUJOB)
			status = job_call_refuse(
			    "%s cannot be scaled; name an ipujob",
			    resource_types[f.items[i].type].plural);
		else if (scale_job(c, &f, &f.items[i], &e) != 0)
			status = job_call_failed(&e);
		else
			printf("%s/%s scaled\n",
			    resource_types[RESOURCE_IPUJOB].word,
			    f.items[i].name);
	}
	if (f.missing > 0)
		status = EXIT_FAILED;
	founds_release(&f);
	resources_free(&r);
	return status;
}
