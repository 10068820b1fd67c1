/*
 * What the files of vipu-admin share.
 */
#ifndef APPLETS_VIPU_ADMIN_VIPU_ADMIN_H
#define APPLETS_VIPU_ADMIN_VIPU_ADMIN_H

#include "applets/vipu/call.h"

extern const struct option_row init_options[], test_options[],
	declare_export_options[], declare_apply_options[], discover_options[],
	inject_options[],
	edit_create_agent_options[], edit_update_agent_options[],
	    edit_cluster_options[],
	edit_create_allocation_options[], edit_update_allocation_options[],
	edit_no_options[];

/* "vipu-admin: TEXT" on stderr. Returns EXIT_FAILED. */
int	vipu_admin_failed(const struct error *);

int	init_pod(const struct call *);
int	inject_command(const struct call *);

int	edit_create_agent(const struct call *);
int	discover_agent(const struct call *);
int	agents_get(const struct call *);
int	agents_list(const struct call *);
int	edit_remove_agent(const struct call *);
int	edit_update_agent(const struct call *);

int	edit_create_cluster(const struct call *);
int	clusters_get(const struct call *);
int	clusters_list(const struct call *);
int	edit_remove_cluster(const struct call *);
int	edit_update_cluster(const struct call *);

int	edit_create_allocation(const struct call *);
int	edit_remove_allocation(const struct call *);
int	edit_update_allocation(const struct call *);

extern const struct option_row user_commands_create_options[],
    user_commands_update_options[],
	output_options[];

int	user_commands_create(const struct call *);
int	user_commands_get(const struct call *);
int	user_commands_list(const struct call *);
int	user_commands_update(const struct call *);
int	user_commands_remove(const struct call *);

int	test_cluster(const struct call *);

int	declare_export(const struct call *);
int	declare_apply(const struct call *);

#endif
