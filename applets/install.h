/*
 * ipubox --install, --install-sdk and --unpack: links with the names of the
 * applets to the program's file, and the files that users need to build
 * programs.
 */
#ifndef APPLETS_INSTALL_H
#define APPLETS_INSTALL_H

#include <stdbool.h>

#include "applets/applet.h"

/* Text that the help of every version of this program contains, and no other
   program: a file with it may be replaced. */
extern const char install_mark[];

struct install {
	const struct applet *const *applets; /* ends with NULL */
	const char *called;		     /* argv[0] as it came */
	const char *directory;		     /* receives the files */
	bool symbolic; /* --install: links are symbolic, not hard */
	bool force;    /* replace other programs' files, and hide those later in
			  the PATH */
};

/* These return EXIT_DONE, or EXIT_FAILED with the reason on stderr. */

/* Create a link to this program's file in the directory for each applet and for
   "ipubox".  The directory must exist. */
int install_links(const struct install *);
/* Write the SDK into the directory, and print the command to use it.  Creates
   the directory, but not its parent. */
int install_sdk(const struct install *);
/* Copy this program's file into bin/ of the directory, with hard links to the
   copy, and write the SDK into sdk/.  Creates the directory, but not its
   parent. */
int install_unpack(const struct install *);

#endif
