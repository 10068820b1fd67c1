/*
 * The files of ipubox-slurm: its commands.
 */
#ifndef APPLETS_IPUBOX_SLURM_IPUBOX_SLURM_H
#define APPLETS_IPUBOX_SLURM_IPUBOX_SLURM_H

#include "core/base/error.h"

/* Write the files of config/slurm into the directory, which is made if it does
   not exist, for the pod that this user's commands see.  Files of the same
   names are replaced. */
int slurm_install(const char *directory, struct error *);

/* Print what TaskProlog understands, for a task of a job with IPUs: the
   variables that lead programs to its partition.  Returns the exit status: 1
   ends the task, after the reason was printed for its output. */
int slurm_task_prolog(void);

#endif
