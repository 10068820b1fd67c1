/*
 * What a client of the controller is told by its options, the environment and
 * configuration files, in this order: the first that says something counts.
 *
 * The file is the one of --config, else $VIPU_CLI_CONFIG, else
 * ~/.vipu-cli.hcl, else /etc/vipu/vipu-cli.hcl where there is one; never two
 * of them.  Its keys are the long names of the options.
 *
 * Source: V-IPU user guide 8.2.1; names of variables by the rule VIPU_CLI_ and
 * the option's name.  $VIPU_CLI_CONFIG and ~/.vipu-cli.hcl are ours.
 */
#ifndef CORE_CONTROL_CONFIG_H
#define CORE_CONTROL_CONFIG_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/control/access.h"

enum { CONFIG_VALUE_SIZE = 256, CONFIG_ORIGIN_SIZE = 320 };

enum config_key {
	CONFIG_API_HOST,
	CONFIG_API_PORT,
	CONFIG_USER_ID,
	CONFIG_ACCESS_KEY,
	CONFIG_IPUOF_LOCATION,
	CONFIG_KEYS
};

/* What the command line says; NULL: nothing. */
struct config_options {
	const char *file; /* --config */
	const char *values[CONFIG_KEYS];
};

/* What is, and whence: "--api-host", "VIPU_CLI_API_HOST", "FILE:3". */
struct config {
	char values[CONFIG_KEYS][CONFIG_VALUE_SIZE]; /* "": not said */
	char origins[CONFIG_KEYS][CONFIG_ORIGIN_SIZE];
};

/*
 * Fill the config.  Refused: a file that is named and cannot be read, one
 * with a mistake, one with an access key that others may read, a port that is
 * not valid, a directory in a file that does not begin with '/'.
 */
int config_read(struct config *, const struct config_options *, struct error *);

/* The same of the file alone: what counts where no variable says other. */
int config_read_file(struct config *, struct error *);

/* The variable of a key: "VIPU_CLI_API_HOST". */
const char *config_variable(int key);

/* Which server is asked for; see core/server/server.h. */
struct server_request {
	const char *host, *port;   /* NULL or "": not said */
	const char *origin;	   /* who says the host: "--api-host" */
	const char *emulate_hosts; /* that option's value, or NULL: see
				      settings.h */
	int64_t timeout_ms;	   /* 0: SERVER_ADDRESS_TIMEOUT_MS */
};

enum { SERVER_ADDRESS_HOST_SIZE = 256 };

/* The server of a configuration; it lasts as long as the config. */
struct server_request config_server(const struct config *);

/* Who calls: the user and the key; config_read_caller() reads the
   configuration for that. */
int config_caller(const struct config *, struct caller *, struct error *);
int config_read_caller(struct caller *, struct error *);

#endif
