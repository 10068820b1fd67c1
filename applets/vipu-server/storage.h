/*
 * vipu-server --init: a pod where there is none.
 */
#ifndef APPLETS_VIPU_SERVER_STORAGE_H
#define APPLETS_VIPU_SERVER_STORAGE_H

#include <stdbool.h>

#include "core/base/error.h"

/*
 * Make the default pod and tell of it on stdout, with the first user and its
 * key where it is secure; `user` is that user's name, NULL: the caller's.
 * ERROR_EXISTS: there is a pod.
 */
int	storage_init(bool secure, const char *user, struct error *);

#endif
