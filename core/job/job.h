/*
 * A job: the hosts, replicas and instances of one poprun, the environment of
 * each instance, and the command line for Open MPI's mpirun.  Pure: counts and
 * texts in, texts out.  Read layout.h first, then environment_add().
 */
#ifndef CORE_JOB_JOB_H
#define CORE_JOB_JOB_H

#include <stdbool.h>

#include "core/base/strvec.h"
#include "core/job/engine_options.h" /* POPLAR_ENGINE_OPTIONS: profiles */
#include "core/job/layout.h"	     /* places of instances and replicas */
#include "core/job/mpirun_noise.h"   /* messages of mpirun and ssh */
#include "core/job/popdist.h"	     /* the environment, read back */

/*
 * The command line for Open MPI's mpirun: options of the job, then an
 * application context per instance, separated by ":", because -x affects only
 * one context.
 *
 * Source: a published log with a whole command; mpirun(1) of Open MPI 4.1.
 */
struct mpirun {
	const char *path;
	const struct strvec *global_args;   /* the user's */
	const struct strvec *local_args;    /* the user's, for each instance */
	const struct strvec *instance_args; /* the user's, for instance 0 to
					       count - 1 */
	int instance_args_count;
	bool allow_run_as_root;
	const char *placement;	      /* arguments separated by spaces, or "" */
	const struct strvec *network; /* arguments that choose a network */
	int num_instances;
	int instances_per_host;		   /* the most on one host */
	char *const *hosts;		   /* one per instance; NULL: chosen by
					      mpirun */
	const struct strvec *environments; /* of each instance, for -x */
	char *const *program;		   /* NULL-terminated */
	const struct strvec *parent;	   /* command of core/launch/parent.h,
					      before INSTANCE and the program
					      that it runs; NULL: none */
	const struct strvec *carried;	   /* names of variables to carry to
					      other hosts, or NULL */
};

/* Return how many files mpirun, or orted on another host, has open when it has
   started so many instances there. */
int mpirun_open_files(int instances);

/* Add the whole argv.  The user's arguments follow poprun's, so that a user's
   `-x NAME=VALUE` wins. */
void mpirun_command(const struct mpirun *, struct strvec *argv);

/* Whether the arguments place processes on cores: --bind-to, --map-by, their
   synonyms, or --mca or --gmca with a parameter of that meaning. */
bool mpirun_args_place(const struct strvec *args);

/* Return the value that --mca or --gmca gives to the first of these Open MPI
   parameters (`names`, ending with NULL) that the arguments set, and that name
   in *name; or NULL. */
const char *mpirun_args_parameter(const struct strvec *args,
    const char *const *names, const char **name);

/* Whether the arguments include this one. */
bool mpirun_args_have(const struct strvec *args, const char *arg);

/* Undo the backslash that mpirun_command() puts before a program's word ":", at
   which mpirun would end a context.  Returns a part of `word`. */
const char *mpirun_shown_word(const char *word);

/* The meaning of mpirun's arguments for one instance, as far as poprun does
   what they say: all of it if poprun starts the instances, and from `timeout_s`
   on below mpirun too.  `wdir` and `not_reached` point into the arguments,
   which must outlive it. */
struct mpirun_local {
	struct strvec first;	      /* from -x of the whole job: NAME=VALUE,
					 overridden by poprun's variables */
	struct strvec variables;      /* from other -x, overriding these */
	struct strvec missing;	      /* from -x NAME of an unset variable */
	struct strvec without_effect; /* arguments that were ignored */
	const char *wdir;	      /* NULL: the caller's */
	const char *starter;	      /* NULL: the local launcher */
	char *const *not_reached;     /* first option of the whole job that only
					 reaches instance 0, and its value; or
					 NULL */
	int timeout_s;		      /* 0: unlimited */
	char *output_filename;	      /* a directory, or NULL */
	bool no_job_id;		      /* without a directory "1" in it */
	bool no_copy;		      /* the output is not shown */
	bool merge_stderr;
	bool timestamps; /* before the tags */
	bool has_stdin;	 /* --stdin was given, and stdin_to is set */
	int stdin_to;	 /* as in stdin_relay_open() */
};

