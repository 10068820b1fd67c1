/*
 * The table of all applets.  Each is defined in a separate file.
 */
#include "applets/applet.h"

extern const struct applet copy_ssh_applet;
extern const struct applet gc_info_applet;
extern const struct applet gc_inventory_applet;
extern const struct applet gc_monitor_applet;
extern const struct applet gc_reset_applet;
extern const struct applet ipubox_job_applet;
extern const struct applet ipubox_sdk_env_applet;
extern const struct applet ipubox_slurm_applet;
extern const struct applet ipubox_train_applet;
extern const struct applet mnist_pipeline_applet;
extern const struct applet popdist_env_applet;
extern const struct applet poprun_applet;
extern const struct applet vipu_applet;
extern const struct applet vipu_admin_applet;
extern const struct applet vipu_cli_applet;
extern const struct applet vipu_server_applet;

const struct applet *const all_applets[] = {
	&copy_ssh_applet,
	&gc_info_applet,
	&gc_inventory_applet,
	&gc_monitor_applet,
	&gc_reset_applet,
	&ipubox_job_applet,
	&ipubox_sdk_env_applet,
	&ipubox_slurm_applet,
	&ipubox_train_applet,
	&mnist_pipeline_applet,
	&popdist_env_applet,
	&poprun_applet,
	&vipu_applet,
	&vipu_admin_applet,
	&vipu_cli_applet,
	&vipu_server_applet,
	NULL,
};
