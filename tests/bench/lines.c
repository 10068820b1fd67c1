/* Print N lines of 60 characters, as fast as stdio can: lines N */
#include <bsd/stdlib.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	static char buffer[1 << 16];
	long long count = 0, i;

	if (argc > 1)
		count = strtonum(argv[1], 1, 1000000, NULL);
	if (count == 0)
		errx(2, "usage: lines N");
	(void)setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	for (i = 0; i < count; i++)
		printf("step %10lld  loss 0.123456  accuracy 0.987654  rate "
		       "60000\n",
		    i);
	if (fflush(stdout) != 0)
		err(1, "stdout");
	return 0;
}
