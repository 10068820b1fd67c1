/*
 * The process that starts the instances.  It is a subreaper and adopts every
 * process below it that loses its parent; it exits when the tree is empty.
 * Read supervisor_main() at the end, then tree.h.
 */
#include "core/process/supervisor.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/process/job_directory.h"
#include "core/process/packet.h"
#include "core/process/process.h"
#include "core/process/tree.h"

enum {
	/* used by a child until it executes its program: about one page */
	CHILD_STACK = 64 * 1024,
	/* How long processes left by the last instance may take to end by
	   themselves: Open MPI's helper of a lone rank crashes when it is told
	   to end meanwhile. */
	LEAVE_MS = 100
};

struct supervisor {
	const struct supervisor_plan *plan;
	struct tree tree;
	pid_t pid;    /* this process */
	pid_t reaper; /* the parent */
	pid_t *pids;  /* one per instance; 0: not running */
	char *stacks; /* CHILD_STACK bytes per instance */
	int running;
	int64_t leave_ms; /* when to end the remaining processes; 0: instances
			     run */
	int socket;	  /* -1: poprun is gone */
	int children;	  /* signalfd of SIGCHLD */
	int null;
	struct packet packet;		 /* waits for poprun */
	int outputs[SUPERVISOR_OUTPUTS]; /* write ends for the instance that is
					    being started */
	int report[2];			 /* pipe from children that fail to
					    start */
	int roster;			 /* shows the instances which processes
					    run */
	bool childless;
};

/* Placed at the start of a child's stack. */
struct supervisor_child {
	struct supervisor supervisor; /* copy, because the original changes */
	int instance;
};

/* Begin the end: `signal` now, SIGKILL after the grace time. */
static void
supervisor_end_tree(struct supervisor *s, int signal)
{
	tree_end(&s->tree, signal, clock_monotonic_ms());
}

/* Send the waiting messages to poprun before each wait. */
static void
supervisor_flush(struct supervisor *s)
{
	const int reason = packet_send(&s->packet, s->socket);

	if (reason == 0 || s->tree.ending)
		return;
	/* Instances without their pipes are useless. */
	s->packet.messages[s->packet.count++] =
	    (struct supervisor_message){ .kind = SUPERVISOR_CANNOT_PIPE,
		    .value = reason };
	supervisor_end_tree(s, SIGTERM);
}

/* Queue a message to poprun, sent before the next wait.  If poprun is gone it
   is dropped, and the tree is being ended anyway. */
static void
supervisor_notify(struct supervisor *s, enum supervisor_kind kind, int instance,
    pid_t pid, int value)
{
	if (!packet_has_room(&s->packet, 0))
		supervisor_flush(s);
	s->packet.messages[s->packet.count++] =
	    (struct supervisor_message){ .kind = (int32_t)kind,
		    .instance = instance,
		    .pid = (int32_t)pid,
		    .value = value };
}

/* Become the instance in the child.  Failures before the program runs are sent
   through the pipe `report`, because an exit status could be the program's. */
static int
become_instance(const struct supervisor *s, int instance)
{
	const struct supervisor_plan *p = s->plan;
	struct supervisor_message m = { .kind = SUPERVISOR_CANNOT_START,
		.instance = instance };

	m.value = start_become(&(struct start){ .path = p->path,
	    .argv = p->argv,
	    .environment = p->environments[instance],
	    .working = p->working != NULL ? p->working[instance] : NULL,
	    .input = p->inputs[instance] != -1 ? p->inputs[instance] : s->null,
	    .output = s->outputs[0],
	    .errors = s->outputs[p->merge_stderr ? 0 : 1],
	    .parent = s->pid,
	    .mask = p->mask,
	    .open_files = p->open_files,
	    .binding = p->binding,
	    .index = instance });
	if (m.value != 0)
		(void)!write(s->report[1], &m, sizeof(m));
	return PROGRAM_CANNOT_EXECUTE;
}

static int
child_main(void *argument)
{
	const struct supervisor_child *c = argument;

	return become_instance(&c->supervisor, c->instance);
}

/*
 * Make a child with a separate stack in this process's memory.  That saves
 * copying page tables and written pages, and freeing them in execve(2), which
 * would take longer than everything else here.  Unlike after vfork(2), the
 * parent need not wait.  They share errno: of two calls that fail at the same
 * moment, one may report the other's reason.
 */
static pid_t
make_child(const struct supervisor *s, int instance)
{
	char *end = s->stacks + (size_t)(instance + 1) * CHILD_STACK;
	struct supervisor_child *c = (void *)end;

	*--c = (struct supervisor_child){ .supervisor = *s,
		.instance = instance };
	return clone(child_main, c, CLONE_VM | SIGCHLD, c);
}

/* Make one output; poprun reads fds[0]. */
static int
make_output(const struct supervisor *s, int output, int fds[2])
{
	if (output == 0 && s->plan->terminal != NULL &&
	    pty_open(fds, s->plan->terminal) == 0)
		return 0;
	return pipe2(fds, O_CLOEXEC);
}

