/*
 * A program of somebody's own that meets its peers in one way, which its
 * argument names; for tests/cli/sdk-job.t.  It prints what it gets, or the
 * library's error with its code.
 */
#include <sys/wait.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/sdk/include/popdist.h"

static int instance, instances;

static void
report(const char *what, int status)
{
	if (status == 0)
		printf("%s\n", what);
	else
		printf("%s [%d]\n", popdist_error_text(), popdist_error_code());
}

/* A sum of so many floats, 1 each. */
static void
sum(const char *id, size_t count, int type)
{
	float *vector = calloc(count + 1, sizeof(float));
	char text[64];
	size_t i, good = 0;
	int status;

	if (vector == NULL)
		return;
	for (i = 0; i < count; i++)
		vector[i] = 1;
	status = popdist_all_reduce_sum(vector, count, type, NULL, id);
	for (i = 0; i < count; i++)
		good += vector[i] == (status == 0 ? (float)instances : 1);
	(void)snprintf(text, sizeof(text), "%s",
	    good == count ? "the sum" : "a wrong sum");
	report(text, status);
	if (good != count && status != 0)
		printf("the vector was changed\n");
	free(vector);
}

static void
meet(const char *id)
{
	if (popdist_synchronize(NULL, id) != 0)
		report("", -1);
}

static void
do_sum(void)
{
	sum("small", 3, POPDIST_FLOAT);
	sum("none", 0, POPDIST_FLOAT);
	/* The largest that goes in a message, then one by memory, then one
	   that needs more of it. */
	sum("message", 8192, POPDIST_FLOAT);
	sum("memory", 8193, POPDIST_FLOAT);
	sum("more memory", 300000, POPDIST_FLOAT);
	sum("less memory", 9000, POPDIST_FLOAT);
}

/* Twice the same; the connection may end in between. */
static void
do_two(void)
{
	sum("first", 3, POPDIST_FLOAT);
	sum("second", 3, POPDIST_FLOAT);
}

static void
do_mismatch(void)
{
	float one = 1;

	sum("sizes", instance == 0 ? 4 : 5, POPDIST_FLOAT);
	sum("types", 4, instance == 0 ? POPDIST_FLOAT : POPDIST_INT32);
	if (instance == 0)
		sum("operations", 1, POPDIST_FLOAT);
	else
		report("",
		    popdist_broadcast(&one, 1, POPDIST_FLOAT, 0, NULL,
			"operations"));
	sum("afterwards", 4, POPDIST_FLOAT);
}

/* Whichever of two threads comes second is refused, and others may come. */
static void *
call_same(void *unused)
{
	if (popdist_synchronize(NULL, "same") != 0) {
		report("", -1);
		meet("go");
	}
	return unused;
}

static void
do_twice(void)
{
	pthread_t other;

	if (instance != 0) {
		meet("go");
		meet("same");
		return;
	}
	(void)pthread_create(&other, NULL, call_same, NULL);
	(void)call_same(NULL);
	(void)pthread_join(other, NULL);
}

static void
do_timeout(void)
{
	(void)popdist_set_timeout(0.25);
	if (instance != 1)
		report("it came", popdist_synchronize(NULL, "late"));
	(void)popdist_set_timeout(0);
	meet("end");
	/* It has failed for all, also for the one that comes after that. */
	if (instance == 1)
		report("it came", popdist_synchronize(NULL, "late"));
	report("", popdist_set_timeout(-1));
	meet("end");
}

static void
do_fork(void)
{
	pid_t pid;

	sum("before", 20000, POPDIST_FLOAT);
	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		report("the fork took part", popdist_synchronize(NULL, "in"));
		report("the fork joined", popdist_initialize_backend());
		printf("%d\n", popdist_is_backend_initialized());
		exit(0);
	}
	(void)waitpid(pid, NULL, 0);
	sum("afterwards", 20000, POPDIST_FLOAT);
}

static void
do_finalize(void)
{
	if (instance == 1) {
		report("left", popdist_finalize_backend());
		report("took part", popdist_synchronize(NULL, "wait"));
		report("joined", popdist_initialize_backend());
		return;
	}
	report("it came", popdist_synchronize(NULL, "wait"));
	report("it came", popdist_synchronize(NULL, "again"));
}

