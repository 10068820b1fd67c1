/*
 * The facts that `vipu doctor` judges, of this host and environment.  Gathering
 * them changes nothing.
 */
#ifndef CORE_DIAG_PROBES_H
#define CORE_DIAG_PROBES_H

#include "core/control/queue.h"
#include "core/server/server.h"

enum { PROBE_PATH_SIZE = 320 };

/* Space on a file system for this user. */
struct room {
	char path[PROBE_PATH_SIZE]; /* the path that was looked at */
	int64_t free_bytes;	    /* -1: unknown, as is read_only then */
	int64_t free_files;	    /* -1: unknown */
	bool read_only;
};

/* Look at the path, or at its nearest existing ancestor. */
void probes_look_at_room(struct room *, const char *path);

/* An IPUoF file. */
struct ipuof_probe {
	char path[PROBE_PATH_SIZE];
	struct error reason; /* why it is not valid; "": the rest is set */
	struct ipuof_reference reference;
	enum ipuof_standing standing;
	bool current; /* the same as if written now, of any release */
};

/* ~/.ipuof.conf.d or /etc/ipuof.conf.d, and the files that programs see. */
struct ipuof_directory {
	char path[PROBE_PATH_SIZE]; /* "": HOME is not set */
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
	/* IPUOF_VIPU_API_HOST, _PORT, _PARTITION_ID and _GCD_ID, and
	   IPUOF_CONFIG_PATH; NULL if unset or empty. */
	const char *api_host, *api_port, *partition, *gcd;
	const char *config_path;
	struct server_address api_server; /* meaning of api_host */
	struct error api_error;		  /* why it is refused, or "" */
	struct ipuof_probe config_file;	  /* config_path's */
	struct ipuof_directory home, hosts;
	struct missing_file *missing;
	int missing_count;
	/* Effective options of vipu, and those of the file alone. */
	struct error config_error; /* why they cannot be read, or "" */
	struct config config, config_file_alone;
	struct error server_error;   /* why the server that `config` names
					cannot be used, or "" */
	struct error settings_error; /* error of ipubox.conf, or "" */
	/* Effective emulation settings and their origins; emulate_error: their
	   first invalid variable, or "". */
	bool emulated_hosts, strict;
	struct versions versions;
	char hosts_origin[STATE_ORIGIN_SIZE];
	char sdk_origin[STATE_ORIGIN_SIZE];
	char strict_origin[STATE_ORIGIN_SIZE];
	struct error emulate_error;
	struct gcda_problems gcda; /* GCDA_OPTIONS and the variables of its
				      options */
	struct inspection state;
	/* Why the state's server does not answer, or "". */
	struct error silence;
	/* The server's lack of room for connections, or "". */
	char shortage[SERVER_SHORTAGE_SIZE];
	bool *abandoned; /* by partition: its owner is gone; NULL: none */
	/* Why the pod does not admit the caller, or ""; how many partitions of
	   `state` the caller may see. */
	struct error refusal;
	int visible;
	struct room disk, shared; /* space for state and registry */
	struct ticket *tickets;
	long ticket_count; /* -1: they cannot be read */
};

/* Gather the probes.  The options are those of the command, or NULL.  Waits a
   few seconds for silent servers. */
void probes_gather(struct probes *, const struct config_options *);
void probes_release(struct probes *);

#endif
