/*
 * The models of config/models, carried inside the program so that one file is
 * enough.  Made at build time by config/build/embed.awk.
 */
#ifndef IPU_NN_EMBEDDED_H
#define IPU_NN_EMBEDDED_H

struct embedded_model {
	const char	*name;	/* "mnist" */
	const char	*text;	/* the INI file */
};

/* Sorted by name; ends with a NULL name. */
extern const struct embedded_model embedded_models[];

#endif
