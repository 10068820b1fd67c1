/*
 * Paths as text, without looking them up: basename(3) and dirname(3) change
 * their argument.
 */
#include "core/base/files/directory.h"

#include "core/base/alloc.h"

const char *
path_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

char *
path_directory_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return xstrdup(".");
	return xasprintf("%.*s", slash == path ? 1 : (int)(slash - path), path);
}
