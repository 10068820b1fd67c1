/*
 * Notes of where files stand: links that lead nowhere.
 */
#include "core/server/remote_note.h"

#include <bsd/string.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/parse.h"
#include "core/base/text.h"

enum { NOTE_SIZE = DIRECTORY_SIZE + HEX_SIZE(PARTITION_ID_SIZE) + 32 };

/* "/home/ann/.local/state/ipubox-files/10.1.3.7:8090"; NULL: there is no home.
   The caller frees it. */
static char *
note_directory(const char *server)
{
	const char	*xdg = getenv("XDG_STATE_HOME");
	const char	*home = getenv("HOME");
	char		*path = NULL, *at;

	if (xdg != NULL && xdg[0] == '/')
		path = xasprintf("%s/ipubox-files/%s", xdg, server);
	else if (home != NULL && home[0] == '/')
		path = xasprintf("%s/.local/state/ipubox-files/%s", home,
		    server);
	if (path == NULL)
		return NULL;
	at = path + strlen(path) - strlen(server);
	while ((at = strchr(at, '/')) != NULL)
		*at = '%';
	return path;
}

static int
note_open(struct directory *d, const char *server, bool make)
{
	char	*path = note_directory(server), resolved[PATH_MAX];
	int	 status = -1;

	*d = DIRECTORY_NONE;
	if (path != NULL && directory_resolve(path, resolved,
	    sizeof(resolved), NULL) == 0)
		status = make ? directory_make(d, resolved, NULL) :
		    directory_open_resolved(d, resolved, NULL);
	free(path);
	return status;
}

/* "2:1f...:/home/ann/.ipuof.conf.d" */
static int
note_parse(char *text, struct remote_note *n)
{
	char		*id = strchr(text, ':'), *directory;
	long long	 gcds;

	if (id == NULL || (directory = strchr(id + 1, ':')) == NULL ||
	    directory[1] != '/')
		return -1;
	*id++ = *directory++ = '\0';
	if (parse_number("GCDs", text, 1, POD_IPUS_MAX, &gcds, NULL) != 0 ||
	    hex_parse(id, n->id, sizeof(n->id)) != 0 || strlcpy(n->directory,
	    directory, sizeof(n->directory)) >= sizeof(n->directory))
		return -1;
	n->num_gcds = (int)gcds;
	return 0;
}

static int
note_read(const struct directory *d, const char *name, struct remote_note *n)
{
	char	text[NOTE_SIZE];
	ssize_t	size;

	memset(n, 0, sizeof(*n));
	if (name_parse("partition", name, n->partition, NULL) != 0)
		return -1;
	size = readlinkat(d->fd, name, text, sizeof(text) - 1);
	if (size == -1)
		return -1;
	text[size] = '\0';
	return note_parse(text, n);
}

int
remote_note_list(const char *server, struct remote_note **out)
{
	struct directory	  d;
	struct remote_note	 *notes = NULL;
	char			**names;
	long			  count = 0, i;
	int			  n = 0;

	if (note_open(&d, server, false) == 0 &&
	    (count = directory_names(&d, "", &names, NULL)) > 0) {
		notes = xcalloc((size_t)count, sizeof(*notes));
		for (i = 0; i < count; i++)
			n += note_read(&d, names[i], &notes[n]) == 0;
	}
	if (d.fd != -1 && count >= 0)
		directory_names_free(names, count);
	directory_close(&d);
	*out = notes;
	return n;
}

bool
remote_note_find(const char *server, const char *partition,
    struct remote_note *n)
{
	struct directory	d;
	bool			found;

	found = note_open(&d, server, false) == 0 &&
	    note_read(&d, partition, n) == 0;
	directory_close(&d);
	return found;
}

void
remote_note_put(const char *server, const struct partition *p)
{
	struct directory	 d;
	char			 id[HEX_SIZE(PARTITION_ID_SIZE)];
	char			 temporary[NAME_SIZE + 8];
	char			*text;

	if (note_open(&d, server, true) == 0) {
		hex_text(p->id, sizeof(p->id), id);
		text = xasprintf("%d:%s:%s", p->num_gcds, id,
		    p->ipuof_directory);
		(void)snprintf(temporary, sizeof(temporary), ".%s.tmp",
		    p->name);
		(void)unlinkat(d.fd, temporary, 0);
		if (symlinkat(text, d.fd, temporary) == 0 &&
		    renameat(d.fd, temporary, d.fd, p->name) != 0)
			(void)unlinkat(d.fd, temporary, 0);
		free(text);
	}
	directory_close(&d);
}

void
remote_note_drop(const char *server, const char *partition)
{
	struct directory	d;

	if (note_open(&d, server, false) == 0)
		(void)unlinkat(d.fd, partition, 0);
	directory_close(&d);
}
