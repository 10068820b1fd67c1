/*
 * The least that a launcher can do: spawn N COMMAND ...
 * fork(2) and execv(2) N times, then wait for all.
 */
#include <sys/wait.h>

#include <bsd/stdlib.h>

#include <err.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	long long	count = 0, i;
	int		status, failed = 0;

	if (argc > 2)
		count = strtonum(argv[1], 1, 1000000, NULL);
	if (count == 0)
		errx(2, "usage: spawn N COMMAND ...");
	for (i = 0; i < count; i++) {
		switch (fork()) {
		case -1:
			err(1, "fork");
		case 0:
			(void)execv(argv[2], argv + 2);
			_exit(127);
		default:
			break;
		}
	}
	while (wait(&status) != -1)
		failed |= status;
	return failed != 0;
}
