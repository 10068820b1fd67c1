/*
 * Variables of the environment that somebody has set to something: one that is
 * empty counts as not set, as a script has it that passes on what it lacks.
 */
#ifndef CORE_BASE_VARIABLE_H
#define CORE_BASE_VARIABLE_H

/* Its text, which stays the environment's; NULL where it is not set or is
   empty. */
const char	*variable_get(const char *name);

/*
 * Take it out of the environment: a copy, to be freed, or NULL where it is not
 * set.  Its bytes are also gone from what others of this user read in /proc.
 */
char		*variable_take(const char *name);

#endif
