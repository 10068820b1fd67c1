/*
 * getenv(3) for variables that count only if not empty, and for variables that
 * programs must not inherit.
 */
#include "core/base/parse.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

const char *
variable_get(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}

char *
variable_take(const char *name)
{
	char *value = getenv(name), *copy;

	if (value == NULL)
		return NULL;
	copy = xstrdup(value);
	explicit_bzero(value, strlen(value));
	(void)unsetenv(name);
	return copy;
}
