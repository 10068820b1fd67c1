/*
 * The writer's lock, with a limit to each wait, and the record of its holder.
 *
 * The kernel does the waiting (F_OFD_SETLKW), so waiters are served in order
 * and without polling.  A timer of the waiting thread interrupts the wait ten
 * times per second to check the limit.
 */
#include "core/state/lock.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "core/state/holder.h"

/* Minimum wait, even after the deadline: another change is over by then. */
enum { LOCK_LEAST_MS = 1000 };

/* The record: one line of this size, padded with spaces. */
enum { RECORD_SIZE = LOCK_RECORD_SIZE, LOOK_EACH_MS = 100, RETRY_MS = 10 };

/* glibc has no name for this member before 2.41. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* How this process waits; see lock_set_notify(). */
static struct {
	void (*notify)(const char *text);
	int64_t deadline_ms;
} patience;

void
lock_set_notify(void (*notify)(const char *text))
{
	patience.notify = notify;
}

void
lock_set_deadline(int64_t deadline_ms)
{
	patience.deadline_ms = deadline_ms;
}

int
lock_open_name(const struct directory *d, const char *name, int flags,
    struct error *e)
{
	struct stat st;
	/* O_NONBLOCK: do not wait for a FIFO in its place. */
	int fd = file_open(d, name, flags | O_NONBLOCK, e);

	if (fd != -1 &&
	    (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink > 1)) {
		(void)close(fd);
		/* Another user may have planted it, like a symbolic link. */
		return error_set_reason(e, ELOOP);
	}
	return fd;
}

int
lock_open(const struct directory *d, int flags, struct error *e)
{
	return lock_open_name(d, "lock", flags, e);
}

int
lock_open_path(const char *directory, int flags, struct error *e)
{
	struct directory d;
	int fd = -1;

	if (directory_open_resolved(&d, directory, e) == 0)
		fd = lock_open(&d, flags, e);
	directory_close(&d);
	return fd;
}

/* Call fcntl(2) on byte 0; *lock receives the result of F_OFD_GETLK. */
static int
lock_call(int fd, int command, short type, struct flock *lock)
{
	memset(lock, 0, sizeof(*lock));
	lock->l_type = type;
	lock->l_whence = SEEK_SET;
	lock->l_len = 1;
	return fcntl(fd, command, lock);
}

bool
lock_is_held(int fd)
{
	struct flock lock;

	return lock_call(fd, F_OFD_GETLK, F_WRLCK, &lock) != 0 ||
	    lock.l_type != F_UNLCK;
}

bool
lock_has_holder(const char *directory)
{
	struct error reason;
	int fd = lock_open_path(directory, O_RDONLY, &reason);
	bool held;

	if (fd == -1)
		return reason.code != ERROR_NOT_FOUND;
	held = lock_is_held(fd);
	(void)close(fd);
	return held;
}

/* ---- the record ---- */

/* Find the state of a process ('T': stopped) and its start in ticks since the
   system's: fields 3 and 22 of /proc/PID/stat.  false: not visible. */
static bool
look_at_process(const char *pid, char *state, long long *started)
{
	char path[64], *text, *at, *field;
	size_t size;
	int i;
	bool found = false;

	(void)snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if ((text = file_read(path, RECORD_SIZE * 16, &size, NULL)) == NULL)
		return false;
	/* "PID (NAME) STATE ...", where the name may contain ")". */
	at = strrchr(text, ')');
	for (i = 2; at != NULL && (field = strsep(&at, " ")) != NULL; i++) {
		if (i == 3)
			*state = field[0];
		if (i == 22)
			found = parse_number("start", field, 0, LLONG_MAX,
				    started, NULL) == 0;
	}
	free(text);
	return found;
}

/* This process as its records describe it. */
struct lock_self {
	pid_t pid; /* a child's differs from that of a copied description */
	uint64_t namespace;
	char command[LOCK_COMMAND_SIZE];
};

/* Return the description, which is read once: a command may take the lock
   several times. */
static const struct lock_self *
look_at_self(void)
{
	static _Thread_local struct lock_self self;
	char command[LOCK_COMMAND_SIZE];

	if (self.pid == getpid())
		return &self;
	self.pid = getpid();
	self.namespace = holder_pid_namespace();
	/* Words after the first option may be an access key. */
	if (title_read(0, false, command, sizeof(command)) != 0)
		(void)strlcpy(command, program_invocation_short_name,
		    sizeof(command));
	text_printable(command, self.command, sizeof(self.command));
	return &self;
}

/* The record is "PID TICKS NAMESPACE SINCE_MS COMMAND"; a full disk does no
   harm.  TICKS is the time of the record: a process that started after it only
   has the same pid. */
