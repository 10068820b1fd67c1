/*
 * The title of a process is written over the words of argv, where the kernel
 * reads /proc/PID/cmdline.  setproctitle(3) of libbsd does it too, but copies
 * the whole environment first, in each command that might need it later.
 */
#include "core/base/title.h"

#include <sys/prctl.h>

#include <bsd/string.h>

#include <stddef.h>
#include <string.h>

/* The words of argv, one behind the other, with their NULs. */
static char	*title_start;
static size_t	 title_size;

void
title_init(int argc, char *const *argv)
{
	int	i;

	title_start = argc > 0 ? argv[0] : NULL;
	title_size = 0;
	for (i = 0; i < argc && argv[i] == title_start + title_size; i++)
		title_size += strlen(argv[i]) + 1;
}

/*
 * The last byte stays a NUL: where it is none, the kernel takes the title to
 * go on in the environment.
 */
void
title_set(const char *name)
{
	(void)prctl(PR_SET_NAME, (unsigned long)name, 0L, 0L, 0L);
	if (title_size == 0)
		return;
	memset(title_start, 0, title_size);
	(void)strlcpy(title_start, name, title_size);
}
