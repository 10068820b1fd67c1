/*
 * Where the state is: the same directory by any name gives the same registry.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/state/state.h"
#include "tests/unit/tap.h"

static const char *root;

static const char *
below(const char *name)
{
	static char path[2][512];
	static int turn;

	turn = !turn;
	(void)snprintf(path[turn], sizeof(path[turn]), "%s/%s", root, name);
	return path[turn];
}

/* The paths of a state directory given by name; no registry is named. */
static struct state_paths
paths_of(const char *directory)
{
	struct state_paths p = { .directory = "" };
	struct error e = { .text = "" };

	(void)setenv("IPUBOX_STATE_DIR", directory, 1);
	if (paths_find(&p, &e) != 0)
		(void)snprintf(p.directory, sizeof(p.directory), "%.255s",
		    e.text);
	return p;
}

static void
test_names(void)
{
	static const char *const same[] = { "real", "real/", "real//", "./real",
		"link", "real/../real", "link/." };
	struct state_paths p, q;
	size_t i;

	(void)mkdir(below("real"), 0700);
	(void)!symlink("real", below("link"));
	p = paths_of(below("real"));
	is_str(p.directory, below("real"), "a folder");
	is_int(strncmp(p.registry, "/dev/shm/ipubox-", 16), 0,
	    "its registry is in shared memory");
	is_int((int)strlen(p.registry), 32, "with 16 digits");
	for (i = 0; i < ARRAY_SIZE(same); i++) {
		q = paths_of(below(same[i]));
		is_str(q.directory, p.directory, same[i]);
		is_str(q.registry, p.registry, "has the same registry");
	}
	if (chdir(root) == 0)
		is_str(paths_of("real").directory, p.directory, "relative");
	is_str(paths_of("link").registry, p.registry, "relative by a link");
	q = paths_of(below("other"));
	ok(strcmp(q.registry, p.registry) != 0, "another folder, another");
}

/* A directory that is not there yet has the name it will have. */
static void
test_not_there(void)
{
	struct state_paths p;

	is_str(paths_of(below("link/a//b/")).directory, below("real/a/b"),
	    "below a link, not made yet");
	p = paths_of(below("new"));
	(void)mkdir(below("new"), 0700);
	is_str(paths_of(below("new")).registry, p.registry,
	    "the same when it is made");
	is_str(paths_of(below("new/./x//.")).directory, below("new/x"),
	    "dots in what is not there");
	(void)setenv("IPUBOX_STATE_DIR", below("none/../real"), 1);
	is_int(paths_find(&p, NULL), -1, "the folder above one that is not");
	is_str(paths_of("/").directory, "/", "the root itself");
	is_str(paths_of("/nonexistent").directory, "/nonexistent", "below it");
	if (chdir(root) == 0)
		is_str(paths_of("x/y").directory, below("x/y"), "relative");
}

static void
test_choice(void)
{
	struct state_paths p;
	struct error e;
	char text[600];

	(void)setenv("IPUBOX_STATE_DIR", below("real"), 1);
	(void)setenv("IPUBOX_REGISTRY", "/somewhere/registry", 1);
	is_int(paths_find(&p, &e), 0, "a registry by name");
	is_str(p.registry, "/somewhere/registry", "is that one");
	(void)setenv("IPUBOX_REGISTRY", "registry", 1);
	is_int(chdir(root), 0, "a folder to be in");
	is_int(paths_find(&p, &e), 0, "relative");
	is_str(p.registry, below("registry"), "is below this folder");
	(void)setenv("IPUBOX_REGISTRY", "", 1);
	(void)unsetenv("IPUBOX_STATE_DIR");
	(void)setenv("HOME", root, 1);
	is_int(paths_find(&p, &e), 0, "by the user");
	(void)snprintf(text, sizeof(text), "%s",
	    geteuid() == 0 ? "/var/lib/ipubox" : below(".local/state/ipubox"));
	is_str(p.directory, text, "root's, or the user's own");
	memset(text, 'x', sizeof(text) - 1);
	text[0] = '/';
	text[sizeof(text) - 1] = '\0';
	(void)setenv("IPUBOX_STATE_DIR", text, 1);
	is_int(paths_find(&p, &e), -1, "a name that is too long");
}

