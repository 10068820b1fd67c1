/*
 * The names of the applets, which main.c registers before it calls one, and the
 * commands that run this program's own file.
 */
#include "core/process/process.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/files/directory.h"
#include "core/base/files/file_link.h"
#include "core/base/strvec.h"

/* Set by main.c; empty before, as in a unit test. */
static const char *const no_names[] = { NULL };
static const char *const *own_names = no_names;
static const char *own_called = "";

void
own_program_register(const char *const *names, const char *called)
{
	own_names = names;
	own_called = called;
}

bool
own_program_has(const char *name)
{
	const char *const *n;

	for (n = own_names; *n != NULL; n++)
		if (strcmp(*n, name) == 0)
			break;
	return *n != NULL;
}

bool
own_program_is_ipubox(const char *name)
{
	return strncmp(name, "ipubox", 6) == 0 && !own_program_has(name);
}

/*
 * A program in the PATH comes first: an installed poprun is used even by
 * another version of ipubox.  Our file runs the applet named in argv[1].  If
 * the file is not called ipubox, but for example like an applet, "__ipubox"
 * says that the next word is the applet.
 */
int
own_program_find(char *const *program, char **path, struct strvec *command,
    struct error *e)
{
	const char *search = getenv("PATH");
	bool itself = strcmp(program[0], "ipubox") == 0;
	int status = program_find(program[0], search, path, e);

	if (status == PROGRAM_NOT_FOUND &&
	    (itself || own_program_has(program[0])) &&
	    (*path = program_own_file(own_called, search)) != NULL) {
		status = 0;
		strvec_add(command, *path);
		if (!own_program_is_ipubox(path_base_name(*path)))
			strvec_add(command, OWN_PROGRAM_WORD);
		if (itself)
			program++;
	}
	if (status == 0)
		strvec_add_all(command, program);
	return status;
}

int
own_program_add(struct strvec *command, struct error *e)
{
	char *file = program_own_file(own_called, getenv("PATH"));

	if (file == NULL)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "cannot find my own file: there is no /proc, and no '%s'; "
		    "call me by my path",
		    own_called);
	strvec_take(command, file);
	strvec_add(command, OWN_PROGRAM_WORD);
	return 0;
}

int
own_program_link_all(const char *file, const char *directory, struct error *e)
{
	const struct file_link_target target = { .file = file,
		.mark = "",
		.symbolic = true };
	const char *const *name;

	for (name = own_names; *name != NULL; name++)
		if (file_link_make(&target, directory, *name, e) != 0)
			return -1;
	return file_link_make(&target, directory, "ipubox", e);
}
