/*
 * The parts of a path, by its text alone.
 */
#ifndef CORE_BASE_FILES_PATH_H
#define CORE_BASE_FILES_PATH_H

/* What stands behind the last '/'; never NULL, not allocated. */
const char	*path_base_name(const char *path);

/* What stands before it: ".", "/" or a directory.  The caller frees it. */
char		*path_directory_name(const char *path);

#endif
