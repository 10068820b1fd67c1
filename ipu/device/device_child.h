/*
 * The child of a program that holds devices for it: ipubox-link(7), chapter
 * DEVICE.
 */
#ifndef IPU_DEVICE_DEVICE_CHILD_H
#define IPU_DEVICE_DEVICE_CHILD_H

#include "core/base/error.h"

/* "FILE __device": the word. */
#define DEVICE_CHILD_WORD	"__device"

/*
 * Serve the requests that come from `in`, with answers to `out`, for the parent
 * of this process.  Returns 0 when `in` has ended or the parent has, whoever
 * else has the other end of `in`; what was held is free again then.  -1: what
 * the system said of one of the two descriptors.
 *
 * This process leaves the session of the program, and closes what it inherited
 * but for its standard streams: a signal from the terminal, or to the
 * program's group, is the program's alone.
 */
int	device_child_run(int in, int out, struct error *);

#endif
