/* Directories of jobs for tests. */
#include "tests/unit/shared_util.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"

char *
shared_new(void)
{
	const char *tmp = getenv("TMPDIR");
	char *path = xasprintf("%s/ipubox-job.XXXXXX",
	    tmp != NULL ? tmp : "/tmp");

	if (mkdtemp(path) == NULL)
		abort();
	return path;
}

int
shared_remove(char *path)
{
	DIR *dir = path != NULL ? opendir(path) : NULL;
	struct dirent *entry;
	int files = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.' &&
		    unlinkat(dirfd(dir), entry->d_name, 0) == 0)
			files++;
	if (dir != NULL) {
		(void)closedir(dir);
		(void)rmdir(path);
	}
	free(path);
	return files;
}
