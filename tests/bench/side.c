/*
 * Run commands in turn, many times, and print how long each takes:
 *
 *	side RUNS -- COMMAND ... -- COMMAND ...
 *
 * A line a command: the median and the mean of wall clock and the median of
 * processor time, user and system, of the command and what it waited for, all
 * in microseconds.
 * The commands alternate, so that whatever else the machine does meets all of
 * them alike; one round before the first is not counted.  Standard output
 * goes to /dev/null.  A command that fails, or that takes longer than a
 * minute, ends the run.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include <bsd/stdlib.h>

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 8, RUNS_MAX = 100000, SECONDS_MAX = 60 };

extern char **environ;

static sigset_t child_ended, none;
static posix_spawnattr_t attributes; /* nothing blocked */

static int
compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double
now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double
timeval_us(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

/* Returns the time by the clock, and in *processor that of the processors. */
static double
run_us(char **command, posix_spawn_file_actions_t *actions, double *processor)
{
	static const struct timespec limit = { .tv_sec = SECONDS_MAX };
	struct rusage used;
	double start = now_us();
	pid_t pid;
	int status, error;

	error = posix_spawnp(&pid, command[0], actions, &attributes, command,
	    environ);
	if (error != 0)
		errx(1, "%s: %s", command[0], strerror(error));
	if (sigtimedwait(&child_ended, NULL, &limit) == -1) {
		(void)kill(pid, SIGKILL);
		errx(1, "%s: stopped after %d s", command[0], SECONDS_MAX);
	}
	if (wait4(pid, &status, 0, &used) != pid)
		err(1, "wait4");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		errx(1, "%s failed (wait status %d)", command[0], status);
	*processor = timeval_us(used.ru_utime) + timeval_us(used.ru_stime);
	return now_us() - start;
}

/* Split argv at each "--"; returns the number of commands. */
static int
split(char **argv, char ***commands)
{
	int count = 0;

	for (; *argv != NULL; argv++) {
		if (strcmp(*argv, "--") != 0)
			continue;
		*argv = NULL;
		if (count == COMMANDS_MAX || argv[1] == NULL)
			errx(2, "usage: side RUNS -- COMMAND ... -- ...");
		commands[count++] = argv + 1;
	}
	return count;
}

/* The middle one; it sorts them. */
static double
median(double *values, size_t count)
{
	qsort(values, count, sizeof(double), compare);
	return values[count / 2];
}

int
main(int argc, char **argv)
{
	posix_spawn_file_actions_t actions;
	char **commands[COMMANDS_MAX];
	double *times[COMMANDS_MAX], sum;
	double *processor[COMMANDS_MAX];
	long long runs, r;
	int count, c;

	runs = argc > 1 ? strtonum(argv[1], 1, 1000000, NULL) : 0;
	count = split(argv + 1, commands);
	if (runs < 1 || runs > RUNS_MAX || count == 0)
		errx(2, "usage: side RUNS -- COMMAND ... -- COMMAND ...");
	(void)sigemptyset(&none);
	(void)sigemptyset(&child_ended);
	(void)sigaddset(&child_ended, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &child_ended, NULL);
	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO,
	    "/dev/null", O_WRONLY, 0);
	for (c = 0; c < count; c++)
		if ((times[c] = calloc((size_t)runs, sizeof(double))) == NULL ||
		    (processor[c] = calloc((size_t)runs, sizeof(double))) ==
			NULL)
			err(1, NULL);
	for (r = -1; r < runs; r++)
		for (c = 0; c < count; c++)
			times[c][r < 0 ? 0 : r] = run_us(commands[c], &actions,
			    &processor[c][r < 0 ? 0 : r]);
	for (c = 0; c < count; c++) {
		for (sum = 0, r = 0; r < runs; r++)
			sum += times[c][r];
		printf("%.1f %.1f %.1f\n", median(times[c], (size_t)runs),
		    sum / (double)runs, median(processor[c], (size_t)runs));
		free(times[c]);
		free(processor[c]);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return 0;
}
