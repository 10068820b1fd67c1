/*
 * IPUoF files, on this host, of a server's partitions, and the notes that tell
 * where they are.
 */
#include "core/server/remote.h"

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

/*
 * ---- notes ----
 *
 * A note tells where the IPUoF files of a partition are that this user created
 * through a server.  The server does not know these files, and may remove a
 * partition by itself, for example when it expires.
 *
 *	~/.local/state/ipubox-files/SERVER/PARTITION
 *
 * or below $XDG_STATE_HOME.  SERVER is the server's address, with '%' for each
 * slash of a socket's path.  A note is a dangling symbolic link, because its
 * text, "GCDS:IDENTITY:DIRECTORY", is then written and read with one call.
 */
struct remote_note {
	char partition[NAME_SIZE];
	int num_gcds;
	uint8_t id[PARTITION_ID_SIZE]; /* all 0: not given by the server */
	char directory[DIRECTORY_SIZE];
};

enum { NOTE_SIZE = DIRECTORY_SIZE + HEX_SIZE(PARTITION_ID_SIZE) + 32 };

/* Return "/home/ann/.local/state/ipubox-files/10.1.3.7:8090", or NULL without a
   home directory.  The caller frees it. */
static char *
note_directory(const char *server)
{
	const char *xdg = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char *path = NULL, *at;

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
	char *path = note_directory(server), resolved[PATH_MAX];
	int status = -1;

	*d = DIRECTORY_NONE;
	if (path != NULL &&
	    directory_resolve(path, resolved, sizeof(resolved), NULL) == 0)
		status = make ? directory_make(d, resolved, NULL) :
				directory_open_resolved(d, resolved, NULL);
	free(path);
	return status;
}

/* Parse "2:1f...:/home/ann/.ipuof.conf.d"; cuts the text into pieces. */
static int
note_parse(char *text, struct remote_note *n)
{
	char *id = strchr(text, ':'), *directory;
	long long gcds;

	if (id == NULL || (directory = strchr(id + 1, ':')) == NULL ||
	    directory[1] != '/')
		return -1;
	*id++ = *directory++ = '\0';
	if (parse_number("GCDs", text, 1, POD_IPUS_MAX, &gcds, NULL) != 0 ||
	    hex_parse(id, n->id, sizeof(n->id)) != 0 ||
	    strlcpy(n->directory, directory, sizeof(n->directory)) >=
		sizeof(n->directory))
		return -1;
	n->num_gcds = (int)gcds;
	return 0;
}

static int
note_read(const struct directory *d, const char *name, struct remote_note *n)
{
	char text[NOTE_SIZE];
	ssize_t size;

	memset(n, 0, sizeof(*n));
	if (name_parse("partition", name, n->partition, NULL) != 0)
		return -1;
	size = readlinkat(d->fd, name, text, sizeof(text) - 1);
	if (size == -1)
		return -1;
	text[size] = '\0';
	return note_parse(text, n);
}

