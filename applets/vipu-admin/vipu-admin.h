/*
 * What the files of vipu-admin share.
 */
#ifndef APPLETS_VIPU_ADMIN_VIPU_ADMIN_H
#define APPLETS_VIPU_ADMIN_VIPU_ADMIN_H

#include "applets/vipu/command.h"

extern const struct option_row init_options[], show_options[],
	test_options[], export_options[], apply_options[];

/* "vipu-admin: TEXT" on stderr. Returns EXIT_FAILED. */
int	vipu_admin_failed(const struct error *);

int	init_pod(const struct call *);

int	list_agents(const struct call *);
int	list_clusters(const struct call *);

int	test_cluster(const struct call *);

int	export_pod(const struct call *);
int	apply_pod(const struct call *);

#endif
