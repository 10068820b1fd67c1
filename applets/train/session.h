/*
 * One run: data, attachment, training, test.
 */
#ifndef APPLETS_TRAIN_SESSION_H
#define APPLETS_TRAIN_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/options.h"
#include "ipu/engine/engine.h"

/* What to run: the model as its file has it, changed by the command line. */
struct train_options {
	const char	*applet;	/* whose name is before messages */
	const char	*command;	/* what gc-monitor shows */
	/* The same in words, and the options that there are. */
	int		 argc;
	char		**argv;		/* the list is owned, its words are
					   not */
	const struct option_row *rows;
	struct model_file file;
	struct run_choices choices;
	bool		 profile;
	const char	*profile_dir;
	bool		 debug;
	bool		 generated;
	int		 samples;	/* generated */
	uint64_t	 seed;
	int		 replicas;
	size_t		 ipu_memory;	/* bytes; 0: the chip's */
	bool		 memory_report;
	bool		 wide;		/* all of its columns */
	const char	*memory_json;
	bool		 dump_schedule;
	const char	*save;
	const char	*load;
};

/*
 * Run it all and print as it goes.  -1 having told the reason: no data, no
 * IPUs, one that failed, another instance gone, a file that cannot be written.
 */
int	session_run(const struct train_options *);

#endif
