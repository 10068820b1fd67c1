/*
 * The facts that `vipu doctor` judges, of this host and environment.  Gathering
 * them changes nothing.
 */
#ifndef CORE_DIAG_PROBES_H
#define CORE_DIAG_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/control/control.h"
#include "core/control/ticket.h"
#include "core/pod/pod.h"
#include "core/server/server.h"
#include "core/state/state.h"

enum { PROBE_PATH_SIZE = 320 };

/* Space on a file system; -1: unknown. */
struct room {
	char path[PROBE_PATH_SIZE];
	int64_t free_bytes;
	int64_t free_files;
	bool read_only;
};

/* Look at the path, or at its nearest existing ancestor. */
void probes_look_at_room(struct room *, const char *path);

/* An IPUoF file. */
struct ipuof_probe {
	char path[PROBE_PATH_SIZE];
	struct error reason; /* why it is not valid, or "" */
	struct ipuof_reference reference;
	enum ipuof_standing standing;
	bool current; /* the same as if written now */
};

/* ~/.ipuof.conf.d or /etc/ipuof.conf.d, and the files that programs see. */
struct ipuof_directory {
	char path[PROBE_PATH_SIZE]; /* "": missing */
	struct ipuof_probe *files;
	int count;
};

/* A partition without its IPUoF file. */
struct missing_file {
	char partition[NAME_SIZE];
	char path[IPUOF_PATH_SIZE];
};

struct probes {
	uint32_t uid;
	int64_t now_ms;
	/* IPUOF_*; NULL if unset or empty. */
	const char *api_host, *api_port, *partition, *gcd;
	const char *config_path;
	struct server_address api_server; /* meaning of api_host */
	struct error api_error;		  /* why it is refused, or "" */
	struct ipuof_probe config_file;	  /* config_path's */
	struct ipuof_directory home, hosts;
	struct missing_file *missing;
	int missing_count;
	/* Effective options of vipu, and those of the file alone. */
	struct error config_error; /* or "" */
	struct config config, config_file_alone;
	struct error server_error;   /* error of its host, or "" */
	struct error settings_error; /* error of ipubox.conf, or "" */
	/* Effective emulation settings and their origins; the first invalid
	   variable among theirs, or "". */
	bool emulated_hosts, strict;
	struct versions versions;
	char hosts_origin[STATE_ORIGIN_SIZE];
	char sdk_origin[STATE_ORIGIN_SIZE];
	char strict_origin[STATE_ORIGIN_SIZE];
	struct error emulate_error;
	struct gcda_problems gcda; /* GCDA_OPTIONS and the variables of its
				      options */
	struct inspection state;
	struct error silence; /* why the state's server does not answer */
	char shortage[SERVER_SHORTAGE_SIZE]; /* of connections of it, or "" */
	bool *abandoned; /* by partition: its owner is gone; or NULL */
	/* Why the pod does not admit the caller, or ""; how many partitions of
	   `state` the caller may see. */
	struct error refusal;
	int visible;
	struct room disk, shared; /* space for state and registry */
	struct ticket *tickets;
	long ticket_count;
};

/* Gather the probes with the options of the command, or NULL. */
void probes_gather(struct probes *, const struct config_options *);
void probes_release(struct probes *);

#endif
