/*
 * IPUoF configuration files: how a program without access to the controller
 * learns its IPUs.  One JSON object per GCD, keys "attributes" (text to text,
 * with "GCD Id", "Num GCDs", "IPUoF Partition Id") and "devices" (one per IPU).
 *
 * Source: V-IPU user guide 5.8; field names of IpuofDevice in the contract.
 */
#ifndef CORE_CONTROL_IPUOF_H
#define CORE_CONTROL_IPUOF_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/control/config.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

struct controller;

/* Of the first IPU of a machine's IPUoF server; the others follow. */
enum { IPUOF_SERVER_PORT = 50052 };

/* The file's text for one GCD; for gcd -1 that of a partition with one GCD,
   else an array of all GCDs; with the versions of that release.  Ends with a
   newline; the caller frees it. */
char *ipuof_text(const struct pod *, const struct partition *, int gcd,
    const struct versions *);

/*
 * The same as a controller says it, with the address of a server that it is on;
 * the caller frees it.  NULL: it is refused.
 */
char *ipuof_config(struct controller *, const struct pod *,
    const struct partition *, int gcd, struct error *);

enum { IPUOF_SERVER_TEXT_PORT = 8 }; /* bytes of a port, with its NUL */

/*
 * Name the server of a partition in a file's text, which is of one GCD or an
 * array of them, and is freed: the attribute "V-IPU Server", "HOST:PORT", with
 * an IPv6 address in brackets.  So a program elsewhere that has only such a
 * file finds the server; files of a pod of this host have none.  Any other text
 * is returned as it is.
 */
char *ipuof_server_add(char *text, const char *where);

/* What a program reads from such a file: which partition, which GCD. */
struct ipuof_reference {
	char partition[NAME_SIZE];
	int gcd; /* -1: all GCDs */
	int num_gcds;
	int device_count;
	/* The server that has it; "": the pod of this host. */
	char host[SERVER_ADDRESS_HOST_SIZE];
	char port[IPUOF_SERVER_TEXT_PORT];
};

/*
 * Read such a file, ours or the real tool's.  -1 and "FILE: text" where it
 * cannot be read or is not one.
 */
int ipuof_parse(const char *path, struct ipuof_reference *, struct error *);
/* The same of a file of the directory, as file_read_at(). */
int ipuof_parse_at(const struct directory *, const char *name,
    struct ipuof_reference *, struct error *);

#endif
