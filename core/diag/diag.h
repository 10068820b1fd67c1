/*
 * Looking for faults: the checks of vipu doctor and of poprun --check.
 *
 * probes.c gathers facts of this host and its pod.  The checks of doctor.c and
 * doctor_program.c judge them without looking further; check_files.c and
 * check_host.c look at what a job needs on a host; check_answer.h carries such
 * checks to other hosts.  All of them add findings to a diagnosis, which the
 * applets print.  Read doctor.c first.
 */
#ifndef CORE_DIAG_DIAG_H
#define CORE_DIAG_DIAG_H

#include "core/base/strvec.h"
#include "core/base/terminal.h"
#include "core/control/queue.h"
#include "core/server/server.h"

/* The facts that `vipu doctor` judges, of this host and environment.  Gathering
   them changes nothing. */

enum { PROBE_PATH_SIZE = 320 };

/* Space on a file system for this user. */
struct room {
	char path[PROBE_PATH_SIZE]; /* the path that was looked at */
	int64_t free_bytes;	    /* -1: unknown, as is read_only then */
	int64_t free_files;	    /* -1: unknown */
	bool read_only;
};

/* Look at the path, or at its nearest existing ancestor. */
void probes_look_at_room(struct room *, const char *path);

/* An IPUoF file. */
struct ipuof_probe {
	char path[PROBE_PATH_SIZE];
	struct error reason; /* why it is not valid; "": the rest is set */
	struct ipuof_reference reference;
	enum ipuof_standing standing;
	bool current; /* the same as if written now, of any release */
};

/* ~/.ipuof.conf.d or /etc/ipuof.conf.d, and the files that programs see. */
struct ipuof_directory {
	char path[PROBE_PATH_SIZE]; /* "": HOME is not set */
	struct ipuof_probe *files;
	int count;
};

/* A partition without its IPUoF file. */
struct missing_file {
	char partition[NAME_SIZE];
	char path[IPUOF_PATH_SIZE];
};

struct probes {
	uint32_t uid;
	int64_t now_ms;
	/* IPUOF_VIPU_API_HOST, _PORT, _PARTITION_ID and _GCD_ID, and
	   IPUOF_CONFIG_PATH; NULL if unset or empty. */
	const char *api_host, *api_port, *partition, *gcd;
	const char *config_path;
	struct server_address api_server; /* meaning of api_host */
	struct error api_error;		  /* why it is refused, or "" */
	struct ipuof_probe config_file;	  /* config_path's, if not NULL */
	struct ipuof_directory home, hosts;
	struct missing_file *missing;
	int missing_count;
	/* Effective options of vipu, and those of the file alone. */
	struct error config_error; /* why they cannot be read, or "" */
	struct config config, config_file_alone;
	struct error server_error;   /* why the server that `config` names
					cannot be used, or "" */
	struct error settings_error; /* error of ipubox.conf, or "" */
	/* Effective emulation settings and their origins; emulate_error: their
	   first invalid variable, or "". */
	bool emulated_hosts, strict;
	struct versions versions;
	char hosts_origin[STATE_ORIGIN_SIZE];
	char sdk_origin[STATE_ORIGIN_SIZE];
	char strict_origin[STATE_ORIGIN_SIZE];
	struct error emulate_error;
	struct gcda_problems gcda; /* GCDA_OPTIONS and the variables of its
				      options */
	struct inspection state;
	/* Why the state's server does not answer, or "". */
	struct error silence;
	/* The server's lack of room for connections, or "". */
	char shortage[SERVER_SHORTAGE_SIZE];
	/* A program on this host listens at EXPORTER_PORT; only with a
	   server. */
	bool has_exporter;
	bool *abandoned; /* by partition: its owner is gone; NULL: none */
	/* Why the pod does not admit the caller, or ""; how many partitions of
	   `state` the caller may see. */
	struct error refusal;
	int visible;
	struct room disk, shared; /* space for state and registry */
	struct ticket *tickets;
	long ticket_count; /* -1: they cannot be read */
};

