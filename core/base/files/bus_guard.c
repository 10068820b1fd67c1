/*
 * The handler of SIGBUS for mapped files.  It may interrupt anything, so it
 * shares only a table of atomics with the rest, and only makes system calls.
 *
 *	file     [ page 0 | page 1 ]		cut to two pages
 *	mapping  [ page 0 | page 1 | page 2 | page 3 ]
 *	                             ^ SIGBUS: private pages from here on
 */
#include "core/base/files/bus_guard.h"

#include <sys/mman.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

/* `begin` is 0 in a free row, and is set last. */
struct bus_guard {
	_Atomic uintptr_t begin;
	_Atomic uintptr_t end;
	_Atomic bool hit;
};

static struct bus_guard guards[BUS_GUARDS_MAX];
static _Atomic bool any_hit;
static struct sigaction before; /* earlier handler of SIGBUS */
static long page_size;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static struct bus_guard *
guard_of(uintptr_t address)
{
	uintptr_t begin;
	int i;

	for (i = 0; i < BUS_GUARDS_MAX; i++) {
		begin = atomic_load(&guards[i].begin);
		if (begin != 0 && address >= begin &&
		    address < atomic_load(&guards[i].end))
			return &guards[i];
	}
	return NULL;
}

/* Replace all pages from here on in one call: the file ends at this page or
   before it. */
static bool
replace_pages(struct bus_guard *g, uintptr_t address)
{
	uintptr_t page = address & ~((uintptr_t)page_size - 1);

	if (mmap((void *)page, atomic_load(&g->end) - page,
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		-1, 0) == MAP_FAILED)
		return false;
	atomic_store(&g->hit, true);
	atomic_store(&any_hit, true);
	return true;
}

static void
bus_guard_signal(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	struct bus_guard *g = NULL;

	(void)context;
	if (info->si_code == BUS_ADRERR)
		g = guard_of((uintptr_t)info->si_addr);
	if (g != NULL && replace_pages(g, (uintptr_t)info->si_addr)) {
		errno = saved;
		return;
	}
	/* Act as without a guard: the access or the signal is repeated. */
	(void)sigaction(SIGBUS, &before, NULL);
	if (info->si_code <= 0)
		(void)raise(number);
	errno = saved;
}

/* Install the handler once per process. */
static int
bus_guard_install(struct error *e)
{
	struct sigaction action = { .sa_sigaction = bus_guard_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART };

	if (page_size != 0)
		return 0;
	(void)sigemptyset(&action.sa_mask);
	page_size = sysconf(_SC_PAGESIZE);
	if (sigaction(SIGBUS, &action, &before) == 0)
		return 0;
	page_size = 0;
	return error_set_errno(e, "cannot handle SIGBUS");
}

int
bus_guard_add(void *map, size_t size, struct error *e)
{
	int i, status;

	(void)pthread_mutex_lock(&adding);
	status = bus_guard_install(e);
	for (i = 0; status == 0 && i < BUS_GUARDS_MAX; i++)
		if (atomic_load(&guards[i].begin) == 0)
			break;
	if (status == 0 && i == BUS_GUARDS_MAX)
		status = error_set_code(e, ERROR_IO,
		    "more than %d guarded files are mapped", BUS_GUARDS_MAX);
	if (status == 0) {
		atomic_store(&guards[i].hit, false);
		atomic_store(&guards[i].end, (uintptr_t)map + size);
		atomic_store(&guards[i].begin, (uintptr_t)map);
	}
	(void)pthread_mutex_unlock(&adding);
	return status;
}

void
bus_guard_remove(void *map)
{
	struct bus_guard *g = guard_of((uintptr_t)map);

	if (g != NULL)
		atomic_store(&g->begin, 0);
}

bool
bus_guard_was_hit(const void *address)
{
	struct bus_guard *g;

	if (!atomic_load_explicit(&any_hit, memory_order_relaxed))
		return false;
	g = guard_of((uintptr_t)address);
	return g != NULL && atomic_load(&g->hit);
}
