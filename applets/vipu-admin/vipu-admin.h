/*
 * What the files of vipu-admin share.
 */
#ifndef APPLETS_VIPU_ADMIN_VIPU_ADMIN_H
#define APPLETS_VIPU_ADMIN_VIPU_ADMIN_H

#include "applets/vipu/cli.h"

extern const struct option_row init_options[], test_options[],
	export_options[], apply_options[], discover_options[],
	inject_options[],
	create_agent_options[], update_agent_options[], cluster_options[],
	create_allocation_options[], update_allocation_options[],
	no_options[];

/* "vipu-admin: TEXT" on stderr. Returns EXIT_FAILED. */
int	vipu_admin_failed(const struct error *);

int	init_pod(const struct call *);
int	inject(const struct call *);

int	create_agent(const struct call *);
int	discover_agent(const struct call *);
int	get_agent(const struct call *);
int	list_agents(const struct call *);
int	remove_agent(const struct call *);
int	update_agent(const struct call *);

int	create_cluster(const struct call *);
int	get_cluster(const struct call *);
int	list_clusters(const struct call *);
int	remove_cluster(const struct call *);
int	update_cluster(const struct call *);

int	create_allocation(const struct call *);
int	remove_allocation(const struct call *);
int	update_allocation(const struct call *);

extern const struct option_row create_user_options[], update_user_options[],
	user_form_options[];

int	create_user(const struct call *);
int	get_user(const struct call *);
int	list_users(const struct call *);
int	update_user(const struct call *);
int	remove_user(const struct call *);

int	test_cluster(const struct call *);

int	export_pod(const struct call *);
int	apply_pod(const struct call *);

#endif