/* Who says it: the variable, then the file, then nobody. */
static void
test_origin(void)
{
	struct state_paths p;
	struct error e = { .text = "no x" };
	char wanted[1024];
	FILE *f = fopen(below("conf"), "w");

	if (f == NULL ||
	    fputs("[state]\ndirectory = /nonexistent/f\n", f) < 0 ||
	    fclose(f) != 0 || chmod(below("conf"), 0600) != 0) {
		ok(false, "a file of settings");
		return;
	}
	(void)setenv("IPUBOX_CONFIG", below("conf"), 1);
	(void)setenv("IPUBOX_STATE_DIR", "/nonexistent/v", 1);
	is_int(paths_find(&p, &e), 0, "a variable and a file");
	is_str(p.directory, "/nonexistent/v", "the variable counts");
	is_str(p.origin, "IPUBOX_STATE_DIR", "and is named");
	(void)unsetenv("IPUBOX_STATE_DIR");
	is_int(paths_find(&p, &e), 0, "a file alone");
	is_str(p.directory, "/nonexistent/f", "counts");
	(void)snprintf(wanted, sizeof(wanted), "%s:2", below("conf"));
	is_str(p.origin, wanted, "and is named with its line");
	is_int(strncmp(p.registry, "/dev/shm/ipubox-", 16), 0,
	    "its registry is named after the folder, as the variable's");
	is_int(paths_append_place(&e), -1, "a hint");
	(void)snprintf(wanted, sizeof(wanted),
	    "no x\n(state directory: /nonexistent/f, %s:2)", below("conf"));
	is_str(e.text, wanted, "says both");
	(void)setenv("IPUBOX_STATE_DIR", "/nonexistent/v", 1);
	(void)setenv("IPUBOX_CONFIG", below("none"), 1);
	is_int(paths_find(&p, &e), -1, "a file that is refused");
	ok(strncmp(e.text, "IPUBOX_CONFIG: ", 15) == 0,
	    "also where the variable would do");
	(void)setenv("IPUBOX_CONFIG", "/dev/null", 1);
	(void)unsetenv("IPUBOX_STATE_DIR");
	(void)setenv("HOME", root, 1);
	is_int(paths_find(&p, &e), 0, "neither");
	is_str(p.origin, "default", "says so");
	(void)unlink(below("conf"));
}

/* The same as another user than root, in a child that may be one. */
static void
test_user(void)
{
	struct state_paths p;
	struct error e;

	if (geteuid() == 0 && seteuid(4711) != 0) {
		tap_skip("another user", "cannot be one");
		return;
	}
	(void)unsetenv("IPUBOX_STATE_DIR");
	(void)setenv("HOME", "/nonexistent", 1);
	is_int(paths_find(&p, &e), 0, "a user");
	is_str(p.directory, "/nonexistent/.local/state/ipubox", "at home");
	(void)setenv("XDG_STATE_HOME", "/nonexistent/xdg", 1);
	is_int(paths_find(&p, &e), 0, "with XDG_STATE_HOME");
	is_str(p.directory, "/nonexistent/xdg/ipubox", "there");
	(void)unsetenv("XDG_STATE_HOME");
	(void)unsetenv("HOME");
	is_int(paths_find(&p, &e), -1, "without a home");
	is_str(e.text, "no place for the state: set IPUBOX_STATE_DIR or HOME",
	    "says what helps");
	if (getuid() == 0)
		(void)!seteuid(0);
}

int
main(void)
{
	root = tap_directory();
	(void)unsetenv("IPUBOX_REGISTRY");
	test_names();
	test_not_there();
	test_choice();
	test_origin();
	test_user();
	(void)rmdir(below("real"));
	(void)rmdir(below("new"));
	(void)unlink(below("link"));
	(void)rmdir(root);
	return tap_done();
}