void
lock_write_record(int fd, int64_t at)
{
	const struct lock_self *self = look_at_self();
	char record[RECORD_SIZE + 1];
	ssize_t written;
	int len;

	memset(record, ' ', sizeof(record));
	len = snprintf(record, sizeof(record),
	    "%ld %" PRId64 " %" PRIu64 " %" PRId64 " %s", (long)self->pid,
	    clock_boot_ticks(), self->namespace, clock_real_ms(),
	    self->command);
	record[len] = ' ';
	record[RECORD_SIZE - 1] = '\n';
	written = pwrite(fd, record, RECORD_SIZE, (off_t)at);
	(void)written;
}

/* Find out whether a process is that of a record, and its state. */
static enum lock_life
find_life(pid_t pid, long long recorded, uint64_t namespace)
{
	char name[24], state = '\0';
	long long started;

	if (namespace != holder_pid_namespace())
		return LOCK_FOREIGN;
	(void)snprintf(name, sizeof(name), "%ld", (long)pid);
	if (!look_at_process(name, &state, &started) || started > recorded)
		return LOCK_GONE;
	return state == 'T' || state == 't' ? LOCK_STOPPED : LOCK_ALIVE;
}

/* An unreadable record is LOCK_UNKNOWN. */
void
lock_read_record(int fd, int64_t from, struct lock_holder *holder)
{
	static const long long limits[] = { INT_MAX, LLONG_MAX, LLONG_MAX,
		LLONG_MAX };
	long long numbers[4];
	char record[RECORD_SIZE + 1], *at = record, *field;
	ssize_t size = pread(fd, record, RECORD_SIZE, (off_t)from);
	size_t len;
	int i;

	memset(holder, 0, sizeof(*holder));
	if (size != RECORD_SIZE)
		return;
	record[size] = '\0';
	for (i = 0; i < 4; i++)
		if ((field = strsep(&at, " ")) == NULL ||
		    parse_number("record", field, 0, limits[i], &numbers[i],
			NULL) != 0)
			return;
	if (at == NULL || numbers[0] < 1)
		return;
	for (len = strlen(at); len > 0 && strchr(" \n", at[len - 1]) != NULL;)
		at[--len] = '\0';
	text_printable(at, holder->command, sizeof(holder->command));
	holder->pid = (pid_t)numbers[0];
	holder->since_ms = numbers[3];
	holder->life = find_life(holder->pid, numbers[1], (uint64_t)numbers[2]);
}

bool
lock_find_holder(const char *directory, struct lock_holder *holder)
{
	int fd = lock_open_path(directory, O_RDONLY, NULL);
	bool held;

	memset(holder, 0, sizeof(*holder));
	if (fd == -1)
		return false;
	if ((held = lock_is_held(fd)))
		lock_read_record(fd, 0, holder);
	(void)close(fd);
	return held;
}

void
lock_describe(const struct lock_holder *holder, char text[LOCK_TEXT_SIZE])
{
	static const char *const words[] = {
		[LOCK_FOREIGN] = " of another pid namespace",
		[LOCK_STOPPED] = ", stopped",
		[LOCK_ALIVE] = ""
	};
	char since[CLOCK_TEXT_SIZE];

	if (holder->life == LOCK_UNKNOWN) {
		(void)strlcpy(text, "a program that left no record",
		    LOCK_TEXT_SIZE);
		return;
	}
	if (holder->life == LOCK_GONE) {
		(void)snprintf(text, LOCK_TEXT_SIZE,
		    "a program that cannot be seen from here (the record names "
		    "pid %ld, %s)",
		    (long)holder->pid, holder->command);
		return;
	}
	clock_text(holder->since_ms / 1000, since);
	(void)snprintf(text, LOCK_TEXT_SIZE, "%s (pid %ld%s, since %s)",
	    holder->command, (long)holder->pid, words[holder->life], since);
}

void
lock_remedy(const struct lock_holder *holder, char text[LOCK_TEXT_SIZE])
{
	if (holder->life == LOCK_STOPPED)
		(void)snprintf(text, LOCK_TEXT_SIZE,
		    "kill -CONT %ld lets it go on", (long)holder->pid);
	else if (holder->life == LOCK_ALIVE)
		(void)snprintf(text, LOCK_TEXT_SIZE,
		    "try again, or end it with kill %ld: nothing is lost",
		    (long)holder->pid);
	else
		(void)strlcpy(text,
		    "try again, or end the program that changes the state: "
		    "nothing is lost",
		    LOCK_TEXT_SIZE);
}

/* ---- the wait ---- */

/* This handler only has to interrupt fcntl(2). */
static void
wake(int signal)
{
	(void)signal;
}

