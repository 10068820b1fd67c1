/*
 * Files that are written for a pod.
 *
 * Source: the files of /etc/mpi are those of the MPI operator, a relative of
 * the IPU Operator; hosts is like the kubelet's.
 */
#include "core/kube/runner/runner_parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/process/process.h"

enum { HOSTS_BYTES_MAX = 1 << 20 };

/* Lines that restore the pod's PATH after /etc/profile has set another.  They
   follow "for tools in 'DIRECTORY/bin'". */
static const char profile[] =
    "; do\n"
    "\tcase $PATH in\n"
    "\t\"$tools:\"*) ;;\n"
    "\t*) PATH=$tools:$PATH ;;\n"
    "\tesac\n"
    "done\n"
    "unset tools\n";

/* Write a file with its mode; other processes may be reading it. */
static int
pod_files_put(const struct directory *d, const char *name, mode_t mode,
    const char *text, size_t size, struct error *e)
{
	char *made = file_stage(d, name, mode, text, size, e);
	int status = -1;

	if (made != NULL)
		status = file_show(d, made, name, e);
	free(made);
	return status;
}

/*
 * Return "NAME-worker-0 slots=1" lines, one for each worker of the instance,
 * with a slot for each instance of poprun.
 */
static char *
hostfile_text(const struct job_runner *r, int instance, size_t *size)
{
	const int workers = r->job.workers;
	struct memstream m;
	char name[IPUJOB_NAME_SIZE];
	int i;

	(void)memstream_open(&m);
	for (i = 0; i < workers; i++) {
		ipujob_worker_name(&r->job, instance, i, name);
		fprintf(m.file, "%s slots=%d\n", name,
		    r->gcds > workers ? (r->gcds + workers - 1) / workers : 1);
	}
	return memstream_close(&m, size);
}

/* Return the agent that starts a command in another pod of the job. */
static char *
agent_text(const struct job_runner *r, size_t *size)
{
	struct memstream m;

	(void)memstream_open(&m);
	fprintf(m.file,
	    "#!/bin/sh\nset -x\nPOD_NAME=$1\nshift\n"
	    "exec '%s' %s ipubox-job exec --namespace '%s' \"$POD_NAME\" -- "
	    "/bin/sh -c \"$*\"\n",
	    r->own_file, OWN_PROGRAM_WORD, r->job.space);
	return memstream_close(&m, size);
}

int
pod_files_make_mpi(const struct job_runner *r, const struct runner_pod *p,
    const char *path, struct error *e)
{
	struct directory d;
	char *text;
	size_t size;
	int status = directory_make(&d, path, e);

	if (status == 0) {
		text = hostfile_text(r, p->instance, &size);
		status = file_replace_at(&d, "hostfile", text, size, e);
		free(text);
	}
	if (status == 0) {
		text = agent_text(r, &size);
		status = pod_files_put(&d, "kubexec.sh", 0700, text, size, e);
		free(text);
	}
	directory_close(&d);
	return status;
}

int
pod_files_write_hosts(const char *directory, const char *hostname,
    struct error *e)
{
	struct memstream m;
	struct directory d;
	char *text;
	size_t size;
	int status = directory_open(&d, directory, e);

	if (status != 0)
		return -1;
	(void)memstream_open(&m);
	text = file_read("/etc/hosts", HOSTS_BYTES_MAX, &size, NULL);
	if (text != NULL)
		(void)fwrite(text, 1, size, m.file);
	free(text);
	fprintf(m.file, "\n# The pod.\n%s\t%s\n", RUNNER_ADDRESS, hostname);
	text = memstream_close(&m, &size);
	status = pod_files_put(&d, "hosts", 0644, text, size, e);
	free(text);
	directory_close(&d);
	return status;
}

int
pod_files_write_profile(const char *directory, struct error *e)
{
	char *home = xasprintf("%s/home", directory);
	char *bin = xasprintf("%s/bin", directory);
	char first[] = "for tools in", *words[] = { first, bin, NULL };
	char *line = strvec_quoted(words);
	char *text = xasprintf("%s%s", line, profile);
	struct directory d;
	int status = directory_open(&d, home, e);

	if (status == 0 &&
	    faccessat(d.fd, ".profile", F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		status = pod_files_put(&d, ".profile", 0644, text, strlen(text),
		    e);
	directory_close(&d);
	free(text);
	free(line);
	free(bin);
	free(home);
	return status;
}
