/*
 * Functions of every controller, embedded (embedded_controller.c) or on a
 * server.
 */
#include "core/control/control.h"

#include <bsd/string.h>

#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

void
controller_init(struct controller *c)
{
	memset(c, 0, sizeof(*c));
	c->now_ms = clock_real_ms;
	c->monotonic_ms = clock_monotonic_ms;
	c->sleep_ms = clock_sleep_ms;
	versions_guide(&c->versions);
}

const char *
controller_where(const struct controller *c)
{
	return c->where;
}

int
controller_version(struct controller *c, char version[CONTROLLER_VERSION_SIZE],
    struct error *e)
{
	return c->operations->version(c, version, e);
}

void
controller_close(struct controller *c)
{
	if (c == NULL)
		return;
	c->operations->close(c);
	free(c);
}

int
controller_hold(struct controller *c, int fd, struct error *e)
{
	return c->operations->hold(c, fd, e);
}

void
controller_leave(struct controller *c)
{
	c->operations->leave(c);
	controller_close(c);
}

int
controller_append_place(const struct controller *c, struct error *e)
{
	return c->where == NULL ? paths_append_place(e) :
				  error_append(e, "\n(server: %s)", c->where);
}

void
controller_set_files(struct controller *c, const char *directory)
{
	(void)strlcpy(c->files, directory, sizeof(c->files));
}

const char *
controller_leftover(const struct controller *c)
{
	return c != NULL && c->left.text[0] != '\0' ? c->left.text : NULL;
}

/* The time of the last look is that of a file in the state's directory. */
bool
controller_owners_are_due(struct controller *c, int kind, int64_t period_ms)
{
	struct stat st;
	int64_t since_ms;
	bool due = false;
	int fd;

	if (c->where != NULL || c->state.lock_fd == -1 ||
	    !owner_lock_any_kind(&c->state.registry, kind))
		return false;
	fd = file_open(&c->state.directory, "looked", O_WRONLY | O_CREAT, NULL);
	if (fd == -1)
		return false;
	if (fstat(fd, &st) == 0) {
		since_ms = c->now_ms() -
		    ((int64_t)st.st_mtim.tv_sec * 1000 +
			st.st_mtim.tv_nsec / 1000000);
		due = since_ms >= period_ms || since_ms < 0 || st.st_size == 0;
	}
	if (due)
		due = ftruncate(fd, 1) == 0 && futimens(fd, NULL) == 0;
	(void)close(fd);
	return due;
}

int
controller_list_ipus(struct controller *c, char **agents, size_t agent_count,
    struct ipu_listing *listing, struct error *e)
{
	*listing = (struct ipu_listing){ .count = 0 };
	if (c->operations->list_ipus == NULL)
		return 0;
	return c->operations->list_ipus(c, agents, agent_count, listing, e) ==
		0 ?
	    1 :
	    -1;
}

void
controller_free_ipus(struct ipu_listing *listing)
{
	struct reported_ipu *u;
	size_t i, k;

	for (k = 0; k < listing->count; k++) {
		u = &listing->ipus[k];
		for (i = 0; i < u->count; i++) {
			free(u->attributes[i].key);
			free(u->attributes[i].value);
		}
		free(u->attributes);
	}
	free(listing->ipus);
	*listing = (struct ipu_listing){ .count = 0 };
}
