/*
 * The commands of vipu, a file each, for the two tables that list them.  Each
 * takes a parsed call, prints to stdout or stderr, and returns the exit status:
 * EXIT_DONE, EXIT_FAILED or EXIT_USAGE, unless noted.
 */
#ifndef APPLETS_VIPU_VIPU_INTERNAL_H
#define APPLETS_VIPU_VIPU_INTERNAL_H

#include "applets/vipu/call.h"

/* Run a command line of vipu under the name of `as`, which messages use. */
int vipu_run(const struct applet *as, int argc, char **argv);

/* create partition: reserve IPUs; --options lists possible places. */
extern const struct option_row create_options[];
int create_command(const struct call *);

/* list partitions and get partition: some columns, or all details of one. */
extern const struct option_row show_list_options[], show_get_options[];
int show_list(const struct call *);
int show_get(const struct call *);

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

/* doctor: report problems of this set-up; EXIT_FAILED if it finds any. */
extern const struct option_row doctor_options[];
int doctor_command(const struct call *);

#endif