/* Make the pipes of an instance when its turn comes, and send their read ends
   to poprun, because each fork(2) copies all open descriptors. */
static int
make_outputs(struct supervisor *s)
{
	int fds[2], i;

	if (!packet_has_room(&s->packet, SUPERVISOR_OUTPUTS))
		supervisor_flush(s);
	for (i = 0; i < SUPERVISOR_OUTPUTS; i++)
		s->outputs[i] = -1;
	for (i = 0; i < SUPERVISOR_OUTPUTS; i++) {
		if (make_output(s, i, fds) != 0)
			return -1;
		s->packet.files[s->packet.file_count++] = fds[0];
		s->outputs[i] = fds[1];
	}
	return 0;
}

/* Close the instance's ends of the pipes here, so that a pipe ends with its
   writers and the input with its reader. */
static void
close_ends(const struct supervisor *s, int instance)
{
	const int input = s->plan->inputs[instance];
	int i;

	for (i = 0; i < SUPERVISOR_OUTPUTS; i++)
		if (s->outputs[i] != -1)
			(void)close(s->outputs[i]);
	if (input != -1 && input != STDIN_FILENO)
		(void)close(input);
}

/* Start an instance.  Returns SUPERVISOR_STARTED, or the failure with errno
   set. */
static enum supervisor_kind
start_instance(struct supervisor *s, int instance)
{
	pid_t pid;

	if (make_outputs(s) != 0)
		return SUPERVISOR_CANNOT_PIPE;
	if ((pid = make_child(s, instance)) == -1)
		return SUPERVISOR_CANNOT_FORK;
	close_ends(s, instance);
	/* The child does it too; either may be first. */
	(void)setpgid(pid, pid);
	s->pids[instance] = pid;
	s->running++;
	roster_started(s->roster, instance, pid);
	tree_add(&s->tree, pid);
	supervisor_notify(s, SUPERVISOR_STARTED, instance, pid, 0);
	return SUPERVISOR_STARTED;
}

/* Start all instances.  posix_spawn(3) would wait for each execve(2); this way
   one core makes processes while others load the programs. */
static void
start_instances(struct supervisor *s)
{
	enum supervisor_kind kind = SUPERVISOR_STARTED;
	int i, number;

	for (i = 0; i < s->plan->count && kind == SUPERVISOR_STARTED; i++) {
		kind = start_instance(s, i);
		if (kind == SUPERVISOR_STARTED)
			continue;
		number = errno;
		close_ends(s, i);
		supervisor_notify(s, kind, i, 0, number);
		supervisor_end_tree(s, SIGTERM);
	}
}

/* Return the index of the process; -1: a process left by an instance. */
static int
find_instance(const struct supervisor *s, pid_t pid)
{
	int i;

	for (i = 0; i < s->plan->count; i++)
		if (s->pids[i] == pid)
			return i;
	return -1;
}

/* Return true if the child ended without becoming an instance; poprun is
   told. */
static bool
could_not_start(struct supervisor *s, int status)
{
	struct supervisor_message m;

	if (!WIFEXITED(status) ||
	    WEXITSTATUS(status) != PROGRAM_CANNOT_EXECUTE ||
	    read(s->report[0], &m, sizeof(m)) != (ssize_t)sizeof(m))
		return false;
	supervisor_notify(s, SUPERVISOR_CANNOT_START, m.instance, 0, m.value);
	return true;
}

static void
supervisor_reap(struct supervisor *s)
{
	const bool told_to_end = s->tree.ending;
	struct signalfd_siginfo ignored;
	pid_t pid;
	int status, i;

	(void)!read(s->children, &ignored, sizeof(ignored));
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		tree_remove(&s->tree, pid);
		if ((i = find_instance(s, pid)) == -1)
			continue;
		s->pids[i] = 0;
		s->running--;
		roster_ended(s->roster, i);
		if (!could_not_start(s, status)) {
			supervisor_notify(s, SUPERVISOR_ENDED, i, pid, status);
			s->packet.messages[s->packet.count - 1].told_to_end =
			    told_to_end;
		}
		if (status != 0 && !s->tree.ending)
			supervisor_end_tree(s, SIGTERM);
	}
	s->childless = pid == -1 && errno == ECHILD;
}

/* Handle a message of poprun, or its end. */
static void
listen_to_poprun(struct supervisor *s)
{
	struct packet p;
	size_t i;

	if (packet_receive(&p, s->socket) != 0) {
		(void)close(s->socket);
		s->socket = -1;
		/* If poprun is killed while it ends the job, nothing waits. */
		supervisor_end_tree(s, SIGTERM);
	}
	for (i = 0; i < p.count; i++) {
		if (p.messages[i].kind == SUPERVISOR_SIGNAL)
			tree_signal(&s->tree, p.messages[i].value);
		else if (p.messages[i].kind == SUPERVISOR_END)
			supervisor_end_tree(s, p.messages[i].value);
	}
}

