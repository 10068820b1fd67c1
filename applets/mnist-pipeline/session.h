/*
 * One run of the tutorial: data, attachment, training, test.
 */
#ifndef APPLETS_MNIST_PIPELINE_SESSION_H
#define APPLETS_MNIST_PIPELINE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "ipu/engine/schedule.h"

struct session_options {
	int		 batch_size;
	int		 device_iterations;
	int		 gradient_accumulation;
	int		 test_batch_size;
	int		 epochs;
	double		 learning_rate;
	bool		 profile;
	const char	*profile_dir;
	enum strategy	 strategy;
	bool		 offload_optimiser;
	bool		 debug;
	const char	*data_dir;
	bool		 generated;
	uint64_t	 seed;
	const char	*command;	/* what gc-monitor shows */
};

/*
 * Run it all and print as it goes.  -1 having told the reason: no data, no
 * IPUs, one that failed, another instance gone, a file that cannot be written.
 */
int	session_run(const struct session_options *);

#endif
