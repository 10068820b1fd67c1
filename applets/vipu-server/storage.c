/*
 * The first pod of a server.
 *
 * Source: V-IPU administrator guide, vipu-server --init.
 */
#include "applets/vipu-server/storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/pod/document/pod_file.h"
#include "core/state/state.h"

static const char	storage_pod[] = "pod64";

static int
storage_check_none(const struct state_paths *paths, struct error *e)
{
	char	*file = xasprintf("%s/pod.ini", paths->directory);
	bool	 is_there = access(file, F_OK) == 0;

	free(file);
	return !is_there ? 0 : error_set_code(e, ERROR_EXISTS, "there is a "
	    "pod in %s already: leave out --init, or vipu-admin init makes "
	    "another one in its place", paths->directory);
}

int
storage_init(bool secure, const char *name, struct error *e)
{
	struct new_pod		n = { .mode = secure ? NEW_POD_SECURE :
	    NEW_POD_OPEN };
	struct state_paths	paths;
	char			key[ACCESS_KEY_SIZE];
	struct user		user;
	struct pod		pod;
	int			status = 0;

	if (paths_find(&paths, e) != 0 || storage_check_none(&paths,
	    e) != 0 || pod_file_parse(&pod, storage_pod,
	    pod_embedded(storage_pod), e) != 0)
		return -1;
	if (secure) {
		n.user = &user;
		status = users_make_first(&user, name, &pod, key, e);
	}
	if (status == 0)
		status = new_pod_init(&paths, &pod, &n, e);
	pod_release(&pod);
	if (status != 0)
		return -1;
	printf("Initialised storage: %s\n", paths.directory);
	if (secure)
		printf("Default user is: %s\nAccess Key is: %s\n", user.name,
		    key);
	return 0;
}
