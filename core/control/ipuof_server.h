/*
 * The server of a partition, as its IPUoF files name it, so that a program
 * elsewhere with nothing but such a file finds it: the attribute "V-IPU
 * Server", "HOST:PORT", with an IPv6 address in brackets.  Files of a pod of
 * this host have none.
 */
#ifndef CORE_CONTROL_IPUOF_SERVER_H
#define CORE_CONTROL_IPUOF_SERVER_H

#include <yyjson.h>

#include "core/base/error.h"
#include "core/control/config.h"

enum { IPUOF_SERVER_TEXT_PORT = 8 };	/* bytes of a port, with its NUL */

/*
 * Name the server in a file's text, which is of one GCD or an array of them,
 * and freed.  What is not such a text comes back as it is.
 */
char	*ipuof_server_add(char *text, const char *where);

/* Read it from the attributes of a GCD: "" where there is none.  -1,
   ERROR_INVALID: it is not HOST:PORT. */
int	ipuof_server_read(yyjson_val *attributes,
	    char host[SERVER_ADDRESS_HOST_SIZE],
	    char port[IPUOF_SERVER_TEXT_PORT], struct error *);

#endif
