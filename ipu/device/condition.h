/*
 * How a partition, an IPU and a device fare, as one word and one sentence.
 * Pure: time is a parameter.
 *
 *	kind       word                             a device of several IPUs
 *	GOOD       available                        all of them are
 *	BUSY       in use                           one is
 *	ERROR      IPUSOFTERR; of several: errors   what any of them has
 *	PARTITION  PENDING, ERROR, REMOVING
 *	MACHINE    machine down, machine rebooting  one of them is
 *
 * No sentence tells a process id: what one means depends on who reads it
 * (core/state/holder.h).
 */
#ifndef IPU_DEVICE_CONDITION_H
#define IPU_DEVICE_CONDITION_H

#include <stdint.h>

#include "core/base/terminal.h"
#include "core/pod/pod.h"
#include "ipu/device/status.h"

enum { CONDITION_WORD_SIZE = 32, CONDITION_TEXT_SIZE = 512 };

/* By weight: of several IPUs the heaviest counts. */
enum condition_kind {
	CONDITION_GOOD,
	CONDITION_BUSY,		/* a program is attached */
	CONDITION_ERROR,	/* an IPU has an error of its SoC */
	CONDITION_PARTITION,	/* it is not active */
	CONDITION_MACHINE	/* it does not answer */
};

struct condition {
	enum condition_kind	kind;
	enum terminal_tone	tone;		/* a warning where it passes by
						   itself: who holds it, what
						   is made, goes or reboots */
	uint32_t		soc_errors;	/* a set (pod/soc_error.h) */
	char			word[CONDITION_WORD_SIZE];
	char			text[CONDITION_TEXT_SIZE];
	/* What the attribute "ipu error state" says: "no errors", the errors'
	   names, or why they cannot be read: "machine down", "partition
	   ERROR". */
	char			error_state[SOC_TEXT_SIZE];
};

/*
 * Its state, and before that its machines: the first that does not answer.
 * O(IPUs).
 */
void	condition_of_partition(struct condition *, const struct partition *,
	    const struct pod *, int64_t now_ms);

/*
 * An IPU of the partition, or of none (NULL).  Of the partition's machines its
 * own alone counts.
 */
void	condition_of_ipu(struct condition *, const struct ipu_status *,
	    const struct partition *, const struct pod *, int64_t now_ms);

/*
 * A device of several IPUs: begin with condition_init(), which is the good
 * one, and join that of each IPU.  The first of the heaviest is what is told;
 * errors are joined.
 */
void	condition_init(struct condition *);
void	condition_join(struct condition *device, const struct condition *ipu);

#endif