/* The timer of a wait, and what to restore. */
struct interval {
	timer_t timer;
	sigset_t before;
	bool runs;
};

/*
 * Send SIGRTMIN to this thread repeatedly: a signal that comes before fcntl(2)
 * sleeps is followed by another.  The handler stays, because a signal that is
 * pending when the timer ends must not end the program.
 */
static void
interval_begin(struct interval *i)
{
	struct sigaction action = { .sa_handler = wake };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGRTMIN };
	struct timespec each = { .tv_nsec = LOOK_EACH_MS * 1000000 };
	struct itimerspec spec = { each, each };
	sigset_t set;

	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	i->runs = sigaction(SIGRTMIN, &action, NULL) == 0 &&
	    timer_create(CLOCK_MONOTONIC, &event, &i->timer) == 0;
	if (!i->runs)
		return;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGRTMIN);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, &i->before);
	(void)timer_settime(i->timer, 0, &spec, NULL);
}

static void
interval_end(struct interval *i)
{
	if (!i->runs)
		return;
	(void)timer_delete(i->timer);
	(void)pthread_sigmask(SIG_SETMASK, &i->before, NULL);
}

/* Wait for the lock or a signal; without a timer, poll. */
static int
lock_wait_once(int fd, const struct interval *i)
{
	struct flock lock;

	if (i->runs)
		return lock_call(fd, F_OFD_SETLKW, F_WRLCK, &lock);
	clock_sleep_ms(RETRY_MS);
	return lock_call(fd, F_OFD_SETLK, F_WRLCK, &lock);
}

static bool
is_busy(int number)
{
	return number == EAGAIN || number == EACCES || number == EINTR;
}

static void
lock_notify(int fd, const char *directory)
{
	struct lock_holder holder;
	struct error text;
	char described[LOCK_TEXT_SIZE];

	lock_read_record(fd, 0, &holder);
	lock_describe(&holder, described);
	(void)error_set(&text, "waiting for the lock of %s, held by %s",
	    directory, described);
	if (patience.notify != NULL)
		patience.notify(text.text);
}

static int
lock_give_up(int fd, const char *directory, int64_t waited_ms, struct error *e)
{
	struct lock_holder holder;
	char described[LOCK_TEXT_SIZE], remedy[LOCK_TEXT_SIZE];

	lock_read_record(fd, 0, &holder);
	lock_describe(&holder, described);
	lock_remedy(&holder, remedy);
	return error_set_code(e, ERROR_TIMED_OUT,
	    "waited %" PRId64 " s for the lock of %s, held by %s; %s",
	    waited_ms / 1000, directory, described, remedy);
}

/* Return the limit of this wait. */
static int64_t
limit_of(int64_t limit_ms)
{
	int64_t left_ms;

	if (limit_ms != LOCK_PATIENTLY)
		return limit_ms;
	if (patience.deadline_ms == 0)
		return LOCK_LIMIT_MS;
	left_ms = patience.deadline_ms - clock_monotonic_ms();
	return left_ms > LOCK_LEAST_MS ? left_ms : LOCK_LEAST_MS;
}

/* Returns 0, or the system's error number; EINTR: the limit is over. */
static int
lock_wait(int fd, const char *directory, int64_t limit_ms, int64_t start_ms)
{
	struct interval interval;
	int64_t waited_ms;
	bool notified = false;
	int number;

	interval_begin(&interval);
	for (;;) {
		number = lock_wait_once(fd, &interval) == 0 ? 0 : errno;
		waited_ms = clock_monotonic_ms() - start_ms;
		if (number == 0 || !is_busy(number) || waited_ms >= limit_ms)
			break;
		if (!notified && waited_ms >= LOCK_NOTIFY_MS) {
			lock_notify(fd, directory);
			notified = true;
		}
	}
	interval_end(&interval);
	return number;
}

int
lock_take(int fd, const char *directory, int64_t limit_ms, struct error *e)
{
	struct flock lock;
	int64_t start_ms = clock_monotonic_ms();
	int number;

	number = lock_call(fd, F_OFD_SETLK, F_WRLCK, &lock) == 0 ? 0 : errno;
	if (is_busy(number) && limit_ms != 0)
		number = lock_wait(fd, directory, limit_of(limit_ms), start_ms);
	if (is_busy(number))
		return lock_give_up(fd, directory,
		    clock_monotonic_ms() - start_ms, e);
	if (number != 0)
		return error_set_number(e, number, "cannot lock %s/lock",
		    directory);
	lock_write_record(fd, 0);
	return 0;
}

void
lock_drop(int fd)
{
	struct flock lock;

	while (lock_call(fd, F_OFD_SETLK, F_UNLCK, &lock) != 0 &&
	    errno == EINTR)
		continue;
}
