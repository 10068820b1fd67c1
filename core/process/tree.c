/*
 * Ending a tree of processes: all children again and again, until none remains.
 * Children are found in /proc, because adopted ones were never announced.  Read
 * tree_continue() first.
 */
#include "core/process/tree.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

/* Looks after the first one that must find nothing either. */
enum { TREE_EMPTY_LOOKS = 3 };

static bool
pid_list_has(const struct pid_list *list, pid_t pid)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->pids[i] == pid)
			return true;
	return false;
}

static void
pid_list_add(struct pid_list *list, pid_t pid)
{
	if (list->count == list->room) {
		list->room = list->room == 0 ? 16 : 2 * list->room;
		list->pids = xreallocarray(list->pids, list->room,
		    sizeof(*list->pids));
	}
	list->pids[list->count++] = pid;
}

/* Free the list and make it empty. */
static void
pid_list_release(struct pid_list *list)
{
	free(list->pids);
	memset(list, 0, sizeof(*list));
}

/* Return true if the process lives and is our child: fields 3 and 4 of its stat
   file. */
static bool
is_child(const char *pid)
{
	char path[64], text[512];
	const char *end, *space;
	long long parent;
	ssize_t size;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		return false;
	size = read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	if (size <= 0)
		return false;
	text[size] = '\0';
	/* "PID (NAME) STATE PARENT ...", and the name may contain ")". */
	if ((end = strrchr(text, ')')) == NULL || strlen(end) < 5 ||
	    end[2] == 'Z' || end[2] == 'X' ||
	    (space = strchr(end + 4, ' ')) == NULL)
		return false;
	text[space - text] = '\0';
	return parse_number("parent", end + 4, 0, INT_MAX, &parent, NULL) ==
	    0 &&
	    (pid_t)parent == getpid();
}

/* List all living children; without /proc, the known ones. */
static void
list_children(const struct tree *t, struct pid_list *out)
{
	struct dirent *entry;
	DIR *proc;
	long long pid;
	size_t i;

	memset(out, 0, sizeof(*out));
	if (access("/proc/self/stat", R_OK) != 0 ||
	    (proc = opendir("/proc")) == NULL) {
		for (i = 0; i < t->known.count; i++)
			pid_list_add(out, t->known.pids[i]);
		return;
	}
	while ((entry = readdir(proc)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    is_child(entry->d_name) &&
		    parse_number("pid", entry->d_name, 1, INT_MAX, &pid,
			NULL) == 0 &&
		    !pid_list_has(&t->spared, (pid_t)pid))
			pid_list_add(out, (pid_t)pid);
	(void)closedir(proc);
}

/* Become the subreaper (PR_SET_CHILD_SUBREAPER): orphans below come to this
   process instead of init.  Existing children are spared. */
void
tree_init(struct tree *t, int64_t grace_ms)
{
	struct pid_list children;

	siginfo_t info;

	memset(t, 0, sizeof(*t));
	t->grace_ms = grace_ms;
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
	/* Asking is faster than searching /proc, and usually finds none. */
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
		list_children(t, &children);
		t->spared = children;
	}
}

void
tree_release(struct tree *t)
{
	pid_list_release(&t->spared);
	pid_list_release(&t->known);
	pid_list_release(&t->notified);
}

void
tree_add(struct tree *t, pid_t pid)
{
	pid_list_add(&t->known, pid);
}

/* The order of the list is irrelevant: the last one fills the gap. */
void
tree_remove(struct tree *t, pid_t pid)
{
	size_t i;

	for (i = 0; i < t->known.count; i++)
		if (t->known.pids[i] == pid)
			t->known.pids[i] = t->known.pids[--t->known.count];
}

/* Signal the whole group if the process leads one. */
static int
signal_group(pid_t pid, int signal)
{
	if (getpgid(pid) == pid && kill(-pid, signal) == 0)
		return 0;
	return kill(pid, signal);
}

void
tree_signal(const struct tree *t, int signal)
{
	size_t i;

	for (i = 0; i < t->known.count; i++)
		(void)signal_group(t->known.pids[i], signal);
}

/* A second call sets the time limit to now, so everything is killed. */
void
tree_end(struct tree *t, int signal, int64_t now_ms)
{
	t->signal = signal;
	t->deadline_ms = t->ending ? now_ms : now_ms + t->grace_ms;
	t->ending = true;
}

/* Tell a child once to end; stopped ones are woken for it.  Adopted ones may
   ignore SIGINT, as background processes of shells do. */
static void
tree_notify(struct tree *t, pid_t pid)
{
	if (pid_list_has(&t->notified, pid))
		return;
	(void)signal_group(pid,
	    pid_list_has(&t->known, pid) ? t->signal : SIGTERM);
	(void)signal_group(pid, SIGCONT);
	pid_list_add(&t->notified, pid);
}

/* A killed process's children come to us, so after SIGKILL the list is made
   again every TREE_LOOK_AGAIN_MS until it is empty. */
int
tree_continue(struct tree *t, int64_t now_ms)
{
	struct pid_list children;
	bool killing = now_ms >= t->deadline_ms;
	size_t i, left = 0;

	list_children(t, &children);
	for (i = 0; i < children.count; i++) {
		if (!killing) {
			tree_notify(t, children.pids[i]);
			left++;
			continue;
		}
		/* Processes of another user can neither be killed nor waited
		   for. */
		if (signal_group(children.pids[i], SIGKILL) == 0 ||
		    errno != EPERM)
			left++;
	}
	pid_list_release(&children);
	if (left == 0)
		return -1;
	return killing ? TREE_LOOK_AGAIN_MS : (int)(t->deadline_ms - now_ms);
}

int
tree_next(struct tree *t, int64_t now_ms)
{
	const int timeout = tree_continue(t, now_ms);

	if (timeout != -1) {
		t->empty_looks = 0;
		return timeout;
	}
	return ++t->empty_looks > TREE_EMPTY_LOOKS ? -1 : TREE_LOOK_AGAIN_MS;
}
