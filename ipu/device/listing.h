/*
 * The device listings of gc-info.
 *
 * The printed IPU# counts against the machine's order: the first IPU of a
 * machine is number 3, the last 0 (guide 5.2; V-IPU calls them ag06:0 to
 * ag06:3).
 */
#ifndef IPU_DEVICE_LISTING_H
#define IPU_DEVICE_LISTING_H

#include <stdio.h>

#include "core/base/terminal.h"
#include "core/pod/pod.h"
#include "ipu/device/device_list.h"

/* Forms: the guide's; the tools' up to SDK 2.3; the tools' since SDK 2.4
   (listing.c has examples). */
enum listing_style { LISTING_OLD, LISTING_MID, LISTING_NEW };

struct listing {
	const struct pod *pod;
	enum listing_style style;
	int columns; /* of the terminal; 0: never cut hosts */
	bool colour; /* of marks */
	/* Private. */
	int id_width;	   /* digits of the largest id */
	int routing_width; /* digits of the largest DNC id (routing id) */
	int host_width;
	int mark_width;
};

/* A remark on a device or an IPU; word NULL: no remark. */
struct listing_mark {
	const char *word;
	enum terminal_tone tone;
};

/* The remarks on one partition. */
struct listing_marks {
	const struct listing_mark *devices; /* in the order of the listing */
	const struct listing_mark *ipus;    /* by routing id */
};

/* Parse the word for a style: "old", "mid" or "new".  -1: it is unknown; the
   error names the option `what`. */
int listing_style_parse(const char *what, const char *word,
    enum listing_style *, struct error *);

/* Return the machine's index, or the printed IPU#, of an IPU of the pod. */
int listing_ipu_machine(int ipu);
int listing_ipu_number(int ipu);

/* Begin without columns and colour, which the caller may set. */
void listing_init(struct listing *, const struct pod *, enum listing_style);
/* Widen the columns for a partition's devices, before anything is printed;
   arguments as for listing_devices(). */
void listing_measure(struct listing *, const struct partition *,
    const struct device *, int count, int first_id,
    const struct listing_marks *);
/* Widen the columns for an IPU of the pod. */
void listing_measure_ipu(struct listing *, int ipu, int id);

/* Print "Graphcore device listing:" if the style has it. */
void listing_header(const struct listing *, FILE *);
/* Print "Partition: p1 [active]"; with a mark "[active, machine down]"; if
   neither active nor marked, "Partition: p1". */
void listing_partition(const struct listing *, FILE *, const struct partition *,
    bool active, const struct listing_mark *);
/* Print the devices, with `first_id` added to each id.  The marks may be
   NULL. */
void listing_devices(const struct listing *, FILE *, const struct partition *,
    const struct device *, int count, int first_id,
    const struct listing_marks *);
/* Print a line for an IPU of the pod, which need not be in a partition. */
void listing_ipu(const struct listing *, FILE *, int ipu, int id,
    const struct listing_mark *);

#endif
