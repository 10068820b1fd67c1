/*
 * What this user remembers of partitions that he created through a server:
 * where their IPUoF files stand on this host.  The server does not know it, and
 * may remove a partition by itself, as one that expires.  Private to
 * core/control.
 *
 *	~/.local/state/ipubox-files/SERVER/PARTITION
 *
 * below $XDG_STATE_HOME where that is set; a slash of a socket's path is a '%'.
 * Each is a symbolic link that leads nowhere: its text is read with one call,
 * "GCDS:IDENTITY:DIRECTORY".
 */
#ifndef CORE_SERVER_REMOTE_NOTE_H
#define CORE_SERVER_REMOTE_NOTE_H

#include <stdbool.h>

#include "core/pod/pod.h"

struct remote_note {
	char	partition[NAME_SIZE];
	int	num_gcds;
	uint8_t	id[PARTITION_ID_SIZE];	/* 0: the server says none */
	char	directory[DIRECTORY_SIZE];
};

/* All of a server, "HOST:PORT" or a path; the caller frees them.  Returns their
   number; what cannot be read is not there. */
int	remote_note_list(const char *server, struct remote_note **);

/* The one of that partition; false: there is none. */
bool	remote_note_find(const char *server, const char *partition,
	    struct remote_note *);

/* Remember where the partition's files are, or forget it.  A note that cannot
   be written is none: its files stay where nobody removes them by name. */
void	remote_note_put(const char *server, const struct partition *);
void	remote_note_drop(const char *server, const char *partition);

#endif
