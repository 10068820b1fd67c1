/*
 * Calls that must not compile.  The Makefile includes this file before the
 * first line of every source.  The headers that declare the calls come first,
 * because even a declaration of a poisoned name is an error.
 */
#ifndef CORE_BASE_BANNED_H
#define CORE_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strncpy strncat strtok gets
#pragma GCC poison atoi atol localtime ctime asctime tmpnam mktemp system popen

#endif
