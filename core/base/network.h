/*
 * The networks of this host, from its interfaces: the one that leads to another
 * host, and the one that a user names.  Nothing is sent.
 */
#ifndef CORE_BASE_NETWORK_H
#define CORE_BASE_NETWORK_H

#include <net/if.h>
#include <netinet/in.h>

#include <stdbool.h>

#include "core/base/error.h"

struct sockaddr;

enum { NETWORK_SUBNET_SIZE = INET6_ADDRSTRLEN + 12 };

struct network {
	char interface[IF_NAMESIZE];
	char address[INET6_ADDRSTRLEN];	  /* this host's address in it */
	char subnet[NETWORK_SUBNET_SIZE]; /* "10.3.7.0/24" */
};

/* Find the network by which packets to that address leave this host.
   Address NULL: the network of the default route or, if none exists, the
   first network.  -1: no route leads there, only one over the loopback, or no
   network exists. */
int network_towards(const struct sockaddr *, struct network *, struct error *);

/*
 * Find a network of this host: that of the interface "eth0", or the one where
 * this host has an address in the subnet "10.3.7.0/24", also written with any
 * address in it, "10.3.7.1/24".  -1: ERROR_NOT_FOUND,
 * naming this host's networks, or ERROR_INVALID for a malformed text.
 */
int network_find(const char *text, struct network *, struct error *);

/* Return true if the address is in the network's subnet. */
bool network_holds(const struct network *, const struct sockaddr *);

/* Return true for "localhost" and for this host's name, with its domain or
   without.  Asks no other host. */
bool own_host_has_name(const char *);

/* Return true for a loopback address, "any", or an address of this host's
   interfaces.  IPv4 within IPv6 counts as IPv4; the port is ignored. */
bool own_host_has_address(const struct sockaddr *);

/* Return true for 127.0.0.0/8, ::1, and "any", which means this host. */
bool own_host_is_loopback(const struct sockaddr *);

/* Return true if own_host_has_address() holds for a numeric address, or else
   own_host_has_name() for the name. */
bool own_host_is(const char *host);

#endif
