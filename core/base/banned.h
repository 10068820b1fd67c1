/*
 * Calls that ipubox does not use: they do not compile.  The Makefile includes
 * this file before the first line of every source.  The headers that declare
 * the names come first, because a poisoned name may not be declared.
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