/* Gather the probes; overwrites them.  The options are those of the command, or
   NULL.  Waits a few seconds for silent servers. */
void probes_gather(struct probes *, const struct config_options *);
void probes_release(struct probes *);

struct plan;

enum verdict { VERDICT_OK, VERDICT_WARN, VERDICT_FAIL };

extern const char *const diagnosis_verdict_words[]; /* "ok", "warn", "FAIL" */

/* Return a verdict's colour: green, yellow or red. */
enum terminal_tone diagnosis_tone(enum verdict);

enum { FINDING_SIZE = 768, REMEDY_SIZE = 256 };

struct finding {
	const char *name; /* name of the check */
	enum verdict verdict;
	char what[FINDING_SIZE];  /* what was found */
	char remedy[REMEDY_SIZE]; /* "": none */
};

/* A check without faults adds a finding of VERDICT_OK.  All 0 is empty. */
struct diagnosis {
	struct finding *findings;
	int count;
	int failures;	      /* findings of VERDICT_FAIL */
	const char *checking; /* name of the running check, set by the check;
				 findings keep the pointer */
};

/* A check of vipu doctor, which judges the probes. */
struct check {
	const char *name;
	void (*run)(const struct probes *, struct diagnosis *);
};

/* Add a finding of the running check: the text says what is wrong and, after
   its last tab, the remedy.  Bytes that are not printable are escaped, since
   texts quote files, and a text that is too long is cut. */
void diagnosis_add(struct diagnosis *, enum verdict, const char *, ...)
    __attribute__((format(printf, 3, 4)));

/* Free the findings. */
void diagnosis_release(struct diagnosis *);

/*
 * Run all checks of vipu doctor.  The diagnosis is overwritten, not released
 * before.  The checks look at the probes alone.
 *
 * Source: the warnings of the V-IPU user guide 5.7 to 5.9 and of its
 * troubleshooting, and the ways in which our own state can be damaged.
 */
void doctor_diagnose(const struct probes *, struct diagnosis *);

/* The checks of settings for programs and commands, in order; ends with a NULL
   name.  For doctor.c. */
extern const struct check doctor_program_checks[];

/* The load of a job on a host. */
struct check_load {
	int instances;
	int outputs;	 /* instances that send their output to this host */
	int files;	 /* that one process has open for them */
	bool pipes;	 /* their output goes through pipes, not terminals */
	bool has_poprun; /* poprun runs on this host */
};

/* Check this host for a job. check_files_run(): the program, the launcher, the
   paths in the program's arguments, the directories that are written, and the
   SDK; it also sets the program and the launcher of the plan. check_host_run():
   memory, room, limits and terminals; the state and a port only with poprun,
   cores only with instances. */
void check_files_run(struct plan *, struct diagnosis *);
void check_host_run(const struct check_load *, struct diagnosis *);

/* A part of check_files_run() for other hosts: check the script and the paths
   among the program's words, relative to `directory` (NULL: the current one).
   Paths in `present` exist on poprun's host and must exist here too; NULL: this
   is that host. */
void check_files_look_at_words(char *const *program, const char *directory,
    const struct strvec *present, struct diagnosis *);

/* _script: return the script in "python3 -u script.py".  NULL: the program is
   not python, sh or bash, or runs no script (-c, -m).  _path: return DIR/x in
   "--data=DIR/x" or "DIR/x"; NULL: no path.  Both results point into the
   argument. */
const char *check_files_find_script(char *const *program);
const char *check_files_find_path(const char *argument);

/* Run "FILE --version", for at most 10 s, and return the first line of its
   output, which the caller frees.  NULL: it failed. */
char *check_files_find_version(const char *file);

/* Check the space for a directory, which may not exist yet, for the option or
   use `what` ("--log-dir").  Adds one finding of the running check: a failure
   if it cannot be written or less than 1 MiB is left, a warning for less than
   64 MiB.  Creates nothing. */
void check_files_check_room(struct diagnosis *, const char *what,
    const char *path);

#endif
