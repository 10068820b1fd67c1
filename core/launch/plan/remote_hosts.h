/*
 * A job's other hosts: the way to reach them, their answers about themselves,
 * their network, and copying ipubox to them.
 */
#ifndef CORE_LAUNCH_PLAN_REMOTE_HOSTS_H
#define CORE_LAUNCH_PLAN_REMOTE_HOSTS_H

#include <signal.h>

#include "core/base/network.h"
#include "core/base/strvec.h"

struct launch_settings;
struct plan;

/*
 * The agent: the program that runs a command on another host, for Open MPI
 * (plm_rsh_agent) as for poprun; ssh(1) unless the user names one.  Its
 * arguments are the host and one word, a command for a shell there.  An agent
 * that is not ssh may know hosts by names that no resolver has, such as pods.
 *
 * Source: Open MPI 4.1, orte_plm_rsh_search().
 */
struct remote_agent {
	struct strvec words; /* its path and the user's arguments; empty: the
				user names no agent */
	bool has_names;	     /* it is not ssh, so it may know other names */
	bool is_slurm;	     /* it is srun, a step of this process's job */
};

/* Whether this process belongs to a job of Slurm whose hosts are known. */
bool remote_agent_has_slurm(void);

/* Find the agent that mpirun would use: the first existing one of the user's
   list, separated by ":"; without a list srun in a job of Slurm, else none.
   *agent must be initialised.  -1, ERROR_NOT_FOUND: none of them exists. */
int remote_agent_find(struct remote_agent *, const struct launch_settings *,
    struct error *);
void remote_agent_release(struct remote_agent *);

/* Return the agent's path for a message, or "ssh". */
const char *remote_agent_name(const struct remote_agent *);

/* The answers of hosts reached by an agent.  Pods of this machine need neither
   a network nor a server. */
struct remote_hosts {
	bool share_network;	 /* each is in this host's network namespace */
	bool share_pod;		 /* each has this user's state directory and
				    registry at the same paths */
	bool share_input;	 /* the agent passes standard input on */
	struct strvec hosts;	 /* those that were asked */
	struct strvec addresses; /* of each: "A B C", or "" */
};

/* Fill plan->remote: ask all other hosts of the plan at once, if an agent other
   than ssh reaches them; else all is empty and false.  `mask` is the commands'
   signal mask; NULL: the caller's.  -1: a host does not answer, with the
   agent's words; or a signal that ends a job came (ERROR_INTERRUPTED), which
   stays pending. */
int remote_hosts_ask(struct plan *, const sigset_t *mask, struct error *);
void remote_hosts_release(struct remote_hosts *);

/* Return the addresses of a host, or NULL if it was not asked. */
const char *remote_hosts_addresses(const struct remote_hosts *,
    const char *host);

/* bring.c: --bring-ipubox copies this program into the job's directory on each
   host; the copy is removed with that directory. */
struct bring {
	char *own;  /* this program's file */
	char *file; /* the copy that runs on the hosts; NULL: none is needed */
	bool left;  /* copies may exist, and no job that would remove them has
		       started */
};

/* Ask the other hosts if they have this program.  Sets plan->bring.own, and
   also plan->bring.file unless all have it.  Returns 0; 128 + n after signal n;
   or another exit status after an error was logged. */
int bring_ask(struct plan *, const sigset_t *mask);

/* Before each run, copy the program to all hosts, also this one, if
   plan->bring.file is set.  Returns as bring_ask() does. */
int bring_place(struct plan *, const sigset_t *mask);
void bring_release(struct bring *);

/* Remove the copies if `left` is set, and clear it; hosts that cannot be
   reached are skipped. */
void bring_remove(struct plan *, const sigset_t *mask);

/* Add the words that run the plan's program on the hosts; an applet of this
   program is run from the copy, if there is one. */
void bring_add_program(const struct plan *, struct strvec *words);

/* The network for mpirun's processes, for MPI and for ipubox's connections.
   Source: PopRun user guide 2.2.2; --host-subnet and published logs. */
struct job_network {
	/* Except `asked`, all is empty for a job on this host alone. */
	struct network own; /* this host's */
	const char *asked;  /* --host-subnet's value, or NULL */
	bool holds_all;	    /* each host is in it, or `asked` is set */
	char first[256];    /* address or name of the job's first host */
};

/*
 * Fill plan->network for a job with other hosts: that of --host-subnet, else,
 * with an agent other than ssh, that of the user's arguments for mpirun, else
 * the one that leads to the first other host.  Hosts that share this one's
 * network may use loopback.  -1: no such network exists.
 */
int job_network_choose(struct plan *, struct error *);

/* Log the network as the original poprun does, at LOG_DEBUG. */
void job_network_log(const struct plan *);

/* Add mpirun's arguments for the network; none for a job on this host alone, or
   if a host is not in it.  Skips those that the user gave. */
void job_network_add_args(const struct plan *, struct strvec *);

#endif
