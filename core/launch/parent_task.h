/*
 * A parent that srun starts as a task of Slurm: its number and its environment.
 */
#ifndef CORE_LAUNCH_PARENT_TASK_H
#define CORE_LAUNCH_PARENT_TASK_H

#include "core/base/error.h"

/* Instead of INSTANCE, for a task of Slurm, which knows its number. */
#define PARENT_TASK_WORD "task"

/* Variables with the packed environments of all tasks ("ALL") or one ("3"):
   entries NAME=VALUE, and perhaps =DIRECTORY, each with a separator. */
#define PARENT_TASK_VARIABLE "IPUBOX_TASK_"
enum { PARENT_TASK_SEPARATOR = 1 };

/* Read INSTANCE; for a task also set its environment and its directory.  -1: it
   is neither a number nor a task, or the directory does not exist. */
int parent_task_enter(const char *word, int *instance, struct error *);

#endif
