/*
 * Copies directories to other hosts.  Read synchronise_directory().
 */
#include "core/launch/plan/hosts.h"

#include <sys/stat.h>

#include <bsd/stdlib.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/launch/plan/on_hosts.h"
#include "core/launch/plan/plan.h"
#include "core/launch/plan/run.h"
#include "core/process/process.h"

enum { SYNCHRONISE_ASK_S = 40, SYNCHRONISE_COPY_S = 3600 };

#define SAME "ipubox-same"
#define RSYNC "ipubox-rsync"
#define TAR "ipubox-tar"
#define READY "ipubox-ready"

/* $1: the directory, $2: a file that is made in it on this host. */
static const char synchronise_ask_script[] =
    "if [ -e \"$1/$2\" ]; then echo " SAME "; echo " READY
    "; exit 0; fi; if [ \"$1\" = \"$HOME\" ]; then echo \"$1 is the home "
    "directory there\" >&2; exit 1; fi; if command -v rsync > /dev/null; then "
    "echo " RSYNC "; fi; if command -v tar > /dev/null; then echo " TAR
    "; fi; mkdir -p \"$1\" && echo " READY;

/* Also removes directories without write permission. */
#define FORGET \
	"forget() { rm -rf \"$1\" 2> /dev/null || " \
	"{ chmod -R u+rwx \"$1\" 2> /dev/null; rm -rf \"$1\"; }; }; "

/* $1: the directory.  A truncated stream leaves nothing. */
static const char synchronise_unpack_script[] = FORGET
    "n=$1.ipubox-new; if forget \"$n\" && mkdir -p \"$n\" && tar -C \"$n\" "
    "-xpf - && echo " READY "; then exit 0; fi; forget \"$n\"; exit 1";

/* $1: the directory.  The old one stays if the new one cannot take its
   place. */
static const char synchronise_swap_script[] = FORGET
    "n=$1.ipubox-new; o=$1.ipubox-old; forget \"$o\" && mv \"$1\" \"$o\" || "
    "exit 1; if mv \"$n\" \"$1\"; then forget \"$o\"; echo " READY
    "; else mv \"$o\" \"$1\"; exit 1; fi";

static const char synchronise_forget_script[] = FORGET
    "forget \"$1.ipubox-new\"";

/* $1: the directory, then the command that reads the archive.  A line reports a
   failure of tar here.  A signal for the shell, which may come because its
   parent was killed, ends both programs. */
static const char synchronise_pack_script[] =
    "trap \"trap - TERM; kill 0\" TERM; p=$1; shift; { { tar -C \"$p\" -cf - . "
    "|| echo failed >&3; } | \"$@\" 3>&-; } 3>&1 & wait $!";

/* The state of one copy. */
struct synchronise {
	struct on_hosts hosts;
	const char *option;
	const char *path;
	struct strvec words; /* the path */
	char *shown;	     /* the path for messages */
	char *success_note;
};

/* Return true if `home` is the directory or below it. */
static bool
synchronise_holds(const char *directory, const char *home)
{
	const size_t length = strlen(directory);

	return strncmp(home, directory, length) == 0 &&
	    (home[length] == '/' || home[length] == '\0');
}

int
synchronise_check_path(const char *what, const char *path, const char *home,
    struct error *e)
{
	char *real, *real_home;
	struct stat st;
	int status = 0;

	if (path[0] != '/')
		return error_set(e, "%s %s: must be an absolute path", what,
		    path);
	if (stat(path, &st) != 0)
		return error_set_errno(e, "%s %s", what, path);
	if (!S_ISDIR(st.st_mode))
		return error_set(e, "%s %s: not a directory", what, path);
	real = realpath(path, NULL);
	real_home = home != NULL ? realpath(home, NULL) : NULL;
	if (real == NULL)
		status = error_set_errno(e, "%s %s", what, path);
	else if (strcmp(real, "/") == 0)
		status = error_set(e,
		    "%s %s: is the whole file system, which is not copied",
		    what, path);
	else if (real_home != NULL && synchronise_holds(real, real_home))
		status = error_set(e,
		    "%s %s: contains the home directory, which is not copied",
		    what, path);
	free(real);
	free(real_home);
	return status;
}

/* Check the path and remove a trailing /, because the copy gets a name beside
   the directory.  The caller frees the result. */
static char *
synchronise_take(const char *what, const char *path, struct error *e)
{
	size_t length = strlen(path);

	if (synchronise_check_path(what, path, getenv("HOME"), e) != 0)
		return NULL;
	while (length > 1 && path[length - 1] == '/')
		length--;
	return xasprintf("%.*s", (int)length, path);
}

