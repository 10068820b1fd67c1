/*
 * The V-IPU controller of a job.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_SERVER_H
#define CORE_LAUNCH_PLAN_JOB_SERVER_H

#include <stdio.h>

#include "core/base/terminal.h"
#include "core/server/server.h"

struct launch_settings;
struct remote_hosts;

/* The controller's address, as programs see it and as poprun connects to it. */
struct job_server {
	char *host;
	const char *shown_host; /* the name that the instances get */
	int port;
	char *origin; /* the option, variable or file that names it */
	char port_text[8];
	bool is_here; /* no server was found, so the pod is this host's */
	struct server_request request; /* refers to the members above */
};

/*
 * Choose the controller: --vipu-server-host, else IPUOF_VIPU_API_HOST, else
 * vipu's own settings, else this host's pod.  Connects to a server once, unless
 * the job is offline.  Returns 0, or -1 with the reason it cannot be used.  The
 * caller zeroes *server before, and releases it in any case.  The settings must
 * outlive *server.
 */
int job_server_choose(const struct launch_settings *, struct job_server *,
    struct error *);
void job_server_release(struct job_server *);

/*
 * Set the address for instances on other hosts, which reach a controller of
 * this host over the network, at `address` (not copied: it must stay valid).
 * Hosts that share this one's pod or network use the same address as programs
 * here.  A controller of another host keeps its address.  Returns -1 if the
 * controller does not listen at `address`; `far`, one of the hosts, is for the
 * error.
 */
int job_server_show(struct job_server *, const char *address, const char *far,
    const struct remote_hosts *, struct error *);

/* Set this process's variables that tell a controller this user and its key, as
   far as vipu's files have them: other hosts need not have these files. */
int job_server_name_user(struct error *);

/* Open the controller (NULL: failed), or, only for reading, the registry that
   it shows.  The caller closes it.  The user comes from the environment and
   vipu's files. */
struct controller *job_server_open(const struct job_server *, struct error *);
int job_server_open_reader(const struct job_server *, struct registry *,
    struct error *);

/*
 * The messages of poprun itself, on stderr unless a file is given: log lines
 * "HH:MM:SS.mmm PID POPRUN [L] text", where L is the level's first letter, and
 * errors and warnings without that head.
 */

/* The levels of POPRUN_LOG_LEVEL, which calls LOG_ERROR "ERR". */
enum log_level { LOG_OFF, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_TRACE };

/* Set the level: from the number of -v flags (1: LOG_INFO, 2: LOG_DEBUG, more:
   LOG_TRACE); without flags from POPRUN_LOG_LEVEL; by default LOG_WARN.  -1:
   the variable is not a level; LOG_WARN is set. */
int job_log_init(int flags, struct error *);
/* Return true if lines of that level are printed. */
bool job_log_wants(enum log_level);
/* Colour "POPRUN ERROR:" red and "POPRUN WARNING:" yellow from now on, if
   terminal_has_colour() says so for stderr. */
void job_log_set_colour(enum terminal_colour);
/* Log a line to stderr, or (_print) to a file that is not NULL, if its level is
   wanted.  All functions but job_log_print_text() add the newline. */
void job_log_line(enum log_level, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print(FILE *, enum log_level, const char *, ...)
    __attribute__((format(printf, 3, 4)));
/* Print "POPRUN ERROR: text" at every level.  Returns EXIT_FAILURE. */
int job_log_error(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Print "POPRUN WARNING: text" at every level. */
void job_log_warning(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Print the same, or (_text) whole lines unchanged, to a file; NULL: to
   stderr. */
void job_log_print_error(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_warning(FILE *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void job_log_print_text(FILE *, const char *);
/* From now on also write the messages of all these functions, of every level,
   to fd, which is taken over.  A write error ends that, with a warning that
   names the file poprun.log in `directory`. */
void job_log_keep(int fd, const char *directory);

#endif