/* End processes left by the instances after the last one; the kernel gives this
   process another parent when the reaper is gone.  Returns the ms to wait; -1:
   no limit; -2: the tree is empty. */
static int
supervisor_continue(struct supervisor *s)
{
	const int64_t now = clock_monotonic_ms();
	int timeout;

	if (s->running == 0 && s->leave_ms == 0)
		s->leave_ms = now + LEAVE_MS;
	if (!s->tree.ending &&
	    (getppid() != s->reaper || (s->running == 0 && now >= s->leave_ms)))
		supervisor_end_tree(s, SIGTERM);
	if (s->tree.ending) {
		timeout = tree_next(&s->tree, now);
		return timeout == -1 ? -2 : timeout;
	}
	return s->running == 0 ? (int)(s->leave_ms - now) : -1;
}

static void
supervisor_keep(struct supervisor *s)
{
	struct pollfd fds[2];
	int timeout;

	for (;;) {
		supervisor_reap(s);
		if (s->childless)
			return;
		timeout = supervisor_continue(s);
		if (timeout == -2)
			return;
		supervisor_flush(s);
		fds[0] = (struct pollfd){ .fd = s->socket, .events = POLLIN };
		fds[1] = (struct pollfd){ .fd = s->children, .events = POLLIN };
		if (poll(fds, 2, timeout) > 0 && fds[0].revents != 0)
			listen_to_poprun(s);
	}
}

/* Open an empty input; a bare chroot has no /dev/null. */
static int
open_null(void)
{
	int fds[2];
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null != -1 || pipe2(fds, O_CLOEXEC) != 0)
		return null;
	(void)close(fds[1]);
	return fds[0];
}

/* Make the stacks, and the pids after them.  Pages are allocated when they are
   first used.  -1: failed. */
static int
make_stacks(struct supervisor *s)
{
	const size_t count = (size_t)s->plan->count;
	void *memory = mmap(NULL, count * (CHILD_STACK + sizeof(*s->pids)),
	    PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (memory == MAP_FAILED)
		return -1;
	s->stacks = memory;
	s->pids = (void *)(s->stacks + count * CHILD_STACK);
	return 0;
}

/* PR_SET_PDEATHSIG turns the reaper's end into a SIGCHLD like a child's;
   getppid(2) shows an earlier end. */
static void
supervisor_main(const struct supervisor_plan *plan, pid_t reaper, int socket)
{
	struct supervisor s = { .plan = plan,
		.socket = socket,
		.pid = getpid(),
		.reaper = reaper };
	sigset_t children;

	(void)setpgid(0, 0);
	title_set("ipubox-superv");
	tree_init(&s.tree, plan->grace_ms);
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGCHLD, 0L, 0L, 0L);
	packet_init(&s.packet);
	supervisor_notify(&s, SUPERVISOR_READY, 0, s.pid, 0);
	supervisor_flush(&s);
	(void)sigemptyset(&children);
	(void)sigaddset(&children, SIGCHLD);
	s.children = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
	s.null = open_null();
	s.roster = plan->directory != NULL ?
	    roster_make(plan->directory->fd) :
	    -1;
	if (s.children == -1 || s.null == -1 || make_stacks(&s) != 0 ||
	    pipe2(s.report, O_CLOEXEC | O_NONBLOCK) != 0)
		supervisor_notify(&s, SUPERVISOR_CANNOT_FORK, -1, 0, errno);
	else {
		start_instances(&s);
		(void)dup2(s.null, STDIN_FILENO);
		supervisor_keep(&s);
	}
	if (plan->directory != NULL)
		job_directory_remove(plan->directory);
	if (plan->scratch != NULL && (!plan->keep_scratch || s.socket == -1))
		job_directory_remove(plan->scratch);
	supervisor_notify(&s, SUPERVISOR_DONE, 0, 0, 0);
	supervisor_flush(&s);
	_exit(0);
}

/* The reaper has blocked all signals, and its children inherit that. */
pid_t
supervisor_start(const struct supervisor_plan *plan, int socket)
{
	const pid_t reaper = getpid(), pid = fork();
	struct packet p;

	if (pid == 0)
		supervisor_main(plan, reaper, socket);
	if (pid == -1) {
		packet_init(&p);
		p.messages[p.count++] =
		    (struct supervisor_message){ .kind = SUPERVISOR_CANNOT_FORK,
			    .instance = -1,
			    .value = errno };
		(void)packet_send(&p, socket);
	}
	return pid;
}

void
supervisor_close_inputs(const struct supervisor_plan *p)
{
	int i;

	for (i = 0; i < p->count; i++)
		if (p->inputs[i] != -1 && p->inputs[i] != STDIN_FILENO)
			(void)close(p->inputs[i]);
}