static int
note_list(const char *server, struct remote_note **out)
{
	struct directory d;
	struct remote_note *notes = NULL;
	char **names;
	long count = 0, i;
	int n = 0;

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

static bool
note_find(const char *server, const char *partition, struct remote_note *n)
{
	struct directory d;
	bool found;

	found = note_open(&d, server, false) == 0 &&
	    note_read(&d, partition, n) == 0;
	directory_close(&d);
	return found;
}

static void
note_put(const char *server, const struct partition *p)
{
	struct directory d;
	char id[HEX_SIZE(PARTITION_ID_SIZE)];
	char temporary[NAME_SIZE + 8];
	char *text;

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

static void
note_drop(const char *server, const char *partition)
{
	struct directory d;

	if (note_open(&d, server, false) == 0)
		(void)unlinkat(d.fd, partition, 0);
	directory_close(&d);
}

/* ---- files ---- */

/* Return the text of each GCD's file.  NULL with the error set: the server does
   not give them.  The caller frees the texts and the array. */
static char **
files_texts(struct controller *c, const struct pod *pod,
    const struct partition *p, struct error *e)
{
	char **texts = xcalloc((size_t)p->num_gcds + 1, sizeof(*texts));
	int gcd;

	for (gcd = 0; gcd < p->num_gcds; gcd++) {
		texts[gcd] = ipuof_config(c, pod, p, gcd, e);
		if (texts[gcd] == NULL)
			break;
	}
	if (gcd == p->num_gcds)
		return texts;
	while (gcd-- > 0)
		free(texts[gcd]);
	free(texts);
	return NULL;
}

int
remote_files_write(struct controller *c, const struct pod *pod,
    struct partition *p, const char *directory, struct error *e)
{
	struct partition here = *p;
	char **texts;
	int gcd, status;

	if (directory[0] == '\0' || p->relocatable)
		return 0;
	here.owner = getuid();
	(void)strlcpy(here.ipuof_directory, directory,
	    sizeof(here.ipuof_directory));
	texts = placement_check(pod, &p->placement, e) == 0 ?
	    files_texts(c, pod, p, e) :
	    NULL;
	status = texts == NULL ? -1 : ipuof_files_write_texts(&here, texts, e);
	for (gcd = 0; texts != NULL && gcd < p->num_gcds; gcd++)
		free(texts[gcd]);
	free(texts);
	if (status == 0) {
		(void)strlcpy(p->ipuof_directory, directory,
		    sizeof(p->ipuof_directory));
		note_put(c->where, p);
	} else {
		/* Remove the partition again.  If files are left at these
		   places, they are not its own, so forget that complaint. */
		(void)c->operations->remove(c, p->name, p, true, NULL, NULL);
		c->left.text[0] = '\0';
	}
	return status;
}

/* Find the directory of a partition's files: the one that the caller chose now,
   else the one in its note, else the default. */
static int
files_locate(const struct controller *c, struct partition *here)
{
	struct remote_note n;

	here->owner = getuid();
	here->relocatable = false;
	here->ipuof_directory[0] = '\0';
	if (c->files[0] == '\0' && note_find(c->where, here->name, &n)) {
		here->num_gcds = n.num_gcds;
		(void)strlcpy(here->ipuof_directory, n.directory,
		    sizeof(here->ipuof_directory));
		return 0;
	}
	return ipuof_files_directory(c->files, here->ipuof_directory,
	    sizeof(here->ipuof_directory), NULL);
}

void
remote_files_remove(struct controller *c, const struct partition *p)
{
	struct partition here = *p;
	struct error reason;
	bool removed;
	int status;

	if (p->relocatable || files_locate(c, &here) != 0)
		return;
	status = ipuof_files_remove(&here, &removed, &reason);
	note_drop(c->where, p->name);
	if (status == 0 || c->left.text[0] != '\0')
		return;
	c->left = reason;
	(void)error_prefix(&c->left,
	    "partition %s was removed, its IPUoF file stays", p->name);
}

int
remote_files_check_removal(struct controller *c, const char *partition,
    struct error *e)
{
	struct partition here = { .num_gcds = 1 };
	struct remote_note n;

	(void)strlcpy(here.name, partition, sizeof(here.name));
	/* Without a note the partition has no files here, or their place is
	   not known. */
	if (!note_find(c->where, partition, &n) ||
	    files_locate(c, &here) != 0 ||
	    ipuof_files_check_removal(&here, e) == 0)
		return 0;
	return error_append(e,
	    "; --force removes the partition without its file");
}

/* Remove a note and its files.  The partition is removed or gone. */
static void
files_forget(struct controller *c, const struct remote_note *n)
{
	struct partition here = { .num_gcds = n->num_gcds, .owner = getuid() };
	struct remote_note now;
	bool removed;

	/* A changed note belongs to a new partition of that name. */
	if (!note_find(c->where, n->partition, &now) ||
	    memcmp(&now, n, sizeof(now)) != 0)
		return;
	(void)strlcpy(here.name, n->partition, sizeof(here.name));
	(void)strlcpy(here.ipuof_directory, n->directory,
	    sizeof(here.ipuof_directory));
	(void)ipuof_files_remove(&here, &removed, NULL);
	note_drop(c->where, n->partition);
}

/*
 * List the partitions with the directories of their files, and remove the files
 * of partitions that are gone.  Read the notes before asking: files are written
 * after their partition is created, so a noted partition that the list lacks is
 * gone.  That is not certain in the list of a limited caller, or with damaged
 * partitions.
 */
int
remote_files_list(struct controller *c,
    int (*ask)(struct controller *, bool, struct snapshot *, struct error *),
    bool agents, struct snapshot *s, struct error *e)
{
	struct remote_note *notes;
	struct partition *p;
	int i, found, count, status;

	count = note_list(c->where, &notes);
	status = ask(c, agents, s, e);
	for (i = 0; status == 0 && i < count; i++) {
		found = snapshot_find(s, notes[i].partition);
		p = found == -1 ? NULL : &s->partitions[found];
		if (p != NULL && memcmp(p->id, notes[i].id, sizeof(p->id)) != 0)
			continue;
		if (p != NULL ? p->state == PS_REMOVED :
				!s->limited && s->damaged == 0)
			files_forget(c, &notes[i]);
		else if (p != NULL && !p->relocatable)
			(void)strlcpy(p->ipuof_directory, notes[i].directory,
			    sizeof(p->ipuof_directory));
	}
	free(notes);
	return status;
}