/* Where arguments stand: mpirun lets -x and --wdir of the whole job reach the
   first application context only. */
enum mpirun_scope {
	MPIRUN_GLOBAL,	     /* of the whole job, for instance 0 */
	MPIRUN_GLOBAL_OTHER, /* of the whole job, for any other instance */
	MPIRUN_LOCAL,	     /* of each instance */
	MPIRUN_INSTANCE	     /* of this instance alone */
};

/* Begin without arguments; _release frees the contents. */
void mpirun_local_init(struct mpirun_local *);
void mpirun_local_release(struct mpirun_local *);

/* Add arguments; later ones win.  Returns 0; or 1 if arguments that only mpirun
   supports were skipped with their values: the error names the first of these,
   and the rest was added.  -1, with a part added: an argument that poprun
   refuses under either launcher, one without its value or with a bad one, or a
   word that mpirun would take for the program. */
int mpirun_local_add(struct mpirun_local *, const struct strvec *args,
    enum mpirun_scope, struct error *);

/* Copy the arguments without those that poprun does itself below mpirun. */
void mpirun_local_keep(const struct strvec *args, struct strvec *out);

/*
 * The environment of an instance: POPDIST_* for the PopDist library, IPUOF_*
 * and POPLAR_TARGET_OPTIONS for the device's driver.
 *
 * Source: PopRun user guide, chapter 2; a published log with every variable, in
 * this order.
 */
struct environment {
	const struct layout *layout;
	const char *server_host; /* of the V-IPU controller; not used offline */
	int server_port;
	int server_timeout_s;
	const char *partition;	    /* NULL: offline, no IPUs */
	bool one_gcd;		    /* all instances attach to GCD 0 */
	const char *log_level;	    /* IPUOF_LOG_LEVEL */
	char *const *forwarded;	    /* names of the caller's variables to pass
				       on, NULL-terminated */
	const char *target_options; /* or NULL */
	const char *autoreport_dir; /* or NULL */
	char *const *cache_paths;   /* executable caches, one per host; or
				       NULL */
};

/* Settings of torchrun for the whole job. */
struct environment_torch {
	const char *master_address;
	int master_port;
};

/* Add an instance's variables as NAME=VALUE.  A bare NAME, from `forwarded`,
   stands for the caller's value, which a launcher must carry to other hosts. */
void environment_add(const struct environment *, int instance, struct strvec *);

/* Add the variables by which Open MPI's launcher tells a process its rank. */
void environment_add_ranks(const struct layout *, int instance,
    struct strvec *);

/* Add the variables that torch.distributed reads, as torchrun sets them, except
   MASTER_ADDR and MASTER_PORT if they are set in this process's environment.
   The first function adds those of the whole job; _ranks those of one instance.
   LOCAL_WORLD_SIZE is of the job if all hosts have as many instances, else of
   each instance. */
void environment_add_torch(const struct layout *,
    const struct environment_torch *, struct strvec *);
void environment_add_torch_ranks(const struct layout *, int instance,
    struct strvec *);

/* Whether NAME=VALUE of a caller is replaced by those two, because it is the
   rank of another process or the size of another job. */
bool environment_is_rank(const char *variable);

/*
 * Merge environments: `caller` without remains of another job or partition
 * (IPUOF_CONFIG_PATH, IPUOF_VIPU_API_*, POPDIST_* and OMPI_COMM_WORLD_*), then
 * `common`, then `own`; the last two may be NULL.  The last value of a name
 * counts.  Omits each bare NAME of `common` and `own`.  The caller frees the
 * array.  Its words are not copied, because a job has hundreds of environments
 * that differ in a few words: all three must outlive it.
 */
char **environment_merge(char *const *caller, char *const *common,
    char *const *own);

/*
 * Lists of hosts for poprun and copy-ssh:
 *
 *	10.1.3.[101-104]	four addresses
 *	pod[1-3,7]-[a,b]	pod1-a pod1-b pod2-a ... pod7-b
 *	n[08-10], login		n08 n09 n10 login
 *
 * A set in brackets has numbers, ranges (leading zeros are kept) or words,
 * separated by commas.  A name may have several; the last one varies fastest.
 * Spaces around commas between names are ignored.
 *
 * A name has letters, digits and . _ - : and does not begin with . or -, so
 * that it cannot be an option or shell text.  A list has no name twice, without
 * regard to case; a file may repeat a name, for a slot each time.
 *
 * Source: PopRun user guide, --host; the sets are those of Slurm's lists.
 */

