/*
 * The settings of a job, as poprun's options give them.
 */
#ifndef CORE_LAUNCH_PLAN_LAUNCH_SETTINGS_H
#define CORE_LAUNCH_PLAN_LAUNCH_SETTINGS_H

#include "core/base/terminal.h"
#include "core/job/job.h"
#include "core/process/process.h"

struct stored_command;

enum launcher { LAUNCHER_AUTO, LAUNCHER_LOCAL, LAUNCHER_MPIRUN, LAUNCHER_SRUN };

/* The values of --pty. */
enum pty_policy { PTY_AUTO, PTY_YES, PTY_NO };

/* The values of --reset-partition; the default depends on the partition. */
enum answer { ANSWER_DEFAULT, ANSWER_NO, ANSWER_YES };

/* The values of --version-format. */
enum version_format { VERSION_TEXT, VERSION_FULL_TEXT, VERSION_FULL_JSON };

/* The user's settings; a text that was not given is NULL. */
struct launch_settings {
	struct layout layout; /* num_ilds is 0 if not given */
	enum launcher launcher;
	struct strvec hosts;	     /* --host or --hostfile */
	struct hostlist_slots slots; /* a count for each of these */
	bool allow_oversubscribe;
	const char *emulate_hosts; /* the option's value: yes or no */
	const char *server_host;   /* of the V-IPU server */
	int server_port;	   /* 0: not given */
	int server_timeout_s;
	const char *partition;	/* --vipu-partition */
	int partition_attempts; /* tries to make the partition active */
	/* For a new partition. */
	const char *cluster;
	const char *allocation;
	int sync_type;	       /* enum sync_type */
	bool update_partition; /* create a missing one, replace a misfit */
	bool remove_partition; /* when the job ends */
	enum answer reset_partition;
	bool print_topology;
	bool offline; /* without a partition and without IPUs */
	bool allow_run_as_root;
	bool dry_run;
	bool json; /* JSON output of the dry run or the check */
	const char *autoreport_dir;    /* NULL: no profiles */
	const char *sdk;	       /* --sdk, a directory; "": none */
	const char *cache_path;	       /* "": no executable cache */
	enum binding_policy placement; /* --process-placement */
	bool placement_given;
	bool synchronise_venv;
	bool synchronise_sdk;
	bool distribute_ssh_key;
	bool bring_ipubox;
	const char *host_subnet;       /* or interface, between hosts */
	int first_port, last_port;     /* to listen for hosts; 0: any */
	int only_output;	       /* an instance's index, or -1 for all */
	const char *console_instances; /* shown ones, such as "0,2-3" */
	const char *log_dir;
	bool tee; /* with log_dir: show the output too */
	const char *tag_format;
	enum pty_policy pty;
	enum terminal_colour colour; /* --color */
	int stdin_to;		     /* an instance's index, or STDIN_... */
	bool stdin_given;
	int timeout_s;	     /* 0: none */
	int start_timeout_s; /* 0: none */
	int grace_s;	     /* from SIGTERM to SIGKILL */
	int max_restarts;
	bool check; /* check everything and run nothing */
	enum version_format version_format;
	const char *import_path;
	const char *export_path;
	bool overwrite_config;
	int verbose;		       /* number of -v flags */
	struct strvec global_args;     /* arguments for mpirun */
	struct strvec local_args;      /* for each instance */
	struct strvec *instance_args;  /* of instances 0 to count - 1 */
	int instance_args_count;       /* up to the last that has any */
	struct stored_command *stored; /* the whole command, as words */
	char **program;		       /* its name and arguments */
};

#endif
