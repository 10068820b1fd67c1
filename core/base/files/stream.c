/*
 * Reads a descriptor to its end, into memory that doubles.
 */
#include "core/base/files/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

char *
stream_read(int fd, const char *name, size_t limit, size_t *size,
    struct error *e)
{
	/* Enough for most files: a large allocation costs two system calls. */
	char first[4096];
	size_t used = 0, room = sizeof(first);
	char *text = NULL;
	ssize_t n;

	while ((n = read(fd, (text != NULL ? text : first) + used,
		    room - used - 1)) != 0) {
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 || used + (size_t)n > limit) {
			(void)error_set_number(e, n == -1 ? errno : EFBIG,
			    "cannot read %s", name);
			if (n != -1)
				(void)error_recode(e, ERROR_INVALID);
			free(text);
			return NULL;
		}
		used += (size_t)n;
		if (room - used >= 2)
			continue;
		if (text == NULL)
			text = memcpy(xmalloc(2 * room), first, used);
		else
			text = xreallocarray(text, room, 2);
		room *= 2;
	}
	if (text == NULL)
		text = memcpy(xmalloc(used + 1), first, used);
	text[used] = '\0';
	*size = used;
	return text;
}