char *
synchronise_venv(struct error *e)
{
	const char *path = variable_get("VIRTUAL_ENV");

	if (path != NULL)
		return synchronise_take(
		    "--synchronise-python-venv: VIRTUAL_ENV", path, e);
	(void)error_set(e,
	    "--synchronise-python-venv: VIRTUAL_ENV is not set: activate a "
	    "virtual environment first");
	return NULL;
}

char *
synchronise_sdk(const struct plan *p, struct error *e)
{
	static const char *const names[] = { "POPLAR_SDK_ENABLED",
		"POPLAR_ROOT" };
	static const char option[] = "--synchronise-poplar-sdk";
	const char *path;
	struct stat st;
	char *what, *taken;
	size_t i;

	if (p->has_sdk)
		return synchronise_take(option, p->sdk.directory, e);
	for (i = 0; i < 2; i++) {
		path = variable_get(names[i]);
		if (path == NULL || stat(path, &st) != 0 ||
		    !S_ISDIR(st.st_mode))
			continue;
		what = xasprintf("%s: %s", option, names[i]);
		taken = synchronise_take(what, path, e);
		free(what);
		return taken;
	}
	(void)error_set(e,
	    "%s: no SDK is named: name that of ipubox --install-sdk by --sdk "
	    "DIR, or set POPLAR_SDK_ENABLED or POPLAR_ROOT to the directory of "
	    "an SDK",
	    option);
	return NULL;
}

static bool
synchronise_has(const char *program)
{
	char *path = NULL;
	const bool found = program_find(program, getenv("PATH"), &path, NULL) ==
	    0;

	free(path);
	return found;
}

/* Make a file with a unique name.  If another host has it too, the directory is
   the same one.  Returns false if none can be made. */
static bool
synchronise_mark(const char *path, char **name, char **file)
{
	int fd;

	*name = xasprintf(".ipubox-%08x%08x", arc4random(), arc4random());
	*file = xasprintf("%s/%s", path, *name);
	fd = open(*file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd != -1)
		(void)close(fd);
	return fd != -1;
}

/* Log failures.  Returns 0, or the exit status if a host failed. */
static int
synchronise_tell(const struct synchronise *s, const char *doing)
{
	char *what = xasprintf("%s: cannot %s", s->option, doing);
	const size_t count = on_hosts_tell(&s->hosts, what);

	free(what);
	return count > 0 ? EXIT_FAILURE : 0;
}

/* Run a command on the hosts that are not skipped.  Returns 0 or the exit
   status. */
static int
synchronise_run(struct synchronise *s, struct on_hosts_work *w,
    const char *doing)
{
	const int signal = on_hosts_run(&s->hosts, w);

	return signal != 0 ? RUN_SIGNAL_STATUS + signal :
			     synchronise_tell(s, doing);
}

/* Ask for the directory on each host; hosts that share it are done. */
static int
synchronise_ask(struct synchronise *s)
{
	struct on_hosts_work work = { .script = synchronise_ask_script,
		.mark = READY,
		.limit_s = SYNCHRONISE_ASK_S };
	struct on_hosts_one *one;
	char *name, *file;
	const bool marked = synchronise_mark(s->path, &name, &file);
	int status;

	strvec_add(&work.words, s->path);
	strvec_add(&work.words, name);
	status = synchronise_run(s, &work, "copy to");
	if (marked)
		(void)unlink(file);
	for (one = s->hosts.all; one < s->hosts.all + s->hosts.count; one++) {
		if (status != 0 || !on_hosts_printed(one, SAME))
			continue;
		one->skipped = true;
		job_log_line(LOG_INFO, "%s: shares %s with this host",
		    one->host, s->shown);
	}
	free(name);
	free(file);
	strvec_release(&work.words);
	return status;
}

static void
synchronise_add_rsync(const struct on_hosts *o, const char *host,
    const void *context, struct strvec *argv)
{
	const struct synchronise *s = context;
	const bool colon = strchr(host, ':') != NULL;
	char *path = NULL;

	(void)program_find("rsync", getenv("PATH"), &path, NULL);
	strvec_take(argv, path != NULL ? path : xstrdup("rsync"));
	strvec_add(argv, "-a");
	strvec_add(argv, "-s");
	strvec_add(argv, "--delete");
	strvec_add(argv, "-e");
	strvec_take(argv, strvec_quoted(o->way.items));
	strvec_add(argv, "--");
	strvec_addf(argv, "%s/", s->path);
	strvec_addf(argv, "%s%s%s:%s/", colon ? "[" : "", host,
	    colon ? "]" : "", s->path);
}

