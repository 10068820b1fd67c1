/*
 * Symbolic links that somebody planted where this program makes, reads or
 * flushes files: none is followed, and what they point to stays as it was.
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/control/queue.h"
#include "core/pod/document/document.h"
#include "core/state/state.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static char *victim; /* a file of somebody's */

static void
make_victim(void)
{
	FILE *f = fopen(victim, "w");

	if (f == NULL || fputs("precious\n", f) < 0 || fclose(f) != 0 ||
	    chmod(victim, 0600) != 0)
		exit(1);
}

static void
victim_is_well(const char *name)
{
	struct stat st;
	size_t size = 0;
	char *text = file_read(victim, 4096, &size, NULL);

	ok(text != NULL && strcmp(text, "precious\n") == 0 &&
		stat(victim, &st) == 0 && (st.st_mode & 07777) == 0600,
	    name);
	free(text);
}

/* STATE/NAME is a link to the victim, or to what is not there. */
static char *
plant(const char *name, const char *target)
{
	char *path = xasprintf("%s/%s", test_paths.directory, name);

	(void)unlink(path);
	if (symlink(target, path) != 0)
		exit(1);
	return path;
}

static void
test_files(void)
{
	struct error e;
	char *path = plant("file", victim), *text;
	struct stat st;
	size_t size;

	is_int(file_open(directory_at(test_paths.directory), "file", O_RDWR,
		   &e),
	    -1, "opened");
	is_int(e.code, ERROR_UNSAFE, "not through a link");
	is_int(file_write(directory_at(test_paths.directory), "file", "x", 1,
		   &e),
	    -1, "written");
	is_int(e.code, ERROR_EXISTS, "neither");
	is_int(file_create(path, "x", 1, &e), -1, "a secret");
	is_int(e.code, ERROR_EXISTS, "neither");
	is_int(directory_sync_all(directory_at(test_paths.directory), &e), -1,
	    "flushed");
	is_int(e.code, ERROR_UNSAFE, "neither");
	text = file_read_at(directory_at(test_paths.directory), "file", 4096,
	    &size, &e);
	ok(text == NULL &&
		strstr(e.text,
		    "is a symbolic link, which is not followed here") != NULL,
	    "read neither, where it matters");
	is_int(file_replace(test_paths.directory, "file", "x", 1, &e), 0,
	    "a file takes the place of the link");
	ok(lstat(path, &st) == 0 && S_ISREG(st.st_mode), "itself");
	victim_is_well("and the victim is well");
	(void)unlink(path);
	free(path);
}

static void
test_lock(void)
{
	struct error e = { .text = "" };
	struct state s;
	char *missing = xasprintf("%s.missing", victim);
	const char *targets[] = { victim, missing };
	char *path;
	size_t i;

	for (i = 0; i < 2; i++) {
		path = plant("lock", targets[i]);
		is_int(state_open(&s, &e), -1, "a lock that is a link");
		ok(strstr(e.text, "/lock is not a regular file; remove it") !=
			NULL,
		    "is refused by its name");
		(void)unlink(path);
		free(path);
	}
	ok(access(missing, F_OK) != 0, "nothing is made through it");
	victim_is_well("nor changed");
	free(missing);
}

static void
test_state(void)
{
	struct snapshot snap;
	struct state s;
	struct error e = { .text = "" };
	char *path;

	is_int(state_open(&s, &e), 0, "a state");
	path = plant("partitions/p.ini", victim);
	is_int(state_lock(&s, &e), 0, "with a partition that is a link");
	is_int(snapshot_take(&s.registry, &snap, &e), 0, "can be read");
	ok(snap.damaged == 1 &&
		strstr(snap.damage,
		    "p.ini is a symbolic link, which is not followed here") !=
		    NULL,
	    "and the link is named");
	snapshot_release(&snap);
	state_close(&s);
	(void)unlink(path);
	free(path);
}

/* A new registry is neither made nor written through a link. */
static void
test_registry(void)
{
	struct error e = { .text = "" };
	struct state s;
	struct pod pod;

	(void)unlink(test_paths.registry);
	if (symlink(victim, test_paths.registry) != 0 ||
	    pod_file_parse(&pod, "pod4", pod_embedded("pod4"), &e) != 0)
		exit(1);
	is_int(state_open(&s, &e), -1, "a registry that is a link");
	ok(strstr(e.text, "is a symbolic link; remove it") != NULL,
	    "is refused");
	is_int(new_pod_init(&test_paths, &pod,
		   &(struct new_pod){ .force = true }, &e),
	    -1, "for a new pod too");
	ok(strstr(e.text, "is a symbolic link; remove it") != NULL,
	    "with the mend");
	victim_is_well("nothing is written through it");
	pod_release(&pod);
	(void)unlink(test_paths.registry);
}

/* Whose ticket cannot be looked at may wait. */
static void
test_ticket(void)
{
	struct ticket *tickets;
	struct error e;
	char *directory = xasprintf("%s/waiting", test_paths.directory);
	char *path;

	if (make_directory(directory, &e) != 0)
		exit(1);
	path = plant("waiting/0000000001.ini", victim);
	is_int(ticket_read(directory_at(test_paths.directory), &tickets, &e), 1,
	    "a ticket");
	ok(tickets[0].live && tickets[0].size == 0,
	    "that is a link is not read, and may be held");
	free(tickets);
	(void)unlink(path);
	free(path);
	free(directory);
}

/* What is there when a state is given to a group goes to the group. */
static void
test_share(void)
{
	struct error e = { .text = "" };
	struct state s;
	char *path = plant("users/eve.ini", victim);

	if (chmod(test_paths.directory, 02770) != 0)
		exit(1);
	is_int(state_open(&s, &e), -1, "a link among what a group is given");
	ok(strstr(e.text, "eve.ini") != NULL, "is named");
	victim_is_well("and the victim is not given away");
	(void)unlink(path);
	free(path);
	is_int(state_open(&s, &e), 0, "without it all is well");
	state_close(&s);
}

int
main(void)
{
	struct error e;

	(void)alarm(60);
	use_state("victims");
	victim = xstrdup(test_paths.directory);
	make_victim();
	use_state("planted");
	if (make_directory(test_paths.directory, &e) != 0)
		return 1;
	test_files();
	test_lock();
	test_state();
	test_registry();
	test_ticket();
	test_share();
	free(victim);
	return state_util_done();
}
