/*
 * The device listings of gc-info.
 *
 * IPU# runs against the machine's order: the first IPU of a machine is
 * number 3, the last 0 (guide 5.2; V-IPU calls them ag06:0 to ag06:3).
 */
#ifndef IPU_DEVICE_LISTING_H
#define IPU_DEVICE_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/terminal.h"
#include "core/pod/pod.h"
#include "ipu/device/device_list.h"

enum listing_style { LISTING_OLD, LISTING_MID, LISTING_NEW };

struct listing {
	const struct pod *pod;
	enum listing_style style;
	int columns; /* of the terminal; 0: hosts are never cut */
	bool colour; /* of marks */
	/* Private. */
	int id_width;	   /* digits of the widest id */
	int routing_width; /* of a DNC id */
	int host_width;
	int mark_width;
};

/* What is said of a device or an IPU; the word is NULL where nothing is. */
struct listing_mark {
	const char *word;
	enum terminal_tone tone;
};

/* The marks of one partition. */
struct listing_marks {
	const struct listing_mark *devices; /* as they are listed */
	const struct listing_mark *ipus;    /* by routing id */
};

/* One of the words; -1 and the reason for another one. */
int listing_style_parse(const char *what, const char *word,
    enum listing_style *, struct error *);

/* The IPU's place in its machine: the agent's index and the printed IPU#. */
int listing_ipu_machine(int ipu);
int listing_ipu_number(int ipu);

/* No terminal, no colour: the caller may set both. */
void listing_init(struct listing *, const struct pod *, enum listing_style);
/* Make room in the columns for these devices, once for each partition; and for
   an IPU of the pod. */
void listing_measure(struct listing *, const struct partition *,
    const struct device *, int count, int first_id,
    const struct listing_marks *);
void listing_measure_ipu(struct listing *, int ipu, int id);

/* "Graphcore device listing:", where the style has it. */
void listing_header(const struct listing *, FILE *);
/* "Partition: p1 [active]", with a mark "[active, machine down]". */
void listing_partition(const struct listing *, FILE *, const struct partition *,
    bool active, const struct listing_mark *);
/* The devices; ids are raised by first_id.  The marks may be NULL. */
void listing_devices(const struct listing *, FILE *, const struct partition *,
    const struct device *, int count, int first_id,
    const struct listing_marks *);
/* A line for an IPU of the pod, whatever partition it is of. */
void listing_ipu(const struct listing *, FILE *, int ipu, int id,
    const struct listing_mark *);

#endif
