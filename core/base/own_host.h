/*
 * Whether a name or an address is this host's own, without asking any other.
 */
#ifndef CORE_BASE_OWN_HOST_H
#define CORE_BASE_OWN_HOST_H

#include <stdbool.h>

struct sockaddr;

/* "localhost", or what this host is called, with its domain or without. */
bool	own_host_has_name(const char *);

/* An address of the loop, "any", or one of this host's interfaces; IPv4 within
   IPv6 is IPv4, and the port does not matter. */
bool	own_host_has_address(const struct sockaddr *);

/* 127.0.0.0/8, ::1, and "any", which this host takes for itself. */
bool	own_host_is_loopback(const struct sockaddr *);

/* The one or the other, as a text. */
bool	own_host_is(const char *host);

#endif
