/*
 * The checks of a host that poprun does not run on.  Read check_remote_run().
 */
#include "applets/poprun/poprun.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/directory.h"
#include "core/base/network.h"
#include "core/base/text.h"
#include "core/diag/check_answer.h"
#include "core/process/process.h"

enum { REMOTE_PIECE = 16 * 1024 };

static void
remote_check_ipubox(const struct check_request *q, struct diagnosis *d)
{
	struct check_sum own;

	d->checking = "ipubox";
	check_sum_read("/proc/self/exe", &own);
	if (q->version == NULL || strcmp(q->version, IPUBOX_VERSION) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "version %s differs from poprun's version %s\tcopy the "
		    "file of poprun's host there",
		    IPUBOX_VERSION, q->version != NULL ? q->version : "?");
	else if (own.size >= 0 && q->own.size >= 0 &&
	    !check_sum_is_same(&own, &q->own))
		diagnosis_add(d, VERDICT_WARN,
		    "the file differs from poprun's, although both have "
		    "version %s\tcopy the file of poprun's host there",
		    IPUBOX_VERSION);
	else
		diagnosis_add(d, VERDICT_OK, "version %s", IPUBOX_VERSION);
}

static void
remote_check_network(const struct check_request *q, struct diagnosis *d)
{
	struct network n;
	struct error e;

	d->checking = "network";
	if (q->network != NULL && q->network[0] == '\0')
		return;
	if (q->network == NULL)
		diagnosis_add(d, VERDICT_OK, "mpirun chooses it");
	else if (network_find(q->network, &n, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tname a network of all hosts with --host-subnet",
		    e.text);
	else
		diagnosis_add(d, VERDICT_OK, "%s on %s", n.address,
		    n.interface);
}

/* Check orted and mpirun's version.  mpirun is started by its path, so orted is
   expected in the same directory. */
static void
remote_check_mpi(const struct check_request *q, struct diagnosis *d)
{
	char *directory, *orted, *version;

	d->checking = "mpi";
	if (q->mpirun == NULL)
		return;
	directory = path_directory_name(q->mpirun);
	orted = xasprintf("%s/orted", directory);
	version = check_files_find_version(q->mpirun);
	if (access(orted, X_OK) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "cannot execute %s, which mpirun needs there: %s\tinstall "
		    "the same Open MPI there (apt-get install openmpi-bin)",
		    orted, strerror(errno));
	else if (version == NULL)
		diagnosis_add(d, VERDICT_WARN,
		    "%s does not report its version\tinstall the same Open MPI "
		    "there",
		    q->mpirun);
	else if (q->mpirun_version != NULL &&
	    strcmp(version, q->mpirun_version) != 0)
		diagnosis_add(d, VERDICT_FAIL,
		    "%s is %s, but on poprun's host it is %s\tinstall the same "
		    "version on all hosts",
		    q->mpirun, version, q->mpirun_version);
	else
		diagnosis_add(d, VERDICT_OK, "%s, %s", orted, version);
	free(directory);
	free(orted);
	free(version);
}

/* Warn if a file's contents differ from those on poprun's host; `there` is the
   sum of the latter.  A file that cannot be read here or there is not
   compared. */
static void
remote_compare(const char *path, const struct check_sum *there,
    struct diagnosis *d)
{
	struct check_sum here;

	check_sum_read(path, &here);
	if (here.size >= 0 && there->size >= 0 &&
	    !check_sum_is_same(&here, there))
		diagnosis_add(d, VERDICT_WARN,
		    "%s differs from the file on poprun's host\tcopy it from "
		    "there if both should be the same",
		    path);
}

static void
remote_check_program(const struct check_request *q, struct diagnosis *d)
{
	const int before = d->count;
	struct error e;
	char *path = NULL;

	d->checking = "program";
	if (program_find(q->program.items[0], q->search, &path, &e) != 0) {
		diagnosis_add(d, VERDICT_FAIL,
		    "%s\tcopy it there, or keep it on a file system that all "
		    "hosts share",
		    e.text);
		return;
	}
	if (program_check_interpreter(path, &e) != 0)
		diagnosis_add(d, VERDICT_FAIL, "%s", e.text);
	if (q->path != NULL && strcmp(path, q->path) != 0)
		diagnosis_add(d, VERDICT_WARN,
		    "it is %s there, but %s on poprun's host\tinstall it at "
		    "the same path",
		    path, q->path);
	remote_compare(path, &q->program_sum, d);
	if (d->count == before)
		diagnosis_add(d, VERDICT_OK, "%s", path);
	free(path);
}

static void
remote_check_words(const struct check_request *q, struct diagnosis *d)
{
	const char *script = check_files_find_script(q->program.items);

	check_files_look_at_words(q->program.items, NULL, &q->present, d);
	d->checking = "script";
	if (script != NULL)
		remote_compare(script, &q->script_sum, d);
}

/* Change to the directory in which mpirun starts the instances: that of --wdir
   or the one where poprun was started.  If it is missing, stay in the home
   directory, where ssh began. */
static void
remote_enter(const struct check_request *q, struct diagnosis *d)
{
	if (q->directory == NULL)
		return;
	if (chdir(q->directory) == 0) {
		if (q->directory_said)
			check_files_check_room(d, "--wdir", q->directory);
		return;
	}
	if (q->directory_said)
		diagnosis_add(d, VERDICT_FAIL,
		    "--wdir: %s: %s\tcreate it there, or name a directory that "
		    "all hosts have",
		    q->directory, strerror(errno));
	else
		diagnosis_add(d, VERDICT_WARN,
		    "%s: %s; the instances start in the home directory\tcreate "
		    "it there, or name a directory that all hosts have: "
		    "--mpi-global-args=\"--wdir DIR\"",
		    q->directory, strerror(errno));
}

static bool
remote_is_present(const struct check_request *q, const char *path)
{
	size_t i;

	for (i = 0; i < q->present.count; i++)
		if (strcmp(q->present.items[i], path) == 0)
			return true;
	return false;
}

/* Check the directories that options name.  Changes to the directory of the
   instances first: relative paths of this and all later checks start there. */
static void
remote_check_directories(const struct check_request *q, struct diagnosis *d)
{
	const int before = d->count;
	const char *option, *path;
	size_t i;

	d->checking = "directories";
	remote_enter(q, d);
	for (i = 0; i + 1 < q->rooms.count; i += 2) {
		option = q->rooms.items[i];
		path = q->rooms.items[i + 1];
		if (remote_is_present(q, path) && access(path, F_OK) != 0)
			diagnosis_add(d, VERDICT_FAIL,
			    "%s: %s: %s; it exists on poprun's host\tcreate it "
			    "there, or name a directory that all hosts share",
			    option, path, strerror(errno));
		else
			check_files_check_room(d, option, path);
	}
	if (d->count == before)
		diagnosis_add(d, VERDICT_OK,
		    q->directory != NULL ? "%s" : "no option names a directory",
		    q->directory);
}

/* Run all checks.  The environment is that of an ssh command, as for mpirun's
   process on this host.  Only the PATH differs: poprun sets that of the
   instances, q->search. */
static void
remote_check_all(const struct check_request *q, struct diagnosis *d)
{
	const struct check_load load = { .instances = q->instances,
		.outputs = q->instances,
		.files = mpirun_open_files(q->instances),
		.pipes = q->pipes };

	remote_check_ipubox(q, d);
	remote_check_network(q, d);
	remote_check_mpi(q, d);
	remote_check_directories(q, d);
	remote_check_program(q, d);
	remote_check_words(q, d);
	check_host_run(&load, d);
}

/* Read all input, but stop once it is longer than a request may be:
   check_request_read() then refuses it.  The caller frees the text. */
static char *
remote_read(int in, size_t *size)
{
	char piece[REMOTE_PIECE];
	struct memstream m;
	size_t done = 0;
	ssize_t n;

	(void)memstream_open(&m);
	while (done <= CHECK_REQUEST_MAX_BYTES &&
	    (n = read(in, piece, sizeof(piece))) != 0) {
		if (n == -1 && errno != EINTR)
			break;
		if (n == -1)
			continue;
		(void)fwrite(piece, 1, (size_t)n, m.file);
		done += (size_t)n;
	}
	return memstream_close(&m, size);
}

int
check_remote_run(int in, FILE *out, struct error *e)
{
	struct check_answer answer = { .began_ms = clock_real_ms() };
	struct check_request q;
	size_t size;
	char *text = remote_read(in, &size);
	int status;

	check_request_init(&q);
	status = check_request_read(&q, text, size, e);
	free(text);
	if (status == 0) {
		remote_check_all(&q, &answer.diagnosis);
		answer.ended_ms = clock_real_ms();
		text = check_answer_text(&answer);
		/* Begin a new line, because output of the login shell before
		   the answer may lack an end of line. */
		fprintf(out, "\n%s", text);
		free(text);
		diagnosis_release(&answer.diagnosis);
	}
	check_request_release(&q);
	return status;
}
