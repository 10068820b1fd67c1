/*
 * The least that a launcher can do: spawn N COMMAND ...
 * posix_spawn(3) N times, then wait for all.
 */
#include <sys/wait.h>

#include <bsd/stdlib.h>

#include <err.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int
main(int argc, char **argv)
{
	long long count = 0, i;
	int status, error, failed = 0;

	if (argc > 2)
		count = strtonum(argv[1], 1, 1000000, NULL);
	if (count == 0)
		errx(2, "usage: spawn N COMMAND ...");
	for (i = 0; i < count; i++) {
		error = posix_spawn(&(pid_t){ 0 }, argv[2], NULL, NULL,
		    argv + 2, environ);
		if (error != 0)
			errx(1, "%s: %s", argv[2], strerror(error));
	}
	while (wait(&status) != -1)
		failed |= status;
	return failed != 0;
}
