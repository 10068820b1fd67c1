/*
 * The host's activities in trace.json: a process of their own.
 */
#ifndef IPU_PROFILE_TRACE_HOST_H
#define IPU_PROFILE_TRACE_HOST_H

#include "ipu/profile/trace_json.h"

/* Write it under that number; nothing where none were measured. */
void	trace_host_write(struct trace_json *, int process);

#endif
