/*
 * The networks that this host is in, by its interfaces: which one leads to
 * another host, and which one a user names.  Nothing is sent.
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
	char address[INET6_ADDRSTRLEN];	  /* this host's own there */
	char subnet[NETWORK_SUBNET_SIZE]; /* "10.3.7.0/24" */
};

/*
 * The network by which packets for that address leave this host; NULL: those
 * for the rest of the world, or where none leads there its first one.  -1:
 * there is no way, or it is the loop.
 */
int network_towards(const struct sockaddr *, struct network *, struct error *);

/*
 * The network with that interface, or in which one of this host's addresses
 * lies: "eth0", "10.3.7.0/24", "10.3.7.1/24".  -1: there is none, and the
 * reason names those that there are; ERROR_INVALID: it is neither.
 */
int network_find(const char *text, struct network *, struct error *);

/* Whether the address lies in the network's subnet. */
bool network_holds(const struct network *, const struct sockaddr *);

/*
 * Whether a name or an address is this host's own, without asking any other.
 * A name: "localhost", or what this host is called, with its domain or without.
 */
bool own_host_has_name(const char *);

/* An address of the loop, "any", or one of this host's interfaces; IPv4 within
   IPv6 is IPv4, and the port does not matter. */
bool own_host_has_address(const struct sockaddr *);

/* 127.0.0.0/8, ::1, and "any", which this host takes for itself. */
bool own_host_is_loopback(const struct sockaddr *);

/* The one or the other, as a text. */
bool own_host_is(const char *host);

#endif
