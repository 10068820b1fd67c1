/*
 * ipubox --install, --install-sdk and --unpack: the program's own file under
 * the names of its applets, and what programs of one's own need.
 */
#ifndef APPLETS_INSTALL_H
#define APPLETS_INSTALL_H

#include <stdbool.h>

#include "applets/applet.h"

/* Stands in the help, and so in each version of this program and in no other:
   by it they know each other. */
extern const char install_mark[];

struct install {
	const struct applet *const *applets; /* ends with NULL */
	const char *called;		     /* argv[0] as it came */
	const char *directory;
	bool symbolic;
	bool force; /* also where something else is */
};

/*
 * Links to this very file, wherever it stands and however it was called; the
 * SDK, with the words that a person types next; or both in one directory, with
 * a copy of the file: bin/ and sdk/.  The exit status; a reason is on stderr
 * then.
 */
int install_links(const struct install *);
int install_sdk(const struct install *);
int install_unpack(const struct install *);

#endif
