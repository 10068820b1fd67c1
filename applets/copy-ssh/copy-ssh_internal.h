/*
 * The settings of copy-ssh, the hosts with what is known of them, and the
 * steps.  remote.sh changes a host's files: it runs here and, through ssh, on
 * the hosts.  The C code decides what it does, and reads its reports.
 */
#ifndef APPLETS_COPY_SSH_COPY_SSH_INTERNAL_H
#define APPLETS_COPY_SSH_COPY_SSH_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/process/process.h"

enum { CLOCK_SKEW_MAX_S = 5, SSH_PORT = 22 };

enum topology_kind { PARENT_AND_CHILDREN, ALL_TO_ALL, PARENT_ONLY };

/* The command line. */
struct copy_ssh_settings {
	struct strvec hosts;
	struct strvec accepted; /* may have changed their host keys */
	const char *identity;	/* NULL: ssh's usual */
	const char *user;	/* NULL: as here */
	int port;
	int timeout_s;
	int jobs;
	enum topology_kind topology;
	unsigned skipped; /* one bit per check */
	bool all_to_all;
	bool parent_only;
	bool etc_hosts;
	bool apply;
	bool verify; /* and nothing else */
	bool no_verify;
	bool remove;
	bool dry_run;
	bool json;
	bool yes;
};

/* In the order in which one needs the other. */
enum host_check {
	CHECK_RESOLVES,
	CHECK_PORT,
	CHECK_HOST_KEY,
	CHECK_KEY,
	CHECK_USER,
	CHECK_CLOCK,
	CHECK_IPUBOX,
	CHECK_ORTED,
	CHECK_BACK,
	CHECKS
};
extern const char *const findings_check_names[CHECKS];

enum host_verdict { NOT_TRIED, GOOD, BAD, SKIPPED };

struct host_finding {
	enum host_verdict verdict;
	char *text; /* what was found, and its remedy */
};

struct host {
	const char *name; /* as given */
	struct strvec addresses;
	struct strvec aliases; /* other names that /etc/hosts gets */
	struct strvec keys;    /* host keys, "TYPE BLOB" */
	char *hostname;	       /* what it calls itself */
	char *user;
	char *uid;
	char *public_key;      /* "TYPE BLOB COMMENT" or NULL */
	char *parent;	       /* this host's address, seen there */
	struct strvec callers; /* names that it has for that */
	struct host_finding findings[CHECKS];
	int peers_good, peers_tried;
	bool denied; /* it wants a password */
	bool failed; /* later steps pass it over */
};

struct setup_step {
	const struct host *host; /* NULL: here */
	char *text;
	bool good;
};

struct copy_ssh_run {
	const struct copy_ssh_settings *settings;
	struct host self;
	struct host *hosts;
	size_t count;
	struct strvec own_addresses;
	char *identity;			   /* the key's file here, or NULL */
	char *sh, *ssh, *keyscan, *getent; /* paths */
	struct strvec accepted;	  /* changed keys that may be written */
	struct setup_step *steps; /* what was done, for JSON */
	size_t step_count;
	bool failed; /* something besides a host's checks */
};

/* Run the script here, and learn what this host calls itself.  In this and the
   next steps a host that fails is left out of what follows; -1 ends the run. */
int setup_read_self(struct copy_ssh_run *, const char *actions, struct error *);

/* The whole of the set-up, but for the proof. */
int setup_hosts(struct copy_ssh_run *, struct error *);

/* The proof: plain ssh, with nobody there to answer, there and back. */
void verify(struct copy_ssh_run *);

/* Take all away that a set-up wrote, on the hosts and here. */
int remove_trust(struct copy_ssh_run *, struct error *);

#endif
