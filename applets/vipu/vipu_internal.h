/*
 * The commands of vipu, a file each, for the two tables that list them.  Each
 * takes a parsed call, prints to stdout or stderr, and returns the exit status:
 * EXIT_DONE, EXIT_FAILED or EXIT_USAGE, unless noted.
 */
#ifndef APPLETS_VIPU_VIPU_INTERNAL_H
#define APPLETS_VIPU_VIPU_INTERNAL_H

#include "applets/vipu/call.h"
#include "applets/vipu/output.h"

struct partition_range;

/* Run a command line of vipu under the name of `as`, which messages use. */
int vipu_run(const struct applet *as, int argc, char **argv);

/* create partition: reserve IPUs; --options lists possible places. */
extern const struct option_row create_options[];
int create_command(const struct call *);

/* list partitions and get partition: some columns, or all details of one. */
extern const struct option_row show_list_options[], show_get_options[];
int show_list(const struct call *);
int show_get(const struct call *);

/* list partitions --watch: print the list, and then a line for each change,
   until a signal ends it or the reader of stdout is gone.  Sets the snapshot of
   `all`. */
int watch_partitions(const struct call *, struct output_stream *,
    struct partition_range *all);

/* wait: return when a partition has the wanted state, or enough IPUs are
   free. */
extern const struct option_row await_options[];
int await_command(const struct call *);

/* status: print which IPUs are used and free, which commands wait for some, and
   where a partition would go. */
extern const struct option_row status_options[];
int status_command(const struct call *);
/* Return how many IPUs of the partition programs hold. */
int status_attached(const struct pod *, const struct registry *,
    const struct partition *);

/* remove partition, also called delete partition. */
extern const struct option_row remove_options[];
int remove_command(const struct call *);

/* reset partition: configure its IPUs again and wait until that ends. */
extern const struct option_row reset_options[];
int reset_command(const struct call *);

/* list allocations and get allocation; their options are output_options. */
int allocations_command(const struct call *);

/* list ipu-attrs: the attributes of each IPU. */
extern const struct option_row attributes_options[];
int attributes_list(const struct call *);

/* env: print the shell commands that set a partition's environment. */
extern const struct option_row environment_options[];
int environment_print(const struct call *);

/* exec: execute a program with that environment in place of this process.
   Returns only if the program cannot be executed (126), is not found (127), or
   the call or the partition is refused (EXIT_USAGE or EXIT_FAILED). */
extern const struct option_row environment_exec_options[];
int environment_exec(const struct call *);

/* doctor: report problems of this set-up, with --fix after removing IPUoF files
   of partitions that are gone.  EXIT_FAILED if one is more than a warning. */
extern const struct option_row doctor_options[];
int doctor_command(const struct call *);

/*
 * Partitions, and possible places for one, as a table, as JSON and as CSV.
 */

struct partition_range { /* the source of the views below */
	const struct snapshot *snapshot;
	int first, count; /* of its partitions */
	const struct versions *versions;
	bool screen; /* a terminal limits the width of the table */
	bool users;  /* lines end with the user */
};

/* A line per partition, indexed by VERSIONS_OLD, _MID or _NEW. */
extern const struct output_view format_lines[];
/* The range's first partition, as V-IPU shows it. */
extern const struct output_view format_page;
/* The same with the partition's life: owner, times and counts. */
extern const struct output_view format_page_verbose;

/* Add a constant of the contract under `key`: a prefix ("IRT_") and a name
   ("DNC"). */
void format_add_constant(yyjson_mut_doc *, yyjson_mut_val *object,
    const char *key, const char *prefix, const char *name);

/* Prefix of the names of IPUs in a list. */
enum ipu_numbers {
	NUMBERS_NONE,  /* "ag06:0 ag06:1", "ag06:0-3" */
	NUMBERS_SHORT, /* "0=ag06:0"; over several ILDs as NUMBERS_LONG */
	NUMBERS_LONG   /* "0.0=ag06:0", the ILD in front */
};

/* Add the contract's array "ipus" to the object: the location of each IPU. */
void format_add_ipus(yyjson_mut_doc *, yyjson_mut_val *object,
    const struct placement *);

/* Add the names of the IPUs as one cell, each alone, as in the V-IPU
   guide.  On a screen, more than FORMAT_IPUS_ALONE IPUs become ranges, at least
   one for each machine: "0-3=ag06:0-3", "0.0-3=ag06:0-3". */
enum { FORMAT_IPUS_ALONE = 8 };
void format_table_ipus(struct table *, const struct pod *,
    const struct placement *, enum ipu_numbers, bool screen);

#endif
