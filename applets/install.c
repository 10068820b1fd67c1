/*
 * Installing: links for the applets, and the SDK.
 */
#include "applets/install.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/file_link.h"
#include "core/base/strvec.h"
#include "core/process/program.h"
#include "core/state/sdk_install.h"

const char	install_mark[] = "The IPU Pod tools in one file. Applets:";

/* Said before the first link is made, with the command that makes one. */
static int
install_check_directory(const char *dir, struct error *e)
{
	struct stat	st;

	if (stat(dir, &st) != 0)
		return errno == ENOENT ? error_set(e, "there is no directory "
		    "%s: make it with mkdir -p %s", dir, dir) :
		    error_set_errno(e, "cannot look at %s", dir);
	if (!S_ISDIR(st.st_mode))
		return error_set(e, "%s is not a directory", dir);
	return access(dir, W_OK | X_OK) == 0 ? 0 :
	    error_set_errno(e, "cannot write in %s", dir);
}

/* Whether the link would take the place, or the turn, of another program. */
static int
install_check_link(const struct file_link_target *target, const char *dir,
    const char *name, struct error *e)
{
	char	*other;
	int	 status = file_link_check(target, dir, name, e);

	if (status == 0 &&
	    program_find(name, getenv("PATH"), &other, NULL) == 0) {
		if (!file_link_is_ours(target, other))
			status = error_set(e, "%s/%s could hide %s, which "
			    "belongs to another program", dir, name, other);
		free(other);
	}
	return status == 0 ? 0 : error_append(e, ": choose another directory, "
	    "or --force");
}

/* Nothing is made where one of the links may not be. */
static int
make_links(const struct install *i, const struct file_link_target *target,
    struct error *e)
{
	const struct applet *const *a;

	if (install_check_directory(i->directory, e) != 0)
		return -1;
	if (!i->force) {
		for (a = i->applets; *a != NULL; a++)
			if (install_check_link(target, i->directory,
			    (*a)->name, e) != 0)
				return -1;
		if (install_check_link(target, i->directory, "ipubox", e) != 0)
			return -1;
	}
	for (a = i->applets; *a != NULL; a++)
		if (file_link_make(target, i->directory, (*a)->name, e) != 0)
			return -1;
	return file_link_make(target, i->directory, "ipubox", e);
}

static int
install_failed(const struct error *e)
{
	fprintf(stderr, "ipubox: %s\n", e->text);
	return EXIT_FAILED;
}

int
install_links(const struct install *i)
{
	char		*self = program_own_file(i->called, getenv("PATH"));
	struct error	 error;
	int		 status;

	if (self == NULL)
		status = error_set(&error, "cannot find my own file: there is "
		    "no /proc, and no '%s'; call me by my path", i->called);
	else
		status = make_links(i, &(struct file_link_target){
			.file = self, .mark = install_mark,
			.symbolic = i->symbolic
		}, &error);
	free(self);
	return status == 0 ? EXIT_DONE : install_failed(&error);
}

int
install_sdk(const struct install *i)
{
	struct error	 error;
	struct strvec	 words;
	char		*quoted;

	if (sdk_install(i->directory, i->force, &error) != 0)
		return install_failed(&error);
	strvec_init(&words);
	strvec_add(&words, "sdk-env");
	strvec_add(&words, i->directory);
	quoted = strvec_quoted(words.items);
	printf("The SDK is in %s.  A shell finds it after\n"
	    "    eval \"$(ipubox %s)\"\n", i->directory, quoted);
	free(quoted);
	strvec_release(&words);
	return EXIT_DONE;
}
