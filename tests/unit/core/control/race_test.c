/*
 * Hundreds of vipu at once, a thousand with FULL=1: each creates or removes a
 * partition of a random name and size, a quarter of them is killed.  Afterwards
 * what is there is what they answered; nothing is double, half, or locked.
 *
 * Half of those that die are killed from outside at any moment, the others by
 * a fault point at a random place of their work.
 */
#include <sys/wait.h>

#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/control/control.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

/* A process under a sanitizer needs many times the memory. */
#ifdef __SANITIZE_ADDRESS__
enum { PROCESSES_FEW = 160, PROCESSES_MAX = 160 };
#else
enum { PROCESSES_FEW = 300, PROCESSES_MAX = 1000 };
#endif
enum { FAULT_POINTS = 20 }; /* about as many as a command has */

struct process {
	pid_t pid; /* 0: it has ended */
	int name;
	bool removes;
	int status; /* of waitpid(2) */
};

/* What is known of a name from those that answered, and who did not. */
struct history {
	int created, removed;
	int dead_creators, dead_removers;
};

static struct process processes[PROCESSES_MAX];
static int process_count;
static struct history histories[PROCESSES_MAX / 8];
static int name_count;
static char program[512];
static char directory[DIRECTORY_SIZE]; /* of their IPUoF files */
static uint32_t seed = 1;

static int
draw(int below)
{
	seed = seed * 1664525 + 1013904223;
	return (int)((seed >> 16) % (uint32_t)below);
}

static void
output_path(int i, char path[64])
{
	(void)snprintf(path, 64, "out.%d", i);
}

/* A sanitizer that is killed while it looks for leaks would report that. */
static void
look_for_no_leaks(void)
{
	const char *options = getenv("ASAN_OPTIONS");
	char *more;

	if (options == NULL)
		return;
	more = xasprintf("%s:detect_leaks=0", options);
	(void)setenv("ASAN_OPTIONS", more, 1);
	free(more);
}

/* In the child: wait for the start, then be vipu. Does not return. */
static void
become_vipu(const struct process *p, int i, int start, const char *fault,
    const char *size, bool file)
{
	char path[64], name[16], byte;
	int out;

	look_for_no_leaks();
	(void)snprintf(name, sizeof(name), "p%d", p->name);
	output_path(i, path);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (out == -1 || dup2(out, 1) == -1 || dup2(out, 2) == -1)
		_exit(99);
	if (fault[0] != '\0')
		(void)setenv("IPUBOX_FAULT", fault, 1);
	/* The write end closes: all begin. */
	(void)!read(start, &byte, 1);
	if (p->removes)
		(void)execl(program, "vipu", "remove", "partition", name,
		    (char *)NULL);
	else if (file)
		(void)execl(program, "vipu", "create", "partition", name,
		    "--size", size, "--ipuof-config-location", directory,
		    (char *)NULL);
	else
		(void)execl(program, "vipu", "create", "partition", name,
		    "--size", size, "--relocatable", (char *)NULL);
	_exit(99);
}

static void
start_all(void)
{
	struct process *p;
	char fault[16], size[16];
	int start[2], i;
	bool file;

	if (pipe(start) != 0)
		exit(1);
	(void)fflush(stdout);
	for (i = 0; i < process_count; i++) {
		p = &processes[i];
		p->name = draw(name_count);
		p->removes = draw(8) < 3;
		(void)snprintf(size, sizeof(size), "%d", 1 << draw(5));
		file = draw(4) != 0;
		fault[0] = '\0';
		if (i % 3 == 0)
			(void)snprintf(fault, sizeof(fault), "%d",
			    1 + draw(FAULT_POINTS));
		p->pid = fork();
		if (p->pid == -1) {
			perror("fork");
			exit(1);
		}
		if (p->pid == 0) {
			(void)close(start[1]);
			become_vipu(p, i, start[0], fault, size, file);
		}
	}
	(void)close(start[0]);
	(void)close(start[1]);
}

/* One that has not been waited for, or NULL. */
static struct process *
any_alive(void)
{
	int first = draw(process_count), i;

	for (i = 0; i < process_count; i++)
		if (processes[(first + i) % process_count].pid != 0)
			return &processes[(first + i) % process_count];
	return NULL;
}

/* Wait for all; at every third that ends another is killed. */
static void
wait_and_kill(void)
{
	struct process *victim;
	int ended, kills = 0, status, i;
	pid_t pid;

	for (ended = 0; ended < process_count; ended++) {
		pid = waitpid(-1, &status, 0);
		for (i = 0; i < process_count && processes[i].pid != pid; i++)
			;
		if (pid == -1 || i == process_count)
			break;
		processes[i].pid = 0;
		processes[i].status = status;
		victim = any_alive();
		if (ended % 3 == 0 && kills < process_count / 6 &&
		    victim != NULL) {
			(void)kill(victim->pid, SIGKILL);
			kills++;
		}
	}
	is_int(ended, process_count, "all of them end");
}

/* Whether the answer is one that must be expected. */
static bool
good_answer(int i, char **answer)
{
	static const char *const refusals[] = {
		" already exists.\n",
		"the partition does not exist",
		"no aligned group of that size is free",
	};
	char path[64];
	size_t size, k;

	output_path(i, path);
	*answer = file_read(path, 65536, &size, NULL);
	if (*answer == NULL || !WIFEXITED(processes[i].status))
		return false;
	if (WEXITSTATUS(processes[i].status) == 0)
		return strstr(*answer, ": success\n") != NULL;
	for (k = 0; k < ARRAY_SIZE(refusals); k++)
		if (WEXITSTATUS(processes[i].status) == 1 &&
		    strstr(*answer, refusals[k]) != NULL)
			return true;
	return false;
}

