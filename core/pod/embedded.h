/*
 * The pod descriptions of config/pods, carried inside the program so that one
 * file is enough.  Made at build time by config/build/embed.awk.
 */
#ifndef CORE_POD_EMBEDDED_H
#define CORE_POD_EMBEDDED_H

#include <stddef.h>

struct embedded_pod {
	const char	*name;	/* "pod64" */
	const char	*text;	/* the INI file */
};

/* Sorted by name; ends with a NULL name. */
extern const struct embedded_pod embedded_pods[];

#endif
