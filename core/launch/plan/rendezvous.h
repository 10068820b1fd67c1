/*
 * Where the processes of a torch.distributed program meet: a port that nobody
 * else gets until they are started.
 */
#ifndef CORE_LAUNCH_PLAN_RENDEZVOUS_H
#define CORE_LAUNCH_PLAN_RENDEZVOUS_H

enum { RENDEZVOUS_DEFAULT_PORT = 29500 };	/* torchrun's */

struct rendezvous {
	int	fd;		/* holds the port; -1: does not */
	int	port;
};

/*
 * Take a free port of this host.  Where there is no network at all it is
 * torchrun's default one, and nothing is held.
 */
void	rendezvous_open(struct rendezvous *);

/* Let it go: the instances are about to start.  Also where none is held. */
void	rendezvous_close(struct rendezvous *);

#endif
