/*
 * The command line of copy-ssh.
 */
#ifndef APPLETS_COPY_SSH_SETTINGS_H
#define APPLETS_COPY_SSH_SETTINGS_H

#include <stdbool.h>

#include "core/base/strvec.h"

enum { SSH_PORT = 22 };

enum topology_kind { PARENT_AND_CHILDREN, ALL_TO_ALL, PARENT_ONLY };

struct copy_ssh_settings {
	struct strvec	 hosts;
	struct strvec	 accepted;	/* may have changed their host keys */
	const char	*identity;	/* NULL: ssh's usual */
	const char	*user;		/* NULL: as here */
	int		 port;
	int		 timeout_s;
	int		 jobs;
	enum topology_kind topology;
	unsigned	 skipped;	/* one bit per check */
	bool		 all_to_all;
	bool		 parent_only;
	bool		 etc_hosts;
	bool		 apply;
	bool		 verify;	/* and nothing else */
	bool		 no_verify;
	bool		 remove;
	bool		 dry_run;
	bool		 json;
	bool		 yes;
};

#endif
