/*
 * ipubox --install, --install-sdk and --unpack: links with the names of the
 * applets to the program's file, and the files that users need to build
 * programs.
 */
#ifndef APPLETS_INSTALL_H
#define APPLETS_INSTALL_H

#include <stdbool.h>

#include "applets/applet.h"

/* Text of the help of every version of this program and of no other program: it
   identifies files that may be replaced. */
extern const char install_mark[];

struct install {
	const struct applet *const *applets; /* ends with NULL */
	const char *called;		     /* argv[0] as it came */
	const char *directory;
	bool symbolic;
	bool force; /* replace other files too */
};

/* Create links to this file, wherever it lies and however it was called; write
   the SDK and print the next commands to type; or do both in one directory,
   with a copy of the file (bin/ and sdk/).  Return the exit status; the reason
   is on stderr. */
int install_links(const struct install *);
int install_sdk(const struct install *);
int install_unpack(const struct install *);

#endif
