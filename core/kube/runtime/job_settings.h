/*
 * What ipubox.conf (settings.h) says of the pods of IPUJobs.
 */
#ifndef CORE_KUBE_RUNTIME_JOB_SETTINGS_H
#define CORE_KUBE_RUNTIME_JOB_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"

/*
 * The directory that is the root of a container with that image, NULL: it names
 * none; "": this host's own files, which *is_mapped says was said.  A name
 * without a tag in the files is for all its tags.  -1: the files are refused.
 */
int	job_settings_image(const char *image, char root[PATH_MAX],
	    bool *is_mapped, struct error *);

/* Below which a hostPath may be; "": none may. */
int	job_settings_host_root(char root[PATH_MAX], struct error *);

/* Before the first restart of a job; ten seconds, where nothing is said. */
int	job_settings_restart_delay(int64_t *ms, struct error *);

#endif
