/*
 * Where this user's state is, from the environment, the settings and the user
 * id.  The path must be the same for every process, because the registry is
 * named after it.
 */
#include "core/state/paths.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/state/owner_lock.h"
#include "core/state/settings.h"

/* Choose the directory, not yet canonical, by the environment, the files and
   the user id; and note its origin. */
static int
choose_directory(char *path, size_t size, char origin[STATE_ORIGIN_SIZE],
    struct error *e)
{
	const char *explicit = getenv("IPUBOX_STATE_DIR");
	const char *xdg = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	const char *given = "default";
	struct file_settings s;
	int len;

	if (settings_load(&s, e) != 0)
		return -1;
	if (explicit != NULL && explicit[0] != '\0') {
		len = snprintf(path, size, "%s", explicit);
		given = "IPUBOX_STATE_DIR";
	} else if (s.state_directory[0] != '\0') {
		len = snprintf(path, size, "%s", s.state_directory);
		given = s.origins[SETTINGS_STATE_DIRECTORY];
	} else if (geteuid() == 0) {
		len = snprintf(path, size, "/var/lib/ipubox");
	} else if (xdg != NULL && xdg[0] == '/') {
		len = snprintf(path, size, "%s/ipubox", xdg);
	} else if (home != NULL && home[0] != '\0') {
		len = snprintf(path, size, "%s/.local/state/ipubox", home);
	} else {
		return error_set(e,
		    "no place for the state: set IPUBOX_STATE_DIR or HOME");
	}
	if (len < 0 || (size_t)len >= size) {
		return error_set_number(e, ENAMETOOLONG, "state directory");
	}
	(void)strlcpy(origin, given, STATE_ORIGIN_SIZE);
	return 0;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv). */
static unsigned long long
paths_hash(const char *text)
{
	unsigned long long h = 0xcbf29ce484222325;

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	return h;
}

/* A relative $IPUBOX_REGISTRY is resolved now, because the path is compared and
   shown later, perhaps from another directory. */
static int
choose_registry(struct state_paths *p, struct error *e)
{
	const char *explicit = getenv("IPUBOX_REGISTRY");
	struct stat st;
	char cwd[PATH_MAX] = "";
	int len;

	if (explicit != NULL && explicit[0] != '\0') {
		if (explicit[0] != '/' && getcwd(cwd, sizeof(cwd)) == NULL)
			return error_set_errno(e, "IPUBOX_REGISTRY=%s",
			    explicit);
		len = snprintf(p->registry, sizeof(p->registry), "%s%s%s", cwd,
		    cwd[0] != '\0' ? "/" : "", explicit);
	} else if (stat("/dev/shm", &st) == 0 && S_ISDIR(st.st_mode)) {
		len = snprintf(p->registry, sizeof(p->registry),
		    "/dev/shm/ipubox-%016llx", paths_hash(p->directory));
	} else {
		len = snprintf(p->registry, sizeof(p->registry), "%s/registry",
		    p->directory);
	}
	if (len < 0 || (size_t)len >= sizeof(p->registry)) {
		return error_set_number(e, ENAMETOOLONG, "registry");
	}
	return 0;
}

int
paths_find(struct state_paths *p, struct error *e)
{
	char directory[PATH_MAX];

	if (choose_directory(directory, sizeof(directory), p->origin, e) != 0)
		return -1;
	if (directory_resolve(directory, p->directory, sizeof(p->directory),
		e) != 0)
		return error_prefix(e, "state directory %s", directory);
	return choose_registry(p, e);
}

bool
paths_have_partition(const char *name)
{
	struct state_paths p;
	char *file;
	bool has;

	if (paths_find(&p, NULL) != 0)
		return false;
	file = xasprintf("%s/partitions/%s.ini", p.directory, name);
	has = access(file, F_OK) == 0;
	free(file);
	return has;
}

int
paths_append_place(struct error *e)
{
	struct state_paths p;

	/* Its clients may be on other hosts, and name the server themselves. */
	if (server_lock_is_own())
		return -1;
	return paths_find(&p, NULL) != 0 ?
	    -1 :
	    error_append(e, "\n(state directory: %s, %s)", p.directory,
		p.origin);
}
