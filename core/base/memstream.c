/*
 * Texts of unknown length, printed with the functions of stdio.
 */
#include "core/base/text.h"

#include "core/base/alloc.h"

FILE *
memstream_open(struct memstream *m)
{
	m->text = NULL;
	m->size = 0;
	m->file = open_memstream(&m->text, &m->size);
	if (m->file == NULL)
		xfail();
	return m->file;
}

char *
memstream_close(struct memstream *m, size_t *size)
{
	/* The last byte may need memory too. */
	if (fclose(m->file) != 0)
		xfail();
	m->file = NULL;
	if (size != NULL)
		*size = m->size;
	return m->text;
}
