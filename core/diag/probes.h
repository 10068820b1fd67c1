/*
 * All that `vipu doctor` judges, gathered beforehand: what is on this host and
 * in this environment.  Gathering changes nothing.
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

/* Look at the path, or at the nearest directory above it that exists. */
void probes_look_at_room(struct room *, const char *path);

/* An IPUoF file. */
struct ipuof_probe {
	char path[PROBE_PATH_SIZE];
	struct error reason; /* why it is not valid, or "" */
	struct ipuof_reference reference;
	bool current; /* it says what it would say if it were written now */
};

/* ~/.ipuof.conf.d or /etc/ipuof.conf.d, and the files that programs see. */
struct ipuof_directory {
	char path[PROBE_PATH_SIZE]; /* "": none */
	struct ipuof_probe *files;
	int count;
};

/* A partition whose IPUoF file is not there. */
struct missing_file {
	char partition[NAME_SIZE];
	char path[IPUOF_PATH_SIZE];
};

struct probes {
	uint32_t uid;
	int64_t now_ms;
	/* IPUOF_*; NULL where it is not set or empty. */
	const char *api_host, *api_port, *partition, *gcd;
	const char *config_path;
	struct server_address api_server; /* what api_host means */
	struct error api_error;		  /* why it is refused, or "" */
	struct ipuof_probe config_file;	  /* config_path's */
	struct ipuof_directory home, hosts;
	struct missing_file *missing;
	int missing_count;
	/* Options of vipu, as they count, and as the file alone says. */
	struct error config_error; /* or "" */
	struct config config, config_file_alone;
	struct error server_error;   /* of its host, or "" */
	struct error settings_error; /* of ipubox.conf, or "" */
	/* What counts of the emulation, and who says so; of their variables
	   the first that is not valid, or "". */
	bool emulated_hosts;
	struct versions versions;
	char hosts_origin[STATE_ORIGIN_SIZE];
	char sdk_origin[STATE_ORIGIN_SIZE];
	struct error emulate_error;
	struct gcda_problems gcda; /* of GCDA_OPTIONS and the variables of its
				      options */
	struct inspection state;
	struct error silence; /* why the server that has the state cannot be
				 asked */
	bool *abandoned;      /* by partition: its owner is gone; NULL: none
				 is */
	/* Whom the pod lets in: why not the caller, or ""; and of the
	   partitions of `state` how many the caller may see. */
	struct error refusal;
	int visible;
	struct room disk, shared; /* of state and registry */
	struct ticket *tickets;
	long ticket_count;
};

/* The options are those of the command, NULL: none were given. */
void probes_gather(struct probes *, const struct config_options *);
void probes_release(struct probes *);

#endif