/* One thread waits, or is about to, while another one leaves. */
static void *
wait_for_end(void *unused)
{
	int status = popdist_synchronize(NULL, "waiting");

	printf("%d [%d]\n", status, popdist_error_code());
	return unused;
}

static void
do_leave_threads(void)
{
	pthread_t other;

	if (instance != 0)
		return;
	(void)pthread_create(&other, NULL, wait_for_end, NULL);
	(void)popdist_finalize_backend();
	(void)pthread_join(other, NULL);
}

/* An instance ends in one of three ways while the others wait. */
static void
do_end(const char *how)
{
	(void)signal(SIGTERM, SIG_IGN);
	if (instance == 1) {
		meet("go");
		if (strcmp(how, "kill") == 0)
			(void)kill(getpid(), SIGKILL);
		exit(strcmp(how, "exit") == 0 ? 0 : 3);
	}
	meet("go");
	sum("grads", 20000, POPDIST_FLOAT);
	sum("more", 1, POPDIST_FLOAT);
}

static void
do_communicators(void)
{
	const unsigned odd[] = { 3, 1, 3 }, first[] = { 0 }, bad[] = { 9 };
	int all[2] = { instance, instance };

	report("registered", popdist_register_communicator("odd", odd, 3));
	if (popdist_all_gather(&instance, all, 1, POPDIST_INT32, "odd", NULL) ==
	    0)
		printf("%d and %d\n", all[0], all[1]);
	else
		report("", -1);
	report("a root",
	    popdist_broadcast(all, 1, POPDIST_INT32, 3, "odd", "root"));
	report("", popdist_register_communicator("bad", bad, 1));
	report("", popdist_register_communicator("none", bad, 0));
	report("", popdist_synchronize("unknown", NULL));
	report("first", popdist_register_communicator("odd", first, 1));
	report("alone", popdist_synchronize("odd", NULL));
	printf("%d %d\n", popdist_is_communicator("odd"),
	    popdist_is_communicator("bad"));
}

static void
do_arguments(void)
{
	char long_name[300];
	float one = 1;
	bool flag = true;

	(void)memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	report("", popdist_synchronize(NULL, ""));
	report("", popdist_synchronize(NULL, long_name));
	report("", popdist_all_reduce_sum(&one, 1, 77, NULL, "type"));
	report("", popdist_all_reduce_sum(&flag, 1, POPDIST_BOOL, NULL, "b"));
	report("",
	    popdist_all_reduce_sum(&one, SIZE_MAX, POPDIST_FLOAT, NULL,
		"huge"));
	report("", popdist_broadcast(NULL, 1, POPDIST_FLOAT, 0, NULL, "null"));
	report("", popdist_broadcast(&one, 1, POPDIST_FLOAT, 9, NULL, "root"));
	report("", popdist_register_communicator("", NULL, 0));
	report("", popdist_set_timeout(1e9));
}

/* Programs that this one starts have none of its descriptors. */
static void
do_descriptors(void)
{
	pid_t pid;

	sum("before", 20000, POPDIST_FLOAT);
	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		(void)execlp("sh", "sh", "-c",
		    "for fd in /proc/self/fd/*; do readlink $fd; done | grep "
		    "-c 'socket\\|memfd'",
		    NULL);
		_exit(127);
	}
	(void)waitpid(pid, NULL, 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = { { "sum", do_sum }, { "two", do_two }, { "mismatch", do_mismatch },
	{ "twice", do_twice }, { "timeout", do_timeout }, { "fork", do_fork },
	{ "finalize", do_finalize }, { "leave-threads", do_leave_threads },
	{ "communicators", do_communicators }, { "arguments", do_arguments },
	{ "descriptors", do_descriptors } };

int
main(int argc, char **argv)
{
	size_t i;

	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	instance = popdist_instance_index();
	instances = popdist_num_instances();
	if (popdist_initialize_backend() != 0) {
		report("", -1);
		return 1;
	}
	if (argc == 3)
		do_end(argv[2]);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (argc == 2 && strcmp(argv[1], ways[i].name) == 0)
			ways[i].run();
	return 0;
}
