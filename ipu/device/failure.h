/*
 * What a running program says when its IPUs fail it, in the words of PopTorch
 * and Poplar.  Pure; each sets the error and returns -1.
 *
 * Source of the fabric's error: programs' logs, whole and literal.  Of an SoC
 * error: Graphcore's TensorFlow, the test of a soft error, which begins and
 * ends so; PopTorch's class and frame as in the first.
 */
#ifndef IPU_DEVICE_FAILURE_H
#define IPU_DEVICE_FAILURE_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

/* An IPU as the failing program knows it, and as the pod does. */
struct failed_ipu {
	int	index;			/* in the program's device */
	int	id;			/* as a device of the partition */
	int	number;			/* IPU# in its machine */
	char	name[NAME_SIZE + 4];	/* "ag01:0" */
	char	agent[NAME_SIZE];	/* "ag01" */
	char	address[ADDRESS_SIZE];	/* data plane */
	char	partition[NAME_SIZE];
};

/* What the pod knows of that IPU of its own; index and id are the caller's. */
void	failure_describe(struct failed_ipu *, const struct pod *,
	    const char *partition, int ipu);

/* Its machine went away; now_ns is CLOCK_REALTIME. */
int	failure_of_fabric(const struct failed_ipu *, int64_t now_ns,
	    struct error *);

/* It has that set of errors (core/pod/soc_error.h). */
int	failure_of_soc(const struct failed_ipu *, uint32_t soc_errors,
	    struct error *);

/* The same for a program that wants to attach to it. */
int	failure_to_attach(const struct failed_ipu *, uint32_t soc_errors,
	    struct error *);

/*
 * The error of a program that cannot attach, as it stands in *e, in the form
 * that it has where nobody caught it: with PopTorch's class, and its calls.
 */
int	failure_uncaught(struct error *);

#endif
