/*
 * Mapped files that are cut: with a guard the program goes on, and without one
 * SIGBUS keeps its meaning.
 */
#include "core/base/files/bus_guard.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/tap.h"

enum { PAGES = 4 };

static size_t page;

/* A file of some pages, mapped shared. */
static char *
map_file(int *fd)
{
	char *map;

	*fd = memfd_create("cut", MFD_CLOEXEC);
	if (*fd == -1 || ftruncate(*fd, (off_t)(PAGES * page)) != 0)
		exit(1);
	map = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_SHARED, *fd,
	    0);
	if (map == MAP_FAILED)
		exit(1);
	return map;
}

static void
test_cut(void)
{
	struct error e = { .text = "" };
	char *map, *other;
	int fd, other_fd;

	map = map_file(&fd);
	other = map_file(&other_fd);
	is_int(bus_guard_add(map, PAGES * page, &e), 0, "a guard");
	is_int(bus_guard_add(other, PAGES * page, &e), 0, "and another");
	memset(map, 'a', PAGES * page);
	is_int(ftruncate(fd, (off_t)page), 0, "the file is cut");
	ok(!bus_guard_was_hit(map), "nobody saw it yet");
	map[2 * page] = 'b';
	ok(bus_guard_was_hit(map) && bus_guard_was_hit(map + page),
	    "an access behind its end is seen");
	ok(!bus_guard_was_hit(other), "and is not the other's");
	is_int(map[2 * page], 'b', "what was written there stays");
	is_int(map[3 * page], 0, "behind it are zeros");
	is_int(map[page], 0, "and before it");
	is_int(map[0], 'a', "what the file still has is the file's");
	map[0] = 'c';
	(void)pread(fd, other, 1, 0);
	is_int(other[0], 'c', "and goes there");
	bus_guard_remove(map);
	ok(!bus_guard_was_hit(map), "no guard, no news");
	bus_guard_remove(other);
	(void)close(fd);
	(void)close(other_fd);
}

/* How a child ends that does this. */
static int
ended(void (*what)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		/* A report of a sanitizer is not what is looked for. */
		(void)signal(SIGBUS, SIG_DFL);
		what();
		_exit(0);
	}
	(void)waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

static void
guard_something(void)
{
	int fd;

	if (bus_guard_add(map_file(&fd), PAGES * page, NULL) != 0)
		_exit(1);
}

static void
touch_unguarded(void)
{
	volatile char *map;
	int fd;

	guard_something();
	map = map_file(&fd);
	(void)!ftruncate(fd, 0);
	map[0] = 'x';
}

static void
send_signal(void)
{
	guard_something();
	(void)raise(SIGBUS);
}

static void
test_many(void)
{
	struct error e = { .text = "" };
	char *maps[BUS_GUARDS_MAX + 1];
	int i, fd, good = 0;

	for (i = 0; i <= BUS_GUARDS_MAX; i++) {
		maps[i] = map_file(&fd);
		good += bus_guard_add(maps[i], PAGES * page, &e) == 0;
		(void)close(fd);
	}
	is_int(good, BUS_GUARDS_MAX, "so many at a time");
	is_str(e.text, "more than 1024 guarded files are mapped",
	    "and no more");
	is_int(e.code, ERROR_IO, "is for want of room");
	for (i = 0; i <= BUS_GUARDS_MAX; i++) {
		bus_guard_remove(maps[i]);
		(void)munmap(maps[i], PAGES * page);
	}
	maps[0] = map_file(&fd);
	is_int(bus_guard_add(maps[0], PAGES * page, &e), 0, "then again");
	bus_guard_remove(maps[0]);
}

int
main(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	/* First, while no handler is there in this process. */
	is_int(ended(touch_unguarded), SIGBUS, "another mapping is not saved");
	is_int(ended(send_signal), SIGBUS, "a signal that is sent ends it");
	test_cut();
	test_many();
	return tap_done();
}
