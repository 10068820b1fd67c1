/*
 * How much room there is for files.
 */
#ifndef CORE_DIAG_ROOM_H
#define CORE_DIAG_ROOM_H

#include <stdbool.h>
#include <stdint.h>

enum { PROBE_PATH_SIZE = 320 };

/* Room on a file system; free_bytes -1: unknown. */
struct room {
	char		path[PROBE_PATH_SIZE];
	int64_t		free_bytes;
	int64_t		free_files;
	bool		read_only;
};

/* That of the path, or of the nearest directory above it that is there. */
void	room_look(struct room *, const char *path);

#endif
