/*
 * The title of a process overwrites the words of argv, where the kernel reads
 * /proc/PID/cmdline.  libbsd's setproctitle(3) does so too, but first copies
 * the whole environment, in every command that might need it later.
 */
#include "core/process/process.h"

#include <sys/prctl.h>

#include <bsd/string.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/files/file.h"

/* As much as the kernel's default limit for arguments and environment. */
enum { WORDS_MAX = 1 << 21 };

/* The words of argv, contiguous, with their NULs. */
static char *title_start;
static size_t title_size;

void
title_init(int argc, char *const *argv)
{
	int i;

	title_start = argc > 0 ? argv[0] : NULL;
	title_size = 0;
	for (i = 0; i < argc && argv[i] == title_start + title_size; i++)
		title_size += strlen(argv[i]) + 1;
}

/* The last byte stays a NUL: otherwise the kernel continues the title with the
   environment. */
void
title_set(const char *name)
{
	(void)prctl(PR_SET_NAME, (unsigned long)name, 0L, 0L, 0L);
	if (title_size == 0)
		return;
	memset(title_start, 0, title_size);
	(void)strlcpy(title_start, name, title_size);
}

int
title_read(pid_t pid, bool options, char *text, size_t size)
{
	char path[32] = "/proc/self/cmdline";
	const char *words = title_start;
	char *allocated = NULL;
	size_t len = title_size, i;

	text[0] = '\0';
	if (pid != 0)
		(void)snprintf(path, sizeof(path), "/proc/%ld/cmdline",
		    (long)pid);
	if ((pid != 0 || len == 0) &&
	    (words = allocated = file_read(path, WORDS_MAX, &len, NULL)) ==
		NULL)
		return -1;
	for (i = 0; i < len && (options || words[i] != '-');
	     i += strlen(words + i) + 1) {
		if (i > 0)
			(void)strlcat(text, " ", size);
		(void)strlcat(text,
		    i > 0 || strrchr(words, '/') == NULL ?
			words + i :
			strrchr(words, '/') + 1,
		    size);
	}
	free(allocated);
	return len > 0 ? 0 : -1;
}
