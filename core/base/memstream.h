/*
 * A text that grows as it is printed: open_memstream(3), which as xmalloc()
 * ends the program where there is no memory.
 *
 *	struct memstream	m;
 *
 *	memstream_open(&m);
 *	fprintf(m.file, "%d IPUs", n);
 *	text = memstream_close(&m, NULL);
 */
#ifndef CORE_BASE_MEMSTREAM_H
#define CORE_BASE_MEMSTREAM_H

#include <stddef.h>
#include <stdio.h>

struct memstream {
	FILE	*file;
	char	*text;		/* complete only after memstream_close() */
	size_t	 size;
};

/* Begin an empty text; returns the file to print to. */
FILE	*memstream_open(struct memstream *);

/*
 * End it.  Returns the text, NUL-terminated, which the caller frees, and its
 * length in *size where size is not NULL.
 */
char	*memstream_close(struct memstream *, size_t *size);

#endif
