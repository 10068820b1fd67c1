/*
 * Settings of a controller's client from its options, the environment and
 * configuration files, in this order: the first one set counts.
 *
 * Only one file is read: that of --config, else $VIPU_CLI_CONFIG, else
 * ~/.vipu-cli.hcl, else /etc/vipu/vipu-cli.hcl.  Its keys are the long names of
 * the options.
 *
 * Source: V-IPU user guide 8.2.1; variables are VIPU_CLI_ and the option's
 * name. $VIPU_CLI_CONFIG and ~/.vipu-cli.hcl are ours.
 */
#ifndef CORE_CONTROL_CONFIG_H
#define CORE_CONTROL_CONFIG_H

#include "core/state/state.h"

/*
 * Rights of a user to see and change, from a pod, a user and a request alone;
 * login.c identifies the caller.  A user sees the partitions, allocations and
 * machines of its allocations.  Everything else looks as if it did not exist;
 * IPUs of other users are taken by an unnamed holder.
 *
 * Source: V-IPU administrator guide, users and allocations; V-IPU user guide,
 * allocations.
 */

/* The user for which a controller acts. */
struct caller {
	char user[NAME_SIZE];	     /* "": unnamed */
	char key[SECRET_SIZE];	     /* access key, or "" */
	bool admin;		     /* may do everything, without a key */
	bool known;		     /* already authenticated: no key needed */
	char hash[SECRET_HASH_SIZE]; /* known hash of the key; "": unknown */
	uid_t reader; /* of a server: decides which command lines it may read;
			 see holder_may_read() */
};

/* Return true if the user has the partition's allocation.  A partition without
   an allocation is only the administrator's. */
bool access_allows(const struct user *, const struct pod *,
    const struct partition *);
/* Return true if the user may remove, reset or adopt a partition that it sees:
   its own, or one without a recorded user. */
bool access_allows_change(const struct user *, const struct partition *);

/* Remove from the snapshot what the user may not see.  Partitions and
   allocations disappear, and the remaining allocations get the user's order.
   Machines of other allocations become unallocated ones named "unseen-N".  IPUs
   that the user cannot have belong to OWNER_UNSEEN.  No file counts as damaged.
   The indices no longer match the state, so the snapshot must not be stored. */
void access_filter(struct snapshot *, const struct user *);

/* Choose a placement as a creation does, in the view of a user; "" is the
   administrator or no user.  A limited user gets the requested allocation or
   index, else the first of its allocations with room.  Errors as in
   placement_choose(), and ERROR_DENIED if a limited user has no allocation. */
int access_choose(const struct snapshot *, const char *user,
    const struct partition_request *, struct placement *, struct error *);

enum { CONFIG_VALUE_SIZE = 256, CONFIG_ORIGIN_SIZE = 320 };

enum config_key {
	CONFIG_API_HOST,
	CONFIG_API_PORT,
	CONFIG_USER_ID,
	CONFIG_ACCESS_KEY,
	CONFIG_IPUOF_LOCATION,
	CONFIG_KEYS
};

/* Values of the command line; NULL: not given. */
struct config_options {
	const char *file; /* --config */
	const char *values[CONFIG_KEYS];
};

/* Values and their origins: "--api-host", "VIPU_CLI_API_HOST", "FILE:LINE". */
struct config {
	char values[CONFIG_KEYS][CONFIG_VALUE_SIZE];   /* "": not set */
	char origins[CONFIG_KEYS][CONFIG_ORIGIN_SIZE]; /* "": not set */
};

/* Fill the config; `options` NULL: none was given.  -1, and the config must not
   be used: a named or existing file cannot be read, a mistake in the file, a
   file with an access key that its group or others may access, a relative
   directory in the file, an invalid port, a value that is too long. */
int config_read(struct config *, const struct config_options *, struct error *);
/* Fill the config from the file alone, not that of --config.  Origins are
   "FILE", without a line.  The port is not checked.  -1 as config_read(). */
int config_read_file(struct config *, struct error *);
/* Return the variable of a key: "VIPU_CLI_API_HOST". */
const char *config_variable(int key);

/* The server to connect to; see core/server/server.h. */
struct server_request {
	const char *host, *port;   /* NULL or "": not set */
	const char *socket;	   /* path, in place of these; or NULL */
	const char *origin;	   /* source of the host: "--api-host" */
	const char *emulate_hosts; /* value of that option, or NULL: see
				      core/state/settings.h */
	int64_t timeout_ms;	   /* 0: SERVER_ADDRESS_TIMEOUT_MS */
};

enum { SERVER_ADDRESS_HOST_SIZE = 256 };
/* Return the host, port and origin of a configuration's server; the rest is
   zero.  Its pointers are valid as long as the config. */
struct server_request config_server(const struct config *);

/* Set the caller's user and key from a configuration, and zero the rest.  -1,
   ERROR_INVALID: a key without a user, an invalid user name or a key that is
   too long. config_read_caller() does config_read() without options before. */
int config_caller(const struct config *, struct caller *, struct error *);
int config_read_caller(struct caller *, struct error *);

#endif
