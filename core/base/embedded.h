/*
 * Files of config/ that the program carries inside, so that one file is enough.
 * Made at build time by config/build/embed.awk.
 */
#ifndef CORE_BASE_EMBEDDED_H
#define CORE_BASE_EMBEDDED_H

struct embedded_file {
	const char	*name;	/* without its end: "pod64", "mnist" */
	const char	*text;	/* the whole file */
};

/* config/pods and config/models: sorted by name, a NULL name at the end. */
extern const struct embedded_file embedded_pods[];
extern const struct embedded_file embedded_models[];

#endif
