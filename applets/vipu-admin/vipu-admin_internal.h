/*
 * The commands of vipu-admin, for the table in applets/vipu-admin.c.  Each
 * takes a parsed call, prints to stdout or stderr, and returns the exit status:
 * EXIT_DONE, EXIT_FAILED or EXIT_USAGE.
 *
 * Source of the words: V-IPU administrator guide.
 */
#ifndef APPLETS_VIPU_ADMIN_VIPU_ADMIN_INTERNAL_H
#define APPLETS_VIPU_ADMIN_VIPU_ADMIN_INTERNAL_H

#include "applets/vipu/call.h"

/* Run a command line of vipu-admin under the name of `as`. */
int vipu_admin_run(const struct applet *as, int argc, char **argv);

/* init: replace the pod by a new one, and create the partitions that its
   description lists.  Without --force the old pod must have no partition. */
extern const struct option_row init_options[];
int init_pod(const struct call *);

/* inject: make a machine or an IPU fail; without operands, list all faults. */
extern const struct option_row inject_options[];
int inject_command(const struct call *);

/* discover agent: list machines that are not declared yet; with --add, declare
   them. */
extern const struct option_row discover_options[];
int discover_agent(const struct call *);

/* list agents: some columns of all machines. get agent: all details of one. */
int agents_list(const struct call *);
int agents_get(const struct call *);

/* list clusters and get cluster. */
int clusters_command(const struct call *);

/* test cluster: EXIT_FAILED also if its wiring does not carry the traffic. */
extern const struct option_row test_options[];
int test_cluster(const struct call *);

/* create, update and remove agent. */
extern const struct option_row edit_create_agent_options[],
    edit_update_agent_options[];
int edit_create_agent(const struct call *);
int edit_update_agent(const struct call *);
int edit_remove_agent(const struct call *);

/* create, update and remove cluster; create and update share their options. */
extern const struct option_row edit_cluster_options[];
int edit_create_cluster(const struct call *);
int edit_update_cluster(const struct call *);
int edit_remove_cluster(const struct call *);

/* create, update and remove allocation. */
extern const struct option_row edit_create_allocation_options[],
    edit_update_allocation_options[];
int edit_create_allocation(const struct call *);
int edit_update_allocation(const struct call *);
int edit_remove_allocation(const struct call *);

/* list users and get user. */
int user_commands_list(const struct call *);
int user_commands_get(const struct call *);

/* create, update and remove user.  A new access key, of create or update
   --new-key, is printed and written to NAME.vipu-cli.hcl in the working
   directory, which must not have that file yet. */
extern const struct option_row user_commands_create_options[],
    user_commands_update_options[];
int user_commands_create(const struct call *);
int user_commands_update(const struct call *);
int user_commands_remove(const struct call *);

/* export: write the pod and its partitions to stdout or a file, as a
   description of ipubox-pod(5). */
int export_pod(const struct call *);

#endif
