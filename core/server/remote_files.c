/*
 * IPUoF files of partitions of a server, on this host.
 */
#include "core/server/remote_files.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/server/remote_note.h"

/* The text of each GCD; NULL: the server does not say it. */
static char **
files_texts(struct controller *c, const struct pod *pod,
    const struct partition *p, struct error *e)
{
	char	**texts = xcalloc((size_t)p->num_gcds + 1, sizeof(*texts));
	int	  gcd;

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
	struct partition	  here = *p;
	char			**texts;
	int			  gcd, status;

	if (directory[0] == '\0' || p->relocatable)
		return 0;
	here.owner = getuid();
	(void)strlcpy(here.ipuof_directory, directory,
	    sizeof(here.ipuof_directory));
	texts = files_texts(c, pod, p, e);
	status = texts == NULL ? -1 : ipuof_files_write_texts(&here, texts, e);
	for (gcd = 0; texts != NULL && gcd < p->num_gcds; gcd++)
		free(texts[gcd]);
	free(texts);
	if (status == 0) {
		(void)strlcpy(p->ipuof_directory, directory,
		    sizeof(p->ipuof_directory));
		remote_note_put(c->where, p);
	} else {
		/* What stands in their place is not theirs. */
		(void)c->operations->remove(c, p->name, p, true, NULL, NULL);
		c->left.text[0] = '\0';
	}
	return status;
}

/* Where they are: as the caller says it now, or as it was when they were
   written, or where they are by default. */
static int
files_locate(const struct controller *c, struct partition *here)
{
	struct remote_note	n;

	here->owner = getuid();
	here->relocatable = false;
	here->ipuof_directory[0] = '\0';
	if (c->files[0] == '\0' &&
	    remote_note_find(c->where, here->name, &n)) {
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
	struct partition	here = *p;
	struct error		reason;
	bool			removed;
	int			status;

	if (p->relocatable || files_locate(c, &here) != 0)
		return;
	status = ipuof_files_remove(&here, &removed, &reason);
	remote_note_drop(c->where, p->name);
	if (status == 0 || c->left.text[0] != '\0')
		return;
	c->left = reason;
	(void)error_prefix(&c->left, "partition %s was removed, its IPUoF "
	    "file stays", p->name);
}

int
remote_files_check_removal(struct controller *c, const char *partition,
    struct error *e)
{
	struct partition	here = { .num_gcds = 1 };
	struct remote_note	n;

	(void)strlcpy(here.name, partition, sizeof(here.name));
	/* Of whom it has no note it has no files, or cannot tell which. */
	if (!remote_note_find(c->where, partition, &n) ||
	    files_locate(c, &here) != 0 ||
	    ipuof_files_check_removal(&here, e) == 0)
		return 0;
	return error_append(e, "; --force removes the partition without its "
	    "file");
}

/* The partition of the note goes, or was gone when this began,
   and its files go. */
static void
files_forget(struct controller *c, const struct remote_note *n)
{
	struct partition	here = { .num_gcds = n->num_gcds,
	    .owner = getuid() };
	struct remote_note	now;
	bool			removed;

	/* Another one of its name came meanwhile. */
	if (!remote_note_find(c->where, n->partition, &now) ||
	    memcmp(&now, n, sizeof(now)) != 0)
		return;
	(void)strlcpy(here.name, n->partition, sizeof(here.name));
	(void)strlcpy(here.ipuof_directory, n->directory,
	    sizeof(here.ipuof_directory));
	(void)ipuof_files_remove(&here, &removed, NULL);
	remote_note_drop(c->where, n->partition);
}

/*
 * The notes first: files are written when their partition is there, so one that
 * a later look does not find is gone.  Who is limited does not see all.
 */
int
remote_files_list(struct controller *c, int (*ask)(struct controller *,
    struct snapshot *, struct error *), struct snapshot *s, struct error *e)
{
	struct remote_note	*notes;
	struct partition	*p;
	int			 i, found, count, status;

	count = remote_note_list(c->where, &notes);
	status = ask(c, s, e);
	for (i = 0; status == 0 && i < count; i++) {
		found = snapshot_find(s, notes[i].partition);
		p = found == -1 ? NULL : &s->partitions[found];
		if (p != NULL && memcmp(p->id, notes[i].id, sizeof(p->id)) !=
		    0)
			continue;
		if (p != NULL ? p->state == PS_REMOVED : !s->limited &&
		    s->damaged == 0)
			files_forget(c, &notes[i]);
		else if (p != NULL && !p->relocatable)
			(void)strlcpy(p->ipuof_directory, notes[i].directory,
			    sizeof(p->ipuof_directory));
	}
	free(notes);
	return status;
}
