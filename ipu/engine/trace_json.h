/*
 * Chrome's trace-event format, which Perfetto opens: a process a replica, a
 * thread an IPU.  Open, then add the traces of call after call, then close.
 * `epoch_ns` is time zero.  The stream is the caller's, errors as well.
 */
#ifndef IPU_ENGINE_TRACE_JSON_H
#define IPU_ENGINE_TRACE_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "ipu/engine/trace.h"

struct trace_writer {
	FILE	*file;
	int64_t	 epoch_ns;
	int	 written;
};

void	trace_open(struct trace_writer *, FILE *, int64_t epoch_ns);
/* Names a row. */
void	trace_name(struct trace_writer *, int replica, int ipu);
void	trace_write(struct trace_writer *, const struct trace *);
void	trace_close(struct trace_writer *);

#endif