static void
read_answers(void)
{
	const struct process *p;
	struct history *h;
	char *answer = NULL, *bad = NULL;
	int i, killed = 0, done = 0;

	for (i = 0; i < process_count; i++) {
		p = &processes[i];
		h = &histories[p->name];
		if (WIFSIGNALED(p->status) && WTERMSIG(p->status) == SIGKILL) {
			killed++;
			h->dead_creators += !p->removes;
			h->dead_removers += p->removes;
			continue;
		}
		if (WIFEXITED(p->status) && WEXITSTATUS(p->status) == 0) {
			done++;
			h->created += !p->removes;
			h->removed += p->removes;
		}
		if (!good_answer(i, &answer) && bad == NULL)
			bad = xasprintf("status %#x: %s", p->status,
			    answer != NULL ? answer : "(no output)");
		free(answer);
		answer = NULL;
	}
	is_str(bad != NULL ? bad : "", "", "every answer is a known one");
	/* About a quarter and a third; how many is the scheduler's matter. */
	ok(killed >= process_count / 10, "many were killed");
	ok(done >= process_count / 20, "many did what they were asked for");
	free(bad);
}

/* A name is there as often as created less removed; 0 or 1 times. */
static void
check_names(const struct snapshot *s)
{
	const struct history *h;
	char name[16];
	int i, there, sum, wrong = 0, known = 0;

	for (i = 0; i < name_count; i++) {
		h = &histories[i];
		(void)snprintf(name, sizeof(name), "p%d", i);
		there = snapshot_find(s, name) != -1;
		known += there;
		sum = h->created - h->removed;
		wrong += there < sum - h->dead_removers ||
		    there > sum + h->dead_creators;
	}
	is_int(wrong, 0, "each name is there as the answers say");
	is_int(known, s->partition_count, "and no other name");
	ok(known > 0, "some are left");
}

/* No IPU has two partitions; the owners say the same. */
static void
check_ipus(const struct snapshot *s)
{
	int *seen = xcalloc((size_t)pod_ipu_count(&s->pod), sizeof(*seen));
	int i, k, ipu, doubled = 0, owned = 0, wrong = 0;

	for (i = 0; i < s->partition_count; i++)
		for (k = 0; k < partition_size(&s->partitions[i]); k++) {
			ipu = placement_ipu(&s->pod,
			    &s->partitions[i].placement, k);
			doubled += seen[ipu]++ != 0;
			wrong += s->owner[ipu] != i;
		}
	for (ipu = 0; ipu < pod_ipu_count(&s->pod); ipu++)
		owned += (s->owner[ipu] != -1) != (seen[ipu] != 0);
	is_int(doubled, 0, "no IPU is given out twice");
	is_int(wrong + owned, 0, "each has the owner that has it");
	free(seen);
}

/* Each IPUoF file is of a partition that is there. */
static void
check_files(const struct snapshot *s)
{
	struct ipuof_reference r;
	const struct dirent *entry;
	char path[DIRECTORY_SIZE + 256];
	DIR *dir = opendir(directory);
	int files = 0, unknown = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", directory,
		    entry->d_name);
		files++;
		unknown += ipuof_parse(path, &r, NULL) != 0 ||
		    snapshot_find(s, r.partition) == -1;
	}
	if (dir != NULL)
		(void)closedir(dir);
	is_int(unknown, 0, "no file without its partition");
	ok(files > 0, "some have files");
}

/* Nothing is locked, nothing is lost: all can be removed, and had again. */
static void
check_reuse(struct controller *c, const struct snapshot *s)
{
	struct partition_request r;
	struct error e;
	int i, failed = 0;

	for (i = 0; i < s->partition_count; i++)
		failed += remove_partition(c, s->partitions[i].name, false,
			      NULL, &e) != 0;
	is_int(failed, 0, "all that is left can be removed");
	request_init(&r);
	r.relocatable = true;
	for (i = 0; i < 4; i++) {
		(void)snprintf(r.name, sizeof(r.name), "rack%d", i);
		r.size = 64;
		failed += create_partition(c, &r, NULL, &e) != 0;
	}
	is_int(failed, 0, "and every rack be had whole");
	check_in_step("files and mirror say the same again");
}

static void
find_program(const char *self)
{
	const char *faulty = getenv("IPUBOX_FAULTY");
	char *copy = xstrdup(self);

	if (faulty != NULL)
		(void)snprintf(program, sizeof(program), "%s", faulty);
	else
		(void)snprintf(program, sizeof(program), "%s/../ipubox",
		    dirname(copy));
	free(copy);
	ok(access(program, X_OK) == 0, "there is a program with fault points");
}

int
main(int argc, char **argv)
{
	struct controller *c;
	struct snapshot s;
	struct error e;
	struct pod pod;

	(void)argc;
	find_program(argv[0]);
	process_count = tap_amount(PROCESSES_FEW, PROCESSES_MAX);
	name_count = process_count / 8;
	use_state("race");
	pod_init(&pod);
	if (pod_file_parse(&pod, "pod256", pod_embedded("pod256"), &e) != 0 ||
	    new_pod_init(&test_paths, &pod, &(struct new_pod){ .force = false },
		&e) != 0 ||
	    ipuof_files_directory("ipuof", directory, sizeof(directory), &e) !=
		0)
		return 1;
	pod_release(&pod);
	start_all();
	wait_and_kill();
	read_answers();
	check_in_step("files and mirror say the same");
	if ((c = embedded_controller_open(NULL, &e)) == NULL ||
	    transaction_list(c, &s, &e) != 0)
		return 1;
	check_names(&s);
	check_ipus(&s);
	check_files(&s);
	check_reuse(c, &s);
	snapshot_release(&s);
	controller_close(c);
	return state_util_done();
}
