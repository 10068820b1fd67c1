/*
 * References of the form $(NAME) in commands and values.
 */
#ifndef CORE_IPUJOB_CONTAINER_EXPAND_H
#define CORE_IPUJOB_CONTAINER_EXPAND_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

enum {
	POD_TEXT_MAX = 128 * 1024 - 1	/* of an argument or NAME=VALUE:
					   execve(2), MAX_ARG_STRLEN */
};

/* Where NAME=VALUE stands in an environment; its count: it is not there. */
size_t	container_expand_find(const struct strvec *environment,
	    const char *name, size_t length);

/*
 * The text with each $(NAME) replaced by the variable's value, which is not
 * looked into again; "$$" is a '$' of which no reference begins.  Names that
 * are not in the environment stay as they are, and are added to `unknown`,
 * which may be NULL.  The caller frees it.  NULL: it is too long.
 *
 * Source: the API reference of Kubernetes, Container.command and EnvVar.value.
 */
char	*container_expand_text(const struct strvec *environment,
	    const char *text, struct strvec *unknown, struct error *);

#endif