static void
synchronise_add_tar(const struct on_hosts *o, const char *host,
    const void *context, struct strvec *argv)
{
	const struct synchronise *s = context;

	strvec_add(argv, o->sh);
	strvec_add(argv, "-c");
	strvec_add(argv, synchronise_pack_script);
	strvec_add(argv, "sh");
	strvec_add(argv, s->path);
	on_hosts_add_script(o, host, synchronise_unpack_script, &s->words,
	    argv);
}

/* An incomplete archive is not used. */
static int
synchronise_with_tar(struct synchronise *s)
{
	struct on_hosts_work copy = { .make_argv = synchronise_add_tar,
		.context = s,
		.mark = READY,
		.limit_s = SYNCHRONISE_COPY_S },
			     swap = { .script = synchronise_swap_script,
				     .words = s->words,
				     .mark = READY,
				     .limit_s = SYNCHRONISE_COPY_S,
				     .success_note = s->success_note },
			     forget = { .script = synchronise_forget_script,
				     .words = s->words,
				     .limit_s = SYNCHRONISE_ASK_S };
	struct on_hosts_one *one;
	int status = on_hosts_run(&s->hosts, &copy);

	for (one = s->hosts.all; one < s->hosts.all + s->hosts.count; one++)
		one->good = one->good && !on_hosts_printed(one, "failed");
	if (status != 0)
		return RUN_SIGNAL_STATUS + status;
	if (synchronise_tell(s, "copy to") == 0)
		return synchronise_run(s, &swap, "activate the copy on");
	(void)on_hosts_run(&s->hosts, &forget);
	return EXIT_FAILURE;
}

/* Copy to the selected hosts: by rsync to those that have it, or by tar to all.
   Then select the hosts that are left. */
static int
synchronise_choose(struct synchronise *s, bool rsync)
{
	struct on_hosts_work work = { .make_argv = synchronise_add_rsync,
		.context = s,
		.limit_s = SYNCHRONISE_COPY_S,
		.success_note = s->success_note };
	const size_t count = s->hosts.count;
	bool *later = xcalloc(count + 1, sizeof(*later));
	struct on_hosts_one *one;
	size_t i;
	int status;

	for (i = 0; i < count; i++) {
		one = &s->hosts.all[i];
		later[i] = !one->skipped && rsync &&
		    !on_hosts_printed(one, RSYNC);
		one->skipped = one->skipped || later[i];
	}
	status = !rsync ? synchronise_with_tar(s) :
			  synchronise_run(s, &work, "copy to");
	for (i = 0; i < count; i++)
		s->hosts.all[i].skipped = !later[i];
	free(later);
	return status;
}

/* The rest is copied with tar, which both sides need. */
static int
synchronise_check_tar(const struct synchronise *s)
{
	const struct on_hosts_one *one = s->hosts.all;

	for (; one < s->hosts.all + s->hosts.count; one++) {
		if (one->skipped ||
		    (synchronise_has("rsync") && on_hosts_printed(one, RSYNC)))
			continue;
		if (!synchronise_has("tar") || !on_hosts_printed(one, TAR))
			return job_log_error(
			    "%s: cannot copy to %s: both hosts need rsync, or "
			    "both need tar: apt-get install rsync",
			    s->option, one->host);
	}
	return 0;
}

static int
synchronise_copy(struct synchronise *s)
{
	int status = synchronise_ask(s);

	if (status == 0)
		status = synchronise_check_tar(s);
	if (status == 0 && synchronise_has("rsync"))
		status = synchronise_choose(s, true);
	return status == 0 ? synchronise_choose(s, false) : status;
}

int
synchronise_directory(const struct plan *p, const char *option,
    const char *path, const sigset_t *mask)
{
	struct synchronise s = { .option = option, .path = path };
	struct error e;
	int status;

	s.shown = xmalloc(4 * strlen(path) + 1);
	text_printable(path, s.shown, 4 * strlen(path) + 1);
	s.success_note = xasprintf("copied %s", s.shown);
	strvec_add(&s.words, path);
	if (on_hosts_init(&s.hosts, &p->agent, &p->hosts, false, mask, &e) != 0)
		status = job_log_error("%s: %s", option, e.text);
	else
		status = synchronise_copy(&s);
	on_hosts_release(&s.hosts);
	strvec_release(&s.words);
	free(s.shown);
	free(s.success_note);
	return status;
}
