/*
 * The list of places, from the paths of the state and the partitions that are
 * there when the server begins.  Those that it makes itself have no files of
 * its own: who asks for them writes them.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/log.h"
#include "core/process/process.h"
#include "core/server/server.h"
#include "core/state/state.h"

/* Read for users and groups, for who holds a lock, and for random bytes. */
static const char *const places_read[] = { "/etc", "/proc", "/dev" };

enum {
	PLACES_OWN = 3,		/* the state, the registry, the socket */
	PLACES_READ = ARRAY_SIZE(places_read)
};

static void
places_apply(const struct state_paths *paths, const struct snapshot *s)
{
	struct confine_place	*all = xcalloc((size_t)s->partition_count +
	    PLACES_OWN + PLACES_READ, sizeof(*all));
	char			*registry = path_directory_name(
	    paths->registry);
	struct confinement	 c;
	char			 text[CONFINE_TEXT_SIZE];
	size_t			 count = 0;
	int			 i;

	for (i = 0; i < PLACES_READ; i++)
		all[count++].path = places_read[i];
	all[count++] = (struct confine_place){ paths->directory, true };
	all[count++] = (struct confine_place){ registry, true };
	all[count++] = (struct confine_place){
	    server_socket_directory(paths->directory), true };
	for (i = 0; i < s->partition_count; i++)
		if (s->partitions[i].ipuof_directory[0] != '\0')
			all[count++] = (struct confine_place){
			    s->partitions[i].ipuof_directory, true };
	confine_apply(all, count, &c);
	confine_describe(&c, text);
	log_info("confined: %s", text);
	free(registry);
	free(all);
}

int
places_confine(const struct registry *r, struct error *e)
{
	struct state_paths	paths;
	struct snapshot		s;

	if (paths_find(&paths, e) != 0 || snapshot_take(r, &s, e) != 0)
		return -1;
	places_apply(&paths, &s);
	snapshot_release(&s);
	return 0;
}

/* The files that say where it is may change while the server runs. */
int
places_pin(const struct state_paths *paths, struct error *e)
{
	return setenv("IPUBOX_STATE_DIR", paths->directory, 1) == 0 &&
	    setenv("IPUBOX_REGISTRY", paths->registry, 1) == 0 &&
	    setenv("IPUBOX_CONFIG", "/dev/null", 1) == 0 ? 0 :
	    error_set_errno(e, "cannot keep the place of the state");
}
