/*
 * ipubox --install, --install-sdk and --unpack: links with the names of the
 * applets, the SDK, or both with a copy of the program.
 */
#include "applets/applet.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file_link.h"
#include "core/base/strvec.h"
#include "core/process/process.h"
#include "core/state/sdk/sdk.h"

const char install_mark[] = "The IPU Pod tools in one file. Applets:";

/* Refuse a directory that is missing or not writable.  Called before the first
   link is created. */
static int
install_check_directory(const char *dir, struct error *e)
{
	struct stat st;

	if (stat(dir, &st) != 0)
		return errno == ENOENT ?
		    error_set(e,
			"directory %s does not exist; create it with mkdir -p "
			"%s",
			dir, dir) :
		    error_set_errno(e, "cannot look at %s", dir);
	if (!S_ISDIR(st.st_mode))
		return error_set(e, "%s is not a directory", dir);
	return access(dir, W_OK | X_OK) == 0 ?
	    0 :
	    error_set_errno(e, "cannot write in %s", dir);
}

/* Refuse a link that would replace another program. */
static int
install_check_link(const struct file_link_target *target, const char *dir,
    const char *name, struct error *e)
{
	return file_link_check(target, dir, name, e) == 0 ?
	    0 :
	    error_append(e, "; choose another directory or use --force");
}

/* Refuse a link that would hide another program on the PATH. */
static int
install_check_path(const struct file_link_target *target, const char *dir,
    const char *name, struct error *e)
{
	char *other;
	int status = 0;

	if (program_find(name, getenv("PATH"), &other, NULL) != 0)
		return 0;
	if (!file_link_is_ours(target, other))
		status = error_set(e,
		    "%s/%s could hide %s, which belongs to another program; "
		    "choose another directory or use --force",
		    dir, name, other);
	free(other);
	return status;
}

/* A check or an action for one name of the program in the directory. */
typedef int install_step(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

static int
install_each(const struct install *i, install_step *step,
    const struct file_link_target *target, const char *dir, struct error *e)
{
	const struct applet *const *a;

	for (a = i->applets; *a != NULL; a++)
		if (step(target, dir, (*a)->name, e) != 0)
			return -1;
	return step(target, dir, "ipubox", e);
}

/* Do both checks of a name.  They are done for all names before the first link
   is created, so that a refusal creates no link. */
static int
install_both(const struct file_link_target *target, const char *dir,
    const char *name, struct error *e)
{
	return install_check_link(target, dir, name, e) == 0 ?
	    install_check_path(target, dir, name, e) :
	    -1;
}

static int
install_make_links(const struct install *i,
    const struct file_link_target *target, struct error *e)
{
	if (install_check_directory(i->directory, e) != 0)
		return -1;
	if (!i->force &&
	    install_each(i, install_both, target, i->directory, e) != 0)
		return -1;
	if (install_each(i, file_link_make, target, i->directory, e) != 0)
		return -1;
	if (isatty(STDOUT_FILENO))
		puts("The manuals are in the same file: ipubox help");
	return 0;
}

static int
install_failed(const struct error *e)
{
	fprintf(stderr, "ipubox: %s\n", e->text);
	return EXIT_FAILED;
}

/* Find this program's file and call `run` with it.  Returns the exit status,
   with a failure reported on stderr. */
static int
install_run(const struct install *i,
    int (*run)(const struct install *, const struct file_link_target *,
	struct error *))
{
	char *self = program_own_file(i->called, getenv("PATH"));
	struct error error;
	int status;

	if (self == NULL)
		status = error_set(&error,
		    "cannot find the program's own file: /proc is missing and "
		    "'%s' does not exist; start ipubox by its path",
		    i->called);
	else
		status = run(i,
		    &(struct file_link_target){ .file = self,
			.mark = install_mark,
			.symbolic = i->symbolic },
		    &error);
	free(self);
	return status == 0 ? EXIT_DONE : install_failed(&error);
}

int
install_links(const struct install *i)
{
	return install_run(i, install_make_links);
}

/*
 * Copy the program into DIRECTORY/bin, with hard links to the copy, and install
 * the SDK in DIRECTORY/sdk.  Symbolic links would break if the directory is
 * later seen under another path, and hard links cannot lead to the original if
 * it is on another file system.
 */
static int
install_make_copy(const struct install *i,
    const struct file_link_target *target, struct error *e)
{
	struct file_link_target copy = { .mark = target->mark };
	char *bin = xasprintf("%s/bin", i->directory);
	char *sdk = xasprintf("%s/sdk", i->directory);
	char *file = xasprintf("%s/ipubox", bin);
	char *real = NULL;
	int status;

	/* Create only the last part of the path.  If that fails, the check
	   below reports the reason. */
	(void)mkdir(i->directory, 0777);
	status = install_check_directory(i->directory, e);
	if (status == 0 && !i->force)
		status = install_each(i, install_check_link, target, bin, e);
	if (status == 0)
		status = file_link_copy(target, i->directory, "bin/ipubox", e);
	if (status == 0 && (real = realpath(file, NULL)) == NULL)
		status = error_set_errno(e, "cannot find %s", file);
	copy.file = real;
	if (status == 0)
		status = install_each(i, file_link_make, &copy, bin, e);
	if (status == 0)
		status = sdk_install(sdk, real, i->force, e);
	free(real);
	free(file);
	free(sdk);
	free(bin);
	return status;
}

int
install_unpack(const struct install *i)
{
	return install_run(i, install_make_copy);
}

int
install_sdk(const struct install *i)
{
	struct error error;
	struct strvec words;
	char *quoted;
	char *self = program_own_file(i->called, getenv("PATH"));
	int status = sdk_install(i->directory, self, i->force, &error);

	free(self);
	if (status != 0)
		return install_failed(&error);
	strvec_init(&words);
	strvec_add(&words, "sdk-env");
	strvec_add(&words, i->directory);
	quoted = strvec_quoted(words.items);
	printf("The SDK is in %s.  To use it in a shell, run\n"
	       "    eval \"$(ipubox %s)\"\n",
	    i->directory, quoted);
	free(quoted);
	strvec_release(&words);
	return EXIT_DONE;
}
