/*
 * Which partition a job uses, and which it leaves alone.
 */
#ifndef CORE_LAUNCH_PLAN_PARTITION_CHOICE_H
#define CORE_LAUNCH_PLAN_PARTITION_CHOICE_H

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/launch/plan/launch_settings.h"

/* Find the name: that of the command line, else that of the variable
   IPUOF_VIPU_API_PARTITION_ID, else that of the only partition (PopRun user
   guide 2.7).  A given name need not exist.  -1: it is not a name; or none was
   given, and none or several partitions exist. */
int partition_choice_name(const struct launch_settings *,
    const struct controller *, const struct snapshot *, char name[NAME_SIZE],
    struct error *);

/* Refuse (ERROR_BUSY) a partition with an owner that still runs, such as
   another poprun: its programs may not be attached yet.  The error names the
   process and its command. */
int partition_choice_check_owner(const struct partition *, struct error *);

#endif
