/*
 * The settings of copy-ssh, the hosts with their known properties, and the
 * steps.  remote.sh changes a host's files: it runs here and, through ssh, on
 * the hosts.  The C code decides its actions and reads its reports.
 */
#ifndef APPLETS_COPY_SSH_COPY_SSH_INTERNAL_H
#define APPLETS_COPY_SSH_COPY_SSH_INTERNAL_H

#include "core/base/strvec.h"
#include "core/process/process.h"

enum { CLOCK_SKEW_MAX_S = 5, SSH_PORT = 22 };

/* The ways of logging in: from this host, the parent, to each host and back;
   also from each host to each other; or from the parent only. */
enum topology_kind { PARENT_AND_CHILDREN, ALL_TO_ALL, PARENT_ONLY };

/* The command line. */
struct copy_ssh_settings {
	struct strvec hosts;
	struct strvec accepted; /* hosts of --accept-changed */
	const char *identity;	/* file of the key; NULL: ssh's default */
	const char *user;	/* NULL: this user */
	int port;
	int timeout_s;
	int jobs;
	enum topology_kind topology;
	unsigned skipped;	      /* bits 1 << enum host_check */
	bool all_to_all, parent_only; /* options as given; see topology */
	bool etc_hosts; /* print the lines that /etc/hosts needs */
	bool apply;	/* with etc_hosts: write them on all hosts */
	bool verify;	/* check only, change nothing */
	bool no_verify; /* do not check at the end */
	bool remove;	/* remove the lines of earlier set-ups */
	bool dry_run;
	bool json;
	bool yes; /* accept changed host keys without a question */
};

/* Checks in order of dependency: each needs the earlier ones. */
enum host_check {
	CHECK_RESOLVES,
	CHECK_PORT,
	CHECK_HOST_KEY,
	CHECK_KEY,
	CHECK_USER,
	CHECK_CLOCK,
	CHECK_IPUBOX,
	CHECK_ORTED,
	CHECK_BACK, /* ssh from there to here, and to others if wanted */
	CHECKS
};
extern const char *const findings_check_names[CHECKS];

enum host_verdict { NOT_TRIED, GOOD, BAD, SKIPPED };

struct host_finding {
	enum host_verdict verdict;
	char *text; /* result, or the failure and its remedy */
};

struct host {
	const char *name; /* argument of the user */
	struct strvec addresses;
	struct strvec aliases; /* further names, reported by the host */
	struct strvec keys;    /* host keys, "TYPE BLOB" */
	char *hostname;	       /* the host's own name */
	char *user;	       /* name of the user there */
	char *uid;	       /* and its number */
	char *public_key;      /* "TYPE BLOB COMMENT" or NULL */
	char *parent;	       /* address of this host as seen there */
	struct strvec callers; /* its names for `parent` */
	struct host_finding findings[CHECKS];
	int peers_good, peers_tried; /* log-ins from there to others */
	bool denied;		     /* a password is needed */
	bool failed;		     /* skipped by later steps */
};

struct setup_step {
	const struct host *host; /* NULL: this host */
	char *text;
	bool good;
};

struct copy_ssh_run {
	const struct copy_ssh_settings *settings;
	struct host self;
	struct host *hosts;
	size_t count;
	struct strvec own_addresses;
	char *identity;			   /* file of the key here, or NULL */
	char *sh, *ssh, *keyscan, *getent; /* paths */
	struct strvec accepted;	  /* settings->accepted without refusals */
	struct setup_step *steps; /* actions and problems, for JSON */
	size_t step_count;
	bool failed; /* a failure outside a host's checks */
};

/* Run actions of the script here ("prepare"), and set run->self and ->identity.
   -1: the caller must end the run; both are set as far as was reported. */
int setup_read_self(struct copy_ssh_run *, const char *actions, struct error *);

/* Set up all hosts, without the final verification.  In all steps a host that
   fails is left out of the later ones.  -1: setup_read_self() failed, or a host
   of --accept-changed is unknown. */
int setup_hosts(struct copy_ssh_run *, struct error *);

/* Verify by plain, non-interactive ssh in both directions; set findings[]. */
void verify(struct copy_ssh_run *);

/* Remove everything that a set-up wrote, on the hosts and then here.  -1: the
   script failed here; a failure on a host is in its findings[] instead. */
int remove_trust(struct copy_ssh_run *, struct error *);

#endif