enum {
	HOSTLIST_MAX = 4096,		 /* hosts of a list */
	HOSTLIST_FILE_MAX = 1024 * 1024, /* bytes */
	HOSTLIST_SLOTS_MAX = 4096,
	HOST_NAME_MAX_LENGTH = 253 /* limit of the DNS */
};

/* Slots of each host in the list's order; begins zeroed, with an empty list. */
struct hostlist_slots {
	int *counts;	/* 0: not given */
	size_t count;	/* number of hosts */
	size_t room;	/* private */
	bool has_users; /* a host was named USER@HOST, without effect */
};

/* Free the counts and make the struct empty again. */
void hostlist_slots_release(struct hostlist_slots *);

/* Add the hosts of a list in order to the hosts that were added before.  With
   `slots`, which may be NULL, an item may have slots as in mpirun,
   "pod[1-4]:8"; without, ":8" is a part of the name.  -1: nothing is added; a
   host that was added before is one reason. */
int hostlist_add(struct strvec *hosts, struct hostlist_slots *slots,
    const char *text, struct error *);

/*
 * Add the hosts of a file's text: a list per line, comments after `#`, and Open
 * MPI's words after the list: slots=4, count=4 or cpu=4, and max_slots=8, which
 * is ignored.  A repeated name, also one added before, is one host with the
 * slots of all its lines.  If any is repeated, each line without slots counts
 * as one.  `name` is for messages, "NAME:LINE: ...".  -1: nothing is added;
 * ERROR_NOT_FOUND: the text has no host.
 */
int hostlist_add_lines(struct strvec *hosts, struct hostlist_slots *slots,
    const char *name, const char *text, size_t size, struct error *);

/* Do the same for the file `path`.  -1 also if it cannot be read. */
int hostlist_add_file(struct strvec *hosts, struct hostlist_slots *slots,
    const char *path, struct error *);

/* Whether the text is a host name or address, without brackets. */
bool hostlist_name_is_valid(const char *);

/* Variables from our parent process on each host for the programs below it:
   the executable cache, and this host's numeric address for the job's other
   hosts. */
#define JOB_CACHE_VARIABLE "POPDIST_EXECUTABLE_CACHE_PATH"
#define JOB_HOST_ADDRESS_VARIABLE "IPUBOX_HOST_ADDRESS"

/* Parse a list of instance indices: "0,2-3", "all", "none".  Sets in set[count]
   which of `count` instances are listed; ranges are inclusive.  -1: the message
   begins with `what` and names the wrong element; then `set` has no meaning. */
int index_list_read(const char *what, const char *text, int count, bool *set,
    struct error *);

/*
 * POPLAR_TARGET_OPTIONS: the compiler's facts about the IPUs, as a compact JSON
 * object of texts.
 *
 * Source: published logs ("Target options from ...").
 */
struct target_options {
	long link_domain_ipus;		/* IPUs joined by IPU-Links */
	const char *link_configuration; /* "default", "slidingWindow",
					   "barleyTwist" */
	const char *link_topology;	/* "mesh", "torus" */
	long instance_ipus;		/* IPUs of one instance */
};

/* Set link_configuration and link_topology to Poplar's words for a partition's
   routing, enum link_routing. */
void target_options_set_routing(struct target_options *, int routing);

/* Return the object, with keys in the logs' order.  The caller frees it. */
char *target_options_text(const struct target_options *);

/* Return a device's options as in the log: "ipuLinkDomainSize=64,
   ...Topology=Mesh, ...", with capitalised words.  The caller frees the
   text. */
char *target_options_device_text(const struct target_options *);

/* Merge two objects: keys of `low` in order, with values of `high` if
   present, then the other keys of `high`.  Numbers and booleans become
   texts.  NULL or "" is an empty object.  Returns NULL if either is not a
   JSON object; the error begins with `what`, which names `high`.  The caller
   frees the result. */
char *target_options_merge(const char *low, const char *what, const char *high,
    struct error *);

#endif
