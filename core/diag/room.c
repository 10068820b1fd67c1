/*
 * The file system of a path, which need not be there yet.
 */
#include "core/diag/room.h"

#include <sys/statvfs.h>

#include <bsd/string.h>

#include <string.h>

void
room_look(struct room *room, const char *path)
{
	struct statvfs	 fs;
	char		*slash;
	int		 status;

	room->free_bytes = room->free_files = -1;
	(void)strlcpy(room->path, path, sizeof(room->path));
	while ((status = statvfs(room->path, &fs)) != 0 &&
	    (slash = strrchr(room->path, '/')) != NULL &&
	    slash != room->path)
		*slash = '\0';
	if (status != 0)
		return;
	room->free_bytes = (int64_t)fs.f_bavail * (int64_t)fs.f_frsize;
	/* Some file systems do not count files. */
	room->free_files = fs.f_files == 0 ? -1 : (int64_t)fs.f_favail;
	room->read_only = (fs.f_flag & ST_RDONLY) != 0;
}
