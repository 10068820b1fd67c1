/*
 * What poprun --check asks another host to look at, and its way there as JSON.
 */
#ifndef APPLETS_POPRUN_CHECK_REQUEST_H
#define APPLETS_POPRUN_CHECK_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "applets/poprun/check_sum.h"
#include "core/base/error.h"
#include "core/base/strvec.h"

enum {
	CHECK_REQUEST_MAX_BYTES = 4 << 20,
	CHECK_REQUEST_WORDS_MAX = 65536
};

/* All texts are owned; one that is NULL is not known, or not asked for. */
struct check_request {
	struct strvec	 program;	/* its words, as a parent gets them */
	struct strvec	 present;	/* absolute paths, of them and of the
					   rooms, that poprun's host has */
	struct strvec	 rooms;		/* option, path, option, path ... */
	char		*search;	/* PATH of the instances */
	char		*directory;	/* where they begin */
	char		*path;		/* of the program, on poprun's host */
	char		*network;	/* an interface or a subnet; "": there
					   is none to look for */
	char		*mpirun;	/* path of mpirun on poprun's host */
	char		*mpirun_version;
	char		*version;	/* of this program on poprun's host */
	bool		 directory_said; /* by --wdir */
	bool		 pipes;		/* no pseudo terminals: --pty no */
	int		 instances;	/* on that host */
	struct check_sum own;		/* of this program's file */
	struct check_sum program_sum;
	struct check_sum script_sum;
};

/* One that asks for nothing, and the end of one. */
void	check_request_init(struct check_request *);
void	check_request_release(struct check_request *);

/* As JSON, which the caller frees. */
char	*check_request_text(const struct check_request *);

/* Back into an empty request; -1: it is not such a text. */
int	check_request_read(struct check_request *, const char *text,
	    size_t size, struct error *);

#endif
