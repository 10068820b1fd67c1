/*
 * The commands of vipu, a file each, for the two tables that list them.  Each
 * takes a parsed call, answers on stdout or stderr, and returns the exit
 * status: EXIT_DONE, EXIT_FAILED or EXIT_USAGE.
 */
#ifndef APPLETS_VIPU_VIPU_INTERNAL_H
#define APPLETS_VIPU_VIPU_INTERNAL_H

#include "applets/vipu/call.h"

/* create partition: reserve IPUs; --options lists where they could lie. */
extern const struct option_row create_options[];
int create_command(const struct call *);

/* list partitions, and get partition: some columns, or all of one. */
extern const struct option_row show_list_options[], show_get_options[];
int show_list(const struct call *);
int show_get(const struct call *);

/* remove partition, which is delete partition as well. */
extern const struct option_row remove_options[];
int remove_command(const struct call *);

/* reset partition: configure its IPUs again and wait for the end of it. */
extern const struct option_row reset_options[];
int reset_command(const struct call *);

/* list allocations, and get allocation; their options are output_options. */
int allocations_command(const struct call *);

/* list ipu-attrs: what each IPU of the machines is. */
extern const struct option_row attributes_options[];
int attributes_list(const struct call *);

/* env: the shell's commands that set a partition's environment. */
extern const struct option_row environment_options[];
int environment_print(const struct call *);

/*
 * exec: become a program with that environment.  Comes back only where the
 * program cannot be executed, with 126 or 127, or is not to be.
 */
extern const struct option_row environment_exec_options[];
int environment_exec(const struct call *);

/* doctor: what is wrong here; EXIT_FAILED where something is. */
extern const struct option_row doctor_options[];
int doctor_command(const struct call *);

#endif
