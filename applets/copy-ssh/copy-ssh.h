/*
 * What the parts of copy-ssh share: the settings from the command line, the
 * hosts with what is known of them, and the steps.
 *
 * What is done to a host's files is config/copy-ssh.sh, which runs here and,
 * through ssh, on the hosts; what is here decides, and reads its reports.
 */
#ifndef APPLETS_COPY_SSH_COPY_SSH_H
#define APPLETS_COPY_SSH_COPY_SSH_H

#include <stdbool.h>
#include <stdio.h>

#include "applets/copy-ssh/settings.h"
#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/process/children.h"

enum { CLOCK_SKEW_MAX_S = 5 };

/* In the order in which one needs the other. */
enum check {
	CHECK_RESOLVES, CHECK_PORT, CHECK_HOST_KEY, CHECK_KEY, CHECK_USER,
	CHECK_CLOCK, CHECK_IPUBOX, CHECK_ORTED, CHECK_BACK, CHECKS
};
extern const char *const check_names[CHECKS];

enum verdict { NOT_TRIED, GOOD, BAD, SKIPPED };

struct finding {
	enum verdict	 verdict;
	char		*text;		/* what was found, with the mend */
};

struct host {
	const char	*name;		/* as given */
	struct strvec	 addresses;
	struct strvec	 aliases;	/* other names that /etc/hosts gets */
	struct strvec	 keys;		/* host keys, "TYPE BLOB" */
	char		*hostname;	/* what it calls itself */
	char		*user;
	char		*uid;
	char		*public_key;	/* "TYPE BLOB COMMENT" or NULL */
	char		*parent;	/* this host's address, seen there */
	struct strvec	 callers;	/* names that it has for that */
	struct finding	 findings[CHECKS];
	int		 peers_good;
	int		 peers_tried;
	bool		 denied;	/* it wants a password */
	bool		 failed;	/* later steps pass it over */
};

struct step {
	const struct host *host;	/* NULL: here */
	char		*text;
	bool		 good;
};

struct run {
	const struct settings *settings;
	struct host	 self;
	struct host	*hosts;
	size_t		 count;
	struct strvec	 own_addresses;
	char		*identity;	/* the key's file here, or NULL */
	char		*sh, *ssh, *keyscan, *getent;	/* paths */
	struct strvec	 accepted;	/* changed keys that may be written */
	struct step	*steps;		/* what was done, for JSON */
	size_t		 step_count;
	bool		 failed;	/* something besides a host's checks */
};

/* output.c: */

/* Say what was done, on stdout or for JSON; host NULL: here. */
void	note(struct run *, const struct host *, const char *, ...)
	    __attribute__((format(printf, 3, 4)));
/* The same of something that went wrong without ending a host's part. */
void	complain(struct run *, const struct host *, const char *, ...)
	    __attribute__((format(printf, 3, 4)));

void	finding_set(struct host *, enum check, enum verdict, const char *, ...)
	    __attribute__((format(printf, 4, 5)));
/* A host's check failed: say so; with `failed` it takes part no longer. */
void	host_fail(struct run *, struct host *, enum check, bool failed,
	    const char *);

/* The matrix, or all as JSON; the exit status. */
int	finish(struct run *);

/*
 * The steps.  A host that fails one takes part no longer, and the others go
 * on; -1 is for what ends the whole run.
 */
int	read_self(struct run *, const char *actions, struct error *);
void	learn_addresses(struct run *);
void	learn_hostkeys(struct run *);
void	learn_own_hostkeys(struct run *);
/* Under all names that a host has by now. */
void	know_hosts(struct run *);
/* For the scripts on the hosts: the lines of all, who may have changed. */
char	*hostkeys_of_all(const struct run *);
char	*accepted_hosts(const struct run *);
void	read_learnt(struct run *, struct host *, const struct child *);
int	set_up(struct run *, struct error *);
void	verify(struct run *);
int	take_away(struct run *, struct error *);

#endif
