/*
 * Reads a descriptor to its end, into memory that doubles.
 */
#include "core/base/files/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

void
stream_release(char *text, const char room[FILE_ROOM])
{
	if (text != room)
		free(text);
}

char *
stream_read_into(int fd, const char *name, size_t limit, char first[FILE_ROOM],
    size_t *size, struct error *e)
{
	size_t used = 0, room = FILE_ROOM;
	char *text = first;
	ssize_t n;

	while ((n = read(fd, text + used, room - used - 1)) != 0) {
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 || used + (size_t)n > limit) {
			(void)error_set_number(e, n == -1 ? errno : EFBIG,
			    "cannot read %s", name);
			if (n != -1)
				(void)error_recode(e, ERROR_INVALID);
			stream_release(text, first);
			return NULL;
		}
		used += (size_t)n;
		if (room - used >= 2)
			continue;
		text = text == first ? memcpy(xmalloc(2 * room), first, used) :
				       xreallocarray(text, room, 2);
		room *= 2;
	}
	text[used] = '\0';
	*size = used;
	return text;
}

char *
stream_read(int fd, const char *name, size_t limit, size_t *size,
    struct error *e)
{
	char first[FILE_ROOM];
	char *text = stream_read_into(fd, name, limit, first, size, e);

	return text == first ? memcpy(xmalloc(*size + 1), first, *size + 1) :
			       text;
}
