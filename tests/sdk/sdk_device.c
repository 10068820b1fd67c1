/*
 * A program of somebody's own that uses devices, for tests/cli/sdk-c.t: it does
 * what its arguments say, one after the other.
 *
 *	id IPUS, attach IPUS ID, show, check, detach, get NAME, count, fork,
 *	threads, wait (for a line of standard input), spawn
 */
#include <sys/wait.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/sdk/include/ipubox.h"
#include "config/sdk/include/popdist.h"

static struct ipubox_device *device;

/* The tests give numbers only. */
static int
number(const char *text)
{
	int value = -1;

	(void)sscanf(text, "%d", &value);
	return value;
}

static void
failed(const char *what)
{
	printf("%s: %s (%s)\n", what, ipubox_error_text(), ipubox_error_word());
}

/* In a process that was forked nothing may be done with the device. */
static void
in_fork(void)
{
	pid_t pid;

	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (ipubox_check(device) == 0)
			printf("the fork may check\n");
		else
			printf("%.62s\n", ipubox_error_text());
		if (ipubox_detach(device) == 0)
			printf("the fork gave the device back\n");
		exit(0);
	}
	(void)waitpid(pid, NULL, 0);
}

static void *
ask_often(void *argument)
{
	int i;

	for (i = 0; i < 200; i++)
		if (ipubox_check(device) != 0)
			*(int *)argument = 1;
	return NULL;
}

/* Threads may ask at the same time. */
static void
in_threads(void)
{
	pthread_t threads[4];
	int bad[4] = { 0 }, i;

	for (i = 0; i < 4; i++)
		(void)pthread_create(&threads[i], NULL, ask_often, &bad[i]);
	for (i = 0; i < 4; i++)
		(void)pthread_join(threads[i], NULL);
	printf("threads: %d failed\n", bad[0] + bad[1] + bad[2] + bad[3]);
}

/* One with two numbers, which are the next arguments. */
static int
with_numbers(char **word)
{
	struct ipubox_device *next;
	int id;

	if (strcmp(word[0], "id") == 0) {
		id = popdist_device_id(number(word[1]));
		if (id == -1)
			failed("id");
		else
			printf("id %d\n", id);
		return 1;
	}
	next = ipubox_attach(number(word[1]), number(word[2]));
	if (next == NULL)
		failed("attach");
	else
		device = next;
	return 2;
}

static void
alone(const char *word)
{
	char line[64];

	(void)fflush(stdout);
	if (strcmp(word, "show") == 0)
		printf("device %d: %d IPUs in GCD %d\n",
		    ipubox_device_id(device), ipubox_ipu_count(device),
		    ipubox_gcd(device));
	else if (strcmp(word, "check") == 0 && ipubox_check(device) != 0)
		failed("check");
	else if (strcmp(word, "detach") == 0 && ipubox_detach(device) != 0)
		failed("detach");
	else if (strcmp(word, "count") == 0)
		printf("more than 20 attributes: %d\n",
		    ipubox_read_attributes(device) > 20);
	else if (strcmp(word, "first") == 0)
		printf("%s is %s\n", ipubox_attribute_name(device, 0),
		    ipubox_attribute_value(device, 0));
	else if (strcmp(word, "fork") == 0)
		in_fork();
	else if (strcmp(word, "threads") == 0)
		in_threads();
	else if (strcmp(word, "wait") == 0)
		(void)fgets(line, sizeof(line), stdin);
}

int
main(int argc, char **argv)
{
	const char *value;
	int i;

	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "id") == 0 ||
		    strcmp(argv[i], "attach") == 0) {
			i += with_numbers(argv + i);
		} else if (strcmp(argv[i], "get") == 0) {
			value = ipubox_attribute(device, argv[++i]);
			if (value == NULL)
				failed("get");
			else
				printf("%s\n", value);
		} else {
			alone(argv[i]);
		}
	}
	return 0;
}
