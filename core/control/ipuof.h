/*
 * IPUoF configuration files, from which programs without access to the
 * controller learn their IPUs.  One JSON object per GCD: "attributes" (text to
 * text, with "GCD Id", "Num GCDs", "IPUoF Partition Id") and "devices" (one per
 * IPU).
 *
 * Source: V-IPU user guide 5.8; field names of IpuofDevice in the contract.
 */
#ifndef CORE_CONTROL_IPUOF_H
#define CORE_CONTROL_IPUOF_H

#include "core/control/config.h"

struct controller;

/* Port of the first IPU of a machine's IPUoF server; the others follow. */
enum { IPUOF_SERVER_PORT = 50052 };

/* Return the text of a GCD's file, with the versions of that release. gcd -1:
   the text of the only GCD, or of an array of all.  Ends with a newline; the
   caller frees it. */
char *ipuof_text(const struct pod *, const struct partition *, int gcd,
    const struct versions *);

/* Return the text as the controller gives it, with the attributes of
   ipuof_identity_add() and, for a server on the network, ipuof_server_add().
   The caller frees it.  NULL: the controller refused. */
char *ipuof_config(struct controller *, const struct pod *,
    const struct partition *, int gcd, struct error *);

/* Write the chip id of an IPU of the pod, "0024.8203321.2". */
enum { IPUOF_CHIP_SIZE = 32 };
void ipuof_chip_id(const struct pod *, int ipu, char text[IPUOF_CHIP_SIZE]);

/* Begins the line above the text of `vipu get partition NAME --ipuof-configs`;
   the partition's name follows. */
#define IPUOF_HEADING "IPUoF configuration of partition "

enum { IPUOF_SERVER_TEXT_PORT = 8 }; /* bytes of a port, with its NUL */

/* Add the server's address `where` to the text of one GCD or an array: the
   attribute "V-IPU Server", "HOST:PORT", IPv6 in brackets.  Programs elsewhere
   find the server by it.  Files of a pod on this host do not have it.  Frees
   the text and returns the new one, which the caller frees.  A text that is not
   JSON is returned unchanged. */
char *ipuof_server_add(char *text, const char *where);

enum {
	IPUOF_STATE_SIZE = 400,
	IPUOF_IDENTITY_SIZE = 2 * PARTITION_ID_SIZE + 1
};

/* Bind a file to its partition by the attribute "ipubox Partition", the
   partition's identity in hexadecimal digits.  `is_here` also adds "ipubox
   State", the host and the state directory of this process as "HOST:DIRECTORY".
   Adds nothing if the identity is not set.  Takes and returns the text like
   ipuof_server_add(). */
char *ipuof_identity_add(char *text, const struct partition *, bool is_here);

/* The partition and GCD that a program reads from a file. */
struct ipuof_reference {
	char partition[NAME_SIZE];
	int gcd; /* -1: all GCDs, never in a file */
	int num_gcds;
	int device_count;
	char identity[IPUOF_IDENTITY_SIZE]; /* "": unknown */
	char state[IPUOF_STATE_SIZE];	    /* HOST:DIRECTORY; "": unknown */
	/* The partition's server; "": the pod of this host.  No file names a
	   socket: visible_devices.c sets that of another pod of this host. */
	char host[SERVER_ADDRESS_HOST_SIZE];
	char port[IPUOF_SERVER_TEXT_PORT];
};

/* Read the IPUoF file of one GCD, of ipubox or the real tool; IPUOF_HEADING may
   begin its first line.  -1: unreadable or not such a file, as with an array of
   GCDs; the text names the file. */
int ipuof_parse(const char *path, struct ipuof_reference *, struct error *);
/* Do the same for a file of the directory, as file_read_at(). */
int ipuof_parse_at(const struct directory *, const char *name,
    struct ipuof_reference *, struct error *);

/* Whether programs may use a file, by its identity and state. */
enum ipuof_standing {
	IPUOF_USABLE,	 /* it belongs to this state directory, or its state is
			    unknown */
	IPUOF_ELSEWHERE, /* it belongs to another state directory of this
			    host */
	IPUOF_GONE	 /* its partition no longer exists */
};

/* Find out whether programs may use the file.  A file of a server, of another
   host or without identity cannot be looked up and is IPUOF_USABLE. */
enum ipuof_standing ipuof_find_standing(const struct ipuof_reference *);

/* Remove the IPUoF file if it is IPUOF_GONE.  ERROR_BUSY: it is not IPUOF_GONE,
   and stays. */
int ipuof_remove_gone(const char *path, struct error *);

/* Count the files in the partition's IPUoF directory that are not its own,
   without IPUoF files that programs skip (ipuof_find_standing()). 0 also if it
   has no fixed directory or that is unreadable.  Poplar ignores all files of a
   directory that holds more than one. */
int ipuof_count_others(const struct partition *);

#endif
